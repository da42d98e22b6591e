/* The accumulators of the positions between the root and the current one.
 *
 * A move is only noted when it is played. When a score is asked for, the accumulators are made from
 * the nearest earlier position that has them, by the rows of the pieces that moved. Where a king
 * has changed its side's view of the board since then, they are made from the last position with
 * that view instead (a refresh cache).
 * Source: https://www.chessprogramming.org/NNUE, "Accumulator" and "Refresh"
 *
 * One struct accumulators belongs to one thread. It does not own its network. */
#ifndef CAXTON_EVAL_ACCUMULATOR_H
#define CAXTON_EVAL_ACCUMULATOR_H

#include "eval/eval.h"
#include "eval/infer.h"
#include "eval/network.h"

/* The hidden values of both perspectives. */
struct accumulator {
    alignas(64) int16_t values[2][NETWORK_HIDDEN];
};

/* A piece that left a square or came to one. */
struct change {
    uint8_t piece;
    uint8_t square;
};

/* What led to a position. Sets of perspectives have bit WHITE or BLACK. */
struct step {
    struct change adds[2];
    struct change subs[2];
    uint8_t add_count;
    uint8_t sub_count;
    uint8_t turned; /* perspectives whose view the move changed; all at the root */
    uint8_t ready;  /* perspectives whose accumulator is made */
};

/* An accumulator of some earlier position, and the pieces it stands for. */
struct refresh {
    alignas(64) int16_t values[NETWORK_HIDDEN];
    uint64_t types[PIECE_TYPES];
    uint64_t colors[2];
};

struct accumulators {
    struct accumulator stack[EVAL_PLY_MAX + 1];
    struct refresh cache[2][NETWORK_VIEWS_MAX]; /* by perspective and view */
    struct step steps[EVAL_PLY_MAX + 1];
    const struct network *network;
    const struct infer *infer;
    int top;
};

/* Forgets everything and takes another network into use. `infer`: usually infer_kind(0). */
void accumulators_init(struct accumulators *all, const struct network *network,
                       const struct infer *infer);

/* `pos` is a new root; what was pushed is gone. */
void accumulators_reset(struct accumulators *all);
/* `move` will be played on `pos`; not more than EVAL_PLY_MAX deep. */
void accumulators_push(struct accumulators *all, const struct position *pos, move m);
void accumulators_push_null(struct accumulators *all);
void accumulators_pop(struct accumulators *all);

/* The accumulator of `pos`, the position that the pushes have led to. Borrowed until the next call.
 */
const struct accumulator *accumulators_top(struct accumulators *all, const struct position *pos);

/* Makes the accumulator of `pos` from nothing. */
void accumulator_make(const struct network *network, const struct infer *infer,
                      const struct position *pos, struct accumulator *out);

/* Centipawns of one output, side to move's view. */
int accumulator_output(const struct network *network, const struct infer *infer,
                       const struct accumulator *accumulator, int turn, int output);

#endif
