/* compare.h by the calls that JavaScript makes: any two functions, parameters, interval and option. */
#include "fuzz.h"

#include "wasm_api.h"

enum { RESULTS = 4 + ACTIVATION_MAX_PARAMETERS };

typedef struct {
  int32_t function, reference, order, relative;
  double *parameters, *reference_parameters;
  double from, to;
} question;

static gelu_status fault(const question *q, uint32_t vary, int for_fit) {
  const activation *a = activation_at(q->function), *b = activation_at(q->reference);
  if (a == NULL || b == NULL) return GELU_UNKNOWN_FUNCTION;
  if (q->order < 0 || q->order >= ACTIVATION_ORDERS) return GELU_UNKNOWN_ORDER;
  if (for_fit && (vary == 0 || vary >> a->parameter_count != 0)) return GELU_UNKNOWN_OPTION;
  if (activation_fault(a, q->parameters) != GELU_OK || activation_fault(b, q->reference_parameters) != GELU_OK)
    return GELU_BAD_PARAMETER;
  return q->from < q->to && q->from >= -1e4 && q->to <= 1e4 ? GELU_OK : GELU_BAD_INTERVAL;
}

static int32_t ask(const question *q, double *result) {
  return gelu_max_error(q->function, q->parameters, q->reference, q->reference_parameters, q->order, q->from, q->to,
                        q->relative, result);
}

static const double *parameters_or_defaults(const activation *row, const double *given, double *room) {
  for (int k = 0; k < row->parameter_count; k++) room[k] = row->parameters[k].value;
  return given != NULL ? given : room;
}

/* |a - b| at x, and what rounding leaves open of it. */
static double difference_at(const question *q, double x, double *noise) {
  const activation *a = activation_at(q->function), *b = activation_at(q->reference);
  double room[ACTIVATION_MAX_PARAMETERS];
  const double ya = a->evaluate[q->order](x, parameters_or_defaults(a, q->parameters, room));
  const double yb = b->evaluate[q->order](x, parameters_or_defaults(b, q->reference_parameters, room));
  const double size = q->relative ? fabs(yb) : 1;
  *noise = (0x1p-48 * (fabs(ya) + fabs(yb)) + 0x1p-1072) / size;
  return fabs(ya - yb) / size;
}

static void check_largest(memory *m, const question *q) {
  double *result = doubles(m, 3), *again = doubles(m, 3);
  const gelu_status want = fault(q, 0, 0);
  REQUIRE(ask(q, result) == (int32_t)want);
  if (want != GELU_OK) {
    REQUIRE(is_untouched(result, 3 * sizeof *result));
    return;
  }
  REQUIRE(ask(q, NULL) == GELU_NULL_POINTER);
  REQUIRE(ask(q, again) == GELU_OK && memcmp(result, again, 3 * sizeof *result) == 0);
  const double error = result[0], at = result[1], rms = result[2];
  REQUIRE(error >= 0 && at >= q->from && at <= q->to && rms >= 0);
  double noise;
  const double there = difference_at(q, at, &noise);
  /* Among subnormal numbers a relative error is what rounding makes of it, and no search finds its largest value. */
  const int only_rounding = q->relative && fabs(q->from) < 0x1p-1000 && fabs(q->to) < 0x1p-1000;
  REQUIRE(only_rounding || rms <= error * (1 + 1e-9) + noise);
  if (isfinite(error) && isfinite(there) && error > 0 && at != 0) REQUIRE(fabs(there - error) <= noise + 1e-9 * error);
  if (!q->relative) { /* |a - b| = |b - a| */
    const question other = {q->reference,  q->function, q->order, 0, q->reference_parameters,
                            q->parameters, q->from,     q->to};
    REQUIRE(ask(&other, again) == GELU_OK && same_f64(again[0], error));
  }
}

/* Nothing beside the interval's largest difference is larger, for parameters that the page offers. */
static void check_nothing_is_larger(memory *m, const question *q, source *from) {
  double *result = doubles(m, 3);
  if (fault(q, 0, 0) != GELU_OK || q->relative || ask(q, result) != GELU_OK) return;
  for (int k = 0; k < 16; k++) {
    const double x = q->from + (q->to - q->from) * (double)take_word(from) * 0x1p-32;
    double noise;
    const double there = difference_at(q, x, &noise);
    REQUIRE(there <= result[0] * (1 + 1e-12) + noise);
  }
}

static void check_fit(memory *m, const question *q, source *from) {
  const uint32_t vary = take_byte(from) < 224 ? take_byte(from) % 4 : take_word(from);
  parameter_fit *fit = guarded(m, (size_t)gelu_fit_bytes(), 0);
  double *read = doubles(m, RESULTS);
  const gelu_status want = fault(q, vary, 1);
  REQUIRE(gelu_fit_start(fit, q->function, q->parameters, q->reference, q->reference_parameters, q->order, q->from,
                         q->to, vary) == (int32_t)want);
  if (want != GELU_OK) {
    REQUIRE(is_untouched(fit, sizeof *fit));
    return;
  }
  double before = INFINITY;
  for (int calls = 0; calls < 3; calls++) {
    const uint32_t steps = take_byte(from) % 4;
    const int goes_on = gelu_fit_step(fit, steps);
    REQUIRE(gelu_fit_read(fit, read) == GELU_OK && read[2] <= before && read[2] >= 0);
    REQUIRE(read[3] >= q->from && read[3] <= q->to && goes_on == !fit->done);
    before = read[2];
    const activation *row = activation_at(q->function);
    for (int k = 0; k < row->parameter_count; k++) REQUIRE(isfinite(read[4 + k]));
  }
}

static double *offered_parameters(memory *m, source *from, int32_t function) {
  double *p = doubles(m, ACTIVATION_MAX_PARAMETERS);
  for (int k = 0; k < ACTIVATION_MAX_PARAMETERS; k++) {
    const double low = gelu_parameter_min(function, k), high = gelu_parameter_max(function, k);
    p[k] = low + (high - low) * (take_byte(from) / 255.0);
  }
  return p;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  source from = {bytes, size};
  memory m = {0};
  const size_t kind = take_below(&from, 4);
  question q = {.function = take_index(&from, 12), .reference = take_index(&from, 12)};
  q.order = take_index(&from, 3);
  q.relative = take_index(&from, 2);
  q.from = take_double(&from);
  q.to = take_double(&from);
  if (q.to < q.from && take_byte(&from) < 250)
    q = (question){q.function, q.reference, q.order, q.relative, NULL, NULL, q.to, q.from};
  q.parameters = kind == 0 ? offered_parameters(&m, &from, q.function) : take_parameters(&m, &from);
  q.reference_parameters = kind == 0 ? offered_parameters(&m, &from, q.reference) : take_parameters(&m, &from);
  if (kind == 0) check_nothing_is_larger(&m, &q, &from);
  if (kind == 1) check_fit(&m, &q, &from);
  if (kind > 1) check_largest(&m, &q);
  REQUIRE(gelu_fit_step(NULL, 1) == 0 && gelu_fit_read(NULL, NULL) == GELU_NULL_POINTER);
  release(&m);
  return 0;
}
