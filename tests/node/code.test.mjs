/** The programs that the lesson shows: they run, print what build/gelu-table prints, and stand hard inputs. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { loadGelu } from "../../dist/lib/gelu.js";

const gelu = await loadGelu();
const CODE = new URL("../../web/content/code/", import.meta.url);
const pathOf = (name) => fileURLToPath(new URL(name, CODE));
const sourceOf = (name) => readFileSync(new URL(name, CODE), "utf8");
const folder = mkdtempSync(join(tmpdir(), "gelu-code-"));
after(() => rmSync(folder, { recursive: true }));

// Another python3 on the path need not have SciPy; Debian's has it from python3-scipy.
const PYTHON = process.env.PYTHON ?? "/usr/bin/python3";
// No byte code beside the sources; nothing but errors on stderr, and a warning is one.
const run = (command, args, input) =>
  execFileSync(command, args, {
    input,
    encoding: "utf8",
    env: { ...process.env, LC_ALL: "C", PYTHONDONTWRITEBYTECODE: "1", PYTHONWARNINGS: "error" },
  });
const table = (...xs) => run(fileURLToPath(new URL("../../build/gelu-table", import.meta.url)), ["--", ...xs]);

function compiled() {
  const program = join(folder, "gelu");
  run("cc", ["-std=c11", "-O2", "-Wall", "-Wextra", "-Werror", pathOf("gelu.c"), "-lm", "-o", program]);
  return program;
}

const PROGRAMS = {
  "gelu.py": (xs) => run(PYTHON, [pathOf("gelu.py"), ...xs]),
  "gelu.c": (xs) => run(compiled(), xs),
  "gelu_numpy.py": (xs) => run(PYTHON, [pathOf("gelu_numpy.py"), ...xs]),
};

const HARD = ["-inf", "-1e308", "-1e103", "-1000", "-500", "-40", "-13.2", "-9", "-5.5", "-2.7", "0", "2.7", "9", "1e103", "inf"];
/** x is shown with the digits it has; zero keeps its sign. */
const WORDS = "-0 -0.0 +1 .5 5. 1.25 -2.70 1e3 -1.5e1 1.5E-2 1e-3 2.5e-7 0.30000000000000004 1e-25 -1.4e103 1.7e308".split(" ");
/** Beyond 7 the two forms agree to their last digits, and their difference is rounding. */
const GRID = Array.from({ length: 191 }, (_, i) => (i / 10 - 12).toFixed(2));

for (const [name, program] of Object.entries(PROGRAMS)) {
  test(`${name} prints the table of gelu-table, byte for byte`, () => {
    assert.equal(program([]), table());
  });

  test(`${name} agrees with it on hard inputs too`, () => {
    for (const xs of [HARD, WORDS, GRID]) assert.equal(program(xs), table(...xs));
  });

  test(`${name} keeps a NaN in every column, whichever sign it has`, () => {
    const row = "+nan\t+nan\t+nan\tnan\t+nan\n";
    assert.equal(program(["nan", "-nan"]), table("0").replace(/\n.*/s, `\n${row}${row}`));
  });
}

/** What a program's four functions answer at `xs`: one list of [gelu, tanh, sigmoid, derivative] for each x. */
const FUNCTIONS = {
  "gelu.py": (xs) => {
    const calls = "[[f(x) for f in (g.gelu, g.gelu_tanh, g.gelu_sigmoid, g.gelu_derivative)] for x in xs]";
    return fromPython(`import gelu as g; xs = [float(w) for w in "${xs.join(" ")}".split()]; rows = ${calls}`);
  },
  "gelu.c": (xs) => {
    const main = join(folder, "functions.c");
    const program = join(folder, "functions");
    const source = sourceOf("gelu.c").replace("int main(", "int table(");
    const body = "for (int i = 1; i < argc; i++) { const double x = strtod(argv[i], NULL);";
    const print = 'printf("%.17g %.17g %.17g %.17g\\n", gelu(x), gelu_tanh(x), gelu_sigmoid(x), gelu_derivative(x)); }';
    writeFileSync(main, `${source}\nint main(int argc, char **argv) { ${body} ${print} return 0; }\n`);
    run("cc", ["-std=c11", "-O2", main, "-lm", "-o", program]);
    return parse(run(program, xs));
  },
  "gelu_numpy.py": (xs) => {
    const calls = "zip(g.gelu(x), g.gelu_tanh(x), g.gelu_sigmoid(x), g.gelu_derivative(x))";
    return fromPython(`import numpy, gelu_numpy as g; x = numpy.array("${xs.join(" ")}".split(), dtype=float); rows = ${calls}`);
  },
};

function fromPython(program) {
  const print = 'for row in rows: print(" ".join("%.17g" % v for v in row))';
  const path = `import sys; sys.path.insert(0, ${JSON.stringify(fileURLToPath(CODE))})`;
  return parse(run(PYTHON, ["-c", `${path}\n${program}\n${print}`]));
}

const NUMBERS = { inf: Infinity, "-inf": -Infinity, nan: NaN, "-nan": NaN };
const parse = (text) =>
  text
    .trim()
    .split("\n")
    .map((line) => line.split(" ").map((word) => NUMBERS[word] ?? Number(word)));

const VALUES = [
  "-inf",
  "-1e308",
  "-1000",
  "-400",
  "-30",
  "-20.5",
  "-6",
  "-5",
  "-3",
  "-1",
  "-1e-300",
  "0",
  "0.3",
  "8",
  "1e308",
  "inf",
];

for (const [name, evaluate] of Object.entries(FUNCTIONS)) {
  test(`${name}: every function is right on the whole line, the negative tail included`, () => {
    const rows = evaluate([...VALUES, "nan"]);
    const xs = Float64Array.from([...VALUES, "nan"], (word) => NUMBERS[word] ?? Number(word));
    const columns = [gelu.evaluate("gelu", xs), gelu.evaluate("gelu_tanh", xs), gelu.evaluate("gelu_sigmoid", xs)];
    columns.push(gelu.evaluate("gelu", xs, { order: 1 }));
    for (const [i, row] of rows.entries()) {
      for (const [j, value] of row.entries()) {
        const want = columns[j][i];
        const where = `function ${j} at ${xs[i]}: ${value}, not ${want}`;
        if (Number.isFinite(want)) assert.ok(Math.abs(value - want) <= 1e-12 * Math.abs(want), where);
        else assert.equal(value, want, where);
      }
    }
  });
}

test("every program has the four functions and fits the column it stands in", () => {
  const names = readdirSync(CODE).filter((name) => /\.(py|c)$/.test(name));
  assert.deepEqual(names.sort(), ["gelu.c", "gelu.py", "gelu_numpy.py", "gelu_torch.py"]);
  for (const name of names) {
    const source = sourceOf(name);
    for (const word of ["gelu", "gelu_tanh", "gelu_sigmoid", "gelu_derivative"]) {
      assert.match(source, new RegExp(`^(def|double) ${word}\\(`, "m"), `${name}: ${word}`);
    }
    for (const line of source.split("\n")) assert.ok(line.length <= 82, `${name}: ${line.length} characters in ${line}`);
    assert.doesNotMatch(source, /\t|[^\x20-\x7e\n]/, `${name}: plain ASCII, no tabs`);
  }
});

test("the PyTorch program compiles", () => {
  run(PYTHON, ["-c", "import sys; compile(sys.stdin.read(), 'gelu_torch.py', 'exec')"], sourceOf("gelu_torch.py"));
});
