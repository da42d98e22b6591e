/* The value of a position by a teacher's network.
 *
 * An accumulator is updated from that of the position before by the pieces that differ. When a king
 * has moved, its side's inputs all change: that side is updated from the last accumulator with the
 * king on this square, whichever position it was of. */
#pragma once

#include "chess/position.h"
#include "eval/train/teacher/teacher_infer.h"

struct teacher_accumulator {
    alignas(64) int16_t values[2][TEACHER_HIDDEN_MAX]; /* the first `hidden` are used */
    int32_t material[2][TEACHER_STACKS];
    struct relations relations[2]; /* those that are summed, when the network has such */
};

/* What the network says, in its own units, side to move's view; 1/16 of the value. */
struct teacher_output {
    int material;
    int positional;
};

/* One thread's. */
struct teacher;

/* net: borrowed. infer: NULL for the fastest kind. NULL when there is no memory. */
struct teacher *teacher_create(const struct teacher_net *net, const struct teacher_infer *infer);
void teacher_destroy(struct teacher *teacher); /* NULL is allowed */

/* Makes the accumulator of a position, without one of an earlier position and with the one of
 * `before`. */
void teacher_refresh(struct teacher *teacher, const struct position *pos,
                     struct teacher_accumulator *out);
void teacher_update(struct teacher *teacher, const struct position *before,
                    const struct teacher_accumulator *in, const struct position *pos,
                    struct teacher_accumulator *out);

/* The stack for so many pieces. */
static inline int teacher_stack(int pieces)
{
    return (pieces - 1) / 4;
}

/* The output of any of the stacks, of which one is for the position. */
struct teacher_output teacher_output(const struct teacher *teacher,
                                     const struct teacher_accumulator *accumulator, int turn,
                                     int stack);

/* The value of `pos`, whose accumulator is given, side to move's view: about 256 for a pawn. Not
 * meant for positions in check. */
int teacher_value(const struct teacher *teacher, const struct position *pos,
                  const struct teacher_accumulator *accumulator);
