#!/usr/bin/env python3
"""Derives every number of c_src/fast_tables.h and the error bound that stands beside it.

    python3 fast_tables.py            writes the header to standard output
    python3 fast_tables.py --check    exits 1 unless ../fast_tables.h is exactly that text

Needs mpmath (Debian: python3-mpmath). All arithmetic has 50 digits; every bound is measured with the rounded
coefficients, evaluated exactly, on a grid that includes both ends of the interval.
"""

import struct
import sys
from pathlib import Path

from mpmath import mp, mpf

mp.dps = 50

FIT_END = mpf("14.5")  # t Phi(-t) has underflowed there in float32: 2^-153.0
TAIL_END = mpf("14.625")  # and here also its slope Phi(-t) - t phi(t): 2^-151.7
TOP_DEGREE = 4  # of the numerator of R; the denominator has one more
ROUNDING_ORDER = (8, 3, 7, 2, 6, 1, 5, 0, 4)  # of n0 ... n3, w0 ... w4: the highest powers first
TRIALS = 40000  # of other roundings
UNKNOWNS = 2 * TOP_DEGREE + 2  # the coefficients of both, the denominator's first being 1


def float32(x):
    """The float32 nearest to x."""
    return struct.unpack("<f", struct.pack("<f", float(x)))[0]


def next_float32(x, steps):
    """The float32 so many steps above a positive one."""
    (bits,) = struct.unpack("<i", struct.pack("<f", x))
    return struct.unpack("<f", struct.pack("<i", bits + steps))[0]


def leading_bits(x, bits):
    """x rounded to so many significant bits."""
    unit = mpf(2) ** (int(mp.floor(mp.log(abs(x), 2))) + 1 - bits)
    return mp.nint(x / unit) * unit


def evaluate(poly, x):
    result = mpf(0)
    for c in reversed(poly):
        result = result * x + c
    return result


def log2_text(error):
    return f"2^{float(mp.log(error, 2)):.1f}"


# ---- e^-y = (C - y)/(C + y) with C = y coth(y/2), an even function of y: 2 + y^2 (c1 + c2 y^2) ----


def exp_coefficients():
    """C through Chebyshev nodes, for |y| <= ln(2)/2. The first coefficient stays 2, so that y/C -> y/2 exactly."""
    end = mp.log(2) / 2
    exact = lambda y: y * mp.coth(y / 2)
    squares = [end**2 / 2 * (1 + mp.cos(mp.pi * k / 4)) for k in (1, 3)]
    first, second = [(exact(mp.sqrt(w)) - 2) / w for w in squares]
    slope = (second - first) / (squares[1] - squares[0])
    c = [float32(first - slope * squares[0]), float32(slope)]

    def error(y):
        approximate = 2 + y * y * (mpf(c[0]) + mpf(c[1]) * y * y)
        return abs((approximate - y) / (approximate + y) * mp.exp(y) - 1)

    worst = lambda limit: max(error(limit * k / 400) for k in range(-400, 401) if k)
    return c, worst(end), worst(end + mpf("0.06"))


# ---- R(t) = exp(t^2/2) Phi(-t) = N/(slope t N + W), N with leading coefficient 1 ----


def scaled_tail(t):
    return mp.exp(t * t / 2) * mp.erfc(t / mp.sqrt(2)) / 2


def tail_quotient():
    """(numerator, denominator) of the quotient through R at as many nodes as it has coefficients, the Chebyshev nodes
    of (t - 3)/(t + 3): with that 3 the error is level to a factor of 2, which leaves Remez' algorithm little to gain."""
    last = (FIT_END - 3) / (FIT_END + 3)
    rows, right = [], []
    for k in range(UNKNOWNS):
        u = (last - 1) / 2 + (last + 1) / 2 * mp.cos(mp.pi * (2 * k + 1) / (2 * UNKNOWNS))
        t = 3 * (1 + u) / (1 - u)
        powers = [t**j for j in range(TOP_DEGREE + 1)]
        rows.append(powers + [-scaled_tail(t) * p for p in powers])
        right.append(scaled_tail(t) * t ** (TOP_DEGREE + 1))
    found = mp.lu_solve(mp.matrix(rows), mp.matrix(right))
    values = [found[k] for k in range(UNKNOWNS)]
    return values[: TOP_DEGREE + 1], values[TOP_DEGREE + 1 :] + [mpf(1)]


def rounded_tail_quotient():
    """slope, N, W in float32. Rounded all at once they would lose three bits: after each rounding the rest are fitted
    anew, by least squares of the relative error; then neighbours are tried, two to four numbers at a time."""
    top, bottom = tail_quotient()
    slope = mpf(float32(1 / top[-1]))
    points = [(t, scaled_tail(t)) for t in (FIT_END * (mpf(k) / 60) ** 2 for k in range(61))]

    # The relative error is 1 - R (slope t N + W)/N: linear in the coefficients, but for the weight 1/N.
    rows = []
    for t, r in points:
        weight = 1 / evaluate(top, t)
        factor = 1 - r * slope * t
        powers = [t**j * weight for j in range(TOP_DEGREE + 1)]
        rows.append([factor * p for p in powers[:-1]] + [-r * p for p in powers] + [-factor * powers[-1]])
    known = {}
    for place in ROUNDING_ORDER:
        free = [k for k in range(UNKNOWNS - 1) if k not in known]
        right = [row[-1] - sum(row[k] * value for k, value in known.items()) for row in rows]
        found = mp.lu_solve(mp.matrix([[row[k] for k in free] for row in rows]), mp.matrix(right))
        known[place] = mpf(float32(found[free.index(place)]))
    numbers = [float(slope)] + [float(known[k]) for k in range(UNKNOWNS - 1)]

    def parts(values):
        return values[0], list(values[1 : TOP_DEGREE + 1]) + [1.0], list(values[TOP_DEGREE + 1 :])

    places = [(float(t), float(r)) for t, r in points]  # float64 is enough to choose by

    def worst(values, limit):
        slope, top, rest = parts(values)
        error = 0
        for t, r in places:
            if error >= limit:
                break
            a = b = 0.0
            for c in reversed(top):
                a = a * t + c
            for c in reversed(rest):
                b = b * t + c
            error = max(error, abs(a / (slope * t * a + b) / r - 1))
        return error

    best, state = worst(numbers, 1), 1
    for trial_number in range(TRIALS):
        trial = list(numbers)
        for _ in range(2 + trial_number % 3):
            state = (state * 1103515245 + 12345) % 2**31  # the usual congruential generator
            place, steps = (state >> 8) % len(trial), (state >> 16) % 9 - 4
            trial[place] = next_float32(trial[place], steps)
        error = worst(trial, best)
        if error < best:
            best, numbers = error, trial
    slope, top, rest = parts([mpf(x) for x in numbers])
    quotient = lambda t: evaluate(top, t) / (slope * t * evaluate(top, t) + evaluate(rest, t))
    fine = [FIT_END * (mpf(k) / 1500) ** 2 for k in range(1501)]
    error = max((abs(quotient(t) / scaled_tail(t) - 1), t) for t in fine)
    slope, top, rest = parts(numbers)
    return slope, top[:-1], rest, error


# ---- the header ----


def text32(x):
    """x, a float32, as C writes it: six digits."""
    mantissa, exponent = x.hex().split("p")
    return f"{mantissa.rstrip('0')}p{exponent}f"


def constant(name, value, comment):
    text = text32(value) if float32(value) == value else value.hex()
    return [f"#define {name} {text} /* {comment} */"]


def header():
    out = [
        "/* Written by c_src/coefficients/fast_tables.py; change that script, not this file. */",
        "/* clang-format off */",
        "#ifndef GELU_FAST_TABLES_H",
        "#define GELU_FAST_TABLES_H",
        "",
    ]
    ln4_high = leading_bits(mp.log(4), 16)
    out += constant("INVERSE_LN4", float32(1 / mp.log(4)), "1/ln 4")
    out += constant("LN4_HIGH", float32(ln4_high), "16 bits: times an integer up to 255 it is exact")
    out += constant("LN4_LOW", float32(mp.log(4) - ln4_high), "the rest of ln 4")
    out += constant("LN2", float(mp.log(2)), "float64")
    out += constant("LOG2_E", float(1 / mp.log(2)), "float64")
    out += [""]
    c, error, beyond = exp_coefficients()
    out += [
        "/* exp(-y) = (C - y)/(C + y), C = 2 + y^2 (EXP_1 + y^2 EXP_2): relative error within",
        f" * {log2_text(error)} for |y| <= ln(2)/2, {log2_text(beyond)} for |y| <= ln(2)/2 + 0.06. */",
    ]
    out += [f"#define EXP_{k + 1} {text32(v)}" for k, v in enumerate(c)]
    slope, top, rest, (error, at) = rounded_tail_quotient()
    out += [
        "",
        "/* R(t) = exp(t^2/2) Phi(-t) = N/(TAIL_SLOPE t N + W), N = t^4 + TAIL_N3 t^3 + ..., W = TAIL_W4 t^4",
        f" * + ..., 0 <= t <= {float(FIT_END)}: relative error within {log2_text(error)} (at {float(at):.3g}).",
        " * All are positive: nothing cancels. t is clamped at TAIL_END, where t Phi(-t) and its slope have both",
        " * underflowed; the slope's last subnormal lies at 14.54, just beyond the fit. */",
        f"#define TAIL_END {float(TAIL_END)}f",
        f"#define TAIL_SLOPE {text32(slope)}",
    ]
    out += [f"#define TAIL_N{k} {text32(v)}" for k, v in enumerate(top)]
    out += [f"#define TAIL_W{k} {text32(v)}" for k, v in enumerate(rest)]
    out += constant("DENSITY_AT_ZERO", float32(1 / mp.sqrt(2 * mp.pi)), "1/sqrt(2 pi)")
    return "\n".join(out + ["", "#endif"]) + "\n"


def main():
    text = header()
    if sys.argv[1:] == ["--check"]:
        path = Path(__file__).resolve().parent.parent / "fast_tables.h"
        if path.read_text() != text:
            sys.exit(f"{path} is not what this script derives")
    elif sys.argv[1:]:
        sys.exit("usage: fast_tables.py [--check]")
    else:
        sys.stdout.write(text)


if __name__ == "__main__":
    main()
