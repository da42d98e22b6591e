/* Run while building: `unpack NETWORK OUT` writes a network with its weights as they lie in memory
 * (version 5 of the format, see network.c). From the program's own file the system then maps them
 * when they are read, once for all engines of a match. */
#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "base/checksum.h"
#include "eval/network.h"
#include "eval/network_packed.h"

enum { SIZE_LIMIT = 1 << 26 };

/* The size of the network in `out`; 0: `in` is not packed, or not for this program. */
static size_t unpack(const uint8_t *in, size_t size, uint8_t *out)
{
    if (size < NETWORK_HEADER_SIZE || bytes_get_u32le(in + 8) != NETWORK_PACKED ||
        bytes_get_u32le(in + 12) != NETWORK_HIDDEN)
        return 0;
    struct network_size shape = {bytes_get_u32le(in + 16), NETWORK_INPUTS, NETWORK_HIDDEN};
    const size_t rest = NETWORK_REST_SIZE;
    size_t weights = shape.buckets * shape.inputs * shape.hidden;
    size_t total = NETWORK_HEADER_SIZE + weights + rest;
    if (total > SIZE_LIMIT || size < NETWORK_HEADER_SIZE + rest ||
        !network_unpack(in + NETWORK_HEADER_SIZE, size - NETWORK_HEADER_SIZE - rest, &shape,
                        (int8_t *)out + NETWORK_HEADER_SIZE))
        return 0;
    memcpy(out, in, NETWORK_HEADER_SIZE);
    memcpy(out + NETWORK_HEADER_SIZE + weights, in + size - rest, rest);
    bytes_put_le(out + 8, NETWORK_PLAIN, 4);
    bytes_put_le(
        out + 24,
        checksum_add(CHECKSUM_EMPTY, out + NETWORK_CHECKED_FROM, total - NETWORK_CHECKED_FROM), 8);
    return total;
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
