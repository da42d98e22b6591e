/* Ctrl-C as a call: for a program that wants to end its work in good order. */
#pragma once

struct interrupt;

/* From now on the first SIGINT, SIGTERM or SIGHUP does not end the program: call(context) is called
 * instead, on a thread of its own. The next one ends the program as usual. Signals that the program
 * was told to ignore are left alone. On POSIX SIGUSR1 is used inside, and ignored when others send
 * it.
 * To be called on the first thread; others are started by thread_start() (base/thread.h), which
 * leaves signals to this. NULL when there is no memory or no thread: nothing has changed then. */
struct interrupt *interrupt_catch(void (*call)(void *context), void *context);

/* Waits for a call that is under way; then signals end the program as before. NULL is allowed. */
void interrupt_release(struct interrupt *interrupt);
