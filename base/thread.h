/* Threads and monitors: pthreads, with what a default leaves open decided here. */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

/* The stack of each thread. The deepest search needs about 500 KB, several times as much with
 * sanitizers. C libraries disagree on the default: glibc gives 8 MB, musl 128 KB. Only what is used
 * takes memory. */
enum { THREAD_STACK_BYTES = 8 << 20 };

/* Starts a thread that leaves signals to the program's first thread; what a fault of the program
 * itself raises (SIGSEGV ..) still ends it. The reason: a handler that removes half-written files
 * (atomic_file_remove_all()) must not run on one thread while another is between creating such a
 * file and listing it. The caller joins. Errors: STATUS_THREAD. */
MUST_CHECK enum caxton_status thread_start(pthread_t *thread, void *(*run)(void *), void *argument);

/* How many threads can run at once here: the processors that are online, 1..max. */
int thread_processors(int max);

/* A mutex, and a condition variable that tells of changes to what the mutex guards; it measures
 * time by the monotonic clock, which clock_ms() reads. Destroyed by the caller. Errors:
 * STATUS_THREAD. */
struct monitor {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
};
MUST_CHECK enum caxton_status monitor_init(struct monitor *monitor);
void monitor_destroy(struct monitor *monitor);

static inline void monitor_lock(struct monitor *monitor)
{
    (void)pthread_mutex_lock(&monitor->mutex);
}

static inline void monitor_unlock(struct monitor *monitor)
{
    (void)pthread_mutex_unlock(&monitor->mutex);
}

/* Wakes all who wait for a change. */
static inline void monitor_wake(struct monitor *monitor)
{
    (void)pthread_cond_broadcast(&monitor->changed);
}

/* Waits with the mutex locked, until signalled or until clock_ms() reaches deadline_ms. False when
 * the time has come. As with pthread_cond_wait(), ask again for what was waited for. */
bool monitor_wait_until(struct monitor *monitor, int64_t deadline_ms);
