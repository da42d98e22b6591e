/* What must be done before a signal ends the program: Ctrl-C, the end of the session. For
 * atomic_file.c, whose temporary files are removed then. */
#pragma once

/* From now on a signal that ends the program (on POSIX SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXCPU;
 * on Windows what a console control handler is called for) calls clean() first; the exit status is
 * 128 and the signal's number. clean() may call little: what a POSIX signal handler may. Signals
 * that the program was told to ignore stay ignored, as nohup wants it. A file that grows too large
 * (ulimit -f) becomes a write that fails. */
void end_signals_catch(void (*clean)(void));

/* Runs a part of the program that clean() must see as a whole or not at all: such signals wait
 * meanwhile. Returns what run() returns, or an error number when they cannot be held. run() is
 * short, and one thread at a time runs one. */
int end_signals_hold(int (*run)(void *context), void *context);
