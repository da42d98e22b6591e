#include "base/thread.h"

#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"

/* Blocks all signals but those of faults; *before is the mask until now. */
static bool hold_signals(sigset_t *before)
{
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP};
    sigset_t held;
    (void)sigfillset(&held);
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        (void)sigdelset(&held, faults[i]);
    return pthread_sigmask(SIG_SETMASK, &held, before) == 0;
}

enum caxton_status thread_start(pthread_t *thread, void *(*run)(void *), void *argument)
{
    sigset_t before;
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0)
        return STATUS_THREAD;
    bool good =
        pthread_attr_setstacksize(&attributes, THREAD_STACK_BYTES) == 0 &&
        hold_signals(&before); /* a thread begins with the mask of the one that creates it */
    if (good) {
        good = pthread_create(thread, &attributes, run, argument) == 0;
        (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    }
    (void)pthread_attr_destroy(&attributes);
    return good ? STATUS_OK : STATUS_THREAD;
}

int thread_processors(int max)
{
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : count < max ? (int)count : max;
}

#ifdef __APPLE__ /* has no other clock for conditions, but a wait for so long */
#define set_clock(attributes)      0
#define pthread_cond_timedwait     pthread_cond_timedwait_relative_np
#define from_now(deadline_ms, now) ((deadline_ms) > (now) ? (deadline_ms) - (now) : 0)
#else
#define set_clock(attributes)      pthread_condattr_setclock(attributes, CLOCK_MONOTONIC)
#define from_now(deadline_ms, now) (deadline_ms)
#endif

enum caxton_status monitor_init(struct monitor *monitor)
{
    pthread_condattr_t attributes;
    if (pthread_condattr_init(&attributes) != 0)
        return STATUS_THREAD;
    bool good =
        set_clock(&attributes) == 0 && pthread_cond_init(&monitor->changed, &attributes) == 0;
    (void)pthread_condattr_destroy(&attributes);
    if (good && pthread_mutex_init(&monitor->mutex, NULL) == 0)
        return STATUS_OK;
    if (good)
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
    int64_t wait_ms = from_now(deadline_ms, clock_ms());
    const struct timespec until = {.tv_sec = (time_t)(wait_ms / 1000),
                                   .tv_nsec = (long)(wait_ms % 1000) * 1000000};
    return pthread_cond_timedwait(&monitor->changed, &monitor->mutex, &until) == 0;
}
