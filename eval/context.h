/* What the term functions share while one position is scored. Private to eval/.
 *
 * The terms are written once and compiled twice: eval.c for play, and trace.c with EVAL_TRACING 1,
 * where every weight that is added is also counted, for eval_explain() and the tuner. */
#ifndef CAXTON_EVAL_CONTEXT_H
#define CAXTON_EVAL_CONTEXT_H

#include "chess/attacks.h"
#include "chess/position.h"
#include "eval/trace.h"
#include "eval/weights.h"

#ifndef EVAL_TRACING
#define EVAL_TRACING 0
#endif

/* Pawn structure: depends on the pawns alone, so it is kept from one position to the next. The
 * pawns themselves are compared, not a hash of them: an entry is never mistaken for another. */
struct pawn_entry {
    uint64_t pawns[2];
    uint64_t passed[2];
    uint64_t span[2]; /* squares that pawns attack now or after advancing */
    int32_t score;    /* pair, White's view */
};

struct context {
    const struct position *pos;
    struct eval_trace *trace; /* used under EVAL_TRACING only */
    struct pawn_entry pawns;
    uint64_t occupied;
    uint64_t attacks[2][PIECE_TYPES];
    uint64_t attacked[2];  /* by anything */
    uint64_t attacked2[2]; /* at least twice */
    uint64_t ring[2];      /* squares around the king */
    uint64_t mobility[2];  /* squares worth moving to */
    int king[2];
    int32_t score;     /* pair, White's view */
    int32_t danger[2]; /* pair: danger to that colour's king */
};

static inline void term_add(struct context *ctx, int color, int weight, int count)
{
    int32_t value = eval_weights[weight] * count;
    ctx->score += color == WHITE ? value : -value;
#if EVAL_TRACING
    ctx->trace->counts[color][weight] = (int16_t)(ctx->trace->counts[color][weight] + count);
#endif
}

/* Adds to the danger of `color`'s king. */
static inline void danger_add(struct context *ctx, int color, int weight, int count)
{
    ctx->danger[color] += eval_weights[weight] * count;
#if EVAL_TRACING
    ctx->trace->counts[color][weight] = (int16_t)(ctx->trace->counts[color][weight] + count);
#endif
}

static inline int chebyshev(int a, int b)
{
    int files = square_file(a) - square_file(b);
    int ranks = square_rank(a) - square_rank(b);
    files = files < 0 ? -files : files;
    ranks = ranks < 0 ? -ranks : ranks;
    return files > ranks ? files : ranks;
}

static inline int relative_rank(int color, int square)
{
    return square_rank(square_relative(color, square));
}

/* The set and all squares ahead of it as `color` sees them. */
static inline uint64_t fill_forward(int color, uint64_t set)
{
    if (color == WHITE) {
        set |= set << 8;
        set |= set << 16;
        return set | set << 32;
    }
    set |= set >> 8;
    set |= set >> 16;
    return set | set >> 32;
}

static inline uint64_t sideways(uint64_t set)
{
    return bb_east(set) | bb_west(set);
}

#endif
