/* A run of data generation: openings, output file, threads with their games, signals, progress. */
#pragma once

#include "base/status.h"
#include "eval/train/datagen/options.h"

/* Fills the output file until it holds enough positions; SIGINT and SIGTERM end the run early,
 * which is no error. *positions: how many the file holds then.
 * Errors: those of files, openings and labellers, in `diag`; STATUS_NO_MEMORY, STATUS_THREAD. */
MUST_CHECK enum caxton_status datagen_run(const struct datagen_options *options,
                                          uint64_t *positions, struct diag *diag);
