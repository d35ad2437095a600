/* activation.h, and what JavaScript sees of the table: any index, any id, any finite parameters, any x. */
#include "fuzz.h"

#include "wasm_api.h"

static void check_table(source *from) {
  const int32_t index = take_index(from, 16), parameter = take_index(from, 4);
  const activation *row = activation_at(index);
  REQUIRE((row != NULL) == (index >= 0 && index < activation_count()));
  REQUIRE(gelu_function_count() == activation_count());
  REQUIRE(gelu_function_id(index) == (row != NULL ? row->id : NULL));
  REQUIRE(gelu_parameter_count(index) == (row != NULL ? row->parameter_count : 0));
  const activation_parameter none = {NULL, 0, 0, 0};
  const int there = row != NULL && parameter >= 0 && parameter < row->parameter_count;
  const activation_parameter *p = there ? &row->parameters[parameter] : &none;
  REQUIRE(gelu_parameter_name(index, parameter) == p->name);
  REQUIRE(same_f64(gelu_parameter_value(index, parameter), p->value));
  REQUIRE(same_f64(gelu_parameter_min(index, parameter), p->min));
  REQUIRE(same_f64(gelu_parameter_max(index, parameter), p->max));
}

static void check_find(source *from) {
  char id[16] = {0};
  take_bytes(from, id, take_below(from, sizeof id));
  const activation *found = activation_find(id);
  for (int k = 0; k < activation_count(); k++)
    REQUIRE((strcmp(activation_at(k)->id, id) == 0) == (found == activation_at(k)));
}

/* Numbers give numbers, whatever the parameters, and always the same. */
static void check_values(source *from) {
  const activation *row = take_row(from);
  double room[ACTIVATION_MAX_PARAMETERS];
  const double *p = finite_parameters(from, row, room), x = take_double(from);
  for (int order = 0; order < ACTIVATION_ORDERS; order++) {
    const double y = row->evaluate[order](x, p);
    REQUIRE(isnan(y) == isnan(x));
    REQUIRE(same_f64(y, row->evaluate[order](x, p)));
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  source from = {bytes, size};
  check_table(&from);
  check_values(&from);
  check_find(&from);
  return 0;
}
