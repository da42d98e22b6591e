/* The packed weights of a network file: about seven bits each. Between king buckets they change
 * little, so what is stored is their change from the bucket before, in Rice codes.
 *
 *   1. for each row of weights, u8: the number of low bits of its codes, at most 14
 *   2. u32, little-endian: bytes of part 3
 *   3. for each weight, the high part of its code: as many zeros as it counts, at most 31,
 *      and a one
 *   4. for each weight, the low bits of its code
 *
 * A code is 2n for a change of n, and 2n - 1 for -n. Parts 3 and 4 are streams of bits, the lowest
 * of a byte first, each filled with zeros to a whole byte. A row has the weights of one input for
 * all hidden values; the row before it is that of the same input in the bucket before, or zeros for
 * the first bucket.
 *
 * Source: https://en.wikipedia.org/wiki/Golomb_coding#Rice_coding */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct network_size {
    size_t buckets, inputs, hidden;
};

/* Reads weights, `out[buckets][inputs][hidden]`, from the `size` bytes at `from`. False when they
 * do not end exactly there, or have numbers out of range. */
MUST_CHECK bool network_unpack(const uint8_t *from, size_t size, const struct network_size *shape,
                               int8_t *out);
