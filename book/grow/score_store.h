/* Answers of searches, kept in a file: an append-only journal. A build that was killed and is run
 * again finds its searches here and goes on.
 *
 * The file is a header, which names who searched, and records of one size, each with its own
 * checksum; all numbers are little-endian. A record that does not check is left out. What is left
 * of a last one is cut off.
 *
 * A store belongs to one thread at a time, its file to one program. */
#pragma once

#include <stdbool.h>

#include "book/grow/packed_position.h"
#include "book/grow/searcher.h"

struct score_store;

enum { SCORE_STORE_HEADER = 112, SCORE_STORE_RECORD = 68 };

/* Opens the file at `path`, or makes it, for the answers of `identity`. NULL: without a file, for
 * as long as the program runs.
 * Errors: STATUS_IO (see base/append_file.h), STATUS_NO_MEMORY, STATUS_FORMAT (no such file,
 * another version of it, its header is damaged, or the answers are of another searcher: `diag`
 * names both). The file stays as it was then. The caller closes. */
MUST_CHECK enum caxton_status score_store_open(const char *path,
                                               const struct searcher_identity *identity,
                                               struct score_store **out, struct diag *diag);

/* The same on the bytes of such a file, with nothing written anywhere. */
MUST_CHECK enum caxton_status score_store_parse(const uint8_t *bytes, size_t size,
                                                const struct searcher_identity *identity,
                                                struct score_store **out, struct diag *diag);

/* Writes what is not on the disk yet. Errors: STATUS_IO. NULL is allowed. */
MUST_CHECK enum caxton_status score_store_close(struct score_store *store, struct diag *diag);

/* How many answers there are. */
size_t score_store_count(const struct score_store *store);
/* One line about records that were left out at the start, without the name of the file; "". */
const char *score_store_remark(const struct score_store *store);

/* Is there an answer to it? Then *out (NULL: nobody asks) gets it. */
bool score_store_find(const struct score_store *store, const struct packed_position *pos,
                      struct search_limit limit, struct search_answer *out);

/* Adds an answer, unless there is one already, and writes it to the file; at most once a second the
 * disk is waited for. Errors: STATUS_IO, STATUS_NO_MEMORY; `diag` says "PATH: why". */
MUST_CHECK enum caxton_status
score_store_add(struct score_store *store, const struct packed_position *pos,
                struct search_limit limit, const struct search_answer *answer, struct diag *diag);
