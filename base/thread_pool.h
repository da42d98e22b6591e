/* Threads that are parked until there is something to do: made once, started by one broadcast. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

struct thread_pool;

/* `count` parked threads, possibly none. Each start lets every thread call run(context, its index)
 * once. Errors: STATUS_NO_MEMORY, STATUS_THREAD. */
MUST_CHECK enum caxton_status thread_pool_create(int count, void (*run)(void *context, int index),
                                                 void *context, struct thread_pool **out);
/* Waits until all are parked. NULL is allowed. */
void thread_pool_destroy(struct thread_pool *pool);

/* Starts all threads, which are parked, and returns at once. */
void thread_pool_start(struct thread_pool *pool);
/* Waits until all are parked again. */
void thread_pool_wait(struct thread_pool *pool);
/* The same until clock_ms() reaches deadline_ms at most. */
void thread_pool_wait_until(struct thread_pool *pool, int64_t deadline_ms);
/* Is that thread parked? What it has written may be read then. */
bool thread_pool_is_parked(struct thread_pool *pool, int index);
