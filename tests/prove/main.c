/* One piece of the proof; prove.mjs spreads the pieces, keeps what they say and adds it up.
 *
 *   prove pieces ID ORDER STRIDE OFFSET               how many pieces these float32 inputs have
 *   prove float32 ID ORDER STRIDE OFFSET FIRST END    pieces FIRST … END - 1 of every STRIDE-th float32 from OFFSET on
 *   prove float64 ID ORDER FIRST END                  random float64 inputs
 *   prove parameters ID ORDER FIRST END               random inputs with other parameters, float32 and float64
 *
 * Prints one line of JSON (tally.h says what the fields mean). Exit code 0 whatever was found; 2 for a wrong call. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "jobs.h"

static uint64_t number(const char *text) { return strtoull(text, NULL, 10); }

static double cpu_seconds(void) { return (double)clock() / CLOCKS_PER_SEC; }

static int usage(void) {
  fprintf(stderr, "usage: see tests/prove/main.c\n");
  return 2;
}

int main(int argc, char **argv) {
  static tally found;
  if (argc < 4) return usage();
  const char *job = argv[1];
  const activation *row = activation_find(argv[2]);
  const int order = (int)number(argv[3]);
  if (row == NULL || order >= ACTIVATION_ORDERS) return usage();
  if (strcmp(job, "pieces") == 0 || strcmp(job, "float32") == 0) {
    if (argc != (job[0] == 'p' ? 6 : 8) || number(argv[4]) == 0) return usage();
    const float32_job inputs = {row, order, (uint32_t)number(argv[4]), (uint32_t)number(argv[5])};
    if (job[0] == 'p') return printf("%" PRIu64 "\n", float32_pieces(&inputs)) < 0;
    float32_run(&inputs, number(argv[6]), number(argv[7]), &found);
  } else if (argc != 6) {
    return usage();
  } else if (strcmp(job, "float64") == 0) {
    float64_run(row, order, number(argv[4]), number(argv[5]), &found);
  } else if (strcmp(job, "parameters") == 0) {
    parameters_run(row, order, number(argv[4]), number(argv[5]), &found);
  } else {
    return usage();
  }
  tally_print(&found, cpu_seconds());
  return 0;
}
