/* `caxton bench`: a fixed amount of work, whose node count identifies the search and whose time
 * measures the machine. */
#ifndef CAXTON_ENGINE_BENCH_H
#define CAXTON_ENGINE_BENCH_H

#include <stdio.h>

#include "base/status.h"

enum { BENCH_DEPTH = 12 };

/* Searches every position to `depth` with one thread and 16 MB, each from a clean start, and
 * writes the sum as "Bench: N". The count depends on nothing but the code.
 * Errors: STATUS_NO_MEMORY, STATUS_IO. */
MUST_CHECK enum caxton_status bench_run(int depth, FILE *out);

#endif
