# Native and WebAssembly builds of c_src, and the cmocka tests.
#
#   make                     native library and build/native/… , build/gelu-table
#   make wasm                build/wasm/gelu.wasm (SIMD), gelu-page.wasm (without training) and gelu-scalar.wasm
#   make test                cmocka programs, plain; CONFIG=asan or ubsan for a sanitizer build of its own folder
#   make vectors             the reference vectors again (needs libmpfr-dev)
#   make check-vectors       whether the committed vectors are what the generator writes (needs libmpfr-dev)
#   make check-tables        whether the committed coefficients are what their scripts write (needs python3-mpmath)
#   make prove-tools         build/prove/prove, and build/prove/mutated for its test (need libmpfr-dev)
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
	/usr/bin/python3 c_src/coefficients/fast_tables.py --check
	/usr/bin/python3 c_src/coefficients/rounded_tables.py --check

# The proof: tests/prove/prove.mjs runs it. Where long double has 64 bits, binary128 comes from gcc's libquadmath.
PROVE := $(filter-out tests/prove/mutation.c,$(wildcard tests/prove/*.c)) $(REFERENCE)
PROVE_HEADERS := $(wildcard tests/prove/*.h c_src/*.h) tests/c/reference/reference.h
QUADMATH := $(if $(filter x86_64 amd64 i686,$(shell uname -m)),-lquadmath)

prove-tools: build/prove/prove build/prove/mutated

build/prove/prove: $(PROVE) $(PROVE_HEADERS) $(BUILD)/libgelu.a | build/prove
	$(CC) $(CFLAGS_MPFR) $(PROVE) $(BUILD)/libgelu.a $(QUADMATH) $(MPFR) -o $@

build/prove/mutated: tests/prove/mutation.c $(PROVE) $(PROVE_HEADERS) $(BUILD)/libgelu.a | build/prove
	$(CC) $(CFLAGS_MPFR) -Wl,--wrap=batch_f32,--wrap=batch_f64 $< $(PROVE) $(BUILD)/libgelu.a $(QUADMATH) $(MPFR) -o $@

# wasm: standalone, with a hand-written loader (web/kernels.js); the flags suit emcc 3.1.6 and a current emsdk.
# For size, except where -O3 gains speed.
WASM_FLAGS := -O3 -sSTANDALONE_WASM --no-entry -sMALLOC=emmalloc -sALLOW_MEMORY_GROWTH -sINITIAL_MEMORY=1MB \
  -sTOTAL_STACK=64KB
WASM_FAST := fast_f32 kernels_f64 kernels_f64_pairs matrix rounded_f32 special
WASM_NAMES := $(LIBRARY:c_src/%.c=%) wasm_api
optimisation = $(if $(filter $1,$(WASM_FAST)),-O3,-Os)

wasm: build/wasm/gelu.wasm build/wasm/gelu-page.wasm build/wasm/gelu-scalar.wasm

build/wasm/simd/%.o: c_src/%.c Makefile | build/wasm/simd
	$(EMCC) $(CFLAGS_ALL) -msimd128 $(call optimisation,$*) -MMD -MP -c $< -o $@

build/wasm/scalar/%.o: c_src/%.c Makefile | build/wasm/scalar
	$(EMCC) $(CFLAGS_ALL) $(call optimisation,$*) -MMD -MP -c $< -o $@

# What the page needs at first: all but training and depth, which gelu.wasm brings when they are asked for.
build/wasm/exports-page.txt: c_src/exports.txt | build/wasm/simd
	grep -v -e '^_gelu_train_' -e '^_gelu_depth' $< >$@

WASM_SIMD_OBJECTS := $(WASM_NAMES:%=build/wasm/simd/%.o)
WASM_SCALAR_OBJECTS := $(WASM_NAMES:%=build/wasm/scalar/%.o)
link_wasm = $(EMCC) $(WASM_FLAGS) -sEXPORTED_FUNCTIONS=@$(filter %.txt,$^) $(filter %.o,$^) -o $@

build/wasm/gelu.wasm: $(WASM_SIMD_OBJECTS) c_src/exports.txt
	$(link_wasm) -msimd128

build/wasm/gelu-page.wasm: $(WASM_SIMD_OBJECTS) build/wasm/exports-page.txt
	$(link_wasm) -msimd128

build/wasm/gelu-scalar.wasm: $(WASM_SCALAR_OBJECTS) c_src/exports.txt
	$(link_wasm)

$(BUILD) build/wasm/simd build/wasm/scalar build/prove:
	mkdir -p $@

clean:
	rm -rf build

-include $(wildcard $(BUILD)/*.d build/wasm/*/*.d)
