/* Network files. All numbers are little-endian:
 *
 *   0..7     "CXTNNET1"
 *   8..23    u32 version (1), hidden values, king buckets, output buckets (8)
 *   24..31   u64 FNV-1a-64 of all that follows
 *   32..63   king bucket of each square of files a to d
 *   64..191  description, ASCII, filled with zeros
 *   192..    i16 feature weights [king buckets * 768][hidden], i16 feature bias [hidden],
 *            i16 output weights [8][2 * hidden], i32 output bias [8]
 */
#include "eval/network.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chess/large_memory.h"

enum {
    VERSION = 1,
    HEADER_SIZE = 192,
    CHECKED_FROM = 32,
    DESCRIPTION_AT = 64,
    PIECES_MAX = 32,
};

_Static_assert(NETWORK_HIDDEN % 64 == 0 && NETWORK_HIDDEN >= 64 && NETWORK_HIDDEN <= 1024,
               "the kernels work in blocks of 64 and sum 2048 products in 32-bit lanes");
_Static_assert(NETWORK_QA *NETWORK_OUTPUT_WEIGHT_MAX <= INT16_MAX, "products fit in 16 bits");

static uint32_t read_u32(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
           (uint32_t)bytes[3] << 24;
}

static uint64_t read_u64(const uint8_t *bytes)
{
    return read_u32(bytes) | (uint64_t)read_u32(bytes + 4) << 32;
}

/* Source: http://www.isthe.com/chongo/tech/comp/fnv/ */
static uint64_t fnv1a(const uint8_t *bytes, size_t size)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ bytes[i]) * UINT64_C(1099511628211);
    return hash;
}

static size_t file_size(size_t buckets)
{
    size_t rows = buckets * NETWORK_INPUTS + 1 + 2 * NETWORK_OUTPUTS;
    return HEADER_SIZE + rows * NETWORK_HIDDEN * sizeof(int16_t) +
           NETWORK_OUTPUTS * sizeof(int32_t);
}

/* Checks the first HEADER_SIZE bytes, or the fewer that there are. */
static enum caxton_status check_header(const uint8_t *bytes, size_t size, struct diag *diag)
{
    if (size < 8 || memcmp(bytes, "CXTNNET1", 8) != 0) {
        diag_set(diag, 0, 0, "not a network of Caxton's");
        return STATUS_FORMAT;
    }
    if (size < HEADER_SIZE) {
        diag_set(diag, 0, 0, "the file is cut after %zu bytes", size);
        return STATUS_FORMAT;
    }
    uint32_t version = read_u32(bytes + 8);
    uint32_t hidden = read_u32(bytes + 12);
    uint32_t buckets = read_u32(bytes + 16);
    uint32_t outputs = read_u32(bytes + 20);
    if (version != VERSION)
        diag_set(diag, 0, 0, "version %lu of the format, known is version %d",
                 (unsigned long)version, VERSION);
    else if (hidden != NETWORK_HIDDEN)
        diag_set(diag, 0, 0, "%lu hidden values, this program is built for %d",
                 (unsigned long)hidden, NETWORK_HIDDEN);
    else if (buckets < 1 || buckets > NETWORK_BUCKETS_MAX || outputs != NETWORK_OUTPUTS)
        diag_set(diag, 0, 0, "%lu king buckets and %lu outputs, expected 1 to %d and %d",
                 (unsigned long)buckets, (unsigned long)outputs, NETWORK_BUCKETS_MAX,
                 NETWORK_OUTPUTS);
    else
        return STATUS_OK;
    return STATUS_FORMAT;
}

static enum caxton_status check_size(size_t size, size_t expected, struct diag *diag)
{
    if (size == expected)
        return STATUS_OK;
    diag_set(diag, 0, 0, "%zu bytes, expected %zu: the file is %s", size, expected,
             size < expected ? "cut" : "too long");
    return STATUS_FORMAT;
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

/* The cheap test that all but strange networks pass. */
static bool is_plainly_safe(const struct network *network)
{
    enum { SAFE = INT16_MAX / (PIECES_MAX + 1) };
    const int16_t *weights = network->feature_weights[0];
    size_t count = (size_t)network->buckets * NETWORK_INPUTS * NETWORK_HIDDEN;
    int largest = 0, smallest = 0;
    for (size_t i = 0; i < count; i++) {
        largest = weights[i] > largest ? weights[i] : largest;
        smallest = weights[i] < smallest ? weights[i] : smallest;
    }
    for (int i = 0; i < NETWORK_HIDDEN; i++) {
        largest = network->feature_bias[i] > largest ? network->feature_bias[i] : largest;
        smallest = network->feature_bias[i] < smallest ? network->feature_bias[i] : smallest;
    }
    return largest <= SAFE && smallest >= -SAFE;
}

static enum caxton_status check_ranges(const struct network *network, struct diag *diag)
{
    for (int i = 0; i < 32; i++)
        if (network->king_buckets[i] >= network->buckets) {
            diag_set(diag, 0, 0, "king bucket %d of %d", network->king_buckets[i],
                     network->buckets);
            return STATUS_FORMAT;
        }
    for (int output = 0; output < NETWORK_OUTPUTS; output++)
        for (int i = 0; i < 2 * NETWORK_HIDDEN; i++)
            if (abs(network->output_weights[output][i]) > NETWORK_OUTPUT_WEIGHT_MAX) {
                diag_set(diag, 0, 0, "output weight %d, the largest allowed is %d",
                         network->output_weights[output][i], NETWORK_OUTPUT_WEIGHT_MAX);
                return STATUS_FORMAT;
            }
    if (is_plainly_safe(network))
        return STATUS_OK;
    for (int bucket = 0; bucket < network->buckets; bucket++)
        for (int column = 0; column < NETWORK_HIDDEN; column++)
            if (column_overflows(network, bucket, column)) {
                diag_set(diag, 0, 0, "hidden value %d may overflow 16 bits", column);
                return STATUS_FORMAT;
            }
    return STATUS_OK;
}

static const uint8_t *read_i16s(const uint8_t *bytes, int16_t *out, size_t count)
{
    for (size_t i = 0; i < count; i++)
        out[i] = (int16_t)(uint16_t)(bytes[2 * i] | bytes[2 * i + 1] << 8);
    return bytes + 2 * count;
}

static void fill(struct network *network, const uint8_t *bytes)
{
    network->buckets = (int)read_u32(bytes + 16);
    memcpy(network->king_buckets, bytes + CHECKED_FROM, sizeof network->king_buckets);
    memcpy(network->description, bytes + DESCRIPTION_AT, NETWORK_DESCRIPTION_MAX);
    network->description[NETWORK_DESCRIPTION_MAX] = '\0';
    for (char *c = network->description; *c; c++)
        if (*c < ' ' || *c > '~')
            *c = '?';
    const uint8_t *next = bytes + HEADER_SIZE;
    next = read_i16s(next, network->feature_weights[0],
                     (size_t)network->buckets * NETWORK_INPUTS * NETWORK_HIDDEN);
    next = read_i16s(next, network->feature_bias, NETWORK_HIDDEN);
    next = read_i16s(next, network->output_weights[0], 2 * NETWORK_HIDDEN * NETWORK_OUTPUTS);
    for (int i = 0; i < NETWORK_OUTPUTS; i++, next += 4)
        network->output_bias[i] = (int32_t)read_u32(next);
}

enum caxton_status network_parse(const uint8_t *bytes, size_t size, struct network **out,
                                 struct diag *diag)
{
    enum caxton_status status = check_header(bytes, size, diag);
    if (status != STATUS_OK)
        return status;
    size_t buckets = read_u32(bytes + 16);
    status = check_size(size, file_size(buckets), diag);
    if (status != STATUS_OK)
        return status;
    if (fnv1a(bytes + CHECKED_FROM, size - CHECKED_FROM) != read_u64(bytes + 24)) {
        diag_set(diag, 0, 0, "the checksum does not match");
        return STATUS_FORMAT;
    }
    struct network *network = large_memory(
        sizeof *network + buckets * NETWORK_INPUTS * sizeof network->feature_weights[0]);
    if (!network) {
        diag_set(diag, 0, 0, "out of memory");
        return STATUS_NO_MEMORY;
    }
    fill(network, bytes);
    status = check_ranges(network, diag);
    if (status != STATUS_OK) {
        network_free(network);
        return status;
    }
    *out = network;
    return STATUS_OK;
}

static enum caxton_status io_error(struct diag *diag)
{
    diag_set(diag, 0, 0, "%s", strerror(errno));
    return STATUS_IO;
}

/* The file's bytes, as many as its header promises and up to one more. */
static enum caxton_status read_file(FILE *file, uint8_t **out, size_t *size, struct diag *diag)
{
    uint8_t header[HEADER_SIZE];
    size_t used = fread(header, 1, HEADER_SIZE, file);
    if (ferror(file))
        return io_error(diag);
    enum caxton_status status = check_header(header, used, diag);
    if (status != STATUS_OK)
        return status;
    size_t capacity = file_size(read_u32(header + 16)) + 1;
    uint8_t *bytes = malloc(capacity);
    if (!bytes) {
        diag_set(diag, 0, 0, "out of memory");
        return STATUS_NO_MEMORY;
    }
    memcpy(bytes, header, HEADER_SIZE);
    used += fread(bytes + HEADER_SIZE, 1, capacity - HEADER_SIZE, file);
    if (ferror(file)) {
        free(bytes);
        return io_error(diag);
    }
    *out = bytes;
    *size = used;
    return STATUS_OK;
}

enum caxton_status network_load(const char *path, struct network **out, struct diag *diag)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return io_error(diag);
    uint8_t *bytes = NULL;
    size_t size = 0;
    enum caxton_status status = read_file(file, &bytes, &size, diag);
    if (fclose(file) != 0 && status == STATUS_OK)
        status = io_error(diag);
    if (status == STATUS_OK)
        status = network_parse(bytes, size, out, diag);
    free(bytes);
    return status;
}

void network_free(struct network *network)
{
    free(network);
}
