#include "base/interrupt.h"

#include <stdbool.h>
#include <stdlib.h>
#include <windows.h>

struct interrupt {
    void (*call)(void *context);
    void *context;
    bool called;
};

/* What a console control handler, which runs on a thread of its own, must find. */
static SRWLOCK lock = SRWLOCK_INIT;
static struct interrupt *current; /* guarded by `lock`, as is what it points to */

/* Says whether the event is dealt with: otherwise the handler that was there before is asked. */
static BOOL WINAPI on_event(DWORD event)
{
    AcquireSRWLockExclusive(&lock);
    bool is_first = current && !current->called;
    if (is_first) {
        current->called = true;
        current->call(current->context);
    }
    ReleaseSRWLockExclusive(&lock);
    /* When the window is closed or the session ends, Windows ends the program as soon as this
     * returns, and some seconds later anyway: the program should end before that. */
    if (is_first && event != CTRL_C_EVENT && event != CTRL_BREAK_EVENT)
        Sleep(INFINITE);
    return is_first;
}

struct interrupt *interrupt_catch(void (*call)(void *context), void *context)
{
    struct interrupt *interrupt = malloc(sizeof *interrupt);
    if (!interrupt)
        return NULL;
    *interrupt = (struct interrupt){.call = call, .context = context};
    AcquireSRWLockExclusive(&lock);
    current = interrupt;
    ReleaseSRWLockExclusive(&lock);
    if (SetConsoleCtrlHandler(on_event, TRUE))
        return interrupt;
    interrupt_release(interrupt);
    return NULL;
}

void interrupt_release(struct interrupt *interrupt)
{
    if (!interrupt)
        return;
    /* The handler stays: without `current` it does nothing. To remove it could wait for ever, for
     * Windows may hold a lock while a handler sleeps. */
    AcquireSRWLockExclusive(&lock);
    current = NULL;
    ReleaseSRWLockExclusive(&lock);
    free(interrupt);
}
