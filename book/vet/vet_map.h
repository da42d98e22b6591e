/* The positions of a book as vet looks at them: nodes of its graph, leaves behind its last moves,
 * and what stands behind better moves; with the score that the deepest search gave each, and the
 * value that comes back along the moves of the book. */
#pragma once

#include "base/key_table.h"
#include "book/graph/graph.h"
#include "book/scoring/scorer.h"

#define VET_NONE UINT32_MAX

/* Scores are cut here, a mate too. And from VET_WON_CP on all is won or lost: differences beyond
 * say nothing. */
enum { VET_CP_MAX = 1000, VET_WON_CP = 400 };

struct vet_place {
    uint64_t key;
    uint64_t effort; /* limit of the deepest search; 0: none */
    uint32_t parent; /* of a place that is no node: `via` leads here from there */
    move via;
    move best;        /* of that search; MOVE_NONE: no search, or the game is over */
    move line;        /* where the value comes from; MOVE_NONE: from the score */
    int16_t score_cp; /* side to move's view, at most VET_CP_MAX away from 0; likewise */
    int16_t value_cp;
    int16_t mate; /* side to move's view: it mates in so many moves, or is mated; 0: neither */
    bool over;    /* mate or stalemate */
    bool wanted;  /* stands in `wanted` */
};

struct vet_map {
    const struct book_graph *graph;
    struct vet_place *places; /* nodes by their number, then the others */
    size_t count;
    uint32_t *behind; /* by edge of the graph: the place behind the move */
    bool *closes;     /* by edge: the move leads back to a position before it */
    bool *returns;    /* by node: the non-book move to it does */
    uint32_t *order;  /* all nodes, those behind moves first */
    uint32_t *wanted; /* to be searched */
    size_t wanted_count;
    size_t finished; /* of them, when a part of a search began; and since then, also meanwhile */
    size_t answered;
    void (*progress)(void *context); /* called now and then by a search; NULL: nobody asks */
    void *context;
    /* private */
    size_t capacity;
    size_t wanted_capacity;
    struct key_table table; /* of places that are no nodes */
};

/* Borrows the graph. Errors: STATUS_NO_MEMORY. The caller destroys it. */
MUST_CHECK enum caxton_status vet_map_create(const struct book_graph *graph, struct vet_map *out);
void vet_map_destroy(struct vet_map *map); /* of {0}, too */

/* The place behind a legal move, which may be new. Errors: STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status vet_map_behind(struct vet_map *map, uint32_t place, move m,
                                             uint32_t *out);

/* Lets the place be searched by the next vet_map_search() to that limit, unless it was. Errors:
 * STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status vet_map_want(struct vet_map *map, uint32_t place,
                                           struct search_limit limit);

/* Searches all that is wanted. Errors: as scorer_ask(). */
MUST_CHECK enum caxton_status vet_map_search(struct vet_map *map, struct scorer *scorer,
                                             struct search_limit limit, struct diag *diag);

/* Values of all nodes: that of the best move of the book, or, when the search prefers a move that
 * the book does not have, the score of that if it is better. A move that closes a cycle counts what
 * the search says of the position behind it. */
void vet_map_back_up(struct vet_map *map);

/* What is lost with a move of that score. */
int vet_loss(int better_cp, int score_cp);

/* What the edge is worth to who plays it, by values and by scores. */
int vet_map_edge_value(const struct vet_map *map, uint32_t edge);
int vet_map_edge_score(const struct vet_map *map, uint32_t edge);
