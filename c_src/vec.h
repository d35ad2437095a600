/* Vectors of 16 bytes, from the compilers' vector types: one source for wasm SIMD128, SSE, AArch64 and plain scalar
 * code.
 *
 * + - * /, shifts, comparisons and & | ~ of these types are the language's own and need no name here; a comparison
 * gives lanes of all ones or all zeros, and a cast between two of the types keeps the bits. What remains is below: one
 * line each, the same bits in every build. A wasm intrinsic stands only where clang 14 makes something slow or wrong of
 * the portable form, and the comment says what.
 *
 * For those who write kernels with it:
 *   - C has no mask ? a : b on vectors (gcc 12, clang 14): use the select functions.
 *   - clang 14 with -msimd128 never ends on a chain of inlined vector operations that starts from one splatted number
 *     and gives one lane back: the obvious scalar wrapper of a vector kernel. A call that is not inlined (NOT_INLINED)
 *     between the two cures it.
 *   - V8 orders operations breadth-first over all lanes and runs out of registers: 16 of them. A kernel over eight
 *     lanes works in phases that meet in a small array on the stack, with VEC_BARRIER between them.
 *   - Unsigned comparisons cost 2 to 4 instructions, signed ones one. An arithmetic shift of 64-bit lanes is slow.
 *   - An infinite or NaN lane goes through every step: an index taken from the bits of a lane must be safe for it.
 *   - Constants are cheap, but V8 in Chromium loads a literal vector again at every use: a hot kernel takes them from a
 *     table whose address goes through VEC_HIDE. */
#ifndef GELU_VEC_H
#define GELU_VEC_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#ifdef __wasm_simd128__
#include <wasm_simd128.h>
#elif defined(__wasm__)
/* Wasm without vectors is what becomes JavaScript (wasm2js), which has no 64-bit integers and pays dearly for the bits
 * of a float: lanes are chosen as numbers there, and where nothing needs two float64 lanes (lanes.h) there is one. The
 * name of the types remains. */
#define VEC_BY_LANES
#endif

#ifndef VEC_F64_LANES
#define VEC_F64_LANES 2
#endif

#include "ieee.h"

typedef float f32x2 __attribute__((vector_size(8)));
typedef float f32x4 __attribute__((vector_size(16)));
typedef double f64x2 __attribute__((vector_size(8 * VEC_F64_LANES)));
typedef int32_t i32x4 __attribute__((vector_size(16)));
typedef uint32_t u32x4 __attribute__((vector_size(16)));
typedef int64_t i64x2 __attribute__((vector_size(8 * VEC_F64_LANES)));
typedef uint64_t u64x2 __attribute__((vector_size(8 * VEC_F64_LANES)));

#define NOT_INLINED __attribute__((noinline))
#define INLINED static inline __attribute__((always_inline))

/* What was written to *address is in memory after this, and nothing before it is computed later, or the reverse. */
#define VEC_BARRIER(address) __asm__ volatile("" : : "r"(address) : "memory")

/* The compiler no longer knows where the pointer comes from, so it cannot turn loads through it into literals. */
#define VEC_HIDE(pointer) __asm__ volatile("" : "+r"(pointer))

/* ---- memory: any address will do ---- */

static inline f32x4 f32x4_load(const float *from) {
  f32x4 x = {0};
#ifdef VEC_BY_LANES
  for (int lane = 0; lane < 4; lane++) x[lane] = from[lane];
#else
  memcpy(&x, from, sizeof x);
#endif
  return x;
}

static inline void f32x4_store(float *to, f32x4 x) {
#ifdef VEC_BY_LANES
  for (int lane = 0; lane < 4; lane++) to[lane] = x[lane];
#else
  memcpy(to, &x, sizeof x);
#endif
}

static inline f64x2 f64x2_load(const double *from) {
  f64x2 x = {0};
#ifdef VEC_BY_LANES
  for (int lane = 0; lane < VEC_F64_LANES; lane++) x[lane] = from[lane];
#else
  memcpy(&x, from, sizeof x);
#endif
  return x;
}

static inline void f64x2_store(double *to, f64x2 x) {
#ifdef VEC_BY_LANES
  for (int lane = 0; lane < VEC_F64_LANES; lane++) to[lane] = x[lane];
#else
  memcpy(to, &x, sizeof x);
#endif
}

/* ---- one number in every lane ---- */

static inline f32x4 f32x4_splat(float x) { return (f32x4){x, x, x, x}; }
static inline i32x4 i32x4_splat(int32_t x) { return (i32x4){x, x, x, x}; }
static inline u32x4 u32x4_splat(uint32_t x) { return (u32x4){x, x, x, x}; }
#if VEC_F64_LANES == 1
static inline f64x2 f64x2_splat(double x) { return (f64x2){x}; }
#else
static inline f64x2 f64x2_splat(double x) { return (f64x2){x, x}; }
static inline i64x2 i64x2_splat(int64_t x) { return (i64x2){x, x}; }
static inline u64x2 u64x2_splat(uint64_t x) { return (u64x2){x, x}; }
#endif

/* ---- a where the lane of the mask is all ones, b where it is all zeros ---- */

static inline i32x4 i32x4_select(i32x4 mask, i32x4 a, i32x4 b) { return (mask & a) | (~mask & b); }
static inline i64x2 i64x2_select(i64x2 mask, i64x2 a, i64x2 b) { return (mask & a) | (~mask & b); }

static inline f32x4 f32x4_select(i32x4 mask, f32x4 a, f32x4 b) {
#ifdef VEC_BY_LANES
  for (int lane = 0; lane < 4; lane++) a[lane] = mask[lane] ? a[lane] : b[lane];
  return a;
#else
  return (f32x4)i32x4_select(mask, (i32x4)a, (i32x4)b);
#endif
}

static inline f64x2 f64x2_select(i64x2 mask, f64x2 a, f64x2 b) {
#ifdef VEC_BY_LANES
  for (int lane = 0; lane < VEC_F64_LANES; lane++) a[lane] = mask[lane] ? a[lane] : b[lane];
  return a;
#else
  return (f64x2)i64x2_select(mask, (i64x2)a, (i64x2)b);
#endif
}

/* Whether any lane of the mask is all ones. */
#if VEC_F64_LANES == 2
static inline int i32x4_any(i32x4 mask) {
#ifdef __wasm_simd128__
  return wasm_v128_any_true((v128_t)mask); /* the portable form takes both halves out of the vector */
#else
  return (((i64x2)mask)[0] | ((i64x2)mask)[1]) != 0;
#endif
}

static inline int i64x2_any(i64x2 mask) { return i32x4_any((i32x4)mask); }
#else
static inline int i64x2_any(i64x2 mask) { return mask[0] != 0; }
#endif

/* ---- smaller and larger ---- */

/* min(a, b) is b < a ? b : a, and max(a, b) is a < b ? b : a, exactly: where either is NaN the FIRST operand comes out,
 * and so it does for zeros of unlike sign. min(limit, x) turns NaN into the limit, min(x, limit) keeps it.
 * (With a constant operand clang 14 makes wasm's f32x4.min and max of the portable form: 6 to 8 instructions in V8.) */
static inline f32x4 f32x4_min(f32x4 a, f32x4 b) {
#ifdef __wasm_simd128__
  return (f32x4)wasm_f32x4_pmin((v128_t)a, (v128_t)b);
#else
  return f32x4_select((i32x4)(b < a), b, a);
#endif
}

static inline f32x4 f32x4_max(f32x4 a, f32x4 b) {
#ifdef __wasm_simd128__
  return (f32x4)wasm_f32x4_pmax((v128_t)a, (v128_t)b);
#else
  return f32x4_select((i32x4)(a < b), b, a);
#endif
}

static inline f64x2 f64x2_min(f64x2 a, f64x2 b) {
#ifdef __wasm_simd128__
  return (f64x2)wasm_f64x2_pmin((v128_t)a, (v128_t)b);
#else
  return f64x2_select((i64x2)(b < a), b, a);
#endif
}

static inline f64x2 f64x2_max(f64x2 a, f64x2 b) {
#ifdef __wasm_simd128__
  return (f64x2)wasm_f64x2_pmax((v128_t)a, (v128_t)b);
#else
  return f64x2_select((i64x2)(a < b), b, a);
#endif
}

static inline i32x4 i32x4_max(i32x4 a, i32x4 b) { return i32x4_select((i32x4)(a > b), a, b); }

/* x for x > 0, for both zeros and for NaN; -0 for x < 0, so that positive_part(x) - z has the sign of -z even if z is
 * 0. (The obvious x & ~(x < 0) and max(x, 0) are taken by clang 14 for a maximum that turns -0 into +0.) */
static inline f32x4 f32x4_positive_part(f32x4 x) {
#ifdef __wasm_simd128__
  return (f32x4)wasm_f32x4_pmax((v128_t)x, wasm_f32x4_const(-0.0f, -0.0f, -0.0f, -0.0f));
#else
  return (f32x4)((u32x4)x & ~((u32x4)(x < f32x4_splat(0)) >> 1));
#endif
}

static inline f64x2 f64x2_positive_part(f64x2 x) {
#ifdef __wasm_simd128__
  return (f64x2)wasm_f64x2_pmax((v128_t)x, wasm_f64x2_const(-0.0, -0.0));
#else
  return (f64x2)((u64x2)x & ~((u64x2)(x < f64x2_splat(0)) >> 1));
#endif
}

/* ---- square root, correctly rounded as everywhere ---- */

static inline f32x4 f32x4_sqrt(f32x4 x) {
#ifdef __wasm_simd128__
  return (f32x4)wasm_f32x4_sqrt((v128_t)x);
#else
  return (f32x4){sqrtf(x[0]), sqrtf(x[1]), sqrtf(x[2]), sqrtf(x[3])};
#endif
}

/* ---- signs ---- */

#ifdef VEC_BY_LANES
static inline f32x4 f32x4_abs(f32x4 x) { return (f32x4){fabsf(x[0]), fabsf(x[1]), fabsf(x[2]), fabsf(x[3])}; }

static inline f64x2 f64x2_abs(f64x2 x) {
  for (int lane = 0; lane < VEC_F64_LANES; lane++) x[lane] = fabs(x[lane]);
  return x;
}
#else
static inline f32x4 f32x4_abs(f32x4 x) { return (f32x4)((u32x4)x & UINT32_C(0x7fffffff)); }
static inline f64x2 f64x2_abs(f64x2 x) { return (f64x2)((u64x2)x & UINT64_C(0x7fffffffffffffff)); }
#endif

/* The size of the first with the sign of the second. */
static inline f32x4 f32x4_copysign(f32x4 size, f32x4 sign) {
  return (f32x4)(((u32x4)size & UINT32_C(0x7fffffff)) | ((u32x4)sign & UINT32_C(0x80000000)));
}

static inline f64x2 f64x2_copysign(f64x2 size, f64x2 sign) {
  return (f64x2)(((u64x2)size & UINT64_C(0x7fffffffffffffff)) | ((u64x2)sign & UINT64_C(0x8000000000000000)));
}

/* ---- float32 to float64 and back ---- */

#if VEC_F64_LANES == 2

static inline f64x2 f64x2_widen_low(f32x4 x) {
  const f32x2 low = __builtin_shufflevector(x, x, 0, 1);
  return __builtin_convertvector(low, f64x2);
}

static inline f64x2 f64x2_widen_high(f32x4 x) {
#ifdef __wasm_simd128__
  /* The portable shuffle leaves lanes open, and V8 makes a slow byte shuffle of it. */
  return (f64x2)wasm_f64x2_promote_low_f32x4(wasm_i64x2_shuffle((v128_t)x, (v128_t)x, 1, 1));
#else
  return f64x2_widen_low(__builtin_shufflevector(x, x, 2, 3, 2, 3));
#endif
}

/* Four float64, rounded to nearest even. (Every portable form is taken apart lane by lane by clang 14 for wasm.) */
static inline f32x4 f32x4_narrow(f64x2 low, f64x2 high) {
#ifdef __wasm_simd128__
  const v128_t a = wasm_f32x4_demote_f64x2_zero((v128_t)low), b = wasm_f32x4_demote_f64x2_zero((v128_t)high);
  return (f32x4)wasm_i64x2_shuffle(a, b, 0, 2);
#else
  const f32x2 a = __builtin_convertvector(low, f32x2), b = __builtin_convertvector(high, f32x2);
  return __builtin_shufflevector(a, b, 0, 1, 2, 3);
#endif
}

/* ---- two vectors, each holding two neighbours of a row: the first of each, the second of each ---- */

static inline f64x2 f64x2_firsts(f64x2 a, f64x2 b) { return __builtin_shufflevector(a, b, 0, 2); }
static inline f64x2 f64x2_seconds(f64x2 a, f64x2 b) { return __builtin_shufflevector(a, b, 1, 3); }
#endif

/* ---- powers of two ---- */

/* x + VEC_ROUND holds x rounded to an integer in its low bits (|x| < 2^51); minus VEC_ROUND it is that integer.
 * With VEC_ROUND_EXPONENT instead the low bits hold the integer plus 1023, which power_of_two_of_bits makes 2^integer
 * of, for -1023 < integer < 1024: f64x2 m = x + VEC_ROUND_EXPONENT, n = m - VEC_ROUND_EXPONENT. */
#define VEC_ROUND 0x1.8p52
#define VEC_ROUND_EXPONENT (0x1.8p52 + 1023)

static inline f64x2 f64x2_power_of_two_of_bits(f64x2 m) { return (f64x2)((u64x2)m << 52); }

/* 2^e from numbers whose low eight bits are e + 127: sums of a number and 1.5 2^23 + 127. */
static inline f32x4 f32x4_power_of_two_of_bits(u32x4 bits) { return (f32x4)(bits << 23); }

#if VEC_F64_LANES == 2
/* The low words of four float64. */
static inline u32x4 u32x4_low_words(f64x2 low, f64x2 high) {
  return __builtin_shufflevector((u32x4)low, (u32x4)high, 0, 2, 4, 6);
}
#endif

#endif
