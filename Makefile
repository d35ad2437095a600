# Native and WebAssembly builds of c_src, and the cmocka tests.
#
#   make                     native library and build/native/… , build/gelu-table
#   make wasm                build/wasm/gelu.wasm (SIMD) and build/wasm/gelu-scalar.wasm
#   make test                cmocka programs, plain; CONFIG=asan or ubsan for a sanitizer build of its own folder
#   make vectors             the reference vectors again (needs libmpfr-dev)
#   make check-vectors       whether the committed vectors are what the generator writes (needs libmpfr-dev)
#   make check-tables        whether the committed coefficients are what their script writes (needs python3-mpmath)
#   make prove-tools         build/scan-float32 and build/measure-float64 (need libmpfr-dev)
#   make clean

CONFIG ?= release
CC ?= cc
EMCC ?= emcc
BUILD := build/native/$(CONFIG)

WARNINGS := -Wall -Wextra -Wconversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes $(if $(CI),-Werror)
# -ffp-contract=off: a fused multiply-add would give other bits than wasm, which has none.
CFLAGS_ALL := -std=c11 $(WARNINGS) -ffp-contract=off -Ic_src
CFLAGS_release := -O2
CFLAGS_asan := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
CFLAGS_ubsan := -O1 -g -fsanitize=undefined -fno-sanitize-recover=all
CFLAGS_NATIVE := $(CFLAGS_ALL) $(CFLAGS_$(CONFIG))

# wasm_api.c and gelu_table.c are the two ends; everything between them is the library.
LIBRARY := $(filter-out c_src/wasm_api.c c_src/gelu_table.c,$(wildcard c_src/*.c))
OBJECTS := $(LIBRARY:c_src/%.c=$(BUILD)/%.o)
TESTS := $(patsubst tests/c/%.c,$(BUILD)/%,$(wildcard tests/c/test_*.c))

.PHONY: all wasm tests test vectors check-vectors check-tables prove-tools clean
.DELETE_ON_ERROR:
.SECONDARY:

all: $(BUILD)/libgelu.a build/gelu-table

$(BUILD)/%.o: c_src/%.c | $(BUILD)
	$(CC) $(CFLAGS_NATIVE) -MMD -MP -c $< -o $@

$(BUILD)/libgelu.a: $(OBJECTS)
	rm -f $@ && $(AR) rcs $@ $^

$(BUILD)/test_%: tests/c/test_%.c $(BUILD)/libgelu.a
	$(CC) $(CFLAGS_NATIVE) -Itests/c -MMD -MP $< $(BUILD)/libgelu.a -lcmocka -lm -o $@

# Hashes of the native results, which tests/node/parity.test.mjs compares with those of WebAssembly.
$(BUILD)/parity: tests/c/parity.c $(BUILD)/libgelu.a
	$(CC) $(CFLAGS_NATIVE) -MMD -MP $< $(BUILD)/libgelu.a -lm -o $@

build/gelu-table: c_src/gelu_table.c $(LIBRARY) $(wildcard c_src/*.h) | $(BUILD)
	$(CC) $(CFLAGS_ALL) $(CFLAGS_release) $(filter %.c,$^) -lm -o $@

# test_gelu_table runs the program.
tests: $(TESTS) build/gelu-table

test: tests
	@for program in $(TESTS); do $$program || exit 1; done

# The truth, from MPFR: not needed by a fresh clone, which has the vectors.
REFERENCE := tests/c/reference/reference.c
CFLAGS_MPFR := -std=gnu11 $(WARNINGS) -ffp-contract=off -O2 -Ic_src -Itests/c/reference
MPFR := -lmpfr -lgmp -lm

build/generate: tests/c/reference/generate.c $(REFERENCE) tests/c/reference/reference.h | $(BUILD)
	$(CC) $(CFLAGS_MPFR) $(filter %.c,$^) $(MPFR) -o $@

vectors: build/generate
	build/generate tests/c/reference/vectors

check-vectors: build/generate
	rm -rf build/vectors && mkdir build/vectors && build/generate build/vectors
	diff -r build/vectors tests/c/reference/vectors

check-tables:
	/usr/bin/python3 c_src/coefficients/special_tables.py --check

prove-tools: build/scan-float32 build/measure-float64

build/scan-float32: tests/prove/scan_float32.c $(REFERENCE) $(LIBRARY) | $(BUILD)
	$(CC) $(CFLAGS_MPFR) -O3 $^ $(MPFR) -o $@

build/measure-float64: tests/prove/measure_float64.c $(REFERENCE) $(LIBRARY) | $(BUILD)
	$(CC) $(CFLAGS_MPFR) $^ $(MPFR) -o $@

# wasm: standalone, with a hand-written loader (web/kernels.js); the flags suit emcc 3.1.6 and a current emsdk.
WASM_FLAGS := -O3 -sSTANDALONE_WASM --no-entry -sMALLOC=emmalloc -sALLOW_MEMORY_GROWTH -sINITIAL_MEMORY=1MB \
  -sTOTAL_STACK=64KB -sEXPORTED_FUNCTIONS=@c_src/exports.txt
WASM_SOURCES := $(LIBRARY) c_src/wasm_api.c
WASM_INPUTS := $(WASM_SOURCES) $(wildcard c_src/*.h) c_src/exports.txt Makefile

wasm: build/wasm/gelu.wasm build/wasm/gelu-scalar.wasm

build/wasm/gelu.wasm: $(WASM_INPUTS) | build/wasm
	$(EMCC) $(CFLAGS_ALL) -msimd128 $(WASM_FLAGS) $(WASM_SOURCES) -o $@

build/wasm/gelu-scalar.wasm: $(WASM_INPUTS) | build/wasm
	$(EMCC) $(CFLAGS_ALL) $(WASM_FLAGS) $(WASM_SOURCES) -o $@

$(BUILD) build/wasm:
	mkdir -p $@

clean:
	rm -rf build

-include $(wildcard $(BUILD)/*.d)
