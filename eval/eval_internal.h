/* Inside the evaluation: the accumulators of the positions between the root and the current one.
 *
 * Lazy updates: a move is only recorded when it is played. When a score is asked for, the
 * accumulators are updated from the nearest earlier position that has them, by the rows of the
 * pieces that moved. Where a king has changed its side's view of the board since then, they are
 * updated from the last position with that view instead (refresh cache, "Finny tables").
 * Source: https://www.chessprogramming.org/NNUE, "Accumulator" and "Refresh"
 *
 * Sums of relations depend on a side and on which half of the board its king stands. When a score
 * is asked for, they are made by the relations that differ from the nearest earlier position that
 * has such sums, or, where the king was on the other half there, from the last such position. */
#pragma once

#include "eval/eval.h"
#include "eval/infer.h"
#include "eval/network.h"

/* The hidden values of both perspectives, and their sums of relations, when the network has such.
 */
struct accumulator {
    alignas(64) int16_t values[2][NETWORK_HIDDEN];
    alignas(64) int16_t related[2][NETWORK_RELATED];
};

/* A piece that left a square or came to one. */
struct change {
    uint8_t piece;
    uint8_t square;
};

/* The changes that a move made. Sets of perspectives have bit WHITE or BLACK. */
struct move_changes {
    struct change adds[2];
    struct change subs[2];
    uint8_t add_count;
    uint8_t sub_count;
    uint8_t needs_refresh; /* perspectives whose view changed: their accumulator is refreshed */
    uint8_t ready;         /* perspectives whose accumulator is made */
    uint8_t ready_related; /* and whose sums of relations are */
};

/* The last accumulator made for one perspective and view, and the pieces that it sums. */
struct refresh {
    alignas(64) int16_t values[NETWORK_HIDDEN];
    uint64_t types[PIECE_TYPES];
    uint64_t colors[2];
};

/* The last sums of relations made for one perspective and half of the board without an earlier
 * position, and the position that they are of. */
struct related {
    alignas(64) int16_t sums[NETWORK_RELATED];
    struct position pos;
};

struct eval {
    struct accumulator stack[EVAL_PLY_MAX + 1];
    struct refresh cache[2][NETWORK_VIEWS_MAX]; /* by perspective and view */
    struct move_changes steps[EVAL_PLY_MAX + 1];
    /* Of networks with relations: the positions before the current one, and by perspective and half
     * of the board. */
    struct position positions[EVAL_PLY_MAX + 1];
    struct related related[2][2];
    const struct network *network; /* borrowed */
    const struct infer *infer;     /* the fastest kind; tests change it */
    int top;
    eval_watch *watch; /* NULL: nobody */
    void *watch_context;
};

/* The accumulator of `pos`, the position that the pushes have led to. Borrowed until the next call.
 */
const struct accumulator *eval_accumulator(struct eval *eval, const struct position *pos);

/* Makes the accumulator of `pos` without an earlier one. */
void accumulator_make(const struct network *network, const struct infer *infer,
                      const struct position *pos, struct accumulator *out);

/* Makes the sums of relations of `pos`, the current position, when they are not there yet. */
void related_follow(struct eval *eval, const struct position *pos);

/* The same without an earlier position. */
void related_make(const struct network *network, const struct infer *infer,
                  const struct position *pos, struct accumulator *out);

/* Centipawns of one output, side to move's view. */
int accumulator_output(const struct network *network, const struct infer *infer,
                       const struct accumulator *accumulator, int turn, int output);
