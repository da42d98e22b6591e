#include "base/thread.h"

#include <signal.h>

enum caxton_status thread_start(pthread_t *thread, void *(*run)(void *), void *argument)
{
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP};
    sigset_t held;
    sigset_t before;
    (void)sigfillset(&held);
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        (void)sigdelset(&held, faults[i]);
    /* A thread begins with the mask of the one that creates it. */
    if (pthread_sigmask(SIG_SETMASK, &held, &before) != 0)
        return STATUS_THREAD;
    int error = pthread_create(thread, NULL, run, argument);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error ? STATUS_THREAD : STATUS_OK;
}
