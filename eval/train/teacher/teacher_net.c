/* Files of networks. All numbers are little-endian:
 *
 *   u32 version, u32 kind of the whole network, u32 size of the description, the description
 *   u32 kind of the inputs, i16 bias [1024], i16 weights [22528][1024], i32 material [22528][8]
 *   8 times: u32 kind of the layers, i32 bias [16], i8 weights [16][1024],
 *            i32 bias [32], i8 weights [32][32], i32 bias [1], i8 weights [32]
 */
#include "eval/train/teacher/teacher_net.h"

#include <stdlib.h>

#include "base/bytes.h"
#include "base/file.h"
#include "base/memory.h"

#define VERSION      UINT32_C(0x7AF32F20)
#define KIND_NETWORK UINT32_C(0x1C102EF2)

enum {
    HEADER_SIZE = 12,
    DESCRIPTION_MAX = 4096,
    SUMMAND_MAX = 1 << 24,
    INPUTS_SIZE =
        4 + 2 * TEACHER_HIDDEN + TEACHER_INPUTS * (2 * TEACHER_HIDDEN + 4 * TEACHER_STACKS),
    STACK_SIZE = 4 + TEACHER_FIRST * (4 + TEACHER_HIDDEN) +
                 TEACHER_SECOND * (4 + TEACHER_SECOND_INPUTS) + 4 + TEACHER_SECOND,
    BODY_SIZE = INPUTS_SIZE + TEACHER_STACKS * STACK_SIZE,
};

/* Each reader returns where the next field begins. */
static const uint8_t *read_i16(const uint8_t *from, int16_t *to, size_t count)
{
    for (size_t i = 0; i < count; i++)
        to[i] = (int16_t)bytes_get_u16le(from + 2 * i);
    return from + 2 * count;
}

static const uint8_t *read_i32(const uint8_t *from, int32_t *to, size_t count)
{
    for (size_t i = 0; i < count; i++)
        to[i] = (int32_t)bytes_get_u32le(from + 4 * i);
    return from + 4 * count;
}

/* TEACHER_GROUP rows of `inputs` weights, one row for each output. */
static const uint8_t *read_group(const uint8_t *from, int8_t *to, size_t inputs)
{
    for (size_t output = 0; output < TEACHER_GROUP; output++)
        for (size_t i = 0; i < inputs; i++)
            to[(i / 4 * TEACHER_GROUP + output) * 4 + i % 4] = (int8_t)*from++;
    return from;
}

static const uint8_t *read_stack(const uint8_t *from, struct teacher_stack *stack)
{
    from = read_i32(from + 4, stack->first_bias, TEACHER_FIRST);
    from = read_group(from, stack->first, TEACHER_HIDDEN);
    from = read_i32(from, stack->second_bias, TEACHER_SECOND);
    for (int group = 0; group < TEACHER_SECOND / TEACHER_GROUP; group++)
        from = read_group(from, stack->second[group], TEACHER_SECOND_INPUTS);
    from = read_i32(from, &stack->output_bias, 1);
    for (int i = 0; i < TEACHER_SECOND; i++)
        stack->output[i] = (int8_t)*from++;
    return from;
}

static bool are_small(const int32_t *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (values[i] > SUMMAND_MAX || values[i] < -SUMMAND_MAX)
            return false;
    return true;
}

/* Sums stay within 32 bits. */
static enum caxton_status check_ranges(const struct teacher_net *net, struct diag *diag)
{
    bool fine = are_small(net->material[0], (size_t)TEACHER_INPUTS * TEACHER_STACKS);
    for (int i = 0; i < TEACHER_STACKS; i++) {
        const struct teacher_stack *stack = &net->stacks[i];
        fine = fine && are_small(stack->first_bias, TEACHER_FIRST) &&
               are_small(stack->second_bias, TEACHER_SECOND) && are_small(&stack->output_bias, 1);
    }
    return fine ? STATUS_OK : diag_fail(STATUS_FORMAT, diag, "numbers that are too large");
}

/* *body: where the inputs begin. */
static enum caxton_status check_header(const uint8_t *bytes, size_t size, const uint8_t **body,
                                       struct diag *diag)
{
    if (size < HEADER_SIZE || bytes_get_u32le(bytes) != VERSION)
        return diag_fail(STATUS_FORMAT, diag, "not a network of Stockfish");
    if (bytes_get_u32le(bytes + 4) != KIND_NETWORK)
        return diag_fail(STATUS_FORMAT, diag,
                         "a network of kind %08x, only that of Stockfish 15.1 is known, %08x",
                         (unsigned)bytes_get_u32le(bytes + 4), (unsigned)KIND_NETWORK);
    size_t description = bytes_get_u32le(bytes + 8);
    if (description > DESCRIPTION_MAX || size != HEADER_SIZE + description + BODY_SIZE)
        return diag_fail(STATUS_FORMAT, diag, "%zu bytes, which such a network has not", size);
    *body = bytes + HEADER_SIZE + description;
    return STATUS_OK;
}

enum caxton_status teacher_net_parse(const uint8_t *bytes, size_t size, struct teacher_net **out,
                                     struct diag *diag)
{
    const uint8_t *from = NULL;
    enum caxton_status status = check_header(bytes, size, &from, diag);
    if (status != STATUS_OK)
        return status;
    struct teacher_net *net = large_memory(sizeof *net);
    if (!net)
        return STATUS_NO_MEMORY;
    from = read_i16(from + 4, net->bias, TEACHER_HIDDEN);
    from = read_i16(from, net->weights[0], (size_t)TEACHER_INPUTS * TEACHER_HIDDEN);
    from = read_i32(from, net->material[0], (size_t)TEACHER_INPUTS * TEACHER_STACKS);
    for (int i = 0; i < TEACHER_STACKS; i++)
        from = read_stack(from, &net->stacks[i]);
    status = check_ranges(net, diag);
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
    enum caxton_status status =
        file_read(path, HEADER_SIZE + DESCRIPTION_MAX + BODY_SIZE, &bytes, &size, diag);
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
