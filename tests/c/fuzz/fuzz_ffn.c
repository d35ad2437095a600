/* ffn.h by the calls that JavaScript makes: any sizes, flags, function, parameters, numbers and missing arrays. */
#include "fuzz.h"

#include "ffn.h"
#include "size.h"
#include "wasm_api.h"

enum { MOST = 9 };

typedef struct {
  uint32_t tokens, d, hidden;
  int32_t gated, function;
  double *parameters;
  uint8_t missing; /* which arrays are 0, one bit each */
} network;

enum { NO_WEIGHTS = 1, NO_X = 2, NO_TRACE = 4, NO_Y = 8, NO_WORKSPACE = 16, NO_DX = 32, NO_GRADIENTS = 64 };

typedef struct {
  float *weights, *x, *trace, *y, *workspace, *dx, *gradients;
} arrays;

static size_t weight_count(const network *w) { return ffn_parameter_count(w->d, w->hidden, w->gated); }

static size_t trace_count(const network *w) { return (size_t)w->tokens * w->hidden * (w->gated ? 4 : 2); }

static gelu_status fault(const network *w) {
  const gelu_status activation = activation_fault(activation_at(w->function), w->parameters);
  if (activation != GELU_OK) return activation;
  if (!isfinite(gelu_ffn_workspace(w->tokens, w->d, w->hidden, w->gated, 1)) || weight_count(w) == SIZE_OVERFLOW)
    return GELU_TOO_LARGE;
  const size_t outside = (size_t)w->tokens * w->d, inside = (size_t)w->tokens * w->hidden;
  const size_t matrix = (size_t)w->d * w->hidden;
  const int missing = ((w->missing & NO_WEIGHTS) && matrix > 0) || ((w->missing & (NO_X | NO_Y)) && outside > 0) ||
                      ((w->missing & NO_TRACE) && inside > 0) || (w->missing & NO_WORKSPACE);
  return missing ? GELU_NULL_POINTER : GELU_OK;
}

static int32_t forward(const network *w, const arrays *a) {
  return gelu_ffn_forward(w->tokens, w->d, w->hidden, w->gated, w->function, w->parameters, a->weights, a->x, a->trace,
                          a->y, a->workspace);
}

static int32_t backward(const network *w, const arrays *a) {
  return gelu_ffn_backward(w->tokens, w->d, w->hidden, w->gated, w->function, w->parameters, a->weights, a->x, a->trace,
                           a->y, a->dx, a->gradients, a->workspace);
}

/* Each token alone gives what it gives among the others; a NaN in it is a NaN in all of its results. */
static void check_tokens(memory *m, const network *w, const arrays *a) {
  network one = *w;
  one.tokens = 1;
  float *trace = floats(m, trace_count(&one)), *y = floats(m, w->d);
  for (size_t t = 0; t < w->tokens; t++) {
    const arrays alone = {a->weights, a->x + t * w->d, trace, y, a->workspace, NULL, NULL};
    REQUIRE(forward(&one, &alone) == GELU_OK);
    int has_nan = 0;
    for (size_t k = 0; k < w->d; k++) has_nan |= isnan(a->x[t * w->d + k]) != 0;
    for (size_t k = 0; k < w->d; k++) {
      REQUIRE(same_f32(y[k], a->y[t * w->d + k]));
      if (has_nan && w->hidden > 0) REQUIRE(isnan(y[k]));
    }
  }
}

static int is_same(const float *a, const float *b, size_t n) {
  for (size_t k = 0; k < n; k++)
    if (!same_f32(a[k], b[k])) return 0;
  return 1;
}

static void check_backward(memory *m, const network *w, source *from, const arrays *a) {
  const size_t outside = (size_t)w->tokens * w->d;
  arrays b = *a;
  b.y = some_floats(m, from, outside); /* dy */
  b.dx = floats(m, outside);
  b.gradients = floats(m, weight_count(w));
  REQUIRE(backward(w, &b) == GELU_OK);
  arrays without = b;
  without.dx = w->missing & NO_DX ? NULL : floats(m, outside);
  without.gradients = w->missing & NO_GRADIENTS ? NULL : floats(m, weight_count(w));
  REQUIRE(backward(w, &without) == GELU_OK);
  if (without.dx != NULL) REQUIRE(is_same(without.dx, b.dx, outside));
  if (without.gradients != NULL) REQUIRE(is_same(without.gradients, b.gradients, weight_count(w)));
}

static void check_run(memory *m, const network *w, source *from) {
  const size_t outside = (size_t)w->tokens * w->d;
  const double needed = gelu_ffn_workspace(w->tokens, w->d, w->hidden, w->gated, 1);
  REQUIRE(gelu_ffn_workspace(w->tokens, w->d, w->hidden, w->gated, 0) <= needed);
  arrays a = {many_floats(m, from, weight_count(w)),
              some_floats(m, from, outside),
              floats(m, trace_count(w)),
              floats(m, outside),
              workspace_of(m, (size_t)needed),
              NULL,
              NULL};
  arrays some = a;
  if (w->missing & NO_WEIGHTS) some.weights = NULL;
  if (w->missing & NO_X) some.x = NULL;
  if (w->missing & NO_TRACE) some.trace = NULL;
  if (w->missing & NO_Y) some.y = NULL;
  if (w->missing & NO_WORKSPACE) some.workspace = NULL;
  const gelu_status want = fault(w);
  REQUIRE(forward(w, &some) == (int32_t)want);
  if (want != GELU_OK) REQUIRE(is_untouched(a.y, outside * sizeof *a.y) && backward(w, &some) == (int32_t)want);
  if (want != GELU_OK || some.weights == NULL || some.trace == NULL || some.x == NULL || some.y == NULL) return;
  check_tokens(m, w, &a);
  check_backward(m, w, from, &a);
}

/* Sizes beyond memory: the arrays are not looked at. */
static void check_refusal(memory *m, const network *w, gelu_status want) {
  float *nothing = floats(m, 1);
  const arrays a = {nothing, nothing, nothing, nothing, nothing, nothing, nothing};
  REQUIRE(forward(w, &a) == (int32_t)want && backward(w, &a) == (int32_t)want);
  REQUIRE(is_untouched(nothing, sizeof *nothing));
}

static void check_initialise(memory *m, const network *w, source *from) {
  const double seed = take_byte(from) < 200 ? (double)take_word(from) : take_double(from);
  const size_t count = weight_count(w);
  const int good = is_whole(seed);
  if (!good || count == SIZE_OVERFLOW) {
    float *nothing = floats(m, 1);
    REQUIRE(gelu_ffn_initialise(w->d, w->hidden, w->gated, seed, nothing) ==
            (int32_t)(good ? GELU_TOO_LARGE : GELU_BAD_PARAMETER));
    REQUIRE(is_untouched(nothing, sizeof *nothing));
  } else if (w->d <= MOST && w->hidden <= MOST) {
    float *weights = floats(m, count), *again = floats(m, count);
    REQUIRE(gelu_ffn_initialise(w->d, w->hidden, w->gated, seed, NULL) == GELU_NULL_POINTER);
    REQUIRE(gelu_ffn_initialise(w->d, w->hidden, w->gated, seed, weights) == GELU_OK);
    REQUIRE(gelu_ffn_initialise(w->d, w->hidden, w->gated, seed, again) == GELU_OK && is_same(weights, again, count));
    for (size_t k = 0; k < count; k++) REQUIRE(isfinite(weights[k]));
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  source from = {bytes, size};
  memory m = {0};
  network w = {.tokens = take_size(&from, MOST), .d = take_size(&from, MOST), .hidden = take_size(&from, MOST)};
  w.gated = take_index(&from, 2);
  w.function = take_index(&from, 12);
  w.parameters = take_parameters(&m, &from);
  w.missing = take_byte(&from) < 128 ? 0 : take_byte(&from);
  const gelu_status want = fault(&w);
  if (w.tokens <= MOST && w.d <= MOST && w.hidden <= MOST)
    check_run(&m, &w, &from);
  else if (want != GELU_OK && want != GELU_NULL_POINTER)
    check_refusal(&m, &w, want);
  if (take_byte(&from) < 64) check_initialise(&m, &w, &from);
  release(&m);
  return 0;
}
