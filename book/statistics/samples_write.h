/* Files of sample games written: the bytes are described in samples_file.h. */
#pragma once

#include <stdio.h>

#include "book/statistics/samples_file.h"

/* Keeps the index until the end: 16 bytes for a block of 16 KiB. */
struct samples_writer;

/* Writes the header to `out`, which stays the caller's. `info` is read now. From then on sets come
 * from `next`, those of keys that samples_writer_follow() names are written.
 * Errors: STATUS_NO_MEMORY, STATUS_RANGE (too many names), STATUS_IO. */
MUST_CHECK enum caxton_status samples_writer_create(FILE *out, const struct samples_info *info,
                                                    sample_source next, void *context,
                                                    struct samples_writer **writer);
void samples_writer_destroy(struct samples_writer *writer); /* NULL is allowed */

/* The statistics have a position with this key; keys come in ascending order, each once or more.
 * Errors: STATUS_NO_MEMORY, STATUS_IO, those of the source. */
MUST_CHECK enum caxton_status samples_writer_follow(struct samples_writer *writer, uint64_t key,
                                                    struct diag *diag);

/* Writes the last block and the end. statistics: those that were written beside. */
MUST_CHECK enum caxton_status samples_writer_finish(struct samples_writer *writer,
                                                    const struct wld_identity *statistics);

/* How many positions have games so far. */
uint64_t samples_writer_records(const struct samples_writer *writer);
