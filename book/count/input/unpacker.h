/* What every unpacker does, one interface for all libraries. Private to this folder. */
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
    uint64_t memory;    /* the most that unpacking may take, in bytes */
    uint64_t wanted;    /* with STATUS_FORMAT: what it would take; 0: that is not why */
    const char *reason; /* with STATUS_FORMAT: what the library says; static, or NULL */
};

static inline void unpack_move_marks(struct unpack_buffers *b, size_t taken, size_t given)
{
    b->in += taken;
    b->in_left -= taken;
    b->out += given;
    b->out_left -= given;
}

struct unpacker {
    const char *name;
    const uint8_t *magic;
    size_t magic_size;
    /* All NULL when the program was built without the library. */
    void *(*create)(void); /* NULL when there is no memory */
    void (*destroy)(void *state);
    /* Works until input or output is used up or a frame ends (*frame_end); the next call then
     * starts the next frame. STATUS_FORMAT: damaged or refused. */
    enum caxton_status (*step)(void *state, struct unpack_buffers *buffers, bool *frame_end);
    /* Both NULL where a packed file has no members. The member that is being read, "" between two;
     * and why the file was refused although nothing is damaged, "" where it was not. */
    const char *(*member)(const void *state);
    const char *(*refusal)(const void *state);
};
