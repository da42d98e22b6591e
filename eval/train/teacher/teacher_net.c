/* Files of networks. All numbers are little-endian:
 *
 *   u32 version, u32 kind of the whole network, u32 size of the description, the description
 *   u32 kind of the inputs, i16 bias [hidden]
 *   with relations: i8 weights [59808][hidden], i32 material [59808][8],
 *                   i8 weights [4560][hidden], i32 material [4560][8]
 *   i16 weights [22528][hidden], i32 material [22528][8]
 *   8 times: u32 kind of the layers, i32 bias [first], i8 weights [first][hidden],
 *            i32 bias [32], i8 weights [32][second_inputs], i32 bias [1], i8 weights [last_inputs]
 *
 * An array of 16 or 32 bits may be compressed: "COMPRESSED_LEB128", u32 size in bytes, and its
 * numbers as signed LEB128 (https://en.wikipedia.org/wiki/LEB128), as since Stockfish 16. */
#include "eval/train/teacher/teacher_net.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/file.h"
#include "base/memory.h"

enum {
    HEADER_SIZE = 12,
    DESCRIPTION_MAX = 4096,
    SUMMAND_MAX = 1 << 24,
    RELATION_MATERIAL_MAX = 1 << 20, /* a position has hundreds of them */
    FILE_MAX = 256 << 20,
};

/* Those of Stockfish 15.1, of 16, of 17 and 17.1 (the large one), of 19. */
static const struct teacher_shape shapes[] = {
    {0x7AF32F20, 0x1C102EF2, 1024, 16, 32, 32, 127, 7, false},
    {0x7AF32F20, 0x1C102B72, 1536, 16, 32, 32, 127, 7, false},
    {0x7AF32F20, 0x1C1020F2, 3072, 16, 32, 32, 127, 7, false},
    {0x6A448AFA, 0xA85B2205, 1024, 32, 64, 128, 255, 9, true},
};

/* What is left of a file. */
struct byte_cursor {
    const uint8_t *at;
    size_t left;
    bool failed; /* a field does not end where it should */
};

/* The next `size` bytes; NULL when there are not so many. */
static const uint8_t *take(struct byte_cursor *source, size_t size)
{
    if (source->failed || source->left < size) {
        source->failed = true;
        return NULL;
    }
    source->at += size;
    source->left -= size;
    return source->at - size;
}

/* One compressed number. */
static int32_t take_compressed(struct byte_cursor *source)
{
    enum { BITS = 7, MORE = 0x80, SIGN = 0x40, SHIFT_MAX = 28 };
    uint32_t value = 0;
    for (int shift = 0; shift <= SHIFT_MAX; shift += BITS) {
        const uint8_t *byte = take(source, 1);
        if (!byte)
            return 0;
        value |= (uint32_t)(*byte & (MORE - 1)) << shift;
        if (!(*byte & MORE)) {
            if ((*byte & SIGN) && shift < SHIFT_MAX)
                value |= UINT32_MAX << (shift + BITS);
            return (int32_t)value;
        }
    }
    source->failed = true;
    return 0;
}

/* Where the compressed array that begins here ends; NULL when it is not compressed. */
static const uint8_t *begin_compressed(struct byte_cursor *source)
{
    static const char magic[] = "COMPRESSED_LEB128";
    enum { MAGIC_SIZE = sizeof magic - 1, SIZE_SIZE = 4 };
    if (source->failed || source->left < MAGIC_SIZE + SIZE_SIZE ||
        memcmp(source->at, magic, MAGIC_SIZE) != 0)
        return NULL;
    size_t size = bytes_get_u32le(take(source, MAGIC_SIZE + SIZE_SIZE) + MAGIC_SIZE);
    source->failed = size > source->left;
    return source->at + (source->failed ? 0 : size);
}

static void read_i16(struct byte_cursor *source, int16_t *to, size_t count)
{
    const uint8_t *end = begin_compressed(source);
    const uint8_t *from = end ? NULL : take(source, 2 * count);
    for (size_t i = 0; i < count && !source->failed; i++)
        to[i] = (int16_t)(end ? take_compressed(source) : bytes_get_u16le(from + 2 * i));
    if (end && source->at != end)
        source->failed = true;
}

static void read_i32(struct byte_cursor *source, int32_t *to, size_t count)
{
    const uint8_t *end = begin_compressed(source);
    const uint8_t *from = end ? NULL : take(source, 4 * count);
    for (size_t i = 0; i < count && !source->failed; i++)
        to[i] = end ? take_compressed(source) : (int32_t)bytes_get_u32le(from + 4 * i);
    if (end && source->at != end)
        source->failed = true;
}

/* `outputs` rows of `inputs` weights. */
static void read_layer(struct byte_cursor *source, int8_t *to, int outputs, int inputs)
{
    for (int group = 0; group < outputs / TEACHER_GROUP; group++) {
        const uint8_t *from = take(source, (size_t)(TEACHER_GROUP * inputs));
        for (int output = 0; from && output < TEACHER_GROUP; output++)
            for (int i = 0; i < inputs; i++)
                to[(i / 4 * TEACHER_GROUP + output) * 4 + i % 4] = (int8_t)*from++;
        to += TEACHER_GROUP * inputs;
    }
}

static void read_i8(struct byte_cursor *source, int8_t *to, size_t count)
{
    const uint8_t *from = take(source, count);
    if (from)
        memcpy(to, from, count);
}

static void read_stack(struct byte_cursor *source, struct teacher_stack *stack,
                       const struct teacher_shape *shape)
{
    (void)take(source, 4);
    read_i32(source, stack->first_bias, (size_t)shape->first);
    read_layer(source, stack->first, shape->first, shape->hidden);
    read_i32(source, stack->second_bias, TEACHER_SECOND);
    read_layer(source, stack->second, TEACHER_SECOND, shape->second_inputs);
    read_i32(source, &stack->last_bias, 1);
    read_i8(source, stack->last, (size_t)shape->last_inputs);
}

/* Relations from `first` on. */
static void read_relations(struct byte_cursor *source, struct teacher_net *net, size_t first,
                           size_t count)
{
    size_t hidden = (size_t)net->shape->hidden;
    read_i8(source, net->relation_weights + first * hidden, count * hidden);
    read_i32(source, net->relation_material[first], count * TEACHER_STACKS);
}

static bool are_small(const int32_t *values, size_t count, int32_t most)
{
    for (size_t i = 0; i < count; i++)
        if (values[i] > most || values[i] < -most)
            return false;
    return true;
}

/* Sums stay within 32 bits. */
static enum caxton_status check_ranges(const struct teacher_net *net, struct diag *diag)
{
    bool fine = are_small(net->material[0], (size_t)TEACHER_INPUTS * TEACHER_STACKS, SUMMAND_MAX);
    if (net->shape->has_relations)
        fine = fine && are_small(net->relation_material[0], (size_t)RELATIONS * TEACHER_STACKS,
                                 RELATION_MATERIAL_MAX);
    for (int i = 0; i < TEACHER_STACKS; i++) {
        const struct teacher_stack *stack = &net->stacks[i];
        fine = fine && are_small(stack->first_bias, (size_t)net->shape->first, SUMMAND_MAX) &&
               are_small(stack->second_bias, TEACHER_SECOND, SUMMAND_MAX) &&
               are_small(&stack->last_bias, 1, SUMMAND_MAX);
    }
    return fine ? STATUS_OK : diag_fail(STATUS_FORMAT, diag, "numbers that are too large");
}

/* What the header says; leaves the body. */
static enum caxton_status read_header(struct byte_cursor *source,
                                      const struct teacher_shape **shape, struct diag *diag)
{
    const uint8_t *header = take(source, HEADER_SIZE);
    bool is_network = false;
    *shape = NULL;
    for (size_t i = 0; header && i < sizeof shapes / sizeof *shapes; i++) {
        if (shapes[i].version != bytes_get_u32le(header))
            continue;
        is_network = true;
        if (shapes[i].kind == bytes_get_u32le(header + 4))
            *shape = &shapes[i];
    }
    if (!is_network)
        return diag_fail(STATUS_FORMAT, diag, "not a network of Stockfish");
    if (!*shape)
        return diag_fail(STATUS_FORMAT, diag,
                         "a network of kind %08x, only those of Stockfish 15.1 to 17.1 and 19 are "
                         "known",
                         (unsigned)bytes_get_u32le(header + 4));
    size_t description = bytes_get_u32le(header + 8);
    if (description > DESCRIPTION_MAX || !take(source, description))
        return diag_fail(STATUS_FORMAT, diag, "the description has no end");
    return STATUS_OK;
}

static enum caxton_status read_body(struct byte_cursor *source, struct teacher_net *net,
                                    struct diag *diag)
{
    const size_t hidden = (size_t)net->shape->hidden;
    (void)take(source, 4);
    read_i16(source, net->bias, hidden);
    if (net->shape->has_relations) {
        read_relations(source, net, 0, RELATION_THREATS);
        read_relations(source, net, RELATION_THREATS, RELATION_PAIRS);
    }
    read_i16(source, net->weights, TEACHER_INPUTS * hidden);
    read_i32(source, net->material[0], (size_t)TEACHER_INPUTS * TEACHER_STACKS);
    for (int i = 0; i < TEACHER_STACKS; i++)
        read_stack(source, &net->stacks[i], net->shape);
    if (source->failed || source->left > 0)
        return diag_fail(STATUS_FORMAT, diag, "cut off, or longer than such a network");
    return check_ranges(net, diag);
}

enum caxton_status teacher_net_parse(const uint8_t *bytes, size_t size, struct teacher_net **out,
                                     struct diag *diag)
{
    struct byte_cursor source = {bytes, size, false};
    const struct teacher_shape *shape;
    enum caxton_status status = read_header(&source, &shape, diag);
    if (status != STATUS_OK)
        return status;
    const size_t weights = TEACHER_INPUTS * (size_t)shape->hidden;
    const size_t relations = shape->has_relations ? RELATIONS * (size_t)shape->hidden : 0;
    struct teacher_net *net =
        large_memory(sizeof *net + weights * sizeof net->weights[0] + relations);
    if (!net)
        return STATUS_NO_MEMORY;
    net->shape = shape;
    net->relation_weights = (int8_t *)(net->weights + weights);
    status = read_body(&source, net, diag);
    if (status == STATUS_OK)
        *out = net;
    else
        teacher_net_free(net);
    return status;
}

enum caxton_status teacher_net_load(const char *path, struct teacher_net **out, struct diag *diag)
{
    uint8_t *bytes;
    size_t size;
    struct diag fault = {0};
    enum caxton_status status = file_read(path, FILE_MAX, &bytes, &size, diag);
    if (status != STATUS_OK)
        return status;
    status = teacher_net_parse(bytes, size, out, &fault);
    free(bytes);
    if (status != STATUS_OK)
        diag_set(diag, 0, 0, "%s: %s", path, fault.text[0] ? fault.text : status_name(status));
    return status;
}

void teacher_net_free(struct teacher_net *net)
{
    large_memory_free(net);
}
