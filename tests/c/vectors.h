/* Reads the reference vectors (written by reference/generate.c, which says what the columns mean). */
#ifndef GELU_VECTORS_H
#define GELU_VECTORS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef GELU_VECTORS
#define GELU_VECTORS "tests/c/reference/vectors" /* seen from the root of the repository */
#endif

enum { VECTOR_PARAMETERS = 2 };

typedef struct {
  char function[32];
  int order;
  int parameter_count; /* 0: the defaults */
  double parameters[VECTOR_PARAMETERS];
  double x, y, rest; /* the truth is y + rest units of the last place of y */
  int has_f32;
  float y_f32;
} vector;

static inline const char *vectors_folder(void) {
  const char *folder = getenv("GELU_VECTORS");
  return folder != NULL ? folder : GELU_VECTORS;
}

static inline int parse_vector(const char *line, vector *v) {
  char parameters[80], x[40], y[40], rest[40], f32[40];
  if (sscanf(line, "%31s %d %79s %39s %39s %39s %39s", v->function, &v->order, parameters, x, y, rest, f32) != 7)
    return 0;
  v->parameter_count = 0;
  for (char *p = parameters; *p != '\0' && strcmp(parameters, "-") != 0 && v->parameter_count < VECTOR_PARAMETERS;) {
    v->parameters[v->parameter_count++] = strtod(p, &p);
    if (*p == ',') p++;
  }
  v->x = strtod(x, NULL);
  v->y = strtod(y, NULL);
  v->rest = strtod(rest, NULL);
  v->has_f32 = strcmp(f32, "-") != 0;
  v->y_f32 = v->has_f32 ? strtof(f32, NULL) : 0;
  return 1;
}

/* Calls `use` for every vector of the function; returns how many there were, or -1 if the file cannot be read. */
static inline int for_each_vector(const char *function, void (*use)(const vector *, void *), void *context) {
  char path[1024], line[256];
  snprintf(path, sizeof path, "%s/%s.txt", vectors_folder(), function);
  FILE *file = fopen(path, "r");
  if (file == NULL) {
    fprintf(stderr, "cannot read the reference vectors %s\n", path);
    return -1;
  }
  int count = 0;
  while (fgets(line, sizeof line, file) != NULL) {
    vector v;
    if (line[0] == '#') continue;
    if (!parse_vector(line, &v)) {
      fprintf(stderr, "%s: not a vector: %s", path, line);
      count = -1;
      break;
    }
    use(&v, context);
    count++;
  }
  fclose(file);
  return count;
}

#endif
