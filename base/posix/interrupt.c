#include "base/interrupt.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/thread.h"

struct interrupt {
    void (*call)(void *context);
    void *context;
    sigset_t caught;      /* SIGUSR1 wakes the thread for interrupt_release(); */
    atomic_bool released; /* else somebody else has sent it, and it is ignored */
    sigset_t before;      /* the mask of the thread that called interrupt_catch() */
    pthread_t thread;
};

static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};

enum { NUMBER_COUNT = sizeof numbers / sizeof *numbers };

static bool is_ignored(int number)
{
    struct sigaction action;
    return sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

/* Returns the number of one of the signals; SIGUSR1: interrupt_release() was called. */
static int wait_for(const struct interrupt *interrupt, const sigset_t *signals)
{
    int number = 0;
    while (sigwait(signals, &number) != 0 ||
           (number == SIGUSR1 && !atomic_load(&interrupt->released)))
        ;
    return number;
}

/* A handler may call next to nothing. A thread that waits for signals may call anything. */
static void *wait_for_signals(void *argument)
{
    struct interrupt *interrupt = argument;
    sigset_t release;
    (void)sigemptyset(&release);
    (void)sigaddset(&release, SIGUSR1);
    if (wait_for(interrupt, &interrupt->caught) == SIGUSR1)
        return NULL;
    /* Here, and on no other thread, the next signal does what it usually does. */
    sigset_t usual = interrupt->caught;
    (void)sigdelset(&usual, SIGUSR1);
    (void)pthread_sigmask(SIG_UNBLOCK, &usual, NULL);
    interrupt->call(interrupt->context);
    (void)wait_for(interrupt, &release);
    return NULL;
}

struct interrupt *interrupt_catch(void (*call)(void *context), void *context)
{
    struct interrupt *interrupt = malloc(sizeof *interrupt);
    if (!interrupt)
        return NULL;
    interrupt->call = call;
    interrupt->context = context;
    atomic_init(&interrupt->released, false);
    (void)sigemptyset(&interrupt->caught);
    (void)sigaddset(&interrupt->caught, SIGUSR1);
    for (int i = 0; i < NUMBER_COUNT; i++)
        if (!is_ignored(numbers[i]))
            (void)sigaddset(&interrupt->caught, numbers[i]);
    if (pthread_sigmask(SIG_BLOCK, &interrupt->caught, &interrupt->before) == 0) {
        if (thread_start(&interrupt->thread, wait_for_signals, interrupt) == STATUS_OK)
            return interrupt;
        (void)pthread_sigmask(SIG_SETMASK, &interrupt->before, NULL);
    }
    free(interrupt);
    return NULL;
}

void interrupt_release(struct interrupt *interrupt)
{
    if (!interrupt)
        return;
    atomic_store(&interrupt->released, true);
    (void)pthread_kill(interrupt->thread, SIGUSR1);
    (void)pthread_join(interrupt->thread, NULL);
    (void)pthread_sigmask(SIG_SETMASK, &interrupt->before, NULL);
    free(interrupt);
}
