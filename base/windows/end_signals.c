#include "base/end_signals.h"

#include <stddef.h>
#include <windows.h>

enum { INTERRUPTED = 128 + 2 }; /* as a shell has it for Ctrl-C */

/* What a console control handler, which runs on a thread of its own, must find. */
static SRWLOCK lock = SRWLOCK_INIT;
static void (*clean_up)(void); /* guarded by `lock` */

static BOOL WINAPI on_event(DWORD event)
{
    (void)event;
    AcquireSRWLockExclusive(&lock); /* nothing that clean_up() must see is created from now on */
    clean_up();
    (void)TerminateProcess(GetCurrentProcess(), INTERRUPTED);
    return TRUE;
}

void end_signals_catch(void (*clean)(void))
{
    AcquireSRWLockExclusive(&lock);
    clean_up = clean;
    ReleaseSRWLockExclusive(&lock);
    (void)SetConsoleCtrlHandler(on_event, TRUE);
}

int end_signals_hold(int (*run)(void *context), void *context)
{
    AcquireSRWLockExclusive(&lock);
    int error = run(context);
    ReleaseSRWLockExclusive(&lock);
    return error;
}
