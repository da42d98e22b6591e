/* What a search reports on the way and at the end. */
#pragma once

#include <stdint.h>

#include "chess/types.h"
#include "search/score.h"

/* One line of analysis. pv is borrowed for the call. */
struct search_info {
    int depth;
    int seldepth;
    int multipv; /* from 1 */
    int score;   /* centipawns or mate distance, side to move's view */
    enum score_bound bound;
    uint64_t nodes;
    uint64_t nps;
    int64_t time_ms;
    int hashfull; /* permille */
    uint64_t tbhits;
    const move *pv;
    int pv_length;
};

/* How a search reports; any member may be NULL. Called on the thread in search_run(). */
struct search_reporter {
    void *context;
    void (*info)(void *context, const struct search_info *info);
    /* Now searching root move `m`, the number-th; only after three seconds. */
    void (*current)(void *context, int depth, move m, int number);
};

struct search_result {
    move best;   /* MOVE_NONE only when there is no legal move */
    move ponder; /* MOVE_NONE when unknown; legal after best */
    int score;   /* of best, as in search_info */
    int depth;   /* last completed */
    uint64_t nodes;
    bool missed; /* a ponder search without its ponderhit: the position never came */
};
