/* What all workers of one search share. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>

#include "base/thread.h"
#include "search/info.h"
#include "search/limits.h"
#include "search/timeman.h"
#include "search/tt.h"

struct network;
struct tb;
struct worker;

/* What other threads tell a running search: stop, ponderhit. */
struct signals {
    atomic_bool stop;       /* atomic, relaxed in the search; from outside set under `monitor` */
    atomic_bool pondering;  /* likewise */
    bool released;          /* stopped from outside, not by a limit; guarded by `monitor` */
    struct monitor monitor; /* released or pondering */
};

/* False when the system has no such lock. Destroyed by the caller. */
bool signals_init(struct signals *signals);
void signals_destroy(struct signals *signals);

/* Forgets earlier signals, before a search. */
void signals_arm(struct signals *signals, bool ponder);

/* Any thread, at any time after signals_arm(). */
void signals_stop(struct signals *signals);
void signals_ponderhit(struct signals *signals);

/* A limit was reached: ends the search, but not the waiting under `infinite` or `ponder`. */
static inline void signals_end_search(struct signals *signals)
{
    atomic_store_explicit(&signals->stop, true, memory_order_relaxed);
}

static inline bool signals_stopped(const struct signals *signals)
{
    return atomic_load_explicit(&signals->stop, memory_order_relaxed);
}

static inline bool signals_pondering(const struct signals *signals)
{
    return atomic_load_explicit(&signals->pondering, memory_order_relaxed);
}

/* Sleeps until signals_stop(); returns earlier when the search is neither `infinite` nor
 * pondering (any more). */
void signals_wait(struct signals *signals, bool infinite);

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
