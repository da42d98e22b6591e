#include "base/thread.h"

#include <signal.h>
#include <time.h>
#include <unistd.h>

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

enum caxton_status condition_init(pthread_cond_t *condition)
{
    pthread_condattr_t attributes;
    if (pthread_condattr_init(&attributes) != 0)
        return STATUS_THREAD;
    bool good = pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC) == 0 &&
                pthread_cond_init(condition, &attributes) == 0;
    (void)pthread_condattr_destroy(&attributes);
    return good ? STATUS_OK : STATUS_THREAD;
}

bool condition_wait_until(pthread_cond_t *condition, pthread_mutex_t *mutex, int64_t deadline_ms)
{
    const struct timespec until = {.tv_sec = (time_t)(deadline_ms / 1000),
                                   .tv_nsec = (long)(deadline_ms % 1000) * 1000000};
    return pthread_cond_timedwait(condition, mutex, &until) == 0;
}
