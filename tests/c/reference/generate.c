/* Writes the reference vectors: generate FOLDER puts one file ID.txt for each function there.
 *
 * A line is
 *     id order parameters x float64 rest float32
 * where parameters is "-" for the defaults or numbers joined by commas; x and the results are C hexadecimal floats,
 * inf, -inf or nan; float64 is the nearest to the true result, rest what the truth has beyond it in units of its last
 * place (so that an error can be told to a thousandth of an ULP); float32 is the nearest float32, or "-" where x is
 * not a float32. Deterministic: the same MPFR gives the same bytes. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reference.h"

typedef struct {
  FILE *file;
  const reference_function *function;
  int order;
  const double *parameters; /* NULL: the defaults */
} output;

static uint64_t random_state;

static double uniform(void) {
  random_state += UINT64_C(0x9e3779b97f4a7c15);
  uint64_t z = random_state;
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static void print_number(FILE *file, double x) {
  if (isnan(x))
    fputs(" nan", file);
  else if (isinf(x))
    fputs(x < 0 ? " -inf" : " inf", file);
  else
    fprintf(file, " %a", x);
}

static void vector_at(const output *o, double x) {
  mpfr_t truth;
  mpfr_init2(truth, 64);
  reference_true(truth, o->function, o->order, o->parameters, x);
  const double nearest = reference_round_f64(truth);
  fprintf(o->file, "%s %d ", reference_id(o->function), o->order);
  if (o->parameters == NULL) fputc('-', o->file);
  for (int k = 0; o->parameters != NULL && k < reference_parameter_count(o->function); k++)
    fprintf(o->file, "%s%a", k == 0 ? "" : ",", o->parameters[k]);
  print_number(o->file, x);
  print_number(o->file, nearest);
  const double rest = isfinite(nearest) ? -reference_error_in_ulps(truth, nearest) : 0;
  fprintf(o->file, " %.3g", fabs(rest) < 0.0005 ? 0.0 : rest);
  if ((double)(float)x == x || isnan(x))
    print_number(o->file, (double)reference_round_f32(truth));
  else
    fputs(" -", o->file);
  fputc('\n', o->file);
  mpfr_clear(truth);
}

static void both_signs(const output *o, double x) {
  vector_at(o, x);
  vector_at(o, -x);
}

static void special_values(const output *o) {
  static const double values[] = {
      0,        INFINITY,        0x1p-1074,      0x1.8p-1073, 0x1p-1022, 0x1.fffffffffffffp1023, 0x1p-149, 0x1.8p-148,
      0x1p-126, 0x1.fffffep-127, 0x1.fffffep127, 1e20,        1};
  vector_at(o, NAN);
  for (size_t k = 0; k < sizeof values / sizeof values[0]; k++) both_signs(o, values[k]);
}

/* Inputs that other implementations got wrong (research on known faults), and the lecture's own numbers. */
static void known_faults(const output *o) {
  static const double values[] = {-5.5,
                                  -9,
                                  -3,
                                  -4,
                                  -5.25,
                                  -5,
                                  -6,
                                  -13.24,
                                  45.1,
                                  1000,
                                  256,
                                  -256,
                                  40.3109104,
                                  -125,
                                  -89,
                                  89,
                                  -100,
                                  -1e7,
                                  -8.72e6,
                                  -1e30,
                                  -9.9,
                                  1.0009765625 + 0x1p-12,
                                  -3.5,
                                  0.25,
                                  2.5,
                                  3.9004288,
                                  -3.7,
                                  -40,
                                  -104,
                                  -103.97207641601562,
                                  -745.1332191019411,
                                  2.2703977,
                                  2.69894,
                                  -2.69894,
                                  2,
                                  -2,
                                  6.98e12,
                                  1.8446744e19,
                                  -0.5,
                                  0.5,
                                  1.414213562373095,
                                  -1.414213562373095,
                                  2.69894138637727,
                                  2.01865575977184,
                                  -1.42194759096482};
  for (size_t k = 0; k < sizeof values / sizeof values[0]; k++) {
    vector_at(o, values[k]);
    if ((double)(float)values[k] != values[k]) vector_at(o, (double)(float)values[k]);
  }
}

/* Where tests/prove found the largest errors of one function or another. */
static void worst_inputs(const output *o) {
  static const double values[] = {
      -1.841875701577383,     -2.5314065809874795, -4.6818957187015027, -3.0001854242057173, 1.5551482146580911,
      -1.3787892806002786,    -12.812535582023761, -0.9069605756194028, -3.8037439539923246, -1.4488717430167746,
      -1.4090406610793962,    -0.7522808763010992, -1.4193095303168095, -1.4175941663618128, -3.857345808275594,
      -0.7511395869221676,    -0.9176033301899851, -1.2480161189929926, -5.882678994707428,  -709.3874939332603,
      -708.5485779213661,     -0.112475726787226,  -354.9968636292789,  -355.4690199134954,  -8.613566877198224,
      -1.2785771609618637,    -2.4034417671430655, -2.392678836918887,  -708.9250113127533,  -30.789832368127623,
      -708.5907053454451,     -0.3443026492470902, -37.7424099276973,   -15.545777606819348, -1.6667682965123576,
      4.790390740182853e-309, -1.1925681881958874, -1.1916181107020707, -715.6141624531764,  -12.14873053438363,
      -0.8029607619244101,    -3.209062204250971,  37.08580227811423,   701.8187501969601,   1.9413387207047301};
  for (size_t k = 0; k < sizeof values / sizeof values[0]; k++) vector_at(o, values[k]);
}

/* A random significand of so many bits in each binade; the sign alternates with binade and order, so that every
 * binade has both over the three orders. */
static void binades(const output *o) {
  for (int exponent = -149; exponent < 128; exponent++) {
    const int bits = exponent < -126 ? exponent + 149 : 23;
    const double x = ldexp(1 + ldexp(floor(ldexp(uniform(), bits)), -bits), exponent);
    vector_at(o, (exponent + o->order) % 2 == 0 ? x : -x);
  }
  for (int exponent = -1074; exponent < 1024; exponent += exponent == -160 ? 290 : 13) {
    const double x = ldexp(1 + uniform(), exponent);
    vector_at(o, (exponent + o->order) % 2 == 0 ? x : -x);
  }
  for (int exponent = -14; exponent < 10; exponent++) both_signs(o, ldexp(1 + uniform(), exponent));
}

static void spread(const output *o, int count, double from, double to) {
  for (int k = 0; k < count; k++) {
    const double x = from + (to - from) * (k + uniform()) / count;
    vector_at(o, k % 3 == 0 ? (double)(float)x : x);
  }
}

static double result(const output *o, double x) { return reference_f64(o->function, o->order, o->parameters, x); }

/* Where a result goes to 0 for x towards sign * infinity: the last inputs whose float64 and float32 are not 0, the
 * first that are, and inputs on the way there. */
static void tail(const output *o, double sign) {
  if (result(o, sign * 1e5) != 0 || result(o, sign * 30) == 0) return;
  double inside = 30, outside = 1e5;
  while (nextafter(inside, outside) < outside) {
    const double middle = inside + (outside - inside) / 2;
    if (result(o, sign * middle) != 0)
      inside = middle;
    else
      outside = middle;
  }
  vector_at(o, sign * inside);
  vector_at(o, sign * outside);
  spread(o, 16, sign * inside, sign * 2);
  spread(o, 8, sign * inside, sign * (inside - inside / 20));
  float inside32 = 5, outside32 = (float)inside;
  while (nextafterf(inside32, outside32) < outside32) {
    const float middle = inside32 + (outside32 - inside32) / 2;
    if (reference_f32(o->function, o->order, o->parameters, sign * (double)middle) != 0)
      inside32 = middle;
    else
      outside32 = middle;
  }
  vector_at(o, sign * (double)inside32);
  vector_at(o, sign * (double)outside32);
  for (int k = 1; k <= 12; k++) vector_at(o, sign * (double)(float)((double)inside32 * (1 - 0.01 * k)));
}

static void around(const output *o, double zero) {
  for (int k = -2; k <= 2; k++) {
    double x = zero;
    for (int i = 0; i < abs(k); i++) x = nextafter(x, k < 0 ? -INFINITY : INFINITY);
    vector_at(o, x);
    float y = (float)zero;
    for (int i = 0; i < abs(k); i++) y = nextafterf(y, k < 0 ? -INFINITY : INFINITY);
    vector_at(o, (double)y);
  }
  for (int bits = 2; bits <= 40; bits += bits < 8 ? 1 : 8) {
    vector_at(o, zero - ldexp(1 - 0.25 * uniform(), -bits));
    vector_at(o, zero + ldexp(1 - 0.25 * uniform(), -bits));
  }
}

/* Zeros away from 0 of a derivative, found by a change of sign on [-10, 10]. */
static void zeros(const output *o) {
  for (int k = -40; k < 40; k++) {
    double low = (k + 0.1) / 4, high = (k + 1.1) / 4;
    const double at_low = result(o, low);
    if (!(at_low * result(o, high) < 0) || (low < 0 && high > 0)) continue;
    while (nextafter(low, high) < high) {
      const double middle = low + (high - low) / 2;
      if (result(o, middle) * at_low > 0)
        low = middle;
      else
        high = middle;
    }
    around(o, low);
  }
}

static void other_parameters(output *o) {
  static const double one[][REFERENCE_PARAMETERS] = {{0}, {-1}, {10}, {0.1}, {-10}, {3}};
  static const double two[][REFERENCE_PARAMETERS] = {{0, 0.044715}, {0.8, 0},     {-0.8, 0.044715}, {10, 10},
                                                     {0.5, 0.1},    {0.8, -0.02}, {1.2, 0.0434}};
  const int parameters = reference_parameter_count(o->function);
  const size_t count = parameters == 1 ? sizeof one / sizeof one[0] : parameters == 2 ? sizeof two / sizeof two[0] : 0;
  for (size_t k = 0; k < count; k++) {
    o->parameters = parameters == 1 ? one[k] : two[k];
    spread(o, 8, -4, 4);
    spread(o, 4, -60, 60);
    for (int exponent = -120; exponent < 4; exponent += 31) both_signs(o, ldexp(1 + uniform(), exponent));
  }
  o->parameters = NULL;
}

static int write_function(const char *folder, const reference_function *function) {
  char path[1024];
  snprintf(path, sizeof path, "%s/%s.txt", folder, reference_id(function));
  output o = {fopen(path, "w"), function, 0, NULL};
  if (o.file == NULL) {
    perror(path);
    return 0;
  }
  fprintf(o.file, "# id order parameters x float64 rest float32; written by tests/c/reference/generate.c\n");
  for (o.order = 0; o.order < reference_orders(function); o.order++) {
    random_state = (uint64_t)(o.order + 1) * 1000003;
    special_values(&o);
    known_faults(&o);
    worst_inputs(&o);
    binades(&o);
    spread(&o, 40, -8, 8);
    spread(&o, 20, -40, 40);
    tail(&o, -1);
    tail(&o, 1);
    if (o.order > 0) zeros(&o);
    other_parameters(&o);
  }
  return fclose(o.file) == 0;
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: generate FOLDER\n");
    return 2;
  }
  for (int k = 0; k < reference_count(); k++)
    if (!write_function(argv[1], reference_at(k))) return 1;
  return 0;
}
