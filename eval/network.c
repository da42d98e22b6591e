/* Network files. All numbers are little-endian:
 *
 *   0..7     "CXTNNET1"
 *   8..23    u32 version (5 to 8), hidden values, king buckets, output buckets (8)
 *   24..31   u64 FNV-1a-64 of all that follows
 *   32..63   king bucket of each square of files a to d
 *   64..191  description, ASCII, filled with zeros
 *   192..    i8 feature weights [king buckets * 768][hidden], i16 feature bias [hidden]
 *   then for each output bucket
 *            i8 first weights [16][hidden], i32 first bias [16],
 *            i16 second weights [32][32], i32 second bias [32],
 *            i16 third weights [32], i32 third bias
 *
 * In version 6 the feature weights are packed: see eval/network_packed.h. Version 7 is 5 with the
 * weights of relations, whose numbers are in eval/relations.h, and 8 is the same packed:
 *
 *   192..199 u32 weights of a relation (256), bytes of the feature weights
 *   200..255 zeros
 *   256..    feature weights, i8 relation weights [64368][256], feature bias and so on
 *
 * Relations are packed by themselves, like the features of one king bucket. Versions 1 to 4 were
 * other kinds of network. */
#include "eval/network.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/atomic_file.h"
#include "base/bytes.h"
#include "base/checksum.h"
#include "base/embed.h"
#include "base/file.h"
#include "base/memory.h"
#include "eval/network_packed.h"

enum {
    DESCRIPTION_AT = 64,
    FEATURE_BIAS_MAX = INT16_MAX - 32 * -INT8_MIN, /* of 32 pieces */
};

_Static_assert(NETWORK_HIDDEN % 128 == 0 && NETWORK_HIDDEN >= 128 && NETWORK_HIDDEN <= 2048,
               "the kernels make 64 products of pairs at a time");
_Static_assert(NETWORK_QA *NETWORK_QA >> NETWORK_PAIR_SHIFT <= INT8_MAX &&
                   2 * INT8_MAX * -INT8_MIN <= INT16_MAX,
               "the sum of two products of the first layer fits in 16 bits");
_Static_assert(RELATED_MAX * -INT8_MIN <= INT16_MAX, "sums of relations fit in 16 bits");
_Static_assert(NETWORK_RELATED % 128 == 0 && NETWORK_RELATED <= NETWORK_HIDDEN,
               "and so for pairs with relations");
_Static_assert(NETWORK_SUM_MAX > NETWORK_BIAS_MAX, "the sums of the other layers fit in 32 bits");

/* What the first bytes of a file tell. */
struct file_shape {
    bool is_packed, is_related;
    size_t header; /* bytes */
    struct network_size features, relations;
};

static struct file_shape shape_of(const uint8_t *bytes)
{
    unsigned version = bytes_get_u32le(bytes + 8);
    bool is_related = version == NETWORK_RELATED_PLAIN || version == NETWORK_RELATED_PACKED;
    return (struct file_shape){
        .is_packed = version == NETWORK_PACKED || version == NETWORK_RELATED_PACKED,
        .is_related = is_related,
        .header = is_related ? NETWORK_RELATED_HEADER_SIZE : NETWORK_HEADER_SIZE,
        .features = {bytes_get_u32le(bytes + 16), NETWORK_INPUTS, NETWORK_HIDDEN},
        .relations = {is_related, RELATIONS, NETWORK_RELATED},
    };
}

static size_t weights_of(const struct network_size *size)
{
    return size->buckets * size->inputs * size->hidden;
}

/* How large a file is when each weight of an input takes so many bytes. */
static size_t file_size(const struct file_shape *shape, size_t weight_size)
{
    return shape->header +
           (weights_of(&shape->features) + weights_of(&shape->relations)) * weight_size +
           NETWORK_REST_SIZE;
}

/* Checks what only a header with relations has. */
static enum caxton_status check_related(const uint8_t *bytes, size_t size,
                                        const struct file_shape *shape, struct diag *diag)
{
    static const uint8_t zeros[NETWORK_RELATED_HEADER_SIZE - NETWORK_FEATURES_SIZE_AT - 4];
    unsigned columns = bytes_get_u32le(bytes + NETWORK_COLUMNS_AT);
    size_t features = bytes_get_u32le(bytes + NETWORK_FEATURES_SIZE_AT);
    if (columns != NETWORK_RELATED)
        return diag_fail(STATUS_FORMAT, diag,
                         "%u weights of a relation, this program is built for %d", columns,
                         NETWORK_RELATED);
    if (shape->is_packed ? features > size - shape->header - NETWORK_REST_SIZE
                         : features != weights_of(&shape->features))
        return diag_fail(STATUS_FORMAT, diag, "%zu bytes of feature weights do not fit the file",
                         features);
    if (memcmp(bytes + NETWORK_FEATURES_SIZE_AT + 4, zeros, sizeof zeros) != 0)
        return diag_fail(STATUS_FORMAT, diag, "the end of the header is not zero");
    return STATUS_OK;
}

/* Checks the header, and the size that it tells. */
static enum caxton_status check_header(const uint8_t *bytes, size_t size, struct diag *diag)
{
    if (size < 8 || memcmp(bytes, "CXTNNET1", 8) != 0)
        return diag_fail(STATUS_FORMAT, diag, "not a network of Caxton's");
    if (size < NETWORK_HEADER_SIZE)
        return diag_fail(STATUS_FORMAT, diag, "the file is cut after %zu bytes", size);
    unsigned version = bytes_get_u32le(bytes + 8);
    unsigned hidden = bytes_get_u32le(bytes + 12);
    unsigned buckets = bytes_get_u32le(bytes + 16);
    unsigned outputs = bytes_get_u32le(bytes + 20);
    if (version < NETWORK_PLAIN || version > NETWORK_RELATED_PACKED)
        return diag_fail(STATUS_FORMAT, diag, "version %u of the format, known are %d to %d",
                         version, NETWORK_PLAIN, NETWORK_RELATED_PACKED);
    if (hidden != NETWORK_HIDDEN)
        return diag_fail(STATUS_FORMAT, diag, "%u hidden values, this program is built for %d",
                         hidden, NETWORK_HIDDEN);
    if (buckets < 1 || buckets > NETWORK_BUCKETS_MAX || outputs != NETWORK_OUTPUTS)
        return diag_fail(STATUS_FORMAT, diag,
                         "%u king buckets and %u outputs, expected 1 to %d and %d", buckets,
                         outputs, NETWORK_BUCKETS_MAX, NETWORK_OUTPUTS);
    /* The exact size of a packed file is only known when it is unpacked. */
    struct file_shape shape = shape_of(bytes);
    size_t most = file_size(&shape, shape.is_packed ? 2 : 1);
    size_t least = file_size(&shape, shape.is_packed ? 0 : 1);
    if (size < least || size > most)
        return diag_fail(STATUS_FORMAT, diag, "%zu bytes, expected %zu: the file is %s", size,
                         size < least ? least : most, size < least ? "cut" : "too long");
    return shape.is_related ? check_related(bytes, size, &shape, diag) : STATUS_OK;
}

static enum caxton_status check_sum(const uint8_t *bytes, size_t size, struct diag *diag)
{
    uint64_t sum =
        checksum_add(CHECKSUM_EMPTY, bytes + NETWORK_CHECKED_FROM, size - NETWORK_CHECKED_FROM);
    if (sum != bytes_get_u64le(bytes + 24))
        return diag_fail(STATUS_FORMAT, diag, "the checksum does not match");
    return STATUS_OK;
}

static bool are_within(int limit, const int16_t *values, size_t count)
{
    int largest = 0;
    for (size_t i = 0; i < count; i++)
        largest = abs(values[i]) > largest ? abs(values[i]) : largest;
    return largest <= limit;
}

static bool are_biases_in_range(const int32_t *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (values[i] > NETWORK_BIAS_MAX || values[i] < -NETWORK_BIAS_MAX)
            return false;
    return true;
}

/* Any weights of the first layer will do. */
static bool are_layers_in_range(const struct layers *layers)
{
    return are_within(NETWORK_WEIGHT_MAX, layers->second_weights[0][0],
                      sizeof layers->second_weights / sizeof(int16_t)) &&
           are_within(NETWORK_WEIGHT_MAX, layers->third_weights, NETWORK_SECOND) &&
           are_biases_in_range(layers->first_bias, NETWORK_FIRST) &&
           are_biases_in_range(layers->second_bias, NETWORK_SECOND) &&
           are_biases_in_range(&layers->third_bias, 1);
}

static enum caxton_status check_ranges(const struct network *network, struct diag *diag)
{
    for (int i = 0; i < 32; i++)
        if (network->king_buckets[i] >= network->buckets)
            return diag_fail(STATUS_FORMAT, diag, "king bucket %d of %d", network->king_buckets[i],
                             network->buckets);
    for (int output = 0; output < NETWORK_OUTPUTS; output++)
        if (!are_layers_in_range(&network->layers[output]))
            return diag_fail(STATUS_FORMAT, diag,
                             "output bucket %d has a weight beyond %d or a bias beyond %d", output,
                             NETWORK_WEIGHT_MAX, NETWORK_BIAS_MAX);
    if (!are_within(FEATURE_BIAS_MAX, network->feature_bias, NETWORK_HIDDEN))
        return diag_fail(STATUS_FORMAT, diag, "a bias beyond %d: hidden values may overflow",
                         FEATURE_BIAS_MAX);
    return STATUS_OK;
}

static const uint8_t *read_i16s(const uint8_t *bytes, int16_t *out, size_t count)
{
    for (size_t i = 0; i < count; i++)
        out[i] = (int16_t)bytes_get_u16le(bytes + 2 * i);
    return bytes + 2 * count;
}

static const uint8_t *read_i32s(const uint8_t *bytes, int32_t *out, size_t count)
{
    for (size_t i = 0; i < count; i++)
        out[i] = (int32_t)bytes_get_u32le(bytes + 4 * i);
    return bytes + 4 * count;
}

static const uint8_t *read_layers(const uint8_t *next, struct layers *out)
{
    for (int sum = 0; sum < NETWORK_FIRST; sum++)
        for (int i = 0; i < NETWORK_HIDDEN; i++)
            out->first_weights[i / 4][sum][i % 4] = (int8_t)*next++;
    next = read_i32s(next, out->first_bias, NETWORK_FIRST);
    for (int sum = 0; sum < NETWORK_SECOND; sum++)
        for (int i = 0; i < NETWORK_SECOND; i++, next += 2)
            out->second_weights[i / 2][sum][i % 2] = (int16_t)bytes_get_u16le(next);
    next = read_i32s(next, out->second_bias, NETWORK_SECOND);
    next = read_i16s(next, out->third_weights, NETWORK_SECOND);
    return read_i32s(next, &out->third_bias, 1);
}

/* Weights of inputs: at `from`, when they stay there, or else in `*copy`, which goes on behind
 * them. NULL: they do not fit their size. */
static const int8_t *take_weights(const uint8_t *from, size_t size, const struct file_shape *shape,
                                  const struct network_size *weights, bool stay, int8_t **copy)
{
    if (stay)
        return (const int8_t *)from;
    int8_t *out = *copy;
    *copy += weights_of(weights);
    if (shape->is_packed)
        return network_unpack(from, size, weights, out) ? out : NULL;
    memcpy(out, from, weights_of(weights));
    return out;
}

/* stay: the bytes do, and the weights of inputs are read there. */
static enum caxton_status fill(struct network *network, const uint8_t *bytes, size_t size,
                               bool stay, struct diag *diag)
{
    struct file_shape shape = shape_of(bytes);
    network->buckets = (int)shape.features.buckets;
    memcpy(network->king_buckets, bytes + NETWORK_CHECKED_FROM, sizeof network->king_buckets);
    memcpy(network->description, bytes + DESCRIPTION_AT, NETWORK_DESCRIPTION_MAX);
    network->description[NETWORK_DESCRIPTION_MAX] = '\0';
    for (char *c = network->description; *c; c++)
        if (*c < ' ' || *c > '~')
            *c = '?';
    int8_t *copy = (int8_t *)(network + 1);
    const uint8_t *rest = bytes + size - NETWORK_REST_SIZE;
    const uint8_t *features = bytes + shape.header;
    const uint8_t *relations =
        shape.is_related ? features + bytes_get_u32le(bytes + NETWORK_FEATURES_SIZE_AT) : rest;
    const int8_t *feature_weights = take_weights(features, (size_t)(relations - features), &shape,
                                                 &shape.features, stay, &copy);
    const int8_t *relation_weights = shape.is_related
                                         ? take_weights(relations, (size_t)(rest - relations),
                                                        &shape, &shape.relations, stay, &copy)
                                         : NULL;
    if (!feature_weights || (shape.is_related && !relation_weights))
        return diag_fail(STATUS_FORMAT, diag,
                         "the packed weights do not fit the file: it is cut or too long");
    network->feature_weights = (const int8_t(*)[NETWORK_HIDDEN])feature_weights;
    network->relation_weights = (const int8_t(*)[NETWORK_RELATED])relation_weights;
    if (shape.is_related)
        relation_index_init(&network->index);
    const uint8_t *next = read_i16s(rest, network->feature_bias, NETWORK_HIDDEN);
    for (int i = 0; i < NETWORK_OUTPUTS; i++)
        next = read_layers(next, &network->layers[i]);
    return STATUS_OK;
}

/* Makes the network of a file with a good header. is_static: the bytes stay where they are. */
static enum caxton_status make(const uint8_t *bytes, size_t size, bool is_static,
                               struct network **out, struct diag *diag)
{
    struct file_shape shape = shape_of(bytes);
    bool stay = is_static && !shape.is_packed;
    size_t copied = stay ? 0 : weights_of(&shape.features) + weights_of(&shape.relations);
    struct network *network = large_memory(sizeof *network + copied);
    if (!network)
        return diag_fail(STATUS_NO_MEMORY, diag, "out of memory");
    enum caxton_status status = fill(network, bytes, size, stay, diag);
    if (status == STATUS_OK)
        status = check_ranges(network, diag);
    if (status != STATUS_OK) {
        network_free(network);
        return status;
    }
    *out = network;
    return STATUS_OK;
}

enum caxton_status network_parse(const uint8_t *bytes, size_t size, struct network **out,
                                 struct diag *diag)
{
    enum caxton_status status = check_header(bytes, size, diag);
    if (status == STATUS_OK)
        status = check_sum(bytes, size, diag);
    return status == STATUS_OK ? make(bytes, size, false, out, diag) : status;
}

enum caxton_status network_load(const char *path, struct network **out, struct diag *diag)
{
    uint8_t *bytes;
    size_t size;
    struct diag why;
    const struct file_shape largest = {
        .header = NETWORK_RELATED_HEADER_SIZE,
        .features = {NETWORK_BUCKETS_MAX, NETWORK_INPUTS, NETWORK_HIDDEN},
        .relations = {1, RELATIONS, NETWORK_RELATED},
    };
    enum caxton_status status = file_read(path, file_size(&largest, 2), &bytes, &size, diag);
    if (status != STATUS_OK)
        return status;
    status = network_parse(bytes, size, out, &why);
    free(bytes);
    return status == STATUS_OK ? status : diag_fail(status, diag, "%s: %s", path, why.text);
}

EMBED(builtin_network, "64", BUILTIN_NETWORK_FILE); /* the macro comes from the build */

static struct network *builtin; /* written once, by make_builtin() */

/* Without the checksum, which would be a fifth of a start: the linker took these bytes as they are,
 * and a test compares the network with that of the file. */
static void make_builtin(void)
{
    size_t size = (size_t)(builtin_network_end - builtin_network_start);
    if (check_header(builtin_network_start, size, NULL) != STATUS_OK ||
        make(builtin_network_start, size, true, &builtin, NULL) != STATUS_OK)
        builtin = NULL;
}

const struct network *network_builtin(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    return pthread_once(&once, make_builtin) == 0 ? builtin : NULL;
}

enum caxton_status network_builtin_export(const char *path, struct diag *diag)
{
    struct atomic_file *file;
    size_t size = (size_t)(builtin_network_end - builtin_network_start);
    enum caxton_status status = atomic_file_create(path, &file, diag);
    if (status != STATUS_OK)
        return status;
    /* What fails here is reported by the commit. */
    (void)fwrite(builtin_network_start, 1, size, atomic_file_stream(file));
    return atomic_file_commit(file, diag);
}

void network_free(struct network *network)
{
    large_memory_free(network);
}
