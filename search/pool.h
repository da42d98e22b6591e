/* Parked threads for Lazy SMP: every worker searches the same root, and they share the
 * transposition table. Source: https://www.chessprogramming.org/Lazy_SMP */
#pragma once

#include "search/worker.h"

struct pool;

/* `count` workers: the first for the caller's thread, the rest parked on threads of their own, each
 * of which calls run(worker) when it is started. NULL with *status = STATUS_NO_MEMORY or
 * STATUS_THREAD. Destroyed by the caller. */
struct pool *pool_create(struct shared *shared, int count, void (*run)(struct worker *worker),
                         enum caxton_status *status);
void pool_destroy(struct pool *pool); /* NULL is allowed */

/* All workers, borrowed. */
struct worker **pool_workers(struct pool *pool);

/* Starts every helper, not worker 0, and returns at once. */
void pool_start(struct pool *pool);
/* Waits until every helper is parked again. */
void pool_join(struct pool *pool);
/* The same for so long at most: where threads outnumber processors, one that is not running cannot
 * see that it should stop. */
void pool_join_briefly(struct pool *pool, int milliseconds);
/* Worker 0 always is. What a parked worker found may be read. */
bool pool_is_parked(struct pool *pool, int index);
