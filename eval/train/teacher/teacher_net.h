/* A network of Stockfish 15.1 to 19 as a teacher: its shape, its file, its numbers.
 *
 * Inputs HalfKAv2_hm, seen from either side with the board turned so that the side plays up and
 * mirrored so that its king stands on files e to h: (32 king squares) x (11 kinds of pieces, both
 * kings being one kind) x (64 squares). Since Stockfish 19 also relations between two pieces
 * (eval/relations.h). Each side has an accumulator of `hidden` values and one of TEACHER_STACKS
 * material values. The products of the first with the second half of an accumulator go through one
 * of eight stacks of small layers, chosen by the number of pieces.
 *
 * A struct teacher_net never changes once made, so any number of threads may read it.
 * Source of the layout: https://github.com/official-stockfish/nnue-pytorch, docs/nnue.md, and the
 * folder src/nnue of Stockfish 17.1 and of its master of August 2026. */
#pragma once

#include <stdalign.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "eval/relations.h"

enum {
    TEACHER_HIDDEN_MAX = 3072,
    TEACHER_KINDS = 11, /* of pieces */
    TEACHER_INPUTS = 32 * TEACHER_KINDS * 64,
    TEACHER_STACKS = 8,
    TEACHER_GROUP = 16,     /* outputs that are computed together */
    TEACHER_FIRST_MAX = 32, /* outputs of a stack's first layer */
    TEACHER_FIRST_WEIGHTS_MAX = TEACHER_HIDDEN_MAX * TEACHER_GROUP,
    TEACHER_SECOND = 32,
    TEACHER_SECOND_INPUTS_MAX = 2 * TEACHER_FIRST_MAX,
    TEACHER_LAST_INPUTS_MAX = 2 * (TEACHER_FIRST_MAX + TEACHER_SECOND),
};

/* What differs between the versions of Stockfish. */
struct teacher_shape {
    uint32_t version, kind; /* in the file */
    int hidden;
    int first;                      /* outputs of the first layer */
    int second_inputs, last_inputs; /* of a stack's second layer and of its last */
    int pair_most; /* 1.0 of an accumulator; a product of two is shifted by pair_shift */
    int pair_shift;
    bool has_relations;
};

/* Weights of 8-bit layers lie as [outputs / TEACHER_GROUP][inputs / 4][TEACHER_GROUP][4], for
 * instructions that sum four products. */
struct teacher_stack {
    alignas(64) int8_t first[TEACHER_FIRST_WEIGHTS_MAX];
    alignas(64) int8_t second[TEACHER_SECOND * TEACHER_SECOND_INPUTS_MAX];
    int32_t first_bias[TEACHER_FIRST_MAX];
    int32_t second_bias[TEACHER_SECOND];
    int32_t last_bias;
    int8_t last[TEACHER_LAST_INPUTS_MAX];
};

struct teacher_net {
    const struct teacher_shape *shape;
    int8_t *relation_weights; /* [RELATIONS][hidden], behind `weights` */
    alignas(64) int16_t bias[TEACHER_HIDDEN_MAX];
    struct teacher_stack stacks[TEACHER_STACKS];
    alignas(64) int32_t material[TEACHER_INPUTS][TEACHER_STACKS];
    alignas(64) int32_t relation_material[RELATIONS][TEACHER_STACKS];
    alignas(64) int16_t weights[]; /* [TEACHER_INPUTS][hidden] */
};

/* The `hidden` weights of an input. */
static inline const int16_t *teacher_weights(const struct teacher_net *net, int input)
{
    return net->weights + (size_t)input * (size_t)net->shape->hidden;
}

static inline const int8_t *teacher_relation_weights(const struct teacher_net *net, int relation)
{
    return net->relation_weights + (size_t)relation * (size_t)net->shape->hidden;
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
