#!/usr/bin/env python3
"""Derives every number of c_src/special_tables.h and the error bound that stands beside it.

    python3 special_tables.py            writes the header to standard output
    python3 special_tables.py --check    exits 1 unless ../special_tables.h is exactly that text

Needs mpmath (Debian: python3-mpmath). All arithmetic has 60 digits; every bound is measured with the rounded
coefficients, evaluated exactly, on a grid that includes both ends of the interval.
"""

import sys
from pathlib import Path

from mpmath import mp, mpf

mp.dps = 60

ROWS = 42  # t + 1 from 1 to 40, eight rows in each octave
ROW_COEFFICIENTS = 10  # c1 ... c10
EXP_COEFFICIENTS = 10
ATANH_COEFFICIENTS = 13


def nearest(x):
    """The float64 nearest to x."""
    return float(x)


def leading_bits(x, bits):
    """x rounded to so many significant bits."""
    exponent = int(mp.floor(mp.log(abs(x), 2)))
    unit = mpf(2) ** (exponent + 1 - bits)
    return mpf(mp.nint(x / unit) * unit)


def interpolate(f, a, b, count):
    """Monomial coefficients of the polynomial through f at `count` Chebyshev nodes of [a, b]."""
    nodes = [(a + b) / 2 + (b - a) / 2 * mp.cos(mp.pi * (2 * k + 1) / (2 * count)) for k in range(count)]
    divided = [f(x) for x in nodes]
    for level in range(1, count):
        for k in range(count - 1, level - 1, -1):
            divided[k] = (divided[k] - divided[k - 1]) / (nodes[k] - nodes[k - level])
    poly = [mpf(0)] * count
    for k in range(count - 1, -1, -1):
        poly = [(poly[j - 1] if j else mpf(0)) - nodes[k] * poly[j] for j in range(count)]
        poly[0] += divided[k]
    return poly


def evaluate(poly, x):
    result = mpf(0)
    for c in reversed(poly):
        result = result * x + mpf(c)
    return result


def grid(a, b, steps):
    return [a + (b - a) * mpf(k) / steps for k in range(steps + 1)]


def log2_text(error):
    return f"2^{float(mp.log(error, 2)):.1f}"


def scaled_tail(t):
    """R(t) = exp(t^2/2) Phi(-t)."""
    return mp.exp(t * t / 2) * mp.erfc(t / mp.sqrt(2)) / 2


def tail_rows():
    rows = []
    worst = (mpf(0), 0)
    for k in range(ROWS):
        octave, part = divmod(k, 8)
        width = mpf(2) ** octave / 8
        start = mpf(2) ** octave + part * width - 1
        centre, half = start + width / 2, width / 2
        # The constant term is the polynomial's own, not R(centre): an even ripple is worth one bit.
        exact = interpolate(lambda s: scaled_tail(centre + s), -half, half, ROW_COEFFICIENTS + 1)
        high = leading_bits(exact[0], 26)
        low = nearest(exact[0] - high)
        poly = [nearest(c) for c in exact[1:]]
        error = max(
            abs((high + mpf(low) + s * evaluate(poly, s)) / scaled_tail(centre + s) - 1) for s in grid(-half, half, 40)
        )
        worst = max(worst, (error, k))
        rows.append([nearest(high), low] + poly)
    return rows, worst


def exp_polynomial():
    """e^r = 1 + r + r^2/2 + r^3 P(r) for |r| <= ln(2)/2."""
    half = mp.log(2) / 2 * (1 + mpf(2) ** -30)
    rest = lambda r: (mp.expm1(r) - r - r * r / 2) / r**3 if abs(r) > mpf(10) ** -12 else mpf(1) / 6 + r / 24
    poly = [nearest(c) for c in interpolate(rest, -half, half, EXP_COEFFICIENTS)]
    error = max(abs(r**3 * (evaluate(poly, r) - rest(r))) for r in grid(-half, half, 400))
    return poly, error


def atanh_polynomial():
    """atanh(z) = z + z^3 Q(z^2) for 0 <= z <= 1/3."""

    def rest(w):
        z = mp.sqrt(w)
        return (mp.atanh(z) - z) / z**3 if w > mpf(10) ** -15 else mpf(1) / 3 + w / 5

    poly = [nearest(c) for c in interpolate(rest, mpf(0), mpf(1) / 9, ATANH_COEFFICIENTS)]
    error = max(abs(w * (evaluate(poly, w) - rest(w))) for w in grid(mpf(0), mpf(1) / 9, 400))
    return poly, error


def two_parts(x, bits):
    """x as a number of `bits` bits (so that products with short numbers are exact) and the rest."""
    high = leading_bits(x, bits)
    return nearest(high), nearest(x - high)


def array(name, values, comment, size=None):
    lines = [f"/* {comment} */", f"static const double {name}[{size or len(values)}] = {{"]
    lines += [f"    {v.hex()}," for v in values]
    return lines + ["};", ""]


def constant(name, value, comment):
    return [f"static const double {name} = {value.hex()}; /* {comment} */"]


def header():
    out = [
        "/* Written by c_src/coefficients/special_tables.py; change that script, not this file. */",
        "/* clang-format off */",
        "#ifndef GELU_SPECIAL_TABLES_H",
        "#define GELU_SPECIAL_TABLES_H",
        "",
    ]
    ln2 = two_parts(mp.log(2), 40)
    pdf0 = two_parts(1 / mp.sqrt(2 * mp.pi), 26)
    root2 = two_parts(mp.sqrt(2), 26)
    out += constant("one_over_ln2", nearest(1 / mp.log(2)), "1/ln 2")
    out += constant("ln2_high", ln2[0], "40 bits: times an integer to 4096 it is exact")
    out += constant("ln2_low", ln2[1], "the rest of ln 2")
    out += constant("pdf_at_zero_high", pdf0[0], "1/sqrt(2 pi) to 26 bits")
    out += constant("pdf_at_zero_low", pdf0[1], "the rest of 1/sqrt(2 pi)")
    out += constant("root_two_high", root2[0], "sqrt(2) to 26 bits")
    out += constant("root_two_low", root2[1], "the rest of sqrt(2)")
    out += [""]
    poly, error = exp_polynomial()
    bound = log2_text(error)
    out += array("exp_rest", poly, f"exp(r) = 1 + r + r^2/2 + r^3 P(r), |r| <= ln(2)/2: within {bound}")
    poly, error = atanh_polynomial()
    bound = log2_text(error)
    out += array("atanh_rest", poly, f"atanh(z) = z (1 + w Q(w)), w = z^2 <= 1/9: the bracket within {bound}")
    rows, (error, row) = tail_rows()
    out += [
        "/* R(t) = exp(t^2/2) Phi(-t), 0 <= t < 39, in rows of t + 1 (eight to an octave). With s = t - the middle of",
        " * the row, R = c0 + s (c1 + s (c2 + ...)); a row holds c0 to 26 bits, the rest of c0, c1, c2, ...",
        f" * Relative error within {log2_text(error)} (row {row}). */",
        "enum { TAIL_ROWS = %d, TAIL_COEFFICIENTS = %d };" % (ROWS, ROW_COEFFICIENTS),
        "/* 4 kB that do not compress: they stand in special.c alone, which says so before it includes this. */",
        "#ifndef TAIL_ROWS_STAND_HERE",
        f"extern const double tail_rows[{ROWS}][{ROW_COEFFICIENTS + 2}];",
        "#else",
        f"const double tail_rows[{ROWS}][{ROW_COEFFICIENTS + 2}] = {{",
    ]
    for r in rows:
        text = [v.hex() for v in r]
        out += ["    {" + ", ".join(text[:4]) + ","]
        for k in range(4, len(text), 4):
            out += ["     " + ", ".join(text[k : k + 4]) + ("," if k + 4 < len(text) else "},")]
    out += ["};", "#endif", "", "#endif"]
    return "\n".join(out) + "\n"


def main():
    text = header()
    if sys.argv[1:] == ["--check"]:
        path = Path(__file__).resolve().parent.parent / "special_tables.h"
        if path.read_text() != text:
            sys.exit(f"{path} is not what this script derives")
    elif sys.argv[1:]:
        sys.exit("usage: special_tables.py [--check]")
    else:
        sys.stdout.write(text)


if __name__ == "__main__":
    main()
