"""GELU, its two approximations and its derivative, for every float."""

import math
import sys


def let_in(x, share):
    # Below -1000 every share is 0; without the bound, -inf times 0 is nan.
    return max(x, -1000.0) * share


def sigmoid(z):
    # exp only ever sees a negative number, so it cannot overflow.
    e = math.exp(-abs(z))
    return 1.0 / (1.0 + e) if z >= 0 else e / (1.0 + e)


def gelu(x):
    return let_in(x, 0.5 * math.erfc(-x / math.sqrt(2.0)))


def gelu_tanh(x):
    # (1 + tanh u) / 2 is sigmoid(2u), which keeps its digits on the left.
    u = math.sqrt(2.0 / math.pi) * (x + 0.044715 * x * x * x)
    return let_in(x, sigmoid(2.0 * u))


def gelu_sigmoid(x):
    return let_in(x, sigmoid(1.702 * x))


def gelu_derivative(x):
    x = max(min(x, 40.0), -40.0)  # beyond this it is 0 or 1; nan stays nan
    density = math.exp(-0.5 * x * x) / math.sqrt(2.0 * math.pi)
    return 0.5 * math.erfc(-x / math.sqrt(2.0)) + x * density


def decimals(word):
    # As many digits after the point as the word has, its exponent counted in.
    digits, _, exponent = word.lower().partition("e")
    return min(max(len(digits.partition(".")[2]) - int(exponent or 0), 1), 20)


def main(words):
    print("x\tGELU (exact)\tGELU (tanh form)\tabsolute error\tReLU")
    for word in words or ["-3", "-1", "-0.5", "0", "0.5", "1", "3"]:
        x = float(word)
        a, b = gelu(x), gelu_tanh(x)
        error = 0.0 if a == b else abs(a - b)  # inf - inf is nan
        relu = 0.0 if x <= 0 else x  # max(0, x) would swallow a nan
        row = (decimals(word), x, a, b, error, relu)
        print("%+.*f\t%+.6f\t%+.6f\t%.2e\t%+.2f" % row)


if __name__ == "__main__":
    main(sys.argv[1:])
