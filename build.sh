#!/usr/bin/env bash
# The one entry to the project. Runs in bash 3.2 and later, needs no git.
set -eu
cd "$(dirname "$0")"

usage() {
  cat <<'TEXT'
usage: ./build.sh COMMAND

  serve     install what is missing, build, serve dist/site (PORT= for another port than 8080)
  build     write dist/site, dist/lib and build/gelu-table
  test      install what is missing, build, run every test and the linters (CHROME_PATH=, FIREFOX_PATH= name other browsers;
            --every-engine: the browser tests in Firefox and WebKitGTK, too, about an hour)
  package   build, and write the handout, as a page and as PDFs, the SCORM package and the npm package
  prove     build, and hold the kernels to their accuracy: every float32; hours, goes on where it was stopped (PROVE_CORES=)
  bench     measure the kernels against others (--quick: a try-out), write tests/bench/results.md and the README's table
  lint      the linters alone
  deps      install what build needs (deps test: what test needs; deps prove: what prove needs)
  clean     remove everything that was built
TEXT
}

say() { printf '%s\n' "$*" >&2; }
have() { command -v "$1" >/dev/null 2>&1; }

# ---------- what must be on the machine ----------

chrome() {
  if [ -n "${CHROME_PATH:-}" ]; then printf '%s' "$CHROME_PATH" && return; fi
  for name in chromium chromium-browser google-chrome google-chrome-stable; do
    if have "$name"; then command -v "$name" && return; fi
  done
  if [ -x "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome" ]; then
    printf '%s' "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"
  fi
}

has_cmocka() { printf '#include <stdarg.h>\n#include <stddef.h>\n#include <setjmp.h>\n#include <stdint.h>\n#include <cmocka.h>\n' | cc -E - >/dev/null 2>&1; }

# What clang links into a fuzz target.
has_fuzzer() { [ -e "$(clang -print-file-name="libclang_rt.fuzzer-$(uname -m).a")" ]; }

has_mpfr() { printf '#include <mpfr.h>\n' | cc -E - >/dev/null 2>&1; }

has_chinese_font() { ! have fc-list || fc-list :lang=zh-cn 2>/dev/null | grep -q .; }

# Named otherwise than the program: `command -v` finds functions, too.
firefox_path() {
  if [ -n "${FIREFOX_PATH:-}" ]; then printf '%s' "$FIREFOX_PATH" && return; fi
  for name in firefox-esr firefox; do
    if have "$name"; then command -v "$name" && return; fi
  done
  if [ -x "/Applications/Firefox.app/Contents/MacOS/firefox" ]; then
    printf '%s' "/Applications/Firefox.app/Contents/MacOS/firefox"
  fi
}

# The programs that the lesson shows are run by its tests.
has_scipy() { "${PYTHON:-/usr/bin/python3}" -c 'import numpy, scipy' 2>/dev/null; }

# The window of WebKitGTK that the tests drive.
has_webkit() { /usr/bin/python3 -c 'import gi; gi.require_version("WebKit2", "4.1"); gi.require_version("Gtk", "3.0")' 2>/dev/null; }

node_is_recent() { node -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 18 || (a === 18 && b >= 19) ? 0 : 1)'; }

# Prints the Debian packages that are missing for `build`, `test`, `prove` or `bench`.
missing_packages() {
  have emcc || echo emscripten
  have cc || echo gcc libc6-dev
  have make || echo make
  have node || echo nodejs
  have npm || echo npm
  [ -e /etc/ssl/certs/ca-certificates.crt ] || [ "$(uname)" != Linux ] || echo ca-certificates
  if [ "$1" = test ] || [ "$1" = prove ]; then
    { have cc && has_mpfr; } || echo libmpfr-dev
  fi
  if [ "$1" = test ] || [ "$1" = bench ] || [ "$1" = package ]; then
    [ -n "$(chrome)" ] || echo chromium
  fi
  if [ "$1" = test ] || [ "$1" = package ]; then
    { have fc-list && has_chinese_font; } || echo fontconfig fonts-noto-cjk
  fi
  if [ "$1" = test ]; then
    { have cc && has_cmocka; } || echo libcmocka-dev
    have shellcheck || echo shellcheck
    have clang-format || echo clang-format
    have clang-tidy || echo clang-tidy
    have cppcheck || echo cppcheck
    if [ "$(uname)" = Linux ]; then
      have gcc || echo gcc
      { have clang && has_fuzzer; } || echo clang libclang-rt-dev
      have valgrind || echo valgrind libc6-dbg
      have WebKitWebDriver || echo webkit2gtk-driver
      has_webkit || echo python3-gi gir1.2-webkit2-4.1
      have Xvfb || echo xvfb
    fi
    [ -n "$(firefox_path)" ] || echo firefox-esr
    have pdftotext || echo poppler-utils
    has_scipy || echo python3 python3-numpy python3-scipy
  fi
}

install_packages() {
  local missing as_root=""
  missing=$(missing_packages "$1" | tr '\n' ' ')
  [ -n "$missing" ] || return 0
  if ! have apt-get; then
    say "Missing: $missing(names of Debian packages)."
    say "Install them with this system's package manager, for example: brew install emscripten node cmocka mpfr shellcheck clang-format llvm cppcheck"
    exit 1
  fi
  if [ "$(id -u)" != 0 ]; then
    if ! have sudo; then
      say "Missing: $missing- and neither root nor sudo is here. Ask for: apt-get install --no-install-recommends $missing"
      exit 1
    fi
    as_root=sudo
  fi
  say "Installing: $missing"
  # shellcheck disable=SC2086 # a list of package names
  if ! { DEBIAN_FRONTEND=noninteractive $as_root apt-get update -qq &&
    DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq --no-install-recommends $missing >/dev/null; }; then
    say "Could not install: $missing- try: ${as_root:+sudo }apt-get update && ${as_root:+sudo }apt-get install --no-install-recommends $missing"
    exit 1
  fi
}

# node_modules follows the lock file; the stamp is written last, so that an interrupted install is done again.
install_modules() {
  local stamp=node_modules/.gelu-lab-installed wanted
  if ! node_is_recent; then
    say "Node $(node --version) is too old: 18.19 or later is needed (https://nodejs.org)."
    exit 1
  fi
  wanted="$1 $(cksum <package-lock.json)"
  if [ -f "$stamp" ] && { [ "$(cat "$stamp")" = "$wanted" ] || [ "$(cat "$stamp")" = "test $(cksum <package-lock.json)" ]; }; then
    return 0
  fi
  say "Installing JavaScript packages from package-lock.json"
  if [ "$1" = test ]; then
    npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
  else
    npm ci --omit=dev --ignore-scripts --no-audit --no-fund --loglevel=error
  fi
  printf '%s' "$wanted" >"$stamp"
}

# What only the benchmark needs, a quarter of a gigabyte.
install_peers() {
  local stamp=tests/bench/node_modules/.gelu-lab-installed wanted
  wanted=$(cksum <tests/bench/package-lock.json)
  if [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$wanted" ]; then return 0; fi
  say "Installing JavaScript packages from tests/bench/package-lock.json"
  (cd tests/bench && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error)
  printf '%s' "$wanted" >"$stamp"
}

deps() {
  install_packages "$1"
  # The proof needs no other JavaScript packages than the build; PDFs need what drives the browser.
  install_modules "$([ "$1" = test ] || [ "$1" = package ] && echo test || echo build)"
}

# ---------- commands ----------

build() {
  # Debian's emcc runs whatever python3 comes first on PATH, which need not be able to.
  if [ "$(command -v emcc)" = /usr/bin/emcc ] && [ -x /usr/bin/python3 ]; then export EMSDK_PYTHON=/usr/bin/python3; fi
  make --no-print-directory -s all wasm
  node web/build/build.mjs "$@"
}

command=${1:-}
[ $# -eq 0 ] || shift
case "$command" in
  deps) deps "${1:-build}" ;;
  build) deps build && build ;;
  package)
    deps package
    CHROME_PATH=$(chrome)
    export CHROME_PATH
    build --package
    ;;
  serve) deps build && build && exec node web/build/serve.mjs ;;
  prove)
    deps prove
    build
    make --no-print-directory -s prove-tools
    exec node tests/prove/prove.mjs "$@"
    ;;
  lint) deps test && exec node tests/run.mjs lint ;;
  test)
    deps test
    CHROME_PATH=$(chrome)
    FIREFOX_PATH=$(firefox_path)
    export CHROME_PATH FIREFOX_PATH CI="${CI:-true}"
    build --package
    exec node tests/run.mjs "$@"
    ;;
  bench)
    install_packages bench
    install_modules test
    install_peers
    CHROME_PATH=$(chrome)
    export CHROME_PATH
    build
    exec node tests/bench/run.mjs "$@"
    ;;
  clean) rm -rf build dist ;;
  *)
    usage >&2
    [ "$command" = help ] || [ "$command" = --help ] || exit 2
    ;;
esac
