/* The parts of the proof. Each takes pieces [first, end) of its inputs, so that they can be spread and resumed. */
#ifndef GELU_PROVE_JOBS_H
#define GELU_PROVE_JOBS_H

#include <stdint.h>

#include "truth.h"

/* Every `stride`-th float32 from `offset` on. A piece is RUNS runs of RUN inputs, one from each part of the range. */
enum { RUN = 4096, RUNS = 256 };

typedef struct {
  const activation *row;
  int order;
  uint32_t stride, offset;
} float32_job;

uint64_t float32_pieces(const float32_job *job);
void float32_run(const float32_job *job, uint64_t first, uint64_t end, tally *found);

/* Random inputs: POINTS in each piece, the same ones in every run. */
enum { POINTS = 50000 };

void float64_run(const activation *row, int order, uint64_t first, uint64_t end, tally *found);

/* Random parameters, a set of them for each piece, in float32 and in float64. */
enum { PARAMETER_POINTS = 4000 };

void parameters_run(const activation *row, int order, uint64_t first, uint64_t end, tally *found);

#endif
