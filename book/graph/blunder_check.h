/* Moves of a book that lose material at once: Spracklen's test for give-away moves. */
#pragma once

#include "book/graph/graph.h"

struct search;

struct blunder {
    struct position pos;
    move move;
    int loss_cp;  /* against the material before the move; a mate counts 30000 */
    int score_cp; /* what the search thinks, for who makes the move; 0 without one */
    uint32_t node;
};

/* Plays every move to play of the graph and then captures only, to the end: one that loses
 * threshold_cp or more is a suspect. A gambit gives a pawn: look for more than 100. Captures do not
 * see forks and attacks; with a `search` (NULL: none), which is cleared, only those suspects stay
 * that it finds threshold_cp down, too, in a few thousand nodes. Each goes to the sink. Returns how
 * many. Sources: Kathe Spracklen, "Tutorial: Representation of an Opening Book Tree", ICCA
 * Newsletter 6 (1), 1983; https://www.chessprogramming.org/Quiescence_Search */
size_t blunder_check(const struct book_graph *graph, int threshold_cp, struct search *search,
                     void (*sink)(void *context, const struct blunder *found), void *context);
