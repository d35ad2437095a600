/* train.h by the calls that JavaScript makes: any options, labels, numbers and order of calls. */
#include "fuzz.h"

#include "wasm_api.h"

enum { OPTIONS = 14, MOST = 5, MOST_EXAMPLES = 9, STATISTICS = 7, CALLS = 6 };

typedef struct {
  double options[OPTIONS];
  int32_t function;
  double *parameters;
  uint32_t count, others;
  float *x, *other_x;
  int32_t *y, *other_y;
} question;

static size_t of(const question *q, int option) { return (size_t)q->options[option]; }

static int is_size(double x) { return x >= 0 && isfinite(x); }

/* 0, or what is wrong with the options, in the order of the headers. */
static gelu_status options_fault(const question *q) {
  const double *o = q->options;
  for (int k = 0; k < 6; k++)
    if (!is_whole(o[k])) return GELU_BAD_SIZE;
  if (!is_whole(o[13])) return GELU_BAD_PARAMETER;
  if (o[8] != 0 && o[8] != 1) return GELU_UNKNOWN_OPTION;
  for (int k = 9; k < 13; k++)
    if (!is_size(o[k])) return GELU_BAD_PARAMETER;
  if (o[10] >= 1) return GELU_BAD_PARAMETER;
  if (o[0] == 0 || o[1] == 0 || o[2] == 0 || o[3] == 0 || o[5] == 0) return GELU_BAD_SIZE;
  if (q->count == 0 || q->count > INT32_MAX || o[1] > INT32_MAX) return GELU_BAD_SIZE;
  return isinf(gelu_train_bytes(o, q->count)) ? GELU_TOO_LARGE : GELU_OK;
}

static gelu_status fault(const question *q) {
  const gelu_status options = options_fault(q);
  if (options != GELU_OK) return options;
  for (uint32_t k = 0; k < q->count; k++)
    if (q->y[k] < 0 || q->y[k] >= q->options[1]) return GELU_BAD_SIZE;
  for (uint32_t k = 0; k < q->others; k++)
    if (q->other_y[k] < 0 || q->other_y[k] >= q->options[1]) return GELU_BAD_SIZE;
  return activation_fault(activation_at(q->function), q->parameters);
}

static int32_t start(const question *q, trainer *run) {
  return gelu_train_start(run, q->options, q->function, q->parameters, q->x, q->y, q->count, q->other_x, q->other_y,
                          q->others);
}

/* One call on the run; what it wrote goes to `result`. */
static int32_t call(trainer *run, const question *q, const uint8_t *what, double *result, float *units) {
  switch (what[0] % 8) {
    case 0:
      return gelu_train_epoch(run, result);
    case 1:
      return gelu_train_evaluate(run, result);
    case 2:
      return gelu_train_units(run, what[1] % (uint32_t)(MOST + 1), what[2] % (uint32_t)(MOST_EXAMPLES + 1), units);
    case 3:
      return gelu_train_shift_biases(run, what[1] > 250 ? (double)NAN : what[1] - 128.0);
    case 4:
      return gelu_train_set_learning_rate(run, what[1] > 250 ? -1.0 : what[1] / 64.0);
    case 5:
      return gelu_train_set_activation(run, what[1] % 14, what[2] > 128 ? q->parameters : NULL);
    default:
      return gelu_train_step(run, result);
  }
}

static gelu_status expected(const trainer *run, const question *q, const uint8_t *what) {
  const int stopped = gelu_train_failed_at(run) != 0;
  switch (what[0] % 8) {
    case 2:
      if (stopped) return GELU_NOT_FINITE;
      return what[1] % (MOST + 1) >= of(q, 4) || what[2] % (MOST_EXAMPLES + 1) >= q->count ? GELU_BAD_SIZE : GELU_OK;
    case 3:
      return what[1] > 250 ? GELU_BAD_PARAMETER : GELU_OK;
    case 4:
      return what[1] > 250 ? GELU_BAD_PARAMETER : GELU_OK;
    case 5:
      return activation_fault(activation_at(what[1] % 14), what[2] > 128 ? q->parameters : NULL);
    default:
      return stopped ? GELU_NOT_FINITE : GELU_OK; /* or the run stops now */
  }
}

static void check_call(trainer *run, trainer *twin, const question *q, source *from, memory *m) {
  const size_t results = STATISTICS + of(q, 4), units = 4 * of(q, 3);
  double *result = doubles(m, results), *again = doubles(m, results);
  float *seen = floats(m, units), *seen_again = floats(m, units);
  uint8_t what[3];
  take_bytes(from, what, sizeof what);
  const gelu_status want = expected(run, q, what);
  const int32_t got = call(run, q, what, result, seen);
  REQUIRE(got == (int32_t)want || (want == GELU_OK && what[0] % 8 != 2 && got == GELU_NOT_FINITE));
  REQUIRE(call(twin, q, what, again, seen_again) == got);
  REQUIRE((gelu_train_failed_at(run) != 0) == (got == GELU_NOT_FINITE || gelu_train_failed_at(run) != 0));
  REQUIRE(gelu_train_failed_at(run) == gelu_train_failed_at(twin));
  for (size_t k = 0; k < results; k++) REQUIRE(same_f64(result[k], again[k]));
  for (size_t k = 0; k < units; k++) REQUIRE(same_f32(seen[k], seen_again[k]));
  if (got != GELU_OK)
    REQUIRE(is_untouched(result, results * sizeof *result) && is_untouched(seen, units * sizeof *seen));
  if (got == GELU_OK && what[0] % 8 > 5)
    REQUIRE(result[0] >= 1 && result[1] >= 1 && isfinite(result[2]) && result[2] >= 0);
  if (got == GELU_OK && what[0] % 8 < 2) {
    REQUIRE(isfinite(result[1]) && (isnan(result[2]) != 0) == (q->others == 0));
    REQUIRE(result[3] >= 0 && result[3] <= 1 && result[5] >= 0 && result[5] <= 1 && result[6] <= result[5] + 1e-12);
  }
}

static void check_missing(const question *q, trainer *run) {
  double result[STATISTICS + MOST];
  float units[4 * MOST];
  REQUIRE(start(q, NULL) == GELU_NULL_POINTER);
  REQUIRE(gelu_train_start(run, NULL, q->function, q->parameters, q->x, q->y, q->count, NULL, NULL, 0) ==
          GELU_NULL_POINTER);
  REQUIRE(gelu_train_bytes(NULL, 1) == (double)INFINITY);
  REQUIRE(gelu_train_step(NULL, result) == GELU_NULL_POINTER && gelu_train_step(run, NULL) == GELU_NULL_POINTER);
  REQUIRE(gelu_train_epoch(NULL, result) == GELU_NULL_POINTER && gelu_train_epoch(run, NULL) == GELU_NULL_POINTER);
  REQUIRE(gelu_train_evaluate(NULL, result) == GELU_NULL_POINTER &&
          gelu_train_evaluate(run, NULL) == GELU_NULL_POINTER);
  REQUIRE(gelu_train_units(NULL, 0, 0, units) == GELU_NULL_POINTER &&
          gelu_train_units(run, 0, 0, NULL) == GELU_NULL_POINTER);
  REQUIRE(gelu_train_shift_biases(NULL, 0) == GELU_NULL_POINTER);
  REQUIRE(gelu_train_set_learning_rate(NULL, 0) == GELU_NULL_POINTER);
  REQUIRE(gelu_train_set_activation(NULL, 0, NULL) == GELU_NULL_POINTER && gelu_train_failed_at(NULL) == 0);
}

static void check_run(memory *m, question *q, source *from) {
  const size_t bytes = (size_t)gelu_train_bytes(q->options, q->count);
  trainer *run = guarded(m, bytes, 0), *twin = guarded(m, bytes, 0);
  question without = *q;
  without.x = NULL;
  REQUIRE(start(&without, run) == GELU_NULL_POINTER && is_untouched(run, bytes));
  const gelu_status want = fault(q);
  REQUIRE(start(q, run) == (int32_t)want);
  if (want != GELU_OK) {
    REQUIRE(is_untouched(run, bytes));
    return;
  }
  REQUIRE(start(q, twin) == GELU_OK);
  check_missing(q, run);
  for (int k = 0; k < CALLS; k++) check_call(run, twin, q, from, m);
}

static double take_option(source *from, uint32_t most) {
  const uint8_t kind = take_byte(from);
  return kind < 250 ? kind % (most + 1) : kind < 253 ? (double)take_word(from) : take_double(from);
}

static void take_set(memory *m, source *from, size_t inputs, uint32_t count, double classes, float **x, int32_t **y) {
  *x = many_floats(m, from, count * inputs);
  *y = guarded(m, count * sizeof **y, 0);
  for (uint32_t k = 0; k < count; k++) {
    const uint8_t kind = take_byte(from);
    (*y)[k] = kind < 253 ? (int32_t)(kind % (uint32_t)classes) : (int32_t)take_word(from);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  source from = {bytes, size};
  memory m = {0};
  question q = {.function = take_index(&from, 12)};
  for (int k = 0; k < 6; k++) q.options[k] = take_option(&from, MOST);
  for (int k = 6; k < 9; k++) q.options[k] = take_option(&from, 1);
  for (int k = 9; k < 13; k++) q.options[k] = take_byte(&from) < 200 ? take_byte(&from) / 256.0 : take_double(&from);
  q.options[13] = take_byte(&from) < 240 ? (double)take_word(&from) : take_double(&from);
  q.parameters = take_parameters(&m, &from);
  q.count = take_size(&from, MOST_EXAMPLES);
  const gelu_status options = options_fault(&q);
  REQUIRE((options != GELU_OK) == isinf(gelu_train_bytes(q.options, q.count)));
  int small = q.count <= MOST_EXAMPLES;
  for (int k = 0; k < 6; k++) small &= q.options[k] <= MOST;
  if (options == GELU_OK && small) {
    q.others = take_byte(&from) % 4;
    take_set(&m, &from, of(&q, 0), q.count, q.options[1], &q.x, &q.y);
    take_set(&m, &from, of(&q, 0), q.others, q.options[1], &q.other_x, &q.other_y);
    check_run(&m, &q, &from);
  } else if (options != GELU_OK) {
    trainer *run = guarded(&m, sizeof *run + 8, 0);
    float x = 0;
    const int32_t y = 0;
    REQUIRE(gelu_train_start(run, q.options, q.function, q.parameters, &x, &y, q.count, NULL, NULL, 0) ==
            (int32_t)options);
    REQUIRE(is_untouched(run, sizeof *run));
  }
  release(&m);
  return 0;
}
