/* Every float32, or every so many-th, through batch_f32.
 *
 * A fault in one lane of a vector kernel may be hidden by its neighbours, which send all of them to the careful path.
 * So each input is evaluated twice: among those next to it, and among others of its size that have nothing to do with
 * it. One in sixteen is evaluated the only one of its group, among inputs that need no care; one piece in eight among
 * inputs of all sizes. One input in 61, the smallest subnormals, and every input near the middle of two float32 numbers
 * are also a batch of one, and a batch of copies. The same bits must come each time. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "batch.h"
#include "jobs.h"

enum {
  COPIES = 16,
  APART = 1229,        /* odd: position k of the second pass holds input k * APART of its run */
  GROUP = 16,          /* no kernel takes more inputs at a time */
  ALONE_EVERY = 61,    /* inputs that are evaluated alone in any case */
  MIXED_EVERY = 8,     /* pieces whose inputs are evaluated among inputs of all sizes */
  CHECK_EVERY = 262147 /* inputs whose reference is compared with MPFR; a prime, as above */
};

static float float_of(uint32_t bits) {
  float x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

static uint64_t input_count(const float32_job *job) {
  return (UINT64_C(0x100000000) - job->offset + job->stride - 1) / job->stride;
}

static uint64_t run_length(const float32_job *job) { return (input_count(job) + RUNS - 1) / RUNS; }

uint64_t float32_pieces(const float32_job *job) { return (run_length(job) + RUN - 1) / RUN; }

/* The inputs of run `run` of a piece; answers how many there are. */
static size_t fill(const float32_job *job, uint64_t piece, uint64_t run, float *x) {
  const uint64_t begin = run * run_length(job) + piece * RUN;
  uint64_t end = begin + RUN;
  if (end > (run + 1) * run_length(job)) end = (run + 1) * run_length(job);
  if (end > input_count(job)) end = input_count(job);
  for (uint64_t k = begin; k < end; k++) x[k - begin] = float_of((uint32_t)(job->offset + k * job->stride));
  return end > begin ? (size_t)(end - begin) : 0;
}

static void evaluate(const float32_job *job, batch_accuracy accuracy, const float *x, float *y, size_t n) {
  if (batch_f32(job->row, job->order, NULL, accuracy, x, y, n) != GELU_OK) fprintf(stderr, "batch_f32 refuses\n");
}

static int has_fast_tier(const float32_job *job) {
  for (uint64_t k = 0; k < 64; k++) {
    float x[64], accurate[64], fast[64];
    for (uint64_t i = 0; i < 64; i++) x[i] = (float)((double)(k * 64 + i) / 256 - 8);
    evaluate(job, BATCH_DEFAULT, x, accurate, 64);
    evaluate(job, BATCH_FAST, x, fast, 64);
    if (memcmp(accurate, fast, sizeof fast) != 0) return 1;
  }
  return 0;
}

static void neighbour_fault(const float32_job *job, float x, float a, float b, const char *where, tally *found) {
  tally_fault(found, "%s order %d at x = %a: %a among its neighbours, %a %s", job->row->id, job->order, (double)x,
              (double)a, (double)b, where);
}

static void compare_all(const float32_job *job, const float *x, const float *y, const float *again, size_t n,
                        const char *where, tally *found) {
  for (size_t k = 0; k < n; k++)
    if (!same_f32(y[k], again[k])) neighbour_fault(job, x[k], y[k], again[k], where, found);
}

/* Position k takes input k * APART mod n; n is a power of two but at the end of a range, where this only reorders less.
 */
static void evaluate_apart(const float32_job *job, const float *x, const float *y, size_t n, tally *found) {
  static float xs[RUN], ys[RUN], wanted[RUN];
  for (size_t k = 0; k < n; k++) {
    const size_t from = k * APART % n;
    xs[k] = x[from];
    wanted[k] = y[from];
  }
  evaluate(job, BATCH_DEFAULT, xs, ys, n);
  compare_all(job, xs, wanted, ys, n, "among others of its size", found);
}

/* Input k with k mod GROUP = piece mod GROUP is the only one of its group, in changing places; the rest are 3/4. */
static void evaluate_lone(const float32_job *job, const float *x, const float *y, size_t n, uint64_t piece,
                          tally *found) {
  static float xs[RUN], ys[RUN];
  const size_t first = (size_t)(piece % GROUP), groups = n / GROUP;
  for (size_t k = 0; k < groups * GROUP; k++) xs[k] = 0.75f;
  for (size_t g = 0; g < groups; g++) xs[g * GROUP + (g + first) % GROUP] = x[g * GROUP + first];
  evaluate(job, BATCH_DEFAULT, xs, ys, groups * GROUP);
  for (size_t g = 0; g < groups; g++) {
    const float wanted = y[g * GROUP + first], got = ys[g * GROUP + (g + first) % GROUP];
    if (!same_f32(wanted, got)) neighbour_fault(job, x[g * GROUP + first], wanted, got, "alone in its group", found);
  }
}

static void evaluate_alone(const float32_job *job, float x, float y, tally *found) {
  float copies[COPIES], results[COPIES], single;
  evaluate(job, BATCH_DEFAULT, &x, &single, 1);
  if (!same_f32(single, y)) neighbour_fault(job, x, y, single, "alone", found);
  for (int k = 0; k < COPIES; k++) copies[k] = x;
  evaluate(job, BATCH_DEFAULT, copies, results, COPIES);
  for (int k = 0; k < COPIES; k++)
    if (!same_f32(results[k], y)) {
      neighbour_fault(job, x, y, results[k], "among copies of itself", found);
      break;
    }
}

/* Column by column through the runs of a piece. */
static void evaluate_mixed(const float32_job *job, float (*x)[RUN], float (*y)[RUN], const size_t *n, tally *found) {
  for (size_t column = 0; column < RUN; column++) {
    float xs[RUNS], ys[RUNS], wanted[RUNS];
    size_t count = 0;
    for (size_t run = 0; run < RUNS; run++) {
      const size_t scattered = run * 37 % RUNS;
      if (column >= n[scattered]) continue;
      xs[count] = x[scattered][column];
      wanted[count++] = y[scattered][column];
    }
    evaluate(job, BATCH_DEFAULT, xs, ys, count);
    compare_all(job, xs, wanted, ys, count, "among inputs of all sizes", found);
  }
}

static int is_promised_nearest(const target *t) {
  static const char *const ids[] = {"gelu", "gelu_tanh", "gelu_sigmoid", "sigmoid",
                                    "silu", "tanh",      "relu",         "normal_cdf"};
  for (size_t k = 0; k < sizeof ids / sizeof ids[0]; k++)
    if (strcmp(ids[k], t->row->id) == 0) return t->order == 0;
  return 0;
}

typedef struct {
  const float32_job *job;
  target goal;
  int promised, fast;
} float32_state;

/* What is known of the truth; at order 0 with the nearest float32, by MPFR if need be. */
static verdict full_verdict(const float32_state *s, float x, float y, tally *found) {
  verdict v = verdict_at(&s->goal, x);
  if (v.by_rule) found->by_rule++;
  if (v.sure) return v;
  if (s->goal.order == 0)
    v.nearest = settle(&s->goal, x, found);
  else if (fabsf(y - v.nearest) <= fabsf(v.nearest) * 0x1p-23f)
    v.nearest = y; /* the middle of two float32 numbers: both are within 0.5001 ULP */
  return v;
}

static void judge(const float32_state *s, float x, float y, float fast, uint64_t number, tally *found) {
  const verdict v = full_verdict(s, x, y, found);
  if (v.close || number % ALONE_EVERY == 0 || fabsf(x) < 0x1p-137f) evaluate_alone(s->job, x, y, found);
  if (number % CHECK_EVERY == 0) {
    if (v.by_rule)
      check_rule(&s->goal, x, v.nearest, found);
    else
      check_long(&s->goal, x, v.truth, found);
  }
  if (!same_f32(y, v.nearest)) {
    found->not_nearest++;
    const uint64_t before = found->wrong;
    judge_f32(&s->goal, x, y, 1, &found->worst, found);
    if (s->promised && found->wrong == before)
      tally_fault(found, "%s at x = %a: %a, nearest is %a", s->goal.row->id, (double)x, (double)y, (double)v.nearest);
  }
  if (s->fast && !same_f32(fast, v.nearest)) judge_f32(&s->goal, x, fast, 5, &found->fast, found);
}

static void run_piece(const float32_state *s, uint64_t piece, tally *found) {
  static float x[RUNS][RUN], y[RUNS][RUN], fast[RUN];
  size_t n[RUNS];
  for (uint64_t run = 0; run < RUNS; run++) {
    n[run] = fill(s->job, piece, run, x[run]);
    evaluate(s->job, BATCH_DEFAULT, x[run], y[run], n[run]);
    if (n[run] > 0) evaluate_apart(s->job, x[run], y[run], n[run], found);
    evaluate_lone(s->job, x[run], y[run], n[run], piece, found);
    if (s->fast) evaluate(s->job, BATCH_FAST, x[run], fast, n[run]);
    const uint64_t number = run * run_length(s->job) + piece * RUN;
    for (size_t k = 0; k < n[run]; k++) judge(s, x[run][k], y[run][k], fast[k], number + k, found);
    found->inputs += n[run];
  }
  if (piece % MIXED_EVERY == 0) evaluate_mixed(s->job, x, y, n, found);
}

void float32_run(const float32_job *job, uint64_t first, uint64_t end, tally *found) {
  float32_state s = {job, target_of(job->row, job->order, NULL), 0, 0};
  s.promised = is_promised_nearest(&s.goal);
  s.fast = job->order == 0 && has_fast_tier(job);
  for (uint64_t piece = first; piece < end; piece++) run_piece(&s, piece, found);
}
