/* depth.h by the calls that JavaScript makes: any sizes, gain, options, seed, function and parameters. */
#include "fuzz.h"

#include "size.h"
#include "wasm_api.h"

enum { MOST = 6 };

typedef struct {
  uint32_t layers, width, samples;
  double gain, seed;
  int32_t layer_norm, residual, function;
  double *parameters;
} network;

static gelu_status fault(const network *w) {
  if (!is_whole(w->seed)) return GELU_BAD_PARAMETER;
  const gelu_status activation = activation_fault(activation_at(w->function), w->parameters);
  if (activation != GELU_OK) return activation;
  if (!(isfinite(w->gain) && w->gain >= 0)) return GELU_BAD_PARAMETER;
  if (w->width == 0 || w->samples == 0) return GELU_BAD_SIZE;
  return isfinite(gelu_depth_workspace(w->layers, w->width, w->samples, w->layer_norm)) ? GELU_OK : GELU_TOO_LARGE;
}

static int32_t propagate(const network *w, double *signal, double *gradient, float *workspace) {
  return gelu_depth(w->layers, w->width, w->samples, w->gain, w->layer_norm, w->residual, w->seed, w->function,
                    w->parameters, signal, gradient, workspace);
}

static void check_run(memory *m, const network *w) {
  const size_t levels = (size_t)w->layers + 1;
  const size_t floats_needed = (size_t)gelu_depth_workspace(w->layers, w->width, w->samples, w->layer_norm);
  double *signal = doubles(m, levels), *gradient = doubles(m, levels);
  float *workspace = workspace_of(m, floats_needed);
  REQUIRE(propagate(w, NULL, gradient, workspace) == GELU_NULL_POINTER);
  REQUIRE(propagate(w, signal, NULL, workspace) == GELU_NULL_POINTER);
  REQUIRE(propagate(w, signal, gradient, NULL) == GELU_NULL_POINTER);
  REQUIRE(is_untouched(signal, levels * sizeof *signal));
  REQUIRE(propagate(w, signal, gradient, workspace) == GELU_OK);
  REQUIRE(signal[0] > 0 && isfinite(signal[0]) && gradient[w->layers] > 0 && isfinite(gradient[w->layers]));
  for (size_t l = 0; l < levels; l++) REQUIRE(!(signal[l] < 0) && !(gradient[l] < 0));
  double *again = doubles(m, levels), *gradient_again = doubles(m, levels);
  REQUIRE(propagate(w, again, gradient_again, workspace) == GELU_OK);
  for (size_t l = 0; l < levels; l++)
    REQUIRE(same_f64(signal[l], again[l]) && same_f64(gradient[l], gradient_again[l]));
}

static void check_unit_gain(memory *m, const network *w) {
  double *gain = doubles(m, 1);
  const gelu_status want = activation_fault(activation_at(w->function), w->parameters);
  REQUIRE(gelu_depth_unit_gain(w->function, w->parameters, gain) == (int32_t)want);
  if (want != GELU_OK)
    REQUIRE(is_untouched(gain, sizeof *gain));
  else
    REQUIRE(*gain >= 0 && gelu_depth_unit_gain(w->function, w->parameters, NULL) == GELU_NULL_POINTER);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  source from = {bytes, size};
  memory m = {0};
  network w = {.layers = take_size(&from, MOST), .width = take_size(&from, MOST), .samples = take_size(&from, MOST)};
  w.gain = take_double(&from);
  w.layer_norm = take_index(&from, 2);
  w.residual = take_index(&from, 2);
  w.seed = take_byte(&from) < 200 ? (double)take_word(&from) : take_double(&from);
  w.function = take_index(&from, 12);
  w.parameters = take_parameters(&m, &from);
  const gelu_status want = fault(&w);
  if (want == GELU_OK && w.layers <= MOST && w.width <= MOST && w.samples <= MOST) {
    check_run(&m, &w);
  } else if (want != GELU_OK) {
    double *signal = doubles(&m, 1), *gradient = doubles(&m, 1);
    float *workspace = floats(&m, 1);
    REQUIRE(propagate(&w, signal, gradient, workspace) == (int32_t)want);
    REQUIRE(is_untouched(signal, 8) && is_untouched(gradient, 8) && is_untouched(workspace, 4));
  }
  if (take_byte(&from) < 32) check_unit_gain(&m, &w);
  release(&m);
  return 0;
}
