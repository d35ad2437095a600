"""GELU, its two approximations and its derivative, for tensors."""

import math

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


def gelu_sigmoid(x, k=1.702):
    return let_in(x, torch.sigmoid(k * x))


def gelu_derivative(x):
    x = x.clamp(-40.0, 40.0)  # beyond this it is 0 or 1
    density = torch.exp(-0.5 * x * x) / math.sqrt(2.0 * math.pi)
    return 0.5 * torch.erfc(-x / math.sqrt(2.0)) + x * density


def main():
    x = torch.tensor([-3, -1, -0.5, 0, 0.5, 1, 3], dtype=torch.float64)
    a, b = gelu(x), gelu_tanh(x)
    rows = torch.stack([x, a, b, (a - b).abs(), x.relu()], dim=1).tolist()
    print("x\tGELU (exact)\tGELU (tanh form)\tabsolute error\tReLU")
    for row in rows:
        print("%+.1f\t%+.6f\t%+.6f\t%.2e\t%+.2f" % tuple(row))


if __name__ == "__main__":
    main()
