/* A teacher's network made of pseudo-random numbers, as the bytes of its file: good for comparing
 * one way of computing with another. */
#pragma once

#include <stdint.h>
#include <stdlib.h>

#include "base/bytes.h"
#include "base/rng.h"
#include "eval/train/teacher/teacher_net.h"

static inline uint8_t *teacher_sample_numbers(uint8_t *to, struct rng *rng, size_t count, int bytes,
                                              int bound)
{
    for (size_t i = 0; i < count; i++, to += bytes)
        bytes_put_le(to, (uint64_t)((int64_t)rng_below(rng, (uint64_t)(2 * bound + 1)) - bound),
                     bytes);
    return to;
}

/* To be freed; NULL when there is no memory. */
static inline uint8_t *teacher_sample_bytes(size_t *size)
{
    enum { DESCRIPTION = 5 };
    struct rng rng;
    rng_seed(&rng, 1);
    *size = 12 + DESCRIPTION + 4 + 2 * TEACHER_HIDDEN +
            (size_t)TEACHER_INPUTS * (2 * TEACHER_HIDDEN + 4 * TEACHER_STACKS) +
            TEACHER_STACKS * (size_t)(4 + 16 * (4 + 1024) + 32 * (4 + 32) + 4 + 32);
    uint8_t *bytes = calloc(*size, 1);
    if (!bytes)
        return NULL;
    bytes_put_le(bytes, 0x7AF32F20, 4);
    bytes_put_le(bytes + 4, 0x1C102EF2, 4);
    bytes_put_le(bytes + 8, DESCRIPTION, 4);
    uint8_t *to = bytes + 12 + DESCRIPTION + 4;
    to = teacher_sample_numbers(to, &rng, TEACHER_HIDDEN, 2, 100);
    to = teacher_sample_numbers(to, &rng, (size_t)TEACHER_INPUTS * TEACHER_HIDDEN, 2, 100);
    to = teacher_sample_numbers(to, &rng, (size_t)TEACHER_INPUTS * TEACHER_STACKS, 4, 10000);
    for (int stack = 0; stack < TEACHER_STACKS; stack++) {
        to = teacher_sample_numbers(to + 4, &rng, TEACHER_FIRST, 4, 5000);
        to = teacher_sample_numbers(to, &rng, (size_t)TEACHER_FIRST * TEACHER_HIDDEN, 1, 127);
        to = teacher_sample_numbers(to, &rng, TEACHER_SECOND, 4, 5000);
        to = teacher_sample_numbers(to, &rng, (size_t)TEACHER_SECOND * 32, 1, 127);
        to = teacher_sample_numbers(to, &rng, 1, 4, 5000);
        to = teacher_sample_numbers(to, &rng, TEACHER_SECOND, 1, 127);
    }
    return bytes;
}
