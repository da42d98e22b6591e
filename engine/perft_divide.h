/* `go perft`: the number of leaf positions below each move, to test and time move generation.
 * Source: https://www.chessprogramming.org/Perft#Divide */
#pragma once

#include <stdatomic.h>

#include "engine/report.h"

/* One line for each move and one with the sum, the time and the speed. Returns soon after
 * `stopped` becomes true. */
void perft_divide(const struct position *pos, int depth, bool chess960, struct output *out,
                  const atomic_bool *stopped);
