/* A network of Stockfish 15.1 to 17.1 as a teacher: its shape, its file, its numbers.
 *
 * Inputs HalfKAv2_hm, seen from either side with the board turned so that the side plays up and
 * mirrored so that its king stands on files e to h: (32 king squares) x (11 kinds of pieces, both
 * kings being one kind) x (64 squares). Each side has an accumulator of `hidden` values and one
 * of TEACHER_STACKS material values. The products of the first with the second half of an
 * accumulator go through one of eight stacks of small layers, chosen by the number of pieces.
 *
 * A struct teacher_net never changes once made, so any number of threads may read it.
 * Source of the layout: https://github.com/official-stockfish/nnue-pytorch, docs/nnue.md, and the
 * folder src/nnue of Stockfish 17.1. */
#pragma once

#include <stdalign.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

enum {
    TEACHER_HIDDEN_MAX = 3072,
    TEACHER_KINDS = 11, /* of pieces */
    TEACHER_INPUTS = 32 * TEACHER_KINDS * 64,
    TEACHER_STACKS = 8,
    TEACHER_GROUP = 16, /* outputs that are computed together */
    TEACHER_FIRST = 16, /* outputs of a stack's first layer; the last goes to the end directly */
    TEACHER_SECOND = 32,
    TEACHER_SECOND_INPUTS = 32, /* squares and values of 15 outputs, two zeros */
};

/* Weights of 8-bit layers lie as [inputs / 4][TEACHER_GROUP][4], for instructions that sum four
 * products. */
struct teacher_stack {
    alignas(64) int8_t first[TEACHER_HIDDEN_MAX * TEACHER_FIRST];
    alignas(
        64) int8_t second[TEACHER_SECOND / TEACHER_GROUP][TEACHER_SECOND_INPUTS * TEACHER_GROUP];
    int32_t first_bias[TEACHER_FIRST];
    int32_t second_bias[TEACHER_SECOND];
    int32_t output_bias;
    int8_t output[TEACHER_SECOND];
};

struct teacher_net {
    int hidden; /* 1024 (15.1), 1536 (16) or 3072 (17, 17.1) */
    alignas(64) int16_t bias[TEACHER_HIDDEN_MAX];
    struct teacher_stack stacks[TEACHER_STACKS];
    alignas(64) int32_t material[TEACHER_INPUTS][TEACHER_STACKS];
    alignas(64) int16_t weights[]; /* [TEACHER_INPUTS][hidden] */
};

/* The `hidden` weights of an input. */
static inline const int16_t *teacher_weights(const struct teacher_net *net, int input)
{
    return net->weights + (size_t)input * (size_t)net->hidden;
}

/* Makes a network of the bytes of a file, which may go afterwards. Given to teacher_net_free().
 * Errors: STATUS_FORMAT (another kind of file, another shape, another size), STATUS_NO_MEMORY;
 * `diag` says which. */
MUST_CHECK enum caxton_status teacher_net_parse(const uint8_t *bytes, size_t size,
                                                struct teacher_net **out, struct diag *diag);

/* The same with the file at `path`. Errors: also STATUS_IO, STATUS_RANGE; `diag` says "PATH: why".
 */
MUST_CHECK enum caxton_status teacher_net_load(const char *path, struct teacher_net **out,
                                               struct diag *diag);

void teacher_net_free(struct teacher_net *net); /* NULL is allowed */
