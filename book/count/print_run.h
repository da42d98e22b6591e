/* A sorted run of fingerprints in an unnamed temporary file, 16 bytes each, in the byte order of
 * the machine, because only this program reads it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/fingerprint.h"
#include "base/status.h"

struct print_run;

/* Errors: STATUS_IO, STATUS_NO_MEMORY, STATUS_RANGE (the folder's name is too long). */
MUST_CHECK enum caxton_status print_run_create(const char *folder, struct print_run **out,
                                               struct diag *diag);
void print_run_destroy(struct print_run *run); /* NULL is allowed */

/* Adds a fingerprint above all others. */
MUST_CHECK enum caxton_status print_run_write(struct print_run *run, struct fingerprint print,
                                              struct diag *diag);
/* Ends writing. */
MUST_CHECK enum caxton_status print_run_finish(struct print_run *run, struct diag *diag);

uint64_t print_run_count(const struct print_run *run);

/* After print_run_finish(): is it there? */
MUST_CHECK enum caxton_status print_run_find(struct print_run *run, struct fingerprint print,
                                             bool *found, struct diag *diag);

/* The fingerprint number `index` < print_run_count(); fast when they are asked in order. */
MUST_CHECK enum caxton_status print_run_get(struct print_run *run, uint64_t index,
                                            struct fingerprint *out, struct diag *diag);
