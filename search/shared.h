/* What all workers of one search share. */
#pragma once

#include "search/info.h"
#include "search/limits.h"
#include "search/signals.h"
#include "search/timeman.h"
#include "search/tt.h"

struct network;
struct tb;
struct worker;

/* A move of the root and its rank by the endgame tables. */
struct tb_rank {
    move move;
    int rank;
};

struct shared {
    struct tt tt;
    struct signals signals;
    const struct network *network; /* borrowed */
    const struct tb *tb;           /* borrowed; NULL: none */

    /* Written before the workers start, constant while they run. */
    struct search_request request;
    struct search_reporter reporter;
    struct time_budget budget;
    int64_t start_ms;
    bool has_last; /* of a search for a move since search_clear(): */
    int last_turn; /* .. who was to move, .. */
    int last_score;
    int tb_pieces;                      /* nodes with more pieces ask no tables; 0: none does */
    struct tb_rank tb_ranks[MOVES_MAX]; /* when the root is in the tables */
    int tb_rank_count;
    struct worker **workers; /* worker 0 reports and keeps time */
    int worker_count;

    /* Time is up or there is no limit, but the search ponders: the ponderhit ends it. Single
     * writer: the thread of worker 0. */
    atomic_bool stop_on_ponderhit;
    bool reported_pondering; /* the last line was reported before the ponderhit; the same thread */
};
