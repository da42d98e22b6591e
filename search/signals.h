/* What other threads tell a running search: stop, ponderhit. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>

#include "base/thread.h"

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
