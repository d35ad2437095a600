/* Every result of this library depends on IEEE arithmetic exactly as written: compiler flags that let it be rearranged,
 * or done with excess precision, are refused here, as far as macros show them. activation.h, pair.h, size.h, status.h
 * and vec.h include this, and every source file one of those.
 *
 * No macro shows the rest: rounding to nearest, subnormals that are not flushed to 0, and no fused multiply-add where a
 * product and a sum are written (-ffp-contract=off, which the Makefile sets; gcc 12 warns of the pragma for it). */
#ifndef GELU_IEEE_H
#define GELU_IEEE_H

/* gcc names each of the liberties that -ffast-math is made of; clang only the whole and that of finite numbers. */
#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__) || \
    defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) || defined(__NO_SIGNED_ZEROS__)
#error "GELU Lab must not be built with -ffast-math: NaN, infinities, signed zeros and every rounding are its contract."
#endif

#if defined(__FLT_EVAL_METHOD__) && __FLT_EVAL_METHOD__ != 0
#error "GELU Lab must not be built with excess precision (x87, -mfpmath=387): every rounding is its contract."
#endif

#endif
