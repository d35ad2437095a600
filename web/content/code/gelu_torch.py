"""GELU, its two approximations and its derivative, for tensors, forward only."""

import math
import sys

import torch


def let_in(x, share):
    # Below -1000 every share is 0; without the bound, -inf times 0 is nan.
    return x.clamp(min=-1000.0) * share


def gelu(x):
    # Like F.gelu(x), but keeps its digits on the left.
    return let_in(x, 0.5 * torch.erfc(-x / math.sqrt(2.0)))


def gelu_tanh(x):
    # Like F.gelu(x, approximate="tanh").
    u = math.sqrt(2.0 / math.pi) * (x + 0.044715 * x * x * x)
    return let_in(x, torch.sigmoid(2.0 * u))


def gelu_sigmoid(x):
    return let_in(x, torch.sigmoid(1.702 * x))


def gelu_derivative(x):
    x = x.clamp(-40.0, 40.0)  # beyond this it is 0 or 1
    density = torch.exp(-0.5 * x * x) / math.sqrt(2.0 * math.pi)
    return 0.5 * torch.erfc(-x / math.sqrt(2.0)) + x * density


def decimals(word):
    # As many digits after the point as the word has, its exponent counted in.
    digits, _, exponent = word.lower().partition("e")
    return min(max(len(digits.partition(".")[2]) - int(exponent or 0), 1), 20)


def main(words):
    words = words or ["-3", "-1", "-0.5", "0", "0.5", "1", "3"]
    x = torch.tensor([float(word) for word in words], dtype=torch.float64)
    a, b = gelu(x), gelu_tanh(x)
    zero = torch.zeros_like(x)
    error = torch.where(a == b, zero, (a - b).abs())  # inf - inf is nan
    relu = torch.where(x <= 0, zero, x)
    print("x\tGELU (exact)\tGELU (tanh form)\tabsolute error\tReLU")
    for word, *row in zip(words, *torch.stack([x, a, b, error, relu]).tolist()):
        print("%+.*f\t%+.6f\t%+.6f\t%.2e\t%+.2f" % (decimals(word), *row))


if __name__ == "__main__":
    main(sys.argv[1:])
