/* How moves other than the best one are scored: by asking for the positions behind them. */
#pragma once

#include "book/scoring/searcher.h"

struct child {
    struct position pos; /* behind the move, without clocks */
    move move;
    bool ended; /* mate or stalemate: there is nothing to ask, */
    int score;  /* and this is the move's score, as search/score.h; else 0 */
};

/* All legal moves, at most MOVES_MAX, in the order of the move generator. Returns how many. */
int children_of(const struct position *pos, struct child *out);

/* The limit behind a move that looks as far as `limit` does before it: a ply less; or half of the
 * nodes, about what the best move gets of them. */
struct search_limit limit_behind(struct search_limit limit);

/* A limit behind a move that is enough to see which moves are no good: six plies less, or a 32nd of
 * the nodes. For all moves of a position together that is about one search of `limit`. */
struct search_limit limit_shallow(struct search_limit limit);
