/* Which float32 inputs are rounded wrongly at order 0? Every one of the 2^32 inputs is tried.
 *
 *   scan_float32 [id ...]        default: the functions whose float32 result is promised to be correctly rounded
 *
 * The float64 kernel is within 2 ULP, so within 2^-51, of the truth. Where y (1 - 2^-50) and y (1 + 2^-50) round to the
 * same float32, that is the correctly rounded result, and what batch_f32 gives is compared with it. The others are
 * undecided and go to MPFR. Inputs so small that the result is x/2 plus something positive below 2^-60 of it are
 * decided by that rule: their midpoints must break upwards; one in 4096 of them goes to MPFR as well.
 *
 * The tool will grow into the exhaustive proof; today it certifies the table of exceptions in batch.c under the
 * assumption that the float64 kernel keeps its bound, which is measured, not proved. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "activation.h"
#include "batch.h"
#include "reference.h"

static const char *const promised[] = {"gelu", "gelu_tanh", "gelu_sigmoid", "sigmoid",
                                       "silu", "tanh",      "relu",         "normal_cdf"};

typedef struct {
  unsigned long long scanned, undecided, by_rule, rounded_once_wrong, wrong;
} tally;

static float float_of(uint32_t bits) {
  float x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

static int same(float a, float b) { return (isnan(a) && isnan(b)) || (a == b && signbit(a) == signbit(b)); }

static void compare(tally *t, const activation *f, float x, float truth, float plain, float batch) {
  if (!same(truth, plain)) {
    t->rounded_once_wrong++;
    if (t->rounded_once_wrong <= 8)
      printf("  float64 rounded once is wrong: %s(%a) = %a, not %a\n", f->id, (double)x, (double)truth, (double)plain);
  }
  if (!same(truth, batch)) {
    t->wrong++;
    if (t->wrong <= 20)
      printf("  WRONG: %s(%a) = %a, batch_f32 gives %a\n", f->id, (double)x, (double)truth, (double)batch);
  }
}

/* x/2 + something positive that no float32 can see: the nearest, midpoints upwards. */
static float half_upwards(float x) { return (float)((double)x * (x < 0 ? 0.5 - 0x1p-50 : 0.5 + 0x1p-50)); }

static int is_gated(const char *id) { return strcmp(id, "silu") == 0 || strncmp(id, "gelu", 4) == 0; }

static void scan(const activation *f) {
  const reference_function *reference = reference_find(f->id);
  double p[ACTIVATION_MAX_PARAMETERS];
  for (int k = 0; k < f->parameter_count; k++) p[k] = f->parameters[k].value;
  const int gated = is_gated(f->id);
  tally t = {0, 0, 0, 0, 0};
  const clock_t start = clock();
  for (uint64_t block = 0; block < UINT64_C(0x100000000); block += 4096) {
    float xs[4096], ys[4096];
    for (int k = 0; k < 4096; k++) xs[k] = float_of((uint32_t)(block + (uint64_t)k));
    batch_f32(f, 0, NULL, BATCH_DEFAULT, xs, ys, 4096);
    for (int k = 0; k < 4096; k++) {
      const float x = xs[k];
      const double y = f->evaluate[0]((double)x, p);
      t.scanned++;
      const float low = (float)(y * (1 - 0x1p-50)), high = (float)(y * (1 + 0x1p-50));
      if (same(low, high) && low == low) {
        if (!same(low, ys[k])) compare(&t, f, x, low, (float)y, ys[k]);
      } else if (isnan(x)) {
        compare(&t, f, x, x, (float)y, ys[k]);
      } else {
        /* For the smallest inputs the rule is the truth; one in 4096 of them asks MPFR whether it is. */
        const int by_rule = gated && fabsf(x) < 0x1p-60f && x != 0;
        const int ask = !by_rule || k == (int)(block / 4096 % 4096);
        const float rule = half_upwards(x);
        const float truth = ask ? reference_f32(reference, 0, NULL, (double)x) : rule;
        if (by_rule) t.by_rule++;
        if (!by_rule) t.undecided++;
        compare(&t, f, x, truth, by_rule ? rule : (float)y, ys[k]);
      }
    }
  }
  printf("%-13s scanned %llu  undecided %llu  by rule %llu  rounded once wrong %llu  batch_f32 wrong %llu  %.0f s\n",
         f->id, t.scanned, t.undecided, t.by_rule, t.rounded_once_wrong, t.wrong,
         (double)(clock() - start) / CLOCKS_PER_SEC);
  fflush(stdout);
}

int main(int argc, char **argv) {
  const int count = argc > 1 ? argc - 1 : (int)(sizeof promised / sizeof promised[0]);
  for (int k = 0; k < count; k++) {
    const char *id = argc > 1 ? argv[k + 1] : promised[k];
    const activation *f = activation_find(id);
    if (f == NULL) {
      fprintf(stderr, "no function '%s'\n", id);
      return 2;
    }
    scan(f);
  }
  return 0;
}
