/* How far a position is searched: the likelier it is that a game reaches it, the further.
 *
 * By depth: the root D plies, a position of probability Q D + log_B(Q), rounded. Where that falls
 * below d the line ends. Source: J. P. Fishburn, "Search-based opening book construction", ICGA
 * Journal 40 (1), 2018.
 *
 * By nodes: the root N, a position of probability Q about N * Q, in steps: N divided by a power of
 * the fourth root of 2. In steps, because a search that was made for another book or another N can
 * be used again when its number of nodes is the same. */
#pragma once

#include "book/scoring/scorer.h"
#include "search/limits.h"

enum { LIMIT_STEPS_MAX = 4 * 64 }; /* more than plies, and than fourth roots from 2^63 to 1 */

/* Probabilities are compared with powers, so that no logarithm of a C library decides: the same
 * everywhere. */
struct limit_rule {
    enum search_limit_kind kind;
    int count;
    struct {
        double least; /* probability for this step */
        uint64_t value;
    } steps[LIMIT_STEPS_MAX]; /* the largest first */
};

/* 1 <= min_depth <= root_depth <= SEARCH_DEPTH_MAX, branch > 1. */
void limit_rule_by_depth(int root_depth, int min_depth, double branch, struct limit_rule *out);

/* 1 <= min_nodes <= root_nodes <= 2^53. */
void limit_rule_by_nodes(uint64_t root_nodes, uint64_t min_nodes, struct limit_rule *out);

/* The limit for that probability. False: the line ends, *out stays untouched. */
bool limit_rule_find(const struct limit_rule *rule, double probability, struct search_limit *out);

/* How moves other than the best one are scored: by asking for the positions behind them. */

struct child_position {
    struct position pos; /* behind the move, without clocks */
    move move;
    bool ended; /* mate or stalemate: there is nothing to ask, */
    int score;  /* and this is the move's score, as search/score.h; else 0 */
};

/* What is behind a legal move. */
struct child_position child_behind(const struct position *pos, move m);

/* All legal moves, at most MOVES_MAX, in the order of the move generator. Returns how many. */
int children_of(const struct position *pos, struct child_position *out);

/* Searches what is behind the moves, all of it at once, for their scores. Adds up *searches, and
 * *nodes in them. Errors: those of scorer_ask(). */
MUST_CHECK enum caxton_status children_score(struct scorer *scorer, struct search_limit limit,
                                             struct child_position *children, int count,
                                             size_t *searches, uint64_t *nodes, struct diag *diag);

/* The limit behind a move that looks as far as `limit` does before it: a ply less; or half of the
 * nodes, about what the best move gets of them. */
struct search_limit limit_behind(struct search_limit limit);

/* A limit behind a move that is enough to see which moves are no good: six plies less, or a 32nd of
 * the nodes. For all moves of a position together that is about one search of `limit`. */
struct search_limit limit_shallow(struct search_limit limit);
