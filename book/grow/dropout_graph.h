/* The graph of a book that is searched for both sides: scores backed up by minimax through
 * transpositions, and the leaf that is worth most to be looked at next.
 *
 * What a leaf costs is a sum along the line to it: a constant for each ply, and how much worse each
 * move is than the best one there, times a weight of the side that plays it. The cheapest leaf is
 * next. So good lines are followed deep, bad moves of the opponent a little, bad moves of ours
 * hardly; and when the best move turns out worse than another seems to be, the other one is next.
 *
 * A move that would close a cycle is not added: it repeats a position and scores 0, a draw, for the
 * side that has it.
 * Source: T. R. Lincke, "Strategies for the Automatic Construction of Opening Books", Computers and
 * Games 2000, LNCS 2063; the weights of both sides as in the book builder of P. Österlund's Texel.
 */
#pragma once

#include "book/grow/dag.h"

enum { DROPOUT_NONE_LEFT = INT32_MAX }; /* a cost: nothing below can be looked at */

struct dropout_costs {
    int ply;   /* of each ply, > 0 */
    int own;   /* of each point that a move of ours loses, >= 0 */
    int other; /* of each point that a move of the opponent loses, >= 0 */
    int doubt; /* points that a move of ours counts less while nothing behind it is expanded, unless
                * the search before it found it best; >= 0 */
};

enum dropout_state {
    DROPOUT_GUESSED,  /* only its move has a guess */
    DROPOUT_SCORED,   /* by a search */
    DROPOUT_EXPANDED, /* its score is backed up */
    DROPOUT_ENDED,    /* mate, stalemate */
};

struct dropout_node {
    uint32_t first_in; /* private: place in ins[] + 1 */
    int cost;          /* of the cheapest leaf below, seen from here */
    int16_t score;     /* as search/score.h, of the side to move; none while it is guessed */
    int16_t searched;  /* the score of its own search */
    move best;         /* of its own search */
    uint8_t state;     /* enum dropout_state */
    bool repeats;      /* a move was refused that repeats a position */
    bool waits;        /* private: for its score to be backed up */
};

/* A move that leads to a node. */
struct dropout_in {
    uint32_t from;
    uint32_t next; /* place in ins[] + 1 */
};

struct dropout_graph {
    struct dag dag;             /* probabilities are 0 but the root's */
    struct dropout_node *nodes; /* as dag.nodes */
    int *guesses;               /* as dag.moves: how the move scores, for the side that moves */
    int side;                   /* WHITE or BLACK: ours */
    struct dropout_costs costs;
    /* private */
    struct dropout_in *ins;
    size_t in_count;
    uint32_t *waiting; /* a ring of nodes whose score is to be backed up */
    size_t waiting_first;
    size_t waiting_count;
    size_t node_capacity, guess_capacity, in_capacity, waiting_capacity;
};

/* The root alone, guessed. The caller destroys it. Errors: STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status dropout_graph_create(const struct position *root, int side,
                                                   const struct dropout_costs *costs,
                                                   struct dropout_graph *out);
void dropout_graph_destroy(struct dropout_graph *graph); /* of {0}, too */

/* Gives a guessed node the score of its search. */
MUST_CHECK enum caxton_status dropout_graph_score(struct dropout_graph *graph, uint32_t node,
                                                  int score, move best);
/* The same for one where the game has ended: nothing follows. */
MUST_CHECK enum caxton_status dropout_graph_end(struct dropout_graph *graph, uint32_t node,
                                                int score);

/* Adds a move of `node`, whose position is `pos`. guess: how it scores, compared with the score of
 * the node's search. All moves of a node one after another, then dropout_graph_expanded(). Errors:
 * STATUS_NO_MEMORY; the graph can only be destroyed then. */
MUST_CHECK enum caxton_status dropout_graph_add_move(struct dropout_graph *graph, uint32_t node,
                                                     const struct position *pos, move m, int guess,
                                                     enum dag_outcome *outcome);
MUST_CHECK enum caxton_status dropout_graph_expanded(struct dropout_graph *graph, uint32_t node);

/* What the index-th move of an expanded node counts for the side that moves: its score, and less
 * while it is doubted. False: it is a guess.
 */
bool dropout_graph_move_score(const struct dropout_graph *graph, uint32_t node, uint32_t index,
                              int *score);
/* What that move costs, and the cheapest leaf behind it. DROPOUT_NONE_LEFT: there is none. */
int dropout_graph_move_cost(const struct dropout_graph *graph, uint32_t node, uint32_t index);

/* The cheapest leaf, guessed or scored, and of equal ones that of the first move everywhere.
 * DAG_NONE: there is none. */
uint32_t dropout_graph_leaf(const struct dropout_graph *graph);

/* The cheapest leaves in the order of their costs, at most `capacity`. Returns how many;
 * without memory fewer. */
size_t dropout_graph_leaves(const struct dropout_graph *graph, uint32_t *out, size_t capacity);
