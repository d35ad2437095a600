#include "tally.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void extreme_raise(extreme *e, double size, double x) {
  if (!(size > e->size)) return;
  e->size = size;
  e->x = x;
}

void tally_fault(tally *t, const char *format, ...) {
  t->wrong++;
  if (t->faults_told == FAULTS_TOLD) return;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(t->faults[t->faults_told++], FAULT_LENGTH, format, arguments);
  va_end(arguments);
}

void hard_list_add(hard_list *list, hard_input input) {
  if (list->count == HARDEST && !(input.distance < list->inputs[HARDEST - 1].distance)) return;
  int k = list->count < HARDEST ? list->count++ : HARDEST - 1;
  for (; k > 0 && input.distance < list->inputs[k - 1].distance; k--) list->inputs[k] = list->inputs[k - 1];
  list->inputs[k] = input;
}

static void print_extreme(const char *name, extreme e) {
  /* JSON has no infinity, but reads 1e999 as one. */
  if (e.size > 1e300)
    printf(",\"%s\":{\"size\":1e999,\"x\":\"%a\"}", name, e.x);
  else
    printf(",\"%s\":{\"size\":%.9g,\"x\":\"%a\"}", name, e.size, e.x);
}

static void print_hard(const char *name, const hard_list *list) {
  printf(",\"%s\":[", name);
  for (int k = 0; k < list->count; k++) {
    const hard_input i = list->inputs[k];
    printf("%s[\"%a\",\"%a\",%.5g]", k > 0 ? "," : "", (double)i.x, (double)i.nearest, i.distance);
  }
  printf("]");
}

void tally_print(const tally *t, double seconds) {
  printf("{\"inputs\":%" PRIu64 ",\"wrong\":%" PRIu64 ",\"notNearest\":%" PRIu64, t->inputs, t->wrong, t->not_nearest);
  printf(",\"byRule\":%" PRIu64 ",\"byMpfr\":%" PRIu64 ",\"checked\":%" PRIu64, t->by_rule, t->by_mpfr, t->checked);
  printf(",\"deviation\":%.6g,\"seconds\":%.3f", t->deviation, seconds);
  print_extreme("worst", t->worst);
  print_extreme("nearZero", t->near_zero);
  print_extreme("fast", t->fast);
  print_hard("smallHard", &t->small_hard);
  print_hard("hard", &t->hard);
  printf(",\"faults\":[");
  for (int k = 0; k < t->faults_told; k++) printf("%s\"%s\"", k > 0 ? "," : "", t->faults[k]);
  printf("]}\n");
}
