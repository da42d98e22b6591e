/* Commands for testers: `bench`, a fixed amount of work, whose node count identifies the search and
 * whose time measures the machine; `speedtest`, the speed with all threads; `genfens`, positions to
 * begin games from; `go perft`. */
#pragma once

#include <stdatomic.h>

#include "book/uci/report.h"

enum { BENCH_DEPTH = 12, GENFENS_MAX = 10000000 };

/* What the search thread does in place of a search. `run` gets a search of its own, as
 * search_create() makes it. To end it early set `stopped`, then call search_stop(); it then says
 * "NAME stopped". False: it failed, and has said why. */
struct bench_task {
    bool (*run)(const struct bench_task *task, struct search *search, struct output *out,
                const atomic_bool *stopped);
    int depth;               /* of bench_run() */
    int threads;             /* of speedtest_run(), as are hash_mb and seconds */
    int hash_mb;             /* of the transposition table */
    int seconds;             /* for all positions together */
    int count;               /* of genfens_run(), as is all that follows */
    uint64_t seed;           /* of the random numbers */
    bool is_chess960;        /* start positions of double Chess960 */
    struct position *starts; /* what else the games begin at; owned by whoever made them */
    size_t start_count;      /* 0: the standard start position */
};

/* Searches every position to `depth`, each from a clean start, and reports the sum as "Bench: N"
 * and, for OpenBench, "N nodes S nps". With one thread and 16 MB the count depends on nothing but
 * the code and the network. */
bool bench_run(const struct bench_task *task, struct search *search, struct output *out,
               const atomic_bool *stopped);

/* Searches openings and middlegames for `seconds`, as if they were one game, and reports a table:
 * what was measured, on what, nodes and speed. The first position is searched once before, so that
 * all memory has been touched. Idea: Stockfish, `speedtest`. */
bool speedtest_run(const struct bench_task *task, struct search *search, struct output *out,
                   const atomic_bool *stopped);

/* Reports `count` different positions as "info string genfens FEN": some random moves after the
 * start, not the end of a game, without check, and neither side is much better. The same task gives
 * the same positions. It gives up, and says so, where new positions cannot be found.
 * Source: https://github.com/AndyGrant/OpenBench, Client/genfens.py */
bool genfens_run(const struct bench_task *task, struct search *search, struct output *out,
                 const atomic_bool *stopped);

/* `go perft`: the number of leaf positions below each move, to test and time move generation. One
 * line for each move and one with the sum, the time and the speed. Returns soon after `stopped`
 * becomes true. Source: https://www.chessprogramming.org/Perft#Divide */
void perft_divide(const struct position *pos, int depth, bool chess960, struct output *out,
                  const atomic_bool *stopped);
