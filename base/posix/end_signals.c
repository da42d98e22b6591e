#include "base/end_signals.h"

#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static void (*clean_up)(void); /* set once, before its handler is */

static void on_signal(int number)
{
    clean_up();
    _exit(128 + number);
}

void end_signals_catch(void (*clean)(void))
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXCPU};
    struct sigaction action = {.sa_handler = on_signal};
    clean_up = clean;
    (void)sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct sigaction before;
        if (sigaction(numbers[i], NULL, &before) == 0 && before.sa_handler == SIG_IGN)
            continue;
        (void)sigaction(numbers[i], &action, NULL);
    }
    action.sa_handler = SIG_IGN;
    (void)sigaction(SIGXFSZ, &action, NULL);
}

int end_signals_hold(int (*run)(void *context), void *context)
{
    sigset_t all, before;
    (void)sigfillset(&all);
    int error = pthread_sigmask(SIG_SETMASK, &all, &before);
    if (error)
        return error;
    error = run(context);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error;
}
