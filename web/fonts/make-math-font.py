#!/usr/bin/python3
"""Makes latinmodern-math-subset.woff2: the glyphs of Latin Modern Math that the lesson's formulas need.

Run from the repository's root:  /usr/bin/python3 web/fonts/make-math-font.py
Needs Debian's fonts-lmodern, python3-fonttools, python3-brotli, node with the packages of package-lock.json, and the
kernels (./build.sh build).

It takes the characters of every rendered formula (web/content), adds the set below, keeps the MATH table with the taller
brackets, radicals and integrals, and writes PROVENANCE.md beside the font.
"""

import hashlib
import io
import subprocess
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont
from fontTools import version as fonttools_version

HERE = Path(__file__).parent
SOURCE = Path("/usr/share/texmf/fonts/opentype/public/lm-math/latinmodern-math.otf")
TARGET = HERE / "latinmodern-math-subset.woff2"

COLLECT = """
import { readdirSync, readFileSync } from "node:fs";
import { loadGelu } from "./web/kernels.js";
import { loadSections } from "./web/build/content.mjs";
import { formulaCharacters } from "./web/build/formula.mjs";
const ids = readdirSync("web/content/zh").filter((name) => name.endsWith(".md")).map((name) => name.slice(0, -3));
const gelu = await loadGelu({ wasm: readFileSync("build/wasm/gelu.wasm") });
const text = JSON.stringify(await loadSections(ids, { gelu })).replaceAll('\\\\"', '"');
console.log([...formulaCharacters(text)].join(""));
"""

# What is not in formulas: variables in running text, which CSS slants, variables in figures, and signs in Chinese text.
LETTERS = "Wabdehijktuvxyzαβσ"
VARIABLES = "𝑥𝑒𝑘𝑡"  # web/scene.js
SIGNS = "×·±"  # web/build/content.mjs

# No formula is taller than brackets of so many sizes, and none has a taller slash.
SIZES = {**dict.fromkeys(["parenleft", "parenright", "bracketleft", "bracketright", "bar"], 6), "slash": 1}


def collect() -> str:
    root = HERE.parent.parent
    run = subprocess.run(["node", "--input-type=module", "-e", COLLECT], cwd=root, capture_output=True, text=True, check=True)
    return run.stdout.strip()


def keep_sizes(font: TTFont) -> None:
    """Leaves out of the MATH table the sizes that no formula needs, and what even larger ones are put together from."""
    variants = font["MATH"].table.MathVariants
    for glyph, construction in zip(variants.VertGlyphCoverage.glyphs, variants.VertGlyphConstruction):
        if glyph in SIZES:
            construction.MathGlyphVariantRecord = construction.MathGlyphVariantRecord[: SIZES[glyph]]
            construction.VariantCount = len(construction.MathGlyphVariantRecord)
            construction.GlyphAssembly = None


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def main() -> None:
    occurring = collect()
    wanted = set(occurring + LETTERS + VARIABLES + SIGNS)
    source = SOURCE.read_bytes()
    font = TTFont(io.BytesIO(source), recalcTimestamp=False)
    missing = sorted(set(occurring) - {chr(c) for c in font.getBestCmap()})
    if missing:
        raise SystemExit(f"Latin Modern Math has no {' '.join(f'U+{ord(c):04X}' for c in missing)}")

    keep_sizes(font)
    options = subset.Options()
    options.flavor = "woff2"
    options.layout_features = FEATURES
    options.desubroutinize = True
    options.hinting = False
    options.notdef_outline = True
    options.name_IDs = [0, 1, 2, 3, 4, 5, 6, 13, 14]  # copyright and licence travel with the font
    options.legacy_kern = False
    options.drop_tables += ["FFTM"]
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=[ord(c) for c in wanted])
    subsetter.subset(font)
    out = io.BytesIO()
    font.flavor = "woff2"
    font.save(out, reorderTables=False)
    TARGET.write_bytes(out.getvalue())

    (HERE / "PROVENANCE.md").write_text(
        f"""# Where the math font comes from

`{TARGET.name}` is a subset of Latin Modern Math 1.959 (B. Jackowski, P. Strzelczyk, P. Pianowski; GUST e-foundry),
made by `make-math-font.py` from the file in Debian's package fonts-lmodern 2.005-1. It keeps
{len(font.getBestCmap())} characters in {len(font.getGlyphOrder())} glyphs and the MATH table. Licence: `LICENSE` (GUST Font License).

| file | bytes | SHA-256 |
|---|---|---|
| `{SOURCE.name}` (source) | {len(source)} | {sha256(source)} |
| `{TARGET.name}` | {len(out.getvalue())} | {sha256(out.getvalue())} |

fontTools {fonttools_version}.
"""
    )
    print(f"{TARGET.name}: {len(out.getvalue())} bytes, {len(font.getGlyphOrder())} glyphs")


FEATURES = []

if __name__ == "__main__":
    main()
