/* Cuts a stream of PGN into chunks of whole games, so that several threads can read one file.
 *
 * A cut lies before a line that begins with `[Event "`, does not follow another tag and is not in a
 * comment (see PGN_COMMENT_AHEAD): there a reader starts a new game whatever stood open before it.
 * Where the cuts lie depends on the bytes alone, not on the number of threads. */
#pragma once

#include <stdbool.h>

#include "chess/pgn.h"

enum { CHUNK_SIZE = 1 << 20 };

/* Bytes that belong together, with room for pgn_restart_text() around them. */
struct chunk {
    char *data; /* CHUNK_SIZE bytes */
    size_t size;
};

/* False when there is no memory. */
bool chunk_init(struct chunk *chunk);
void chunk_free(struct chunk *chunk); /* one that is all zero is allowed */

struct cutter {
    pgn_source source;
    void *context;
    char *rest; /* read, but not given out; CHUNK_SIZE bytes */
    size_t rest_size;
    bool at_end;
};

/* Errors: STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status cutter_init(struct cutter *cutter, pgn_source source, void *context);
void cutter_free(struct cutter *cutter);

/* Fills chunk->data[0..CHUNK_SIZE) up to a cut or the end of the input and sets its size: 0 when no
 * cut was found, so that all that is left has to be read by cutter_read().
 * Errors: STATUS_END (nothing left), and what the source returns. */
MUST_CHECK enum caxton_status cutter_next(struct cutter *cutter, struct chunk *chunk);

/* A pgn_source: what is left, without any cuts. */
MUST_CHECK enum caxton_status cutter_read(void *cutter, char *buffer, size_t capacity,
                                          size_t *size);
