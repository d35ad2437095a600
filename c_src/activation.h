/* THE table of activation functions: identifier, parameters, and value, first and second derivative
 * as scalar float64 functions. Everything that lists or evaluates functions reads this table. */
#ifndef GELU_ACTIVATION_H
#define GELU_ACTIVATION_H

enum {
  ACTIVATION_ORDERS = 3, /* value, first derivative, second derivative */
  ACTIVATION_MAX_PARAMETERS = 2
};

typedef struct {
  const char *name;
  double value;    /* default */
  double min, max; /* the range that sliders and links offer; any finite value is evaluated */
} activation_parameter;

/* parameters: as many as the row has, in the row's order; may be NULL where it has none. */
typedef double activation_function(double x, const double *parameters);

typedef struct {
  const char *id;
  int parameter_count;
  activation_parameter parameters[ACTIVATION_MAX_PARAMETERS];
  activation_function *evaluate[ACTIVATION_ORDERS];
} activation;

/* Number of rows, in display order. */
int activation_count(void);

/* Row `index`, or NULL where there is none. The table is static; nothing is to be freed. */
const activation *activation_at(int index);

/* Row whose id is `id`, or NULL. */
const activation *activation_find(const char *id);

#endif
