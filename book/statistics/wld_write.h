/* Statistics files written: the bytes are described in wld.h. */
#pragma once

#include <stdio.h>

#include "book/statistics/wld.h"
#include "book/statistics/wld_file.h"

/* Keeps the index until the end: 16 bytes for a block of 16 KiB. */
struct wld_writer;

/* Writes the header to `out`, which stays the caller's. `options` as wld_unite_options()
 * (wld_options.h) makes them. Errors: STATUS_NO_MEMORY, STATUS_RANGE (options too long), STATUS_IO.
 */
MUST_CHECK enum caxton_status wld_writer_create(FILE *out, const char *options,
                                                struct wld_writer **writer);
void wld_writer_destroy(struct wld_writer *writer); /* NULL is allowed */

/* A print_sink, for files with WLD_PRINTS_OPTION: before the first tally. Errors: STATUS_IO,
 * STATUS_FORMAT (a file without fingerprints, or too late). */
MUST_CHECK enum caxton_status wld_writer_take_print(void *writer, struct fingerprint print);

/* A tally_sink. Errors: STATUS_IO, STATUS_NO_MEMORY, STATUS_RANGE (more games than WLD_GAMES_MAX,
 * or none), STATUS_FORMAT (out of order). */
MUST_CHECK enum caxton_status wld_writer_take(void *writer, const struct tally *tally);

/* Writes the last block and the end. *records: how many the file has. */
MUST_CHECK enum caxton_status wld_writer_finish(struct wld_writer *writer, uint64_t *records);

/* After it: what tells the file from others. */
struct wld_identity wld_writer_identity(const struct wld_writer *writer);

/* The sums of what `count` readers hold, in order, to `sink`.
 * Errors: as wld_reader_next(), STATUS_RANGE (a sum above WLD_GAMES_MAX), STATUS_NO_MEMORY, what
 * the sink returns (`diag` untouched). */
MUST_CHECK enum caxton_status wld_merge(struct wld_reader *const *readers, size_t count,
                                        tally_sink sink, void *context, struct diag *diag);
