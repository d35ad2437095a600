#!/usr/bin/env python3
"""Packs the UCI handwritten digits into digits.deflate.

    pack_digits.py [digits.csv.gz]            writes digits.deflate beside this script
    pack_digits.py --check [digits.csv.gz]    whether digits.deflate holds exactly that

The default input is the file of Debian's package python3-sklearn. digits.js reads the result; PROVENANCE.md says where
everything comes from. What is packed, before deflate (raw, without a header):

    64 planes     for each of the 8 x 8 pixels, row by row, its value (0 to 16) in every image
    labels        for every image its digit

one byte each. First come the 1,437 images for training, then the 360 for validation, each group sorted by digit and
within a digit in the order of the source. Of the n images of a digit, v = n/5 are for validation, rounded so that all
ten add up to 360: those at the places (i + 1/2) n/v rounded down, so that every part of the source, and so every writer,
is in both groups. Planes of sorted images deflate a fifth better than images one after the other.
"""

import gzip
import hashlib
import pathlib
import sys
import zlib

SOURCE = "/usr/lib/python3/dist-packages/sklearn/datasets/data/digits.csv.gz"
TARGET = pathlib.Path(__file__).with_name("digits.deflate")
IMAGES, PIXELS, VALIDATION = 1797, 64, 360


def read_images(path):
    """The rows of the CSV: 64 pixels and the digit."""
    with gzip.open(path, "rt") as lines:
        rows = [[int(float(value)) for value in line.split(",")] for line in lines if line.strip()]
    assert len(rows) == IMAGES and all(len(row) == PIXELS + 1 for row in rows)
    assert all(0 <= pixel <= 16 for row in rows for pixel in row[:PIXELS])
    return rows


def validation_counts(by_digit):
    """A fifth of each digit; what rounding leaves over goes to the largest remainders."""
    shares = [len(images) * VALIDATION / IMAGES for images in by_digit]
    counts = [int(share) for share in shares]
    by_remainder = sorted(range(10), key=lambda digit: counts[digit] - shares[digit])
    for digit in by_remainder[: VALIDATION - sum(counts)]:
        counts[digit] += 1
    return counts


def split(rows):
    """Training and validation images, each sorted by digit."""
    by_digit = [[row for row in rows if row[PIXELS] == digit] for digit in range(10)]
    training, validation = [], []
    for images, count in zip(by_digit, validation_counts(by_digit)):
        chosen = {(2 * i + 1) * len(images) // (2 * count) for i in range(count)}
        training += [image for place, image in enumerate(images) if place not in chosen]
        validation += [image for place, image in enumerate(images) if place in chosen]
    assert len(validation) == VALIDATION
    return training, validation


def pack(rows):
    training, validation = split(rows)
    images = training + validation
    return bytes(image[k] for k in range(PIXELS + 1) for image in images)


def deflate(packed):
    compressor = zlib.compressobj(9, zlib.DEFLATED, -15, 9, zlib.Z_FILTERED)
    return compressor.compress(packed) + compressor.flush()


def main():
    arguments = sys.argv[1:]
    check = "--check" in arguments
    paths = [argument for argument in arguments if argument != "--check"]
    packed = pack(read_images(paths[0] if paths else SOURCE))
    if check:
        sys.exit(0 if zlib.decompress(TARGET.read_bytes(), -15) == packed else f"{TARGET} is not what this script writes")
    TARGET.write_bytes(deflate(packed))
    for name, content in (("packed", packed), (TARGET.name, TARGET.read_bytes())):
        print(name, len(content), hashlib.sha256(content).hexdigest())


if __name__ == "__main__":
    main()
