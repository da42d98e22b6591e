/* A teacher's network made of pseudo-random numbers, as the bytes of its file: good for comparing
 * one way of computing with another. */
#pragma once

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/rng.h"
#include "eval/train/teacher/teacher_net.h"

/* The files of Stockfish 15.1, and of 16, whose large arrays are compressed. */
enum teacher_sample { TEACHER_SAMPLE_15, TEACHER_SAMPLE_16 };

static inline int64_t teacher_sample_number(struct rng *rng, int bound)
{
    return (int64_t)rng_below(rng, (uint64_t)(2 * bound + 1)) - bound;
}

static inline uint8_t *teacher_sample_numbers(uint8_t *to, struct rng *rng, size_t count, int bytes,
                                              int bound)
{
    for (size_t i = 0; i < count; i++, to += bytes)
        bytes_put_le(to, (uint64_t)teacher_sample_number(rng, bound), bytes);
    return to;
}

/* The same numbers as a compressed array. */
static inline uint8_t *teacher_sample_compressed(uint8_t *to, struct rng *rng, size_t count,
                                                 int bound)
{
    uint8_t *size = to + 17;
    memcpy(to, "COMPRESSED_LEB128", 17);
    to = size + 4;
    for (size_t i = 0; i < count; i++) {
        int64_t value = teacher_sample_number(rng, bound);
        for (; value < -64 || value > 63; value >>= 7)
            *to++ = (uint8_t)((value & 0x7F) | 0x80);
        *to++ = (uint8_t)(value & 0x7F);
    }
    bytes_put_le(size, (uint64_t)(to - size - 4), 4);
    return to;
}

/* To be freed; NULL when there is no memory. */
static inline uint8_t *teacher_sample_bytes(enum teacher_sample sample, size_t *size)
{
    enum { DESCRIPTION = 5, LEB_BYTES = 3 /* of a number, at most */ };
    const bool packed = sample == TEACHER_SAMPLE_16;
    const size_t hidden = packed ? 1536 : 1024;
    struct rng rng;
    rng_seed(&rng, 1);
    size_t room = 12 + DESCRIPTION + 4 + LEB_BYTES * hidden +
                  (size_t)TEACHER_INPUTS * (LEB_BYTES * hidden + 4 * TEACHER_STACKS) + 1000 +
                  TEACHER_STACKS * (4 + 16 * (4 + hidden) + 32 * (4 + 32) + 4 + 32);
    uint8_t *bytes = calloc(room, 1);
    if (!bytes)
        return NULL;
    bytes_put_le(bytes, 0x7AF32F20, 4);
    bytes_put_le(bytes + 4, packed ? 0x1C102B72 : 0x1C102EF2, 4);
    bytes_put_le(bytes + 8, DESCRIPTION, 4);
    uint8_t *to = bytes + 12 + DESCRIPTION + 4;
    const struct {
        size_t count;
        int bytes, bound;
    } arrays[] = {{hidden, 2, 100},
                  {TEACHER_INPUTS * hidden, 2, 100},
                  {(size_t)TEACHER_INPUTS * TEACHER_STACKS, 4, 10000}};
    for (int i = 0; i < 3; i++)
        to = packed ? teacher_sample_compressed(to, &rng, arrays[i].count, arrays[i].bound)
                    : teacher_sample_numbers(to, &rng, arrays[i].count, arrays[i].bytes,
                                             arrays[i].bound);
    for (int stack = 0; stack < TEACHER_STACKS; stack++) {
        to = teacher_sample_numbers(to + 4, &rng, TEACHER_FIRST, 4, 5000);
        to = teacher_sample_numbers(to, &rng, TEACHER_FIRST * hidden, 1, 127);
        to = teacher_sample_numbers(to, &rng, TEACHER_SECOND, 4, 5000);
        to = teacher_sample_numbers(to, &rng, (size_t)TEACHER_SECOND * 32, 1, 127);
        to = teacher_sample_numbers(to, &rng, 1, 4, 5000);
        to = teacher_sample_numbers(to, &rng, TEACHER_SECOND, 1, 127);
    }
    *size = (size_t)(to - bytes);
    return bytes;
}
