# Native and WebAssembly builds of c_src, and the cmocka tests.
#
#   make                     native library and build/native/… , build/gelu-table
#   make wasm                build/wasm/gelu.wasm (SIMD), gelu-page.wasm (without training), gelu-scalar.wasm, and of that
#                            the JavaScript in gelu-fallback.js
#   make test                cmocka programs, plain; CONFIG= names another build, with a folder of its own (below)
#   make fuzzers CONFIG=fuzz the fuzz targets of tests/c/fuzz (need clang)
#   make vectors             the reference vectors again (needs libmpfr-dev)
#   make check-vectors       whether the committed vectors are what the generator writes (needs libmpfr-dev)
#   make check-tables        whether the committed coefficients are what their scripts write (needs python3-mpmath)
#   make prove-tools         build/prove/prove, and build/prove/mutated for its test (need libmpfr-dev)
#   make clean
#
# Builds (CONFIG=): release, what is used; gcc-O3, clang-O0 and clang-O3, other compilers' code; asan and ubsan,
# sanitizers; coverage, gcc -O0 that counts lines; fuzz. In all but release the longest tests try fewer inputs.

CONFIG ?= release
CC ?= cc
EMCC ?= emcc
BUILD := build/native/$(CONFIG)

WARNINGS := -Wall -Wextra -Wconversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes $(if $(CI),-Werror)
# -ffp-contract=off: a fused multiply-add would give other bits than wasm, which has none.
CFLAGS_ALL := -std=c11 $(WARNINGS) -ffp-contract=off -Ic_src
SHORT := -DSHORT_TESTS
CFLAGS_release := -O2
CFLAGS_gcc-O3 := -O3 $(SHORT)
CFLAGS_clang-O0 := -O0 $(SHORT)
CFLAGS_clang-O3 := -O3 $(SHORT)
CFLAGS_coverage := -O0 --coverage $(SHORT)
CFLAGS_fuzz := -O2 -g -fsanitize=fuzzer-no-link,address,undefined,float-cast-overflow -fno-sanitize-recover=all
CFLAGS_asan := $(SHORT) -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
CFLAGS_ubsan := $(SHORT) -O1 -g -fsanitize=undefined -fno-sanitize-recover=all
COMPILER_fuzz := clang
COMPILER_clang-O0 := clang
COMPILER_clang-O3 := clang
COMPILER_gcc-O3 := gcc
COMPILER_coverage := gcc
ifdef COMPILER_$(CONFIG)
CC := $(COMPILER_$(CONFIG))
endif
CFLAGS_NATIVE := $(CFLAGS_ALL) $(CFLAGS_$(CONFIG))

# wasm_api.c and gelu_table.c are the two ends; everything between them is the library.
LIBRARY := $(filter-out c_src/wasm_api.c c_src/gelu_table.c,$(wildcard c_src/*.c))
OBJECTS := $(LIBRARY:c_src/%.c=$(BUILD)/%.o)
FUZZERS := $(patsubst tests/c/fuzz/%.c,$(BUILD)/%,$(wildcard tests/c/fuzz/fuzz_*.c))
# test_memory needs a linker that wraps symbols.
ELSEWHERE := $(if $(filter Linux,$(shell uname)),,tests/c/test_memory.c)
TESTS := $(patsubst tests/c/%.c,$(BUILD)/%,$(filter-out $(ELSEWHERE),$(wildcard tests/c/test_*.c)))

.PHONY: all wasm tests test fuzzers vectors check-vectors check-tables prove-tools clean
.DELETE_ON_ERROR:
.SECONDARY:

all: $(BUILD)/libgelu.a build/gelu-table

$(BUILD)/%.o: c_src/%.c | $(BUILD)
	$(CC) $(CFLAGS_NATIVE) -MMD -MP -c $< -o $@

$(BUILD)/libgelu.a: $(OBJECTS)
	rm -f $@ && $(AR) rcs $@ $^

$(BUILD)/test_%: tests/c/test_%.c $(BUILD)/wasm_api.o $(BUILD)/libgelu.a
	$(CC) $(CFLAGS_NATIVE) -Itests/c -MMD -MP $(filter-out %.h,$^) -lcmocka -lm -o $@

# With gelu-table inside, whose requests for memory it can refuse.
$(BUILD)/test_memory: tests/c/test_memory.c $(BUILD)/gelu_table.o $(BUILD)/wasm_api.o $(BUILD)/libgelu.a
	objcopy --redefine-sym main=gelu_table_main $(BUILD)/gelu_table.o $(BUILD)/gelu_table_inside.o
	$(CC) $(CFLAGS_NATIVE) -DLIBRARY='"$(BUILD)/libgelu.a $(BUILD)/wasm_api.o"' -MMD -MP $< \
	  $(BUILD)/gelu_table_inside.o $(BUILD)/libgelu.a -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free \
	  -lcmocka -lm -o $@

$(BUILD)/fuzz_%: tests/c/fuzz/fuzz_%.c $(BUILD)/wasm_api.o $(BUILD)/libgelu.a
	$(CC) $(CFLAGS_NATIVE) -fsanitize=fuzzer -MMD -MP $(filter-out %.h,$^) -lm -o $@

fuzzers: $(FUZZERS)

# Hashes of the native results, which tests/node/parity.test.mjs compares with those of WebAssembly.
$(BUILD)/parity: tests/c/parity.c $(BUILD)/libgelu.a
	$(CC) $(CFLAGS_NATIVE) -MMD -MP $< $(BUILD)/libgelu.a -lm -o $@

$(BUILD)/gelu-table: $(BUILD)/gelu_table.o $(BUILD)/libgelu.a
	$(CC) $(CFLAGS_NATIVE) $^ -lm -o $@

build/gelu-table: c_src/gelu_table.c $(LIBRARY) $(wildcard c_src/*.h) | $(BUILD)
	$(CC) $(CFLAGS_ALL) $(CFLAGS_release) $(filter %.c,$^) -lm -o $@

# test_gelu_table runs the program.
tests: $(TESTS) $(BUILD)/gelu-table

test: tests
	@for program in $(TESTS); do GELU_TABLE=$(BUILD)/gelu-table $$program || exit 1; done

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

# The same C as JavaScript comes from wasm without vectors, as small as it gets, of the first version of wasm, since wasm2js
# takes no later one whole. It belongs to emscripten; an emsdk has it beside its own folder.
SCALAR_FLAGS := -Os -mno-bulk-memory -mno-nontrapping-fptoint -mno-sign-ext -mno-multivalue -mno-reference-types
WASM2JS = $(shell command -v wasm2js || echo "$$(em-config BINARYEN_ROOT)/bin/wasm2js")

wasm: build/wasm/gelu.wasm build/wasm/gelu-page.wasm build/wasm/gelu-scalar.wasm build/wasm/gelu-fallback.js

build/wasm/simd/%.o: c_src/%.c Makefile | build/wasm/simd
	$(EMCC) $(CFLAGS_ALL) -msimd128 $(call optimisation,$*) -MMD -MP -c $< -o $@

build/wasm/scalar/%.o: c_src/%.c Makefile | build/wasm/scalar
	$(EMCC) $(CFLAGS_ALL) $(SCALAR_FLAGS) -MMD -MP -c $< -o $@

# What the page needs at first, small: all but training and depth, which gelu.wasm brings when they are asked for, and float32,
# which the page has little of, for size.
PAGE_SMALL := fast_f32 matrix rounded_f32

build/wasm/page/%.o: c_src/%.c Makefile | build/wasm/page
	$(EMCC) $(CFLAGS_ALL) -msimd128 -Os -DROUNDED_BY_F64 -MMD -MP -c $< -o $@

build/wasm/exports-page.txt: c_src/exports.txt | build/wasm/simd
	grep -v -e '^_gelu_train_' -e '^_gelu_depth' $< >$@

WASM_SIMD_OBJECTS := $(WASM_NAMES:%=build/wasm/simd/%.o)
WASM_PAGE_OBJECTS := $(PAGE_SMALL:%=build/wasm/page/%.o) $(filter-out $(PAGE_SMALL:%=build/wasm/simd/%.o),$(WASM_SIMD_OBJECTS))
WASM_SCALAR_OBJECTS := $(WASM_NAMES:%=build/wasm/scalar/%.o)
link_wasm = $(EMCC) $(WASM_FLAGS) -sEXPORTED_FUNCTIONS=@$(filter %.txt,$^) $(filter %.o,$^) -o $@

build/wasm/gelu.wasm: $(WASM_SIMD_OBJECTS) c_src/exports.txt
	$(link_wasm) -msimd128

build/wasm/gelu-page.wasm: $(WASM_PAGE_OBJECTS) build/wasm/exports-page.txt
	$(link_wasm) -msimd128

build/wasm/gelu-scalar.wasm: $(WASM_SCALAR_OBJECTS) c_src/exports.txt
	$(link_wasm) -Oz

build/wasm/gelu-fallback.js: build/wasm/gelu-scalar.wasm
	$(WASM2JS) --emscripten -Oz $< -o $@

$(BUILD) build/wasm/simd build/wasm/page build/wasm/scalar build/prove:
	mkdir -p $@

clean:
	rm -rf build

-include $(wildcard $(BUILD)/*.d build/wasm/*/*.d)
