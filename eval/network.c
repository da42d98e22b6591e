/* Network files. All numbers are little-endian:
 *
 *   0..7     "CXTNNET1"
 *   8..23    u32 version (1 or 2), hidden values, king buckets, output buckets (8)
 *   24..31   u64 FNV-1a-64 of all that follows
 *   32..63   king bucket of each square of files a to d
 *   64..191  description, ASCII, filled with zeros
 *   192..    i16 feature weights [king buckets * 768][hidden], i16 feature bias [hidden],
 *            i16 output weights [8][2 * hidden], i32 output bias [8]
 *
 * In version 2 the feature weights are packed, most of them into a byte: b < 224 stands for b -
 * 112, any other b and the byte c after it for 256 * (b - 224) + c - 4096.
 */
#include "eval/network.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/checksum.h"
#include "base/embed.h"
#include "base/file.h"
#include "base/memory.h"

enum {
    PLAIN = 1, /* versions */
    PACKED = 2,
    PACKED_LONG = 224,
    PACKED_OFFSET = 4096,
    HEADER_SIZE = 192,
    CHECKED_FROM = 32,
    DESCRIPTION_AT = 64,
    PIECES_MAX = 32,
};

_Static_assert(NETWORK_HIDDEN % 64 == 0 && NETWORK_HIDDEN >= 64 && NETWORK_HIDDEN <= 1024,
               "the kernels work in blocks of 64 and sum 2048 products in 32-bit lanes");
_Static_assert(NETWORK_QA *NETWORK_OUTPUT_WEIGHT_MAX <= INT16_MAX, "products fit in 16 bits");

/* What comes after the feature weights. */
enum {
    REST_SIZE = (1 + 2 * NETWORK_OUTPUTS) * NETWORK_HIDDEN * (int)sizeof(int16_t) +
                NETWORK_OUTPUTS * (int)sizeof(int32_t),
};

/* How large a file is when each feature weight takes so many bytes. */
static size_t file_size(size_t buckets, size_t weight_size)
{
    return HEADER_SIZE + buckets * NETWORK_INPUTS * NETWORK_HIDDEN * weight_size + REST_SIZE;
}

/* Checks the header, and the size and checksum that it tells. */
static enum caxton_status check_header(const uint8_t *bytes, size_t size, struct diag *diag)
{
    if (size < 8 || memcmp(bytes, "CXTNNET1", 8) != 0)
        return diag_fail(STATUS_FORMAT, diag, "not a network of Caxton's");
    if (size < HEADER_SIZE)
        return diag_fail(STATUS_FORMAT, diag, "the file is cut after %zu bytes", size);
    unsigned version = bytes_get_u32le(bytes + 8);
    unsigned hidden = bytes_get_u32le(bytes + 12);
    unsigned buckets = bytes_get_u32le(bytes + 16);
    unsigned outputs = bytes_get_u32le(bytes + 20);
    if (version != PLAIN && version != PACKED)
        return diag_fail(STATUS_FORMAT, diag, "version %u of the format, known are %d and %d",
                         version, PLAIN, PACKED);
    if (hidden != NETWORK_HIDDEN)
        return diag_fail(STATUS_FORMAT, diag, "%u hidden values, this program is built for %d",
                         hidden, NETWORK_HIDDEN);
    if (buckets < 1 || buckets > NETWORK_BUCKETS_MAX || outputs != NETWORK_OUTPUTS)
        return diag_fail(STATUS_FORMAT, diag,
                         "%u king buckets and %u outputs, expected 1 to %d and %d", buckets,
                         outputs, NETWORK_BUCKETS_MAX, NETWORK_OUTPUTS);
    /* The exact size of a packed file is only known when it is unpacked. */
    size_t least = file_size(buckets, version == PACKED ? 1 : 2);
    size_t most = file_size(buckets, 2);
    if (size < least || size > most)
        return diag_fail(STATUS_FORMAT, diag, "%zu bytes, expected %zu: the file is %s", size,
                         size < least ? least : most, size < least ? "cut" : "too long");
    if (checksum_add(CHECKSUM_EMPTY, bytes + CHECKED_FROM, size - CHECKED_FROM) !=
        bytes_get_u64le(bytes + 24))
        return diag_fail(STATUS_FORMAT, diag, "the checksum does not match");
    return STATUS_OK;
}

/* Can the values of accumulator column `column` leave 16 bits in some position? At most PIECES_MAX
 * squares are occupied, each by one piece. */
static bool column_overflows(const struct network *network, int bucket, int column)
{
    int largest[PIECES_MAX] = {0}; /* falling */
    for (int square = 0; square < 64; square++) {
        int most = 0;
        for (int piece = 0; piece < NETWORK_INPUTS; piece += 64) {
            int row = bucket * NETWORK_INPUTS + piece + square;
            int weight = abs(network->feature_weights[row][column]);
            most = weight > most ? weight : most;
        }
        int i = PIECES_MAX - 1;
        if (most <= largest[i])
            continue;
        for (; i > 0 && largest[i - 1] < most; i--)
            largest[i] = largest[i - 1];
        largest[i] = most;
    }
    int sum = abs(network->feature_bias[column]);
    for (int i = 0; i < PIECES_MAX; i++)
        sum += largest[i];
    return sum > INT16_MAX;
}

static bool are_small(const int16_t *values, size_t count)
{
    enum { SMALL = INT16_MAX / (PIECES_MAX + 1) };
    int largest = 0;
    for (size_t i = 0; i < count; i++)
        largest = abs(values[i]) > largest ? abs(values[i]) : largest;
    return largest <= SMALL;
}

static enum caxton_status check_ranges(const struct network *network, struct diag *diag)
{
    for (int i = 0; i < 32; i++)
        if (network->king_buckets[i] >= network->buckets)
            return diag_fail(STATUS_FORMAT, diag, "king bucket %d of %d", network->king_buckets[i],
                             network->buckets);
    for (int output = 0; output < NETWORK_OUTPUTS; output++)
        for (int i = 0; i < 2 * NETWORK_HIDDEN; i++)
            if (abs(network->output_weights[output][i]) > NETWORK_OUTPUT_WEIGHT_MAX)
                return diag_fail(STATUS_FORMAT, diag, "output weight %d, the largest allowed is %d",
                                 network->output_weights[output][i], NETWORK_OUTPUT_WEIGHT_MAX);
    /* A cheap test that trained networks pass. */
    size_t weights = (size_t)network->buckets * NETWORK_INPUTS * NETWORK_HIDDEN;
    if (are_small(network->feature_weights[0], weights) &&
        are_small(network->feature_bias, NETWORK_HIDDEN))
        return STATUS_OK;
    for (int bucket = 0; bucket < network->buckets; bucket++)
        for (int column = 0; column < NETWORK_HIDDEN; column++)
            if (column_overflows(network, bucket, column))
                return diag_fail(STATUS_FORMAT, diag, "hidden value %d may overflow 16 bits",
                                 column);
    return STATUS_OK;
}

static const uint8_t *read_i16s(const uint8_t *bytes, int16_t *out, size_t count)
{
    for (size_t i = 0; i < count; i++)
        out[i] = (int16_t)bytes_get_u16le(bytes + 2 * i);
    return bytes + 2 * count;
}

/* NULL when the weights do not end where the rest of the file begins. */
static const uint8_t *unpack(const uint8_t *next, const uint8_t *rest, int16_t *out, size_t count)
{
    for (size_t i = 0; i < count && next < rest; i++) {
        int byte = *next++; /* a pair may reach into the rest by one byte: seen at the end */
        out[i] =
            (int16_t)(byte < PACKED_LONG ? byte - PACKED_LONG / 2
                                         : ((byte - PACKED_LONG) << 8 | *next++) - PACKED_OFFSET);
        if (next == rest && i + 1 == count)
            return next;
    }
    return NULL;
}

static enum caxton_status fill(struct network *network, const uint8_t *bytes, size_t size,
                               struct diag *diag)
{
    network->buckets = (int)bytes_get_u32le(bytes + 16);
    memcpy(network->king_buckets, bytes + CHECKED_FROM, sizeof network->king_buckets);
    memcpy(network->description, bytes + DESCRIPTION_AT, NETWORK_DESCRIPTION_MAX);
    network->description[NETWORK_DESCRIPTION_MAX] = '\0';
    for (char *c = network->description; *c; c++)
        if (*c < ' ' || *c > '~')
            *c = '?';
    size_t weights = (size_t)network->buckets * NETWORK_INPUTS * NETWORK_HIDDEN;
    const uint8_t *next = bytes + HEADER_SIZE;
    next = bytes_get_u32le(bytes + 8) == PACKED
               ? unpack(next, bytes + size - REST_SIZE, network->feature_weights[0], weights)
               : read_i16s(next, network->feature_weights[0], weights);
    if (!next)
        return diag_fail(STATUS_FORMAT, diag,
                         "the packed weights do not fit the file: it is cut or too long");
    next = read_i16s(next, network->feature_bias, NETWORK_HIDDEN);
    next = read_i16s(next, network->output_weights[0], 2 * NETWORK_HIDDEN * NETWORK_OUTPUTS);
    for (int i = 0; i < NETWORK_OUTPUTS; i++, next += 4)
        network->output_bias[i] = (int32_t)bytes_get_u32le(next);
    return STATUS_OK;
}

enum caxton_status network_parse(const uint8_t *bytes, size_t size, struct network **out,
                                 struct diag *diag)
{
    enum caxton_status status = check_header(bytes, size, diag);
    if (status != STATUS_OK)
        return status;
    size_t rows = bytes_get_u32le(bytes + 16) * (size_t)NETWORK_INPUTS;
    struct network *network =
        large_memory(sizeof *network + rows * sizeof network->feature_weights[0]);
    if (!network)
        return diag_fail(STATUS_NO_MEMORY, diag, "out of memory");
    status = fill(network, bytes, size, diag);
    if (status == STATUS_OK)
        status = check_ranges(network, diag);
    if (status != STATUS_OK) {
        network_free(network);
        return status;
    }
    *out = network;
    return STATUS_OK;
}

enum caxton_status network_load(const char *path, struct network **out, struct diag *diag)
{
    uint8_t *bytes;
    size_t size;
    struct diag why;
    uint64_t largest = file_size(NETWORK_BUCKETS_MAX, 2);
    enum caxton_status status = file_read(path, largest, &bytes, &size, diag);
    if (status != STATUS_OK)
        return status;
    status = network_parse(bytes, size, out, &why);
    free(bytes);
    return status == STATUS_OK ? status : diag_fail(status, diag, "%s: %s", path, why.text);
}

EMBED(builtin_network, "64", BUILTIN_NETWORK_FILE); /* the macro comes from the build */

static struct network *builtin; /* written once, by parse_builtin() */

static void parse_builtin(void)
{
    size_t size = (size_t)(builtin_network_end - builtin_network_start);
    if (network_parse(builtin_network_start, size, &builtin, NULL) != STATUS_OK)
        builtin = NULL;
}

const struct network *network_builtin(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    return pthread_once(&once, parse_builtin) == 0 ? builtin : NULL;
}

void network_free(struct network *network)
{
    large_memory_free(network);
}
