/* The accumulators of the positions between the root and the current one.
 *
 * Lazy updates: a move is only recorded when it is played. When a score is asked for, the
 * accumulators are updated from the nearest earlier position that has them, by the rows of the
 * pieces that moved. Where a king has changed its side's view of the board since then, they are
 * updated from the last position with that view instead (refresh cache, "Finny tables").
 * Source: https://www.chessprogramming.org/NNUE, "Accumulator" and "Refresh"
 *
 * One struct accumulators belongs to one thread. It does not own its network. */
#pragma once

#include "eval/infer.h"
#include "eval/network.h"

/* How many moves can be pushed before one is taken back. */
enum { ACCUMULATORS_PLY_MAX = 160 };

/* The hidden values of both perspectives. */
struct accumulator {
    alignas(64) int16_t values[2][NETWORK_HIDDEN];
};

/* A piece that left a square or came to one. */
struct change {
    uint8_t piece;
    uint8_t square;
};

/* The changes that a move made. Sets of perspectives have bit WHITE or BLACK. */
struct step {
    struct change adds[2];
    struct change subs[2];
    uint8_t add_count;
    uint8_t sub_count;
    uint8_t turned; /* perspectives whose view the move changed; all at the root */
    uint8_t ready;  /* perspectives whose accumulator is made */
};

/* The last accumulator made for one perspective and view, and the pieces that it sums. */
struct refresh {
    alignas(64) int16_t values[NETWORK_HIDDEN];
    uint64_t types[PIECE_TYPES];
    uint64_t colors[2];
};

struct accumulators {
    struct accumulator stack[ACCUMULATORS_PLY_MAX + 1];
    struct refresh cache[2][NETWORK_VIEWS_MAX]; /* by perspective and view */
    struct step steps[ACCUMULATORS_PLY_MAX + 1];
    const struct network *network;
    const struct infer *infer;
    int top;
};

/* Empties everything and changes to another network. `infer`: usually infer_kind(0). */
void accumulators_init(struct accumulators *all, const struct network *network,
                       const struct infer *infer);

/* A new root; all pushed moves are dropped. */
void accumulators_reset(struct accumulators *all);
/* `move` will be played on `pos`; not more than ACCUMULATORS_PLY_MAX deep. */
void accumulators_push(struct accumulators *all, const struct position *pos, move m);
void accumulators_push_null(struct accumulators *all);
void accumulators_pop(struct accumulators *all);

/* The accumulator of `pos`, the position that the pushes have led to. Borrowed until the next call.
 */
const struct accumulator *accumulators_top(struct accumulators *all, const struct position *pos);

/* Makes the accumulator of `pos` without an earlier one. */
void accumulator_make(const struct network *network, const struct infer *infer,
                      const struct position *pos, struct accumulator *out);

/* Centipawns of one output, side to move's view. */
int accumulator_output(const struct network *network, const struct infer *infer,
                       const struct accumulator *accumulator, int turn, int output);
