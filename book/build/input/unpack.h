/* Unpackers, one interface for all libraries. Private to input.c. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* Packed bytes in, unpacked bytes out, less than 2^30 of each; an unpacker moves the marks. */
struct unpack_buffers {
    const uint8_t *in;
    size_t in_left;
    uint8_t *out;
    size_t out_left;
};

struct unpacker {
    const char *name;
    const uint8_t *magic;
    size_t magic_size;
    /* All NULL when the program was built without the library. */
    void *(*create)(void); /* NULL when there is no memory */
    void (*destroy)(void *state);
    /* Works until input or output is used up or a frame ends (*frame_end); the next call then
     * starts the next frame. STATUS_FORMAT: damaged. */
    enum caxton_status (*step)(void *state, struct unpack_buffers *buffers, bool *frame_end);
};

/* The unpacker for data that begins like this; NULL for plain data. */
const struct unpacker *unpacker_find(const uint8_t *start, size_t size);
