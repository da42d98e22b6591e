/* Text that a reader gets in pieces: a pgn_source. */
#pragma once

#include <string.h>

#include "base/status.h"
#include "base/text.h"

/* A source that gives at most `piece` bytes at a time. */
struct pieces {
    struct span rest;
    size_t piece;
};

static inline enum caxton_status read_piece(void *context, char *buffer, size_t capacity,
                                            size_t *size)
{
    struct pieces *pieces = context;
    size_t count = capacity < pieces->piece ? capacity : pieces->piece;
    count = count < pieces->rest.size ? count : pieces->rest.size;
    if (count)
        memcpy(buffer, pieces->rest.data, count);
    pieces->rest.data += count;
    pieces->rest.size -= count;
    *size = count;
    return STATUS_OK;
}
