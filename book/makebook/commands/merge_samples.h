/* The sample games beside statistics that makebook merge adds up: those of the sum. */
#pragma once

#include "base/command_line.h"
#include "book/statistics/samples_file.h"

struct merge_samples;

/* Where all operands have sample games, begins a file of them beside `output`. Where only some
 * have, or they do not fit together, one line says that the sum has none. *out is NULL then.
 * False after one line on standard error. */
bool merge_samples_open(const struct command_line *line, const char *output,
                        struct merge_samples **out);
void merge_samples_close(struct merge_samples *samples); /* NULL is allowed */

/* What has to follow the sum while it is written. NULL for NULL. */
struct samples_writer *merge_samples_writer(struct merge_samples *samples);

/* Did a write fail? Then `diag` says why. False for NULL. */
bool merge_samples_have_failed(struct merge_samples *samples, struct diag *diag);

/* Puts the file in its place. NULL is allowed. Errors: STATUS_IO; `diag` says more. */
MUST_CHECK enum caxton_status merge_samples_commit(struct merge_samples *samples,
                                                   struct diag *diag);
