/* The `bench` command: a fixed amount of work, whose node count identifies the search and whose
 * time measures the machine. */
#pragma once

#include <stdatomic.h>

#include "book/uci/report.h"

enum { BENCH_DEPTH = 12 };

/* Searches every position to `depth`, each from a clean start, and reports the sum as "Bench: N"
 * and, for OpenBench, "N nodes S nps". With `search` as search_create() makes it, one thread and
 * 16 MB, the count depends on nothing but the code and the network. To end it early set `stopped`,
 * then call search_stop(). */
void bench_run(struct search *search, int depth, struct output *out, const atomic_bool *stopped);

/* `go perft`: the number of leaf positions below each move, to test and time move generation. One
 * line for each move and one with the sum, the time and the speed. Returns soon after `stopped`
 * becomes true. Source: https://www.chessprogramming.org/Perft#Divide */
void perft_divide(const struct position *pos, int depth, bool chess960, struct output *out,
                  const atomic_bool *stopped);
