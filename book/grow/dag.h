/* A book in the making as a directed acyclic graph: positions with the probability that a game
 * reaches them, and moves between them with the probability that they are chosen there.
 *
 * The probability of a position is the sum over the moves that lead to it; of a root, of games that
 * begin there, and of such moves. A
 * move to a position that is there already (a transposition) raises its probability and that of all
 * below it. A move that would close a cycle is refused.
 * Source: J. P. Fishburn, "Search-based opening book construction", ICGA Journal 40 (1), 2018.
 *
 * The order of all additions is fixed: the same calls give the same bits. One thread at a time. */
#pragma once

#include "base/heap.h"
#include "base/key_table.h"
#include "book/scoring/score_store.h"
#include "chess/movegen.h"

#define DAG_NONE UINT32_MAX

enum {
    DAG_ROOT = 0,         /* the node of the first root */
    DAG_PLIES_MAX = 1000, /* no line is longer */
};

enum dag_state {
    DAG_OPEN,     /* not expanded */
    DAG_EXPANDED, /* its moves are there */
    DAG_ENDED,    /* nothing follows: mate, stalemate, the longest line, a move that was refused */
};

struct dag_node {
    uint64_t key;
    double probability;
    uint32_t parent; /* of the line by which it was found first; DAG_NONE: a root */
    uint32_t first;  /* its moves: moves[first .. first + count) */
    uint32_t place;  /* belongs to struct frontier: place in it + 1; 0: not in it */
    uint32_t visit;  /* private: place in the last walk */
    move via;        /* from the parent */
    uint16_t ply;    /* moves from its root on that line */
    uint16_t rank;   /* private: falls by every move that cannot be taken back, never rises */
    int16_t score;   /* of its search, if it had one */
    uint8_t depth;   /* of its search, 0: none */
    uint8_t count;
    uint8_t state; /* enum dag_state */
    uint8_t turn;  /* WHITE or BLACK to move */
};

struct dag_move {
    double probability;
    uint32_t to;
    move move;
};

struct dag_visit;

/* A position in which games begin. */
struct dag_root {
    struct position pos;
    double probability; /* that a game begins there */
    bool first;         /* to be expanded before all that is not; such roots are the last ones */
};

struct dag {
    struct position *roots; /* nodes[0 .. root_count), without clocks */
    size_t root_count;
    size_t first_from;      /* roots[first_from .. root_count) go before all others */
    struct dag_node *nodes; /* roots, then parents before children */
    size_t node_count;
    struct dag_move *moves;
    size_t move_count;
    uint32_t *raised; /* the nodes whose probability the last dag_add_move() changed */
    size_t raised_count;
    /* private */
    size_t node_capacity;
    size_t move_capacity;
    size_t raised_capacity;
    struct key_table table; /* of nodes */
    struct dag_visit *visits;
    size_t visit_count;
    size_t visit_capacity;
};

/* A graph of the roots alone, at least one; of equal ones the first counts. Their clocks do not
 * count. The caller destroys it. Errors: STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status dag_create(const struct dag_root *roots, size_t count,
                                         struct dag *out);

void dag_destroy(struct dag *dag); /* of {0}, too */

/* The node of a position key, or DAG_NONE. */
uint32_t dag_find(const struct dag *dag, uint64_t key);

/* Is it a root that goes before all others? */
static inline bool dag_is_first(const struct dag *dag, uint32_t node)
{
    return node >= dag->first_from && node < dag->root_count;
}

/* The root of the line by which a node was found. Borrowed until dag_destroy(). */
const struct position *dag_root_of(const struct dag *dag, uint32_t node);

/* The position of a node, without clocks. line: room for its plies, filled with the moves from its
 * root; or NULL. */
void dag_position(const struct dag *dag, uint32_t node, struct position *pos, move *line);

/* Fills what the graph knows of a node: all but side, state and moves. */
void dag_describe(const struct dag *dag, uint32_t node, struct store_node *out);

enum dag_outcome { DAG_NEW, DAG_JOINED, DAG_REFUSED };

/* Adds the legal move `m` of `from`, whose position is `pos`, with that probability to be chosen.
 * All moves of a node are added one after another. The probability of `from` must be final for now:
 * raise it by a move to it, not otherwise. *outcome: what became of it. Errors: STATUS_NO_MEMORY;
 * the graph can only be destroyed then. */
MUST_CHECK enum caxton_status dag_add_move(struct dag *dag, uint32_t from,
                                           const struct position *pos, move m, double probability,
                                           enum dag_outcome *outcome);

/* The positions of a graph that wait for expansion: the roots that go first, in their order, then
 * the most probable. Of equally probable
 * ones the nearer to the root goes first, then the one with the smaller key: the order is total. */

/* Begins as {0}. */
struct frontier {
    struct number_heap heap; /* of nodes */
    size_t capacity;
    uint32_t *places; /* for frontier_raise() */
    size_t place_capacity;
};

void frontier_free(struct frontier *frontier);

/* Adds the node; or, when it is there already, moves it up to where its raised probability belongs.
 * No other one may be raised and wait to be moved. Errors: STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status frontier_put(struct frontier *frontier, struct dag *dag,
                                           uint32_t node);

/* Moves all of these nodes that are there up, after the probabilities of several have been raised:
 * one by one, in any order, they would leave others behind them that belong before them. Errors:
 * STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status frontier_raise(struct frontier *frontier, struct dag *dag,
                                             const uint32_t *nodes, size_t count);

/* Takes the first node out; DAG_NONE: there is none. */
uint32_t frontier_take(struct frontier *frontier, struct dag *dag);

/* The first nodes in their order, at most `capacity`, without taking them. Returns how many; none
 * without memory. */
size_t frontier_first(const struct frontier *frontier, const struct dag *dag, uint32_t *out,
                      size_t capacity);
