"""GELU, its two approximations and its derivative, for float64 arrays."""

import sys

import numpy as np
from scipy.special import erfc, expit


def let_in(x, share):
    # Below -1000 every share is 0; without the bound, -inf times 0 is nan.
    return np.maximum(x, -1000.0) * share


def gelu(x):
    return let_in(x, 0.5 * erfc(-x / np.sqrt(2.0)))


def gelu_tanh(x):
    # Where x * x * x becomes inf, expit still answers 0 or 1.
    with np.errstate(over="ignore"):
        u = np.sqrt(2.0 / np.pi) * (x + 0.044715 * x * x * x)
        return let_in(x, expit(2.0 * u))


def gelu_sigmoid(x):
    with np.errstate(over="ignore"):
        return let_in(x, expit(1.702 * x))


def gelu_derivative(x):
    x = np.clip(x, -40.0, 40.0)  # beyond this it is 0 or 1
    density = np.exp(-0.5 * x * x) / np.sqrt(2.0 * np.pi)
    return 0.5 * erfc(-x / np.sqrt(2.0)) + x * density


def decimals(word):
    # As many digits after the point as the word has, its exponent counted in.
    digits, _, exponent = word.lower().partition("e")
    return min(max(len(digits.partition(".")[2]) - int(exponent or 0), 1), 20)


def main(words):
    words = words or ["-3", "-1", "-0.5", "0", "0.5", "1", "3"]
    x = np.array(words, dtype=np.float64)
    a, b = gelu(x), gelu_tanh(x)
    with np.errstate(invalid="ignore"):  # inf - inf
        error = np.where(a == b, 0.0, np.abs(a - b))
    relu = np.where(x <= 0, 0.0, x)
    print("x\tGELU (exact)\tGELU (tanh form)\tabsolute error\tReLU")
    for row in zip(map(decimals, words), x, a, b, error, relu):
        print("%+.*f\t%+.6f\t%+.6f\t%.2e\t%+.2f" % row)


if __name__ == "__main__":
    main(sys.argv[1:])
