#!/usr/bin/env python3
"""Derives every number of c_src/rounded_tables.h and the error bound that stands beside it.

    python3 rounded_tables.py            writes the header to standard output
    python3 rounded_tables.py --check    exits 1 unless ../rounded_tables.h is exactly that text

Needs mpmath (Debian: python3-mpmath). All arithmetic has 60 digits; the rational functions are minimax in relative
error, by the exchange algorithm of Remez, and every bound is measured with the rounded coefficients, evaluated exactly,
on the points of a grid four times as fine as the one they were fitted on. The ends are searched with the very float64
operations of c_src/rounded_f32.c, which Python's floats are.
"""

import struct
import sys
from pathlib import Path

from mpmath import mp, mpf

mp.dps = 60

TAIL_END = mpf(13)  # beyond it float32 results are subnormal, which the kernels leave to float64
BELOW_HALF = 1 - mpf(2) ** -43  # 2 N(0)/D(0)

# The kernels take 2^-bits for the relative error of their estimates; rounded_f32.h adds up what it is.
TAIL_BITS = 39
GATE_BITS = 40


def evaluate(poly, x):
    result = mpf(0)
    for c in reversed(poly):
        result = result * x + mpf(c)
    return result


def log2_text(error):
    return f"2^{float(mp.log(error, 2)):.2f}"


def scaled_tail(t):
    """R(t) = exp(t^2/2) Phi(-t)."""
    return mp.exp(t * t / 2) * mp.erfc(t / mp.sqrt(2)) / 2


def tanh_ratio(w):
    """tanh(r/4)/r, w = r^2."""
    r = mp.sqrt(w)
    return mp.tanh(r / 4) / r if w > mpf(10) ** -40 else (1 - w / 48) / 4


class Fit:
    """N/D with N of degree n and D monic of degree d. Where `at_zero` is given, N(0) = at_zero D(0).

    Unknowns: the coefficients of N (without n0 if it is tied to d0), of D without its leading 1, and the levelled error
    E. At the nodes x_i the relative error is to be E and -E in turn: N(x_i) - f(x_i) (1 +- E) D(x_i) = 0.
    """

    def __init__(self, n, d, at_zero=None):
        self.n, self.d, self.at_zero = n, d, at_zero
        self.first = 0 if at_zero is None else 1  # the first free coefficient of N
        self.node_count = (n + 1 - self.first) + d + 1

    def unpack(self, v):
        free = self.n + 1 - self.first
        low = [v[free + j] for j in range(self.d)] + [mpf(1)]
        top = [v[j] for j in range(free)]
        if self.first:
            top = [self.at_zero * low[0]] + top
        return top, low, v[self.node_count - 1]

    def row(self, x, f, factor, low_value, sign):
        """Derivatives of N(x) - f factor D(x) by the unknowns, factor = 1 + sign E."""
        from_top = [x**j for j in range(self.first, self.n + 1)]
        from_low = [-f * factor * x**j for j in range(self.d)]
        if self.first:
            from_low[0] += self.at_zero
        return from_top + from_low + [-f * sign * low_value]

    def levelled(self, xs, fs, v):
        """Newton's method for the nodes xs; v is changed in place."""
        for step in range(40):
            top, low, error = self.unpack(v)
            matrix, right = mp.matrix(self.node_count), mp.matrix(self.node_count, 1)
            for i, (x, f) in enumerate(zip(xs, fs)):
                sign = (-1) ** i
                factor, low_value = 1 + sign * error, evaluate(low, x)
                for j, entry in enumerate(self.row(x, f, factor, low_value, sign)):
                    matrix[i, j] = entry
                right[i] = -(evaluate(top, x) - f * factor * low_value)
            change = mp.lu_solve(matrix, right)
            for j in range(self.node_count):
                v[j] += change[j]
            if max(abs(change[j]) for j in range(self.node_count)) < mpf(10) ** -40 * max(abs(c) for c in v):
                return v
        raise ArithmeticError("Newton's method does not converge")


def extrema(errors, count):
    """Indices of `count` extrema of alternating sign, the largest ones."""
    runs = []  # the largest of each run of one sign
    for k, e in enumerate(errors):
        if e == 0:
            continue
        if runs and (errors[runs[-1]] > 0) == (e > 0):
            if abs(e) > abs(errors[runs[-1]]):
                runs[-1] = k
        else:
            runs.append(k)
    while len(runs) > count:  # the smaller end goes; alternation stays
        runs.pop(0 if abs(errors[runs[0]]) < abs(errors[runs[-1]]) else -1)
    if len(runs) < count:
        raise ArithmeticError(f"only {len(runs)} alternations of {count}")
    return runs


def minimax(f, place, fit, steps):
    """The fit of least relative error to f on the points place(0) ... place(1), `steps` of them in [0, 1]."""
    xs = [place(mpf(k) / steps) for k in range(0 if fit.first == 0 else 1, steps + 1)]
    fs = [f(x) for x in xs]
    count = fit.node_count
    nodes = [int(round(float((1 - mp.cos(mp.pi * i / (count - 1))) / 2 * (len(xs) - 1)))) for i in range(count)]
    nodes = [min(max(k, i + 1), len(xs) - 1) for i, k in enumerate(nodes)]
    v = [mpf(0)] * count
    for _ in range(30):
        v = fit.levelled([xs[k] for k in nodes], [fs[k] for k in nodes], v)
        top, low, error = fit.unpack(v)
        errors = [evaluate(top, x) / (evaluate(low, x) * y) - 1 for x, y in zip(xs, fs)]
        nodes = extrema(errors, count)
        worst = max(abs(e) for e in errors)
        if worst < abs(error) * (1 + mpf(10) ** -4):
            return top, low
    raise ArithmeticError("the exchange does not converge")


def tail_place(share):
    """[0, 1] to [0, TAIL_END], even in (t - k)/(t + k): R(t) changes most where t is small. From nodes spread so, with
    k = 3, the exchange finds its way; with k below it ends at a fraction with a pole next to 0."""
    k = mpf(3)
    u = -1 + share * ((TAIL_END - k) / (TAIL_END + k) + 1)
    return k * (1 + u) / (1 - u)


def tail_rational():
    """N and D of R(t), (6, 7); the ties of GELU for tiny x ask for N(0)/D(0) just below 1/2."""
    steps = 600
    top, low = minimax(scaled_tail, tail_place, Fit(6, 7, BELOW_HALF / 2), steps)
    low = [float(c) for c in low]
    top = [float(mpf(low[0]) / 2 * BELOW_HALF)] + [float(c) for c in top[1:]]
    if min(top + low) <= 0:
        raise ArithmeticError("a coefficient is not positive, so N or D may vanish or cancel")
    grid = [tail_place(mpf(k) / (4 * steps)) for k in range(4 * steps + 1)]
    error = max(abs(evaluate(top, t) / (evaluate(low, t) * scaled_tail(t)) - 1) for t in grid)
    if not (mpf(2) ** -44 < 1 - 2 * mpf(top[0]) / mpf(low[0]) < mpf(2) ** -42):
        raise ArithmeticError("2 N(0)/D(0) is not just below 1")
    return top, low, error


def half_angle_rational():
    """tanh(r/4)/r = (w + s0)/((c2 w + c1) w + c0), w = r^2, |r| <= ln 2; the error is that of exp(-r/2) by it."""
    end = mp.log(2) ** 2 * (1 + mpf(2) ** -30)
    steps = 400
    top, low = minimax(tanh_ratio, lambda share: share * end, Fit(1, 2), steps)
    s0 = float(top[0] / top[1])
    c = [float(x / top[1]) for x in low]
    error = mpf(0)
    for k in range(-4 * steps, 4 * steps + 1):
        r = mp.sqrt(end) * k / (4 * steps)
        p, q = r * (r * r + s0), evaluate(c, r * r)
        error = max(error, abs((q - p) / (q + p) / mp.exp(-r / 2) - 1))
    tanh_error = max(
        abs((w + s0) / (evaluate(c, w) * tanh_ratio(w)) - 1) for w in (end * k / (4 * steps) for k in range(4 * steps + 1))
    )
    return s0, c, error, tanh_error


class Estimate:
    """The float64 operations of rounded_f32.c, in their order."""

    def __init__(self, half_angle_top, half_angle_bottom, top, low):
        self.half_angle_top, self.half_angle_bottom = half_angle_top, half_angle_bottom
        self.top, self.low = top, low

    def exponential(self, a):
        magic = 1.5 * 2.0**52 + 1023
        n = (a * float(-1 / mp.log(4)) + magic) - magic
        r = n * float(mp.log(4)) + a
        w = r * r
        c0, c1, c2 = self.half_angle_bottom
        return r * (w + self.half_angle_top), (c2 * w + c1) * w + c0, 2.0**n

    def normal(self, t, gelu):
        p, c, power = self.exponential(t * t)
        top, bottom = t * self.top[6] + self.top[5], t + self.low[6]
        for coefficient in reversed(self.top[:5]):
            top = top * t + coefficient
        for coefficient in reversed(self.low[:6]):
            bottom = bottom * t + coefficient
        upper = (power * t) * (c - p) if gelu else power * (c - p)
        return (top * upper) / (bottom * (c + p))

    def gate(self, t, a):
        p, c, power = self.exponential(a)
        upper = power * (c - p)
        return (t * upper) / ((c + p) + upper)


def is_undecided(z, bits):
    """Whether z is within 2^(53 - bits) units of the last place of a midpoint of two float32 numbers."""
    word = int.from_bytes(struct.pack("<d", z), "little") & 0x1FFFFFFF
    return abs(word - 0x10000000) <= 1 << (53 - bits)


def undecided_end(estimate, start, bits):
    """The largest float32 t up to start whose estimate is undecided: all x below -t, which take the estimate of -t, are
    then left to the float64 function without a test of their own."""
    word = int.from_bytes(struct.pack("<f", start), "little")
    while True:
        t = struct.unpack("<f", word.to_bytes(4, "little"))[0]
        if is_undecided(estimate(t), bits):
            return t
        word -= 1


def ends(e):
    scale, cubic, offset = float(mp.sqrt(2 / mp.pi)), 0.044715, 2.0**-43
    slope, curve = 4 * scale, 4 * scale * cubic
    return [
        ("GELU_END", undecided_end(lambda t: e.normal(t, True), 12.9, TAIL_BITS)),
        ("NORMAL_CDF_END", undecided_end(lambda t: e.normal(t, False), 12.9, TAIL_BITS)),
        ("SILU_END", undecided_end(lambda t: e.gate(t, t * 2 + offset), 80.0, GATE_BITS)),
        ("GELU_SIGMOID_END", undecided_end(lambda t: e.gate(t, t * (2 * 1.702) + offset), 80 / 1.702, GATE_BITS)),
        ("GELU_TANH_END", undecided_end(lambda t: e.gate(t, t * ((t * t) * curve + slope) + offset), 9.5, GATE_BITS)),
        ("SIGMOID_END", undecided_end(lambda t: e.gate(1.0, t * 2 + 0.0), 80.0, GATE_BITS)),
    ]


def header():
    out = [
        "/* Written by c_src/coefficients/rounded_tables.py; change that script, not this file. */",
        "/* clang-format off */",
        "#ifndef GELU_ROUNDED_TABLES_H",
        "#define GELU_ROUNDED_TABLES_H",
        "",
        "#define LN4 " + float(mp.log(4)).hex(),
        "#define MINUS_ONE_OVER_LN4 " + float(-1 / mp.log(4)).hex(),
        "",
    ]
    s0, c, error, tanh_error = half_angle_rational()
    out += [
        "/* tanh(r/4) = r (w + HALF_ANGLE_TOP)/(c0 + c1 w + c2 w^2), w = r^2, |r| <= ln 2: relative error within",
        f" * {log2_text(tanh_error)}; exp(-r/2) = (1 - tanh(r/4))/(1 + tanh(r/4)) by it within {log2_text(error)}. */",
        f"#define HALF_ANGLE_TOP {s0.hex()}",
        "#define HALF_ANGLE_BOTTOM {" + ", ".join(v.hex() for v in c) + "}",
        "",
    ]
    top, low, error = tail_rational()
    out += [
        f"/* R(t) = exp(t^2/2) Phi(-t) = N(t)/D(t), 0 <= t <= {int(TAIL_END)}: relative error within {log2_text(error)};",
        " * N(0)/D(0) is 2^-44 below 1/2. Coefficients of 1, t, t^2, ...; that of t^7 in D is 1. */",
    ]
    for name, poly in (("TAIL_TOP", top), ("TAIL_BOTTOM", low[:-1])):
        out += [f"#define {name} \\", "  {" + ", ".join(v.hex() for v in poly[:4]) + ", \\"]
        out += ["   " + ", ".join(v.hex() for v in poly[4:]) + "}"]
    out += [
        "",
        "/* The relative error of the estimates is taken as 2^-bits. */",
        f"enum {{ TAIL_BITS = {TAIL_BITS}, GATE_BITS = {GATE_BITS} }};",
        "",
        "/* Below -END float64 decides: before results become subnormal, and for gates before u = 80. Above END the",
        " * result is x, or 1. With the default parameters the estimate of -END itself is undecided, and so is that of",
        " * everything below; test_below_the_end (tests/c/test_rounded_f32.c) fails if a coefficient moves it. */",
    ]
    out += [f"#define {name} {end.hex()}f" for name, end in ends(Estimate(s0, c, top, low[:-1]))]
    out += ["", "#endif"]
    return "\n".join(out) + "\n"


def main():
    text = header()
    if sys.argv[1:] == ["--check"]:
        path = Path(__file__).resolve().parent.parent / "rounded_tables.h"
        if path.read_text() != text:
            sys.exit(f"{path} is not what this script derives")
    elif sys.argv[1:]:
        sys.exit("usage: rounded_tables.py [--check]")
    else:
        sys.stdout.write(text)


if __name__ == "__main__":
    main()
