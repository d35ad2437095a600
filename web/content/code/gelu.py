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


def gelu_sigmoid(x, k=1.702):
    return let_in(x, sigmoid(k * x))


def gelu_derivative(x):
    x = max(min(x, 40.0), -40.0)  # beyond this it is 0 or 1; nan stays nan
    density = math.exp(-0.5 * x * x) / math.sqrt(2.0 * math.pi)
    return 0.5 * math.erfc(-x / math.sqrt(2.0)) + x * density


def main(words):
    xs = [float(word) for word in words] or [-3, -1, -0.5, 0, 0.5, 1, 3]
    print("x\tGELU (exact)\tGELU (tanh form)\tabsolute error\tReLU")
    for x in xs:
        a, b = gelu(x), gelu_tanh(x)
        error = 0.0 if a == b else abs(a - b)  # inf - inf is nan
        print("%+.1f\t%+.6f\t%+.6f\t%.2e\t%+.2f" % (x, a, b, error, max(x, 0.0)))


if __name__ == "__main__":
    main(sys.argv[1:])
