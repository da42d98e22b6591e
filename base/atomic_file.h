/* Output files that are there in full or not at all.
 *
 * What is written goes to a temporary file NAME.PID-N in the same folder. commit makes it durable
 * and renames it to NAME; until then a file that was there before stays as it is, and whatever
 * fails or is interrupted leaves nothing behind. The path "-" is standard output; a device, pipe
 * or socket is written directly: neither is renamed. A symbolic link is followed, also to a file
 * that is not there yet, but not that of another user in a folder like /tmp. A file that replaces
 * another one gets its permissions, owner and group as far as the system allows.
 *
 * Any number of threads may each use their own file; one file belongs to one thread at a time. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "base/status.h"

/* No more files than this are open at once. */
enum { ATOMIC_FILES_MAX = 8 };

struct atomic_file;

/* Starts writing `path`. The caller ends with atomic_file_commit() or atomic_file_abort().
 * Errors: STATUS_IO (the folder is not there or may not be written, `path` is a folder or may not
 * be replaced, ATOMIC_FILES_MAX are open), STATUS_NO_MEMORY; `diag` (may be NULL) names path and
 * reason. */
MUST_CHECK enum caxton_status atomic_file_create(const char *path, struct atomic_file **out,
                                                 struct diag *diag);

/* Could atomic_file_create() write `path`? To be asked before long work whose result goes there.
 * Devices and pipes are not touched. Errors as atomic_file_create(). */
MUST_CHECK enum caxton_status atomic_file_try(const char *path, struct diag *diag);

/* The stream that is written to, for fprintf; borrowed, not to be closed. commit reports
 * its errors. */
FILE *atomic_file_stream(struct atomic_file *file);

/* Did a write fail? Then `diag` names path and reason. For a caller that gives up before commit.
 * False for NULL. */
bool atomic_file_has_failed(struct atomic_file *file, struct diag *diag);

/* All of commit but the rename: what takes time and may fail. For a caller that commits several
 * files which belong together, after all of them are finished. Only commit or abort may follow,
 * after a failure only abort. Errors: STATUS_IO; `diag` (may be NULL) names path and reason. */
MUST_CHECK enum caxton_status atomic_file_finish(struct atomic_file *file, struct diag *diag);

/* Flushes, syncs and renames; `file` is gone afterwards, whatever the answer. On failure nothing is
 * left of what was written and the file that was there before is as it was.
 * Errors: STATUS_IO; `diag` (may be NULL) names path and reason. */
MUST_CHECK enum caxton_status atomic_file_commit(struct atomic_file *file, struct diag *diag);

/* Drops what was written. NULL is allowed. */
void atomic_file_abort(struct atomic_file *file);

/* Removes every temporary file that is open. Safe in a signal handler, and meant for one that ends
 * the program right after. */
void atomic_file_remove_all(void);

/* From now on a signal that ends the program (SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXCPU; Ctrl-C and
 * closing the console on Windows) removes the temporary files first; the exit status is 128 and its
 * number. Those that the program was told to ignore stay ignored, as nohup wants it. A file that
 * grows too large (ulimit -f) is a write that fails, with its reason. For a program to call once.
 */
void atomic_file_catch_signals(void);

/* A lock for a file that is read, changed and written again: one program at a time does that. Waits
 * for the lock of the folder of `path`, a file that may not exist yet, and takes it. The folder is
 * locked because the file itself is replaced by a rename. Where the file system has no locks
 * nothing is locked. `waits`, which may be NULL, is called before a wait. Returns the argument of
 * atomic_file_unlock(), which the same thread calls. */
typedef void atomic_file_waits(void *context);
int atomic_file_lock(const char *path, atomic_file_waits *waits, void *context);
void atomic_file_unlock(int lock); /* the end of the program does so, too */
