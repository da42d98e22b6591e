/* The arithmetic of a teacher's network, as a table of functions for each kind of vector unit. All
 * of them give the same bits. Arrays are aligned to 64 bytes. */
#pragma once

#include "eval/train/teacher/teacher_net.h"

enum { TEACHER_ROWS_MAX = 32 };

/* Inputs to add to an accumulator and to take off it. */
struct teacher_rows {
    int adds, subs;
    uint16_t add[TEACHER_ROWS_MAX];
    uint16_t sub[TEACHER_ROWS_MAX];
};

/* The same for relations; a position has at most RELATED_MAX. */
struct teacher_related {
    int adds, subs;
    uint16_t add[RELATED_MAX];
    uint16_t sub[RELATED_MAX];
};

struct teacher_infer {
    const char *name;
    /* out = in with the weights of the rows added and taken off; sums wrap to 16 bits. */
    void (*update)(const struct teacher_net *net, int16_t *out, const int16_t *in,
                   const struct teacher_rows *rows);
    void (*relate)(const struct teacher_net *net, int16_t *values,
                   const struct teacher_related *related);
    /* out[i] = the product of values[i] and values[hidden / 2 + i], each clamped to 0..pair_most,
     * shifted by pair_shift, for i < hidden / 2. */
    void (*pair)(const struct teacher_shape *shape, const int16_t *values, uint8_t *out);
    /* Adds to TEACHER_GROUP sums the products of 4 * `chunks` inputs, each at most 127, with their
     * weights. */
    void (*dense)(int32_t *sums, const uint8_t *in, int chunks, const int8_t *weights);
};

/* Which of them exist depends on the processor that the program is built for. */
extern const struct teacher_infer teacher_infer_scalar;
#ifdef __x86_64__
extern const struct teacher_infer teacher_infer_avx2;
extern const struct teacher_infer teacher_infer_vnni;
#endif

/* The index-th kind that this machine can run, the fastest first, the scalar one last; NULL beyond.
 */
const struct teacher_infer *teacher_infer_kind(int index);
