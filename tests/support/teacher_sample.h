/* A teacher's network made of pseudo-random numbers, as the bytes of its file: good for comparing
 * one way of computing with another. */
#pragma once

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/rng.h"
#include "eval/train/teacher/teacher_net.h"

/* The files of Stockfish 15.1; of 16, whose large arrays are compressed; of 19, with relations. */
enum teacher_sample { TEACHER_SAMPLE_15, TEACHER_SAMPLE_16, TEACHER_SAMPLE_19, TEACHER_SAMPLES };

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

static inline uint8_t *teacher_sample_stack(uint8_t *to, struct rng *rng,
                                            enum teacher_sample sample, size_t hidden)
{
    const bool is_wide = sample == TEACHER_SAMPLE_19;
    const size_t first = is_wide ? 32 : 16;
    to = teacher_sample_numbers(to + 4, rng, first, 4, 5000);
    to = teacher_sample_numbers(to, rng, first * hidden, 1, 127);
    to = teacher_sample_numbers(to, rng, TEACHER_SECOND, 4, 5000);
    to = teacher_sample_numbers(to, rng, (size_t)TEACHER_SECOND * (is_wide ? 64 : 32), 1, 127);
    to = teacher_sample_numbers(to, rng, 1, 4, 5000);
    return teacher_sample_numbers(to, rng, is_wide ? 128 : 32, 1, 127);
}

/* To be freed; NULL when there is no memory. */
static inline uint8_t *teacher_sample_bytes(enum teacher_sample sample, size_t *size)
{
    enum { DESCRIPTION = 5, LEB_BYTES = 3 /* of a number, at most */, STACK_MAX = 60000 };
    static const uint32_t versions[] = {0x7AF32F20, 0x7AF32F20, 0x6A448AFA};
    static const uint32_t kinds[] = {0x1C102EF2, 0x1C102B72, 0xA85B2205};
    static const size_t relations[] = {RELATION_THREATS, RELATION_PAIRS};
    const bool packed = sample != TEACHER_SAMPLE_15;
    const size_t hidden = sample == TEACHER_SAMPLE_16 ? 1536 : 1024;
    struct rng rng;
    rng_seed(&rng, 1);
    uint8_t *bytes = calloc(12 + DESCRIPTION + 4 + 1000 + LEB_BYTES * hidden +
                                TEACHER_INPUTS * (LEB_BYTES * hidden + 4 * TEACHER_STACKS) +
                                (size_t)RELATIONS * (hidden + 4 * TEACHER_STACKS) +
                                (size_t)TEACHER_STACKS * STACK_MAX,
                            1);
    if (!bytes)
        return NULL;
    bytes_put_le(bytes, versions[sample], 4);
    bytes_put_le(bytes + 4, kinds[sample], 4);
    bytes_put_le(bytes + 8, DESCRIPTION, 4);
    uint8_t *to = bytes + 12 + DESCRIPTION + 4;
    to = packed ? teacher_sample_compressed(to, &rng, hidden, 100)
                : teacher_sample_numbers(to, &rng, hidden, 2, 100);
    for (int i = 0; sample == TEACHER_SAMPLE_19 && i < 2; i++) {
        to = teacher_sample_numbers(to, &rng, relations[i] * hidden, 1, 50);
        to = teacher_sample_compressed(to, &rng, relations[i] * TEACHER_STACKS, 1000);
    }
    to = packed ? teacher_sample_compressed(to, &rng, TEACHER_INPUTS * hidden, 100)
                : teacher_sample_numbers(to, &rng, TEACHER_INPUTS * hidden, 2, 100);
    to = packed
             ? teacher_sample_compressed(to, &rng, (size_t)TEACHER_INPUTS * TEACHER_STACKS, 10000)
             : teacher_sample_numbers(to, &rng, (size_t)TEACHER_INPUTS * TEACHER_STACKS, 4, 10000);
    for (int stack = 0; stack < TEACHER_STACKS; stack++)
        to = teacher_sample_stack(to, &rng, sample, hidden);
    *size = (size_t)(to - bytes);
    return bytes;
}
