/* Run while building: `unpack NETWORK OUT` writes a network with its weights as they lie in memory
 * (version 5 or 7 of the format, see network.c). From the program's own file the system then maps
 * them when they are read, once for all engines of a match. */
#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "base/checksum.h"
#include "eval/network.h"
#include "eval/network_packed.h"

enum { SIZE_LIMIT = 1 << 26 };

static size_t weights_of(const struct network_size *size)
{
    return size->buckets * size->inputs * size->hidden;
}

/* Unpacks weights of inputs, `from[size]`; false: they do not fit, or not into `left` bytes. */
static bool unpack_weights(const uint8_t *from, size_t size, const struct network_size *weights,
                           uint8_t *out, size_t left)
{
    return weights_of(weights) <= left && network_unpack(from, size, weights, (int8_t *)out);
}

/* The size of the network in `out`; 0: `in` is not packed, or not for this program. */
static size_t unpack(const uint8_t *in, size_t size, uint8_t *out)
{
    const size_t rest = NETWORK_REST_SIZE;
    const bool related = size >= 12 && bytes_get_u32le(in + 8) == NETWORK_RELATED_PACKED;
    const size_t header = related ? NETWORK_RELATED_HEADER_SIZE : NETWORK_HEADER_SIZE;
    if (size < header + rest || bytes_get_u32le(in + 12) != NETWORK_HIDDEN ||
        (!related && bytes_get_u32le(in + 8) != NETWORK_PACKED))
        return 0;
    struct network_size features = {bytes_get_u32le(in + 16), NETWORK_INPUTS, NETWORK_HIDDEN};
    struct network_size relations = {related, RELATIONS, NETWORK_RELATED};
    size_t packed = size - header - rest;
    size_t first = related ? bytes_get_u32le(in + NETWORK_FEATURES_SIZE_AT) : packed;
    size_t end = header + weights_of(&features);
    if (first > packed ||
        !unpack_weights(in + header, first, &features, out + header, SIZE_LIMIT - header) ||
        (related && !unpack_weights(in + header + first, packed - first, &relations, out + end,
                                    SIZE_LIMIT - end)))
        return 0;
    end += weights_of(&relations);
    if (end + rest > SIZE_LIMIT)
        return 0;
    memcpy(out, in, header);
    memcpy(out + end, in + size - rest, rest);
    bytes_put_le(out + 8, related ? NETWORK_RELATED_PLAIN : NETWORK_PLAIN, 4);
    if (related)
        bytes_put_le(out + NETWORK_FEATURES_SIZE_AT, weights_of(&features), 4);
    end += rest;
    bytes_put_le(
        out + 24,
        checksum_add(CHECKSUM_EMPTY, out + NETWORK_CHECKED_FROM, end - NETWORK_CHECKED_FROM), 8);
    return end;
}

/* Fails without a word: what is wrong shows in the exit status, and there the build stops. */
int main(int argc, char **argv)
{
    static uint8_t in[SIZE_LIMIT], out[SIZE_LIMIT];
    FILE *from = argc == 3 ? fopen(argv[1], "rb") : NULL;
    FILE *to = argc == 3 ? fopen(argv[2], "wb") : NULL;
    size_t size = from ? fread(in, 1, SIZE_LIMIT, from) : 0;
    size_t unpacked = unpack(in, size, out);
    if (!unpacked) /* what is not packed stays as it is */
        memcpy(out, in, unpacked = size);
    return unpacked && to && fwrite(out, 1, unpacked, to) == unpacked && fclose(to) == 0 ? 0 : 1;
}
