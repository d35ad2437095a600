/* The functions and their derivatives by the formulas of the textbooks, in a floating-point type wider than float64.
 * Included by wide.c once for each type, with these defined:
 *
 *   REAL            the type               NAME(x)          x with a suffix of its own
 *   LITERAL(x)      x as a constant of it  EXP … ABS        the functions of its mathematical library
 *
 * Every value comes as a sum: y, and the size of what was added up, of which the error is a small fraction. */

typedef struct {
  REAL y, size;
} NAME(sum);

static NAME(sum) NAME(one)(REAL a) { return (NAME(sum)){a, ABS(a)}; }
static NAME(sum) NAME(two)(REAL a, REAL b) { return (NAME(sum)){a + b, ABS(a) + ABS(b)}; }

/* ---- the normal distribution ---- */

static REAL NAME(distribution)(REAL x) { return ERFC(-x * LITERAL(0.707106781186547524400844362104849039285)) / 2; }

static REAL NAME(density)(REAL x) { return EXP(-(x * x) / 2) * LITERAL(0.398942280401432677939946059934381868476); }

static NAME(sum) NAME(gelu)(int order, const double *p, REAL x) {
  (void)p;
  if (order == 0) return NAME(one)(x * NAME(distribution)(x));
  const REAL density = NAME(density)(x);
  if (order == 1) return NAME(two)(NAME(distribution)(x), x * density);
  return NAME(two)(2 * density, -(x * x) * density);
}

static NAME(sum) NAME(normal_cdf)(int order, const double *p, REAL x) {
  (void)p;
  if (order == 0) return NAME(one)(NAME(distribution)(x));
  return NAME(one)(NAME(density)(x) * (order == 1 ? 1 : -x));
}

/* ---- S(u) = 1/(1 + exp(-u)) and what is made of it; e = exp(-|u|) ---- */

/* S(u) (1 - S(u)). */
static REAL NAME(bell)(REAL e) { return e / ((1 + e) * (1 + e)); }

/* tanh(u/2), right for small u. */
static REAL NAME(tanh_of_half)(REAL u, REAL e) {
  const REAL size = -EXPM1(-ABS(u)) / (1 + e);
  return u < 0 ? -size : size;
}

static NAME(sum) NAME(sigmoid)(int order, const double *p, REAL x) {
  const REAL k = p[0], u = k * x, e = EXP(-ABS(u));
  if (order == 0) return NAME(one)((u < 0 ? e : 1) / (1 + e));
  if (order == 1) return NAME(one)(k * NAME(bell)(e));
  return NAME(one)(-k * k * NAME(bell)(e) * NAME(tanh_of_half)(u, e));
}

/* x S(u): S + x S' u', and S' (2 u' + x u'' - x u'^2 tanh(u/2)), where S' = S (1 - S). */
static NAME(sum) NAME(gate)(int order, REAL x, REAL u, REAL u1, REAL u2) {
  const REAL e = EXP(-ABS(u)), gate = (u < 0 ? e : 1) / (1 + e);
  if (order == 0) return NAME(one)(x * gate);
  const REAL bell = NAME(bell)(e);
  if (order == 1) return NAME(two)(gate, x * bell * u1);
  const REAL turn = x * u1 * u1 * NAME(tanh_of_half)(u, e);
  return (NAME(sum)){bell * (2 * u1 + x * u2 - turn), bell * (ABS(2 * u1) + ABS(x * u2) + ABS(turn))};
}

static NAME(sum) NAME(sigmoid_gate)(int order, const double *p, REAL x) {
  return NAME(gate)(order, x, (REAL)p[0] * x, p[0], 0);
}

static NAME(sum) NAME(gelu_tanh)(int order, const double *p, REAL x) {
  const REAL scale = 2 * (REAL)p[0], cubic = p[1];
  return NAME(gate)(order, x, scale * (x + cubic * x * x * x), scale * (1 + 3 * cubic * x * x), scale * 6 * cubic * x);
}

static NAME(sum) NAME(tanh_function)(int order, const double *p, REAL x) {
  (void)p;
  if (order == 0) return NAME(one)(TANH(x));
  const REAL rest = 4 * NAME(bell)(EXP(-2 * ABS(x))); /* 1/cosh^2 */
  return NAME(one)(order == 1 ? rest : -2 * rest * TANH(x));
}

static NAME(sum) NAME(softplus)(int order, const double *p, REAL x) {
  (void)p;
  static const double unit = 1;
  if (order > 0) return NAME(sigmoid)(order - 1, &unit, x);
  return NAME(two)(x > 0 ? x : 0, LOG1P(EXP(-ABS(x))));
}

/* x T, T = tanh(log(1 + w)) with w = exp(x); all as quotients of polynomials in w, which the range of the type allows
 * up to |x| = 1600. */
static NAME(sum) NAME(mish)(int order, const double *p, REAL x) {
  (void)p;
  const REAL w = EXP(x), d = w * w + 2 * w + 2, t = w * (w + 2) / d;
  if (order == 0) return NAME(one)(x * t);
  const REAL t1 = 4 * w * (1 + w) / (d * d);
  if (order == 1) return NAME(two)(t, x * t1);
  const REAL falling = w * w * (3 + 2 * w), rising = 2 + 2 * w, factor = 4 * w / (d * d * d);
  return (NAME(sum)){2 * t1 + x * factor * (rising - falling), 2 * t1 + ABS(x) * factor * (rising + falling)};
}

/* ---- piecewise; at the kink the left derivative ---- */

static NAME(sum) NAME(relu)(int order, const double *p, REAL x) {
  (void)p;
  return NAME(one)(x > 0 ? (order == 0 ? x : (REAL)(order == 1)) : 0);
}

static NAME(sum) NAME(leaky_relu)(int order, const double *p, REAL x) {
  if (x > 0) return NAME(relu)(order, p, x);
  return NAME(one)(order == 0 ? p[0] * x : order == 1 ? p[0] : 0);
}

static NAME(sum) NAME(elu)(int order, const double *p, REAL x) {
  if (x > 0) return NAME(relu)(order, p, x);
  return NAME(one)(p[0] * (order == 0 ? EXPM1(x) : EXP(x)));
}

/* In the order of wide.c's table. */
static NAME(sum) (*const NAME(formulas)[])(int order, const double *p, REAL x) = {
    NAME(gelu),         NAME(gelu_tanh), NAME(sigmoid_gate), NAME(relu),       NAME(sigmoid), NAME(tanh_function),
    NAME(sigmoid_gate), NAME(softplus),  NAME(elu),          NAME(leaky_relu), NAME(mish),    NAME(normal_cdf),
};
