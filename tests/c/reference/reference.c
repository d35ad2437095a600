#include "reference.h"

#include <math.h>
#include <string.h>

/* y = function(x), to about the precision of y; order and parameters as in the library. */
typedef void reference_evaluate(mpfr_t y, int order, const double *parameters, const mpfr_t x);

/* Signs of the results that are 0, at -infinity, -0, +0 and +infinity (and of those that underflow on the way there),
 * for the default parameters; ' ' where the result there is not 0. */
struct reference_function {
  const char *id;
  int parameter_count;
  double defaults[REFERENCE_PARAMETERS];
  const char *zeros[REFERENCE_ORDERS];
  reference_evaluate *evaluate;
};

/* Scratch numbers of one evaluation, all at the precision of the result. */
enum { SCRATCH = 8 };

typedef struct {
  mpfr_t n[SCRATCH];
} scratch;

static void scratch_open(scratch *s, const mpfr_t like) {
  for (int k = 0; k < SCRATCH; k++) mpfr_init2(s->n[k], mpfr_get_prec(like));
}

static void scratch_close(scratch *s) {
  for (int k = 0; k < SCRATCH; k++) mpfr_clear(s->n[k]);
}

/* p = exp(-x^2/2)/sqrt(2 pi). */
static void normal_density(mpfr_t p, const mpfr_t x, mpfr_t work) {
  mpfr_sqr(p, x, MPFR_RNDN);
  mpfr_div_si(p, p, -2, MPFR_RNDN);
  mpfr_exp(p, p, MPFR_RNDN);
  mpfr_const_pi(work, MPFR_RNDN);
  mpfr_mul_si(work, work, 2, MPFR_RNDN);
  mpfr_rec_sqrt(work, work, MPFR_RNDN);
  mpfr_mul(p, p, work, MPFR_RNDN);
}

/* c = erfc(-x/sqrt 2)/2. */
static void normal_distribution(mpfr_t c, const mpfr_t x, mpfr_t work) {
  mpfr_set_si(work, 2, MPFR_RNDN);
  mpfr_rec_sqrt(work, work, MPFR_RNDN);
  mpfr_mul(c, x, work, MPFR_RNDN);
  mpfr_neg(c, c, MPFR_RNDN);
  mpfr_erfc(c, c, MPFR_RNDN);
  mpfr_div_si(c, c, 2, MPFR_RNDN);
}

/* l = 1/(1 + exp(-u)). */
static void logistic(mpfr_t l, const mpfr_t u) {
  mpfr_neg(l, u, MPFR_RNDN);
  mpfr_exp(l, l, MPFR_RNDN);
  mpfr_add_si(l, l, 1, MPFR_RNDN);
  mpfr_si_div(l, 1, l, MPFR_RNDN);
}

/* y = a - b^2 for small integer a. */
static void minus_square(mpfr_t y, int a, const mpfr_t b) {
  mpfr_sqr(y, b, MPFR_RNDN);
  mpfr_si_sub(y, a, y, MPFR_RNDN);
}

static void gelu(mpfr_t y, int order, const double *parameters, const mpfr_t x) {
  (void)parameters;
  scratch s;
  scratch_open(&s, y);
  normal_distribution(s.n[0], x, s.n[2]);
  normal_density(s.n[1], x, s.n[2]);
  if (order == 0) mpfr_mul(y, x, s.n[0], MPFR_RNDN);
  if (order == 1) mpfr_fma(y, x, s.n[1], s.n[0], MPFR_RNDN);
  if (order == 2) {
    minus_square(s.n[2], 2, x);
    mpfr_mul(y, s.n[2], s.n[1], MPFR_RNDN);
  }
  scratch_close(&s);
}

static void normal_cdf(mpfr_t y, int order, const double *parameters, const mpfr_t x) {
  (void)parameters;
  scratch s;
  scratch_open(&s, y);
  if (order == 0) {
    normal_distribution(y, x, s.n[0]);
  } else {
    normal_density(y, x, s.n[0]);
    if (order == 2) {
      mpfr_mul(y, y, x, MPFR_RNDN);
      mpfr_neg(y, y, MPFR_RNDN);
    }
  }
  scratch_close(&s);
}

/* 1 + tanh(v) = exp(v)/cosh(v), which does not cancel; beyond 20000 it is 2 to any precision used here. */
static void one_plus_tanh(mpfr_t y, const mpfr_t v, mpfr_t work) {
  if (mpfr_cmp_si(v, 20000) > 0) {
    mpfr_set_si(y, 2, MPFR_RNDN);
    return;
  }
  mpfr_exp(y, v, MPFR_RNDN);
  mpfr_sech(work, v, MPFR_RNDN);
  mpfr_mul(y, y, work, MPFR_RNDN);
}

/* x/2 (1 + T), T = tanh(v), v = scale (x + cubic x^3); T' = v'/cosh(v)^2, T'' = (v'' - 2 T v'^2)/cosh(v)^2. */
static void gelu_tanh(mpfr_t y, int order, const double *p, const mpfr_t x) {
  scratch s;
  scratch_open(&s, y);
  mpfr_ptr plus = s.n[0], v = s.n[1], v1 = s.n[2], v2 = s.n[3], rest = s.n[4], work = s.n[5], half_x = s.n[6];
  mpfr_sqr(work, x, MPFR_RNDN);
  mpfr_mul_d(work, work, p[1], MPFR_RNDN); /* cubic x^2 */
  mpfr_add_si(v, work, 1, MPFR_RNDN);
  mpfr_mul(v, v, x, MPFR_RNDN);
  mpfr_mul_d(v, v, p[0], MPFR_RNDN);
  mpfr_mul_si(v1, work, 3, MPFR_RNDN);
  mpfr_add_si(v1, v1, 1, MPFR_RNDN);
  mpfr_mul_d(v1, v1, p[0], MPFR_RNDN);
  mpfr_mul_d(v2, x, p[1], MPFR_RNDN);
  mpfr_mul_d(v2, v2, p[0], MPFR_RNDN);
  mpfr_mul_si(v2, v2, 6, MPFR_RNDN);
  one_plus_tanh(plus, v, work);
  mpfr_sech(rest, v, MPFR_RNDN);
  mpfr_sqr(rest, rest, MPFR_RNDN);
  mpfr_div_si(half_x, x, 2, MPFR_RNDN);
  if (order == 0) mpfr_mul(y, half_x, plus, MPFR_RNDN);
  if (order == 1) {
    mpfr_div_si(plus, plus, 2, MPFR_RNDN);
    mpfr_mul(v1, v1, rest, MPFR_RNDN);
    mpfr_fma(y, half_x, v1, plus, MPFR_RNDN);
  }
  if (order == 2) {
    mpfr_sqr(work, v1, MPFR_RNDN);
    mpfr_tanh(v, v, MPFR_RNDN);
    mpfr_mul(work, work, v, MPFR_RNDN);
    mpfr_mul_si(work, work, 2, MPFR_RNDN);
    mpfr_sub(v2, v2, work, MPFR_RNDN);
    mpfr_fma(y, half_x, v2, v1, MPFR_RNDN);
    mpfr_mul(y, y, rest, MPFR_RNDN);
  }
  scratch_close(&s);
}

/* S = 1/(1 + exp(-k x)): value, k S (1 - S), k^2 S (1 - S)(1 - 2 S). */
static void sigmoid(mpfr_t y, int order, const double *k, const mpfr_t x) {
  scratch s;
  scratch_open(&s, y);
  mpfr_ptr value = s.n[0], other = s.n[1], u = s.n[2];
  mpfr_mul_d(u, x, k[0], MPFR_RNDN);
  logistic(value, u);
  mpfr_set(y, value, MPFR_RNDN);
  if (order >= 1) {
    mpfr_si_sub(other, 1, value, MPFR_RNDN);
    mpfr_mul(y, y, other, MPFR_RNDN);
    mpfr_mul_d(y, y, k[0], MPFR_RNDN);
  }
  if (order == 2) {
    mpfr_mul_si(value, value, -2, MPFR_RNDN);
    mpfr_add_si(value, value, 1, MPFR_RNDN);
    mpfr_mul(y, y, value, MPFR_RNDN);
    mpfr_mul_d(y, y, k[0], MPFR_RNDN);
  }
  scratch_close(&s);
}

/* x S: S + x S', 2 S' + x S''. */
static void sigmoid_gate(mpfr_t y, int order, const double *k, const mpfr_t x) {
  scratch s;
  scratch_open(&s, y);
  sigmoid(s.n[0], order, k, x);
  mpfr_mul(y, x, s.n[0], MPFR_RNDN);
  if (order > 0) {
    sigmoid(s.n[1], order - 1, k, x);
    mpfr_mul_si(s.n[1], s.n[1], order, MPFR_RNDN);
    mpfr_add(y, y, s.n[1], MPFR_RNDN);
  }
  scratch_close(&s);
}

static void relu(mpfr_t y, int order, const double *parameters, const mpfr_t x) {
  (void)parameters;
  const int positive = mpfr_sgn(x) > 0;
  if (order == 0 && positive)
    mpfr_set(y, x, MPFR_RNDN);
  else
    mpfr_set_si(y, order == 1 && positive, MPFR_RNDN);
}

static void leaky_relu(mpfr_t y, int order, const double *slope, const mpfr_t x) {
  if (mpfr_sgn(x) > 0) {
    relu(y, order, NULL, x);
  } else if (order == 0) {
    mpfr_mul_d(y, x, slope[0], MPFR_RNDN);
  } else {
    mpfr_set_d(y, order == 1 ? slope[0] : 0, MPFR_RNDN);
  }
}

static void elu(mpfr_t y, int order, const double *alpha, const mpfr_t x) {
  if (mpfr_sgn(x) > 0) {
    relu(y, order, NULL, x);
    return;
  }
  if (order == 0)
    mpfr_expm1(y, x, MPFR_RNDN);
  else
    mpfr_exp(y, x, MPFR_RNDN);
  mpfr_mul_d(y, y, alpha[0], MPFR_RNDN);
}

/* T, 1/cosh^2, -2 T/cosh^2. */
static void tanh_function(mpfr_t y, int order, const double *parameters, const mpfr_t x) {
  (void)parameters;
  scratch s;
  scratch_open(&s, y);
  mpfr_tanh(s.n[0], x, MPFR_RNDN);
  mpfr_sech(s.n[1], x, MPFR_RNDN);
  mpfr_sqr(s.n[1], s.n[1], MPFR_RNDN);
  mpfr_set(y, order == 1 ? s.n[1] : s.n[0], MPFR_RNDN);
  if (order == 2) {
    mpfr_mul(y, y, s.n[1], MPFR_RNDN);
    mpfr_mul_si(y, y, -2, MPFR_RNDN);
  }
  scratch_close(&s);
}

static void softplus(mpfr_t y, int order, const double *parameters, const mpfr_t x) {
  (void)parameters;
  static const double one = 1;
  if (order > 0) {
    sigmoid(y, order - 1, &one, x);
    return;
  }
  mpfr_exp(y, x, MPFR_RNDN);
  if (mpfr_inf_p(y))
    mpfr_set(y, x, MPFR_RNDN);
  else
    mpfr_log1p(y, y, MPFR_RNDN);
}

/* x T, T = tanh(softplus(x)); with S = sigmoid(x): T' = (1 - T^2) S, T'' = (1 - T^2)(S (1 - S) - 2 T S^2). */
static void mish(mpfr_t y, int order, const double *parameters, const mpfr_t x) {
  scratch s;
  scratch_open(&s, y);
  mpfr_ptr t = s.n[0], rest = s.n[1], gate = s.n[2], work = s.n[3], more = s.n[4];
  softplus(work, 0, parameters, x);
  mpfr_tanh(t, work, MPFR_RNDN);
  minus_square(rest, 1, t);
  logistic(gate, x);
  if (order == 0) mpfr_mul(y, x, t, MPFR_RNDN);
  mpfr_mul(work, rest, gate, MPFR_RNDN);
  if (order == 1) mpfr_fma(y, x, work, t, MPFR_RNDN);
  if (order == 2) {
    mpfr_si_sub(more, 1, gate, MPFR_RNDN);
    mpfr_mul(t, t, gate, MPFR_RNDN);
    mpfr_mul_si(t, t, 2, MPFR_RNDN);
    mpfr_sub(more, more, t, MPFR_RNDN);
    mpfr_mul(more, more, work, MPFR_RNDN);
    mpfr_mul_si(work, work, 2, MPFR_RNDN);
    mpfr_fma(y, x, more, work, MPFR_RNDN);
  }
  scratch_close(&s);
}

/* ---- building blocks of special.h ---- */

static void exponential(mpfr_t y, int order, const double *parameters, const mpfr_t x) {
  (void)order, (void)parameters;
  mpfr_exp(y, x, MPFR_RNDN);
}

static void exponential_minus_one(mpfr_t y, int order, const double *parameters, const mpfr_t x) {
  (void)order, (void)parameters;
  mpfr_expm1(y, x, MPFR_RNDN);
}

static void complementary_error(mpfr_t y, int order, const double *parameters, const mpfr_t x) {
  (void)order, (void)parameters;
  mpfr_erfc(y, x, MPFR_RNDN);
}

/* 1e300 stands for infinity (reference_true), where the logarithm is still small. */
static void logarithm(mpfr_t y, int order, const double *parameters, const mpfr_t x) {
  (void)order, (void)parameters;
  if (mpfr_cmp_d(x, 1e300) == 0)
    mpfr_set_inf(y, 1);
  else
    mpfr_log(y, x, MPFR_RNDN);
}

/* One row for each activation, then the building blocks (order 0 only). */
static const reference_function table[] = {
    {"gelu", 0, {0}, {"--+ ", "-   ", "-  -"}, gelu},
    {"gelu_tanh", 2, {0x1.9884533d43651p-1, 0.044715}, {"--+ ", "-   ", "-  -"}, gelu_tanh},
    {"gelu_sigmoid", 1, {1.702}, {"--+ ", "-   ", "-  -"}, sigmoid_gate},
    {"relu", 0, {0}, {"+++ ", "+++ ", "++++"}, relu},
    {"sigmoid", 1, {1}, {"+   ", "+  +", "++--"}, sigmoid},
    {"tanh", 0, {0}, {" -+ ", "+  +", "++--"}, tanh_function},
    {"silu", 1, {1}, {"--+ ", "-   ", "-  -"}, sigmoid_gate},
    {"softplus", 0, {0}, {"+   ", "+   ", "+  +"}, softplus},
    {"elu", 1, {1}, {" -+ ", "+   ", "+  +"}, elu},
    {"leaky_relu", 1, {0.01}, {" -+ ", "    ", "++++"}, leaky_relu},
    {"mish", 0, {0}, {"--+ ", "-   ", "-  -"}, mish},
    {"normal_cdf", 0, {0}, {"+   ", "+  +", "++--"}, normal_cdf},

    {"special_exp", 0, {0}, {"+   "}, exponential},
    {"special_expm1", 0, {0}, {" -+ "}, exponential_minus_one},
    {"special_erfc", 0, {0}, {"   +"}, complementary_error},
    {"special_log", 0, {0}, {"    "}, logarithm},
};

int reference_count(void) { return (int)(sizeof table / sizeof table[0]); }

const reference_function *reference_at(int index) { return &table[index]; }

const reference_function *reference_find(const char *id) {
  for (int k = 0; k < reference_count(); k++)
    if (strcmp(table[k].id, id) == 0) return &table[k];
  return NULL;
}

const char *reference_id(const reference_function *function) { return function->id; }
int reference_parameter_count(const reference_function *function) { return function->parameter_count; }
int reference_orders(const reference_function *function) { return function->zeros[1] == NULL ? 1 : REFERENCE_ORDERS; }
const double *reference_defaults(const reference_function *function) { return function->defaults; }

/* Precisions at which the value is computed until two agree: cancellation as in 1 - S at 740 costs 1100 bits. */
static const mpfr_prec_t first_precision = 192;
static const mpfr_prec_t last_precision = 12288;

static int agree(const mpfr_t a, const mpfr_t b) {
  if (mpfr_zero_p(a) || mpfr_zero_p(b)) return 0;
  if (!mpfr_number_p(a) || !mpfr_number_p(b)) return mpfr_nan_p(a) ? mpfr_nan_p(b) : mpfr_equal_p(a, b);
  mpfr_t difference;
  mpfr_init2(difference, 64);
  mpfr_sub(difference, a, b, MPFR_RNDN);
  const int close = mpfr_zero_p(difference) || mpfr_get_exp(difference) < mpfr_get_exp(b) - 130;
  mpfr_clear(difference);
  return close;
}

static int are_defaults(const reference_function *f, const double *parameters) {
  for (int k = 0; k < f->parameter_count; k++)
    if (parameters[k] != f->defaults[k]) return 0;
  return 1;
}

/* Far out (1 - S is 0 at any precision) and at 0 the sign of a zero is the table's. With other parameters only
 * a function that is 0 throughout gets here (silu'' with beta = 0); that is +0. */
static void give_zero_its_sign(mpfr_t y, const reference_function *f, int order, const double *parameters, double x) {
  const int place = signbit(x) ? (x == 0 ? 1 : 0) : (x == 0 ? 2 : 3);
  mpfr_set_zero(y, are_defaults(f, parameters) && f->zeros[order][place] == '-' ? -1 : 1);
}

void reference_true(mpfr_t y, const reference_function *f, int order, const double *parameters, double x) {
  if (parameters == NULL) parameters = f->defaults;
  mpfr_set_prec(y, first_precision);
  if (isnan(x)) {
    mpfr_set_nan(y);
    return;
  }
  mpfr_t exact_x, more;
  mpfr_init2(exact_x, 53);
  mpfr_init2(more, first_precision);
  /* An infinity stands for its limit, which the value at 1e300 already is. */
  mpfr_set_d(exact_x, isinf(x) ? copysign(1e300, x) : x, MPFR_RNDN);
  f->evaluate(y, order, parameters, exact_x);
  const mpfr_prec_t start = fabs(x) < 0x1p-60 ? 2400 : 2 * first_precision; /* x + x^2 must both be seen */
  for (mpfr_prec_t precision = start; precision <= last_precision; precision *= 2) {
    mpfr_set_prec(more, precision);
    f->evaluate(more, order, parameters, exact_x);
    const int done = agree(y, more);
    mpfr_set_prec(y, precision);
    mpfr_set(y, more, MPFR_RNDN);
    if (done || (mpfr_zero_p(y) && fabs(x) > 1e4) || x == 0) break;
  }
  if (isinf(x) && mpfr_cmpabs_ui(y, 1000000) > 0) mpfr_set_inf(y, mpfr_sgn(y));
  if (mpfr_zero_p(y)) give_zero_its_sign(y, f, order, parameters, x);
  mpfr_clears(exact_x, more, (mpfr_ptr)0);
}

double reference_round_f64(const mpfr_t truth) { return mpfr_get_d(truth, MPFR_RNDN); }
float reference_round_f32(const mpfr_t truth) { return mpfr_get_flt(truth, MPFR_RNDN); }

double reference_error_in_ulps(const mpfr_t truth, double got) {
  const double nearest = reference_round_f64(truth);
  if (isnan(nearest) || isnan(got)) return isnan(nearest) && isnan(got) ? 0 : INFINITY;
  if (isinf(nearest) || isinf(got)) return nearest == got ? 0 : INFINITY;
  if (nearest == 0 && got == 0 && signbit(nearest) != signbit(got)) return INFINITY;
  const double size = fabs(nearest);
  const int exponent = size < 0x1p-1022 ? -1022 : ilogb(size);
  mpfr_t difference;
  mpfr_init2(difference, 64);
  mpfr_set_d(difference, got, MPFR_RNDN);
  mpfr_sub(difference, difference, truth, MPFR_RNDN);
  mpfr_mul_2si(difference, difference, 52 - exponent, MPFR_RNDN);
  const double ulps = mpfr_get_d(difference, MPFR_RNDN);
  mpfr_clear(difference);
  return ulps;
}

double reference_f64(const reference_function *f, int order, const double *parameters, double x) {
  mpfr_t y;
  mpfr_init2(y, first_precision);
  reference_true(y, f, order, parameters, x);
  const double result = reference_round_f64(y);
  mpfr_clear(y);
  return result;
}

float reference_f32(const reference_function *f, int order, const double *parameters, double x) {
  mpfr_t y;
  mpfr_init2(y, first_precision);
  reference_true(y, f, order, parameters, x);
  const float result = reference_round_f32(y);
  mpfr_clear(y);
  return result;
}
