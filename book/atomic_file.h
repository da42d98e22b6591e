/* Output that appears whole or not at all: written beside its place under another name, synced,
 * then renamed. */
#ifndef CAXTON_BOOK_ATOMIC_FILE_H
#define CAXTON_BOOK_ATOMIC_FILE_H

#include <stdio.h>

#include "chess/status.h"

struct atomic_file;

/* "-" stands for `standard`, standard output as a rule, which cannot be taken back; NULL when "-"
 * is a name like any other. Errors: STATUS_IO, STATUS_NO_MEMORY; `diag` says why. Every file is
 * ended by commit or abort. */
MUST_CHECK enum caxton_status atomic_file_create(const char *path, FILE *standard,
                                                 struct atomic_file **out, struct diag *diag);

/* Where to write; not to be closed. */
FILE *atomic_file_stream(struct atomic_file *file);

/* Puts the file in its place and frees `file`, whether it succeeds or not. On failure what stood
 * there before still stands. Errors: STATUS_IO, for a write that failed earlier too. */
MUST_CHECK enum caxton_status atomic_file_commit(struct atomic_file *file, struct diag *diag);

/* Forgets what was written and frees `file`. NULL is allowed. */
void atomic_file_abort(struct atomic_file *file);

/* Removes every file not yet committed. For signal handlers: async-signal-safe. */
void atomic_file_remove_all(void);

#endif
