/* Written by c_src/coefficients/rounded_tables.py; change that script, not this file. */
/* clang-format off */
#ifndef GELU_ROUNDED_TABLES_H
#define GELU_ROUNDED_TABLES_H

#define LN4 0x1.62e42fefa39efp+0
#define MINUS_ONE_OVER_LN4 -0x1.71547652b82fep-1

/* tanh(r/4) = r (w + HALF_ANGLE_TOP)/(c0 + c1 w + c2 w^2), w = r^2, |r| <= ln 2: relative error within
 * 2^-43.84; exp(-r/2) = (1 - tanh(r/4))/(1 + tanh(r/4)) by it within 2^-45.34. */
#define HALF_ANGLE_TOP 0x1.501899385255ep+7
#define HALF_ANGLE_BOTTOM {0x1.50189938526d5p+9, 0x1.20106624c8760p+4, 0x1.9953c16da43a4p-6}

/* R(t) = exp(t^2/2) Phi(-t) = N(t)/D(t), 0 <= t <= 13: relative error within 2^-40.20;
 * N(0)/D(0) is 2^-44 below 1/2. Coefficients of 1, t, t^2, ...; that of t^7 in D is 1. */
#define TAIL_TOP \
  {0x1.2bf64597db555p+10, 0x1.53da8074693dcp+10, 0x1.7af553498465dp+9, 0x1.fc6eb9ddf55abp+7, \
   0x1.ac347aa4ed496p+5, 0x1.adf3f48d35e4dp+2, 0x1.988458df0f665p-2}
#define TAIL_BOTTOM \
  {0x1.2bf64597db7adp+11, 0x1.21982315fc662p+12, 0x1.f59faf5808248p+11, 0x1.fbf3b583e88b6p+10, \
   0x1.4709e225f0831p+9, 0x1.0e56293c11c2fp+7, 0x1.0d6eed8de3585p+4}

/* The relative error of the estimates is taken as 2^-bits. */
enum { TAIL_BITS = 39, GATE_BITS = 40 };

/* Below -END float64 decides: before results become subnormal, and for gates before u = 80. Above END the
 * result is x, or 1. With the default parameters the estimate of -END itself is undecided, and so is that of
 * everything below; test_below_the_end (tests/c/test_rounded_f32.c) fails if a coefficient moves it. */
#define GELU_END 0x1.9c6cd80000000p+3f
#define NORMAL_CDF_END 0x1.9c75c00000000p+3f
#define SILU_END 0x1.3f30740000000p+6f
#define GELU_SIGMOID_END 0x1.76ac3a0000000p+5f
#define GELU_TANH_END 0x1.2ed49c0000000p+3f
#define SIGMOID_END 0x1.3df0740000000p+6f

#endif
