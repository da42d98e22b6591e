/* One worker without a pool, for tests of the search's parts. */
#pragma once

#include "base/clock.h"
#include "chess/fen.h"
#include "eval/network.h"
#include "search/worker.h"

struct search_worker {
    struct shared shared;
    struct worker *worker;
    struct worker *list[1];
};

/* NULL when there is no memory. Freed by search_worker_destroy(). */
static inline struct search_worker *search_worker_create(void)
{
    struct search_worker *made = calloc(1, sizeof *made);
    if (!made || !signals_init(&made->shared.signals))
        return NULL;
    made->shared.network = network_builtin();
    search_request_init(&made->shared.request);
    made->worker = made->list[0] = worker_create(&made->shared, 0);
    made->shared.workers = made->list;
    made->shared.worker_count = 1;
    if (!made->worker || tt_resize(&made->shared.tt, 1) != STATUS_OK)
        return NULL;
    worker_prepare(made->worker);
    return made;
}

static inline void search_worker_destroy(struct search_worker *made)
{
    worker_destroy(made->worker);
    tt_free(&made->shared.tt);
    signals_destroy(&made->shared.signals);
    free(made);
}

/* Sets the root; false when `fen` does not parse. */
static inline bool search_worker_set(struct search_worker *made, const char *fen)
{
    if (fen_parse(span_of(fen), &made->shared.request.root, NULL) != STATUS_OK)
        return false;
    made->shared.start_ms = clock_ms();
    worker_prepare(made->worker);
    return true;
}
