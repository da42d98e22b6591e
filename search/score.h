/* Scores from the side to move's view: centipawns, the distance to a mate, or the distance to a
 * position that an endgame table says is won. */
#pragma once

#include <stdbool.h>

enum {
    SCORE_MATE = 32000,                       /* mate in n plies scores SCORE_MATE - n */
    SCORE_MATE_IN_MAX = SCORE_MATE - 256,     /* scores from here on are mates */
    SCORE_TB_WIN = SCORE_MATE_IN_MAX - 1,     /* won by an endgame table in n plies: this - n */
    SCORE_TB_WIN_IN_MAX = SCORE_TB_WIN - 256, /* from here on won by an endgame table, or a mate */
    SCORE_INFINITE = 32001,
    SCORE_NONE = 32002, /* unknown; all of these fit 16 bits */
};

/* What a score says about the true one: equal, at least, at most, nothing. */
enum score_bound { SCORE_EXACT, SCORE_LOWER, SCORE_UPPER, SCORE_NO_BOUND };

/* The side to move mates `plies` from the root. */
static inline int score_mate_in(int plies)
{
    return SCORE_MATE - plies;
}

/* The side to move is mated `plies` from the root. */
static inline int score_mated_in(int plies)
{
    return plies - SCORE_MATE;
}

static inline bool score_is_mate(int score)
{
    return score >= SCORE_MATE_IN_MAX || score <= -SCORE_MATE_IN_MAX;
}

/* A mate, or won or lost by an endgame table: such a score counts plies, not centipawns. */
static inline bool score_is_decisive(int score)
{
    return score >= SCORE_TB_WIN_IN_MAX || score <= -SCORE_TB_WIN_IN_MAX;
}

/* The score of a move, from that of the position after it: the other side's view; a mate is a ply
 * further away. */
static inline int score_of_child(int score)
{
    int own = -score;
    if (!score_is_decisive(own))
        return own;
    return own > 0 ? own - 1 : own + 1;
}
