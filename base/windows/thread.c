#include "base/thread.h"

#include <time.h>
#include <windows.h>

#include "base/clock.h"

enum caxton_status thread_start(pthread_t *thread, void *(*run)(void *), void *argument)
{
    /* The linker has said how large stacks are: see cmake/flags.cmake. A size given here would be
     * taken from memory at once. */
    return pthread_create(thread, NULL, run, argument) == 0 ? STATUS_OK : STATUS_THREAD;
}

int thread_processors(int max)
{
    DWORD count = GetActiveProcessorCount(ALL_PROCESSOR_GROUPS);
    return count < 1 ? 1 : count < (DWORD)max ? (int)count : max;
}

enum caxton_status monitor_init(struct monitor *monitor)
{
    if (pthread_cond_init(&monitor->changed, NULL) != 0)
        return STATUS_THREAD;
    if (pthread_mutex_init(&monitor->mutex, NULL) == 0)
        return STATUS_OK;
    (void)pthread_cond_destroy(&monitor->changed);
    return STATUS_THREAD;
}

void monitor_destroy(struct monitor *monitor)
{
    (void)pthread_cond_destroy(&monitor->changed);
    (void)pthread_mutex_destroy(&monitor->mutex);
}

bool monitor_wait_until(struct monitor *monitor, int64_t deadline_ms)
{
    /* The library's own deadlines are moments of the clock on the wall, which may be set. */
    int64_t left = deadline_ms - clock_ms();
    if (left <= 0)
        return false;
    const struct timespec wait = {.tv_sec = (time_t)(left / 1000),
                                  .tv_nsec = (long)(left % 1000) * 1000000};
    return pthread_cond_timedwait_relative_np(&monitor->changed, &monitor->mutex, &wait) == 0;
}
