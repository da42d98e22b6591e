/* Grows a book by search for one side, with no book of the opponent's: both sides play by search.
 *
 * The cheapest leaf (see dropout_graph.h) is looked at, again and again. One that has only a guess
 * is searched. One that was searched is expanded: all its moves are searched shallowly, for a guess
 * how much worse than the best each is, and the best one as far as any leaf. So a step further on
 * the best line, and another move that seems hardly worse, are weighed against each other.
 *
 * As grow.h: the result is a function of the options and of the answers of searches.
 * Source: T. R. Lincke, "Strategies for the Automatic Construction of Opening Books", Computers and
 * Games 2000, LNCS 2063. */
#pragma once

#include "book/entry_table.h"
#include "book/grow/dropout_graph.h"
#include "book/grow/own_choice.h"

struct score_store;
struct dropout;

struct dropout_options {
    struct position root;
    int side;                  /* WHITE or BLACK: who has the book */
    struct search_limit limit; /* of each search but the shallow ones */
    struct dropout_costs costs;
    struct own_choice_rule own; /* which of the scored moves go into the book */
    size_t max_positions;       /* it ends with so many searched positions; 0: no limit */
    uint64_t max_nodes;         /* when its searches have so many nodes; 0: no limit */
    int max_cost;               /* before a leaf that costs more; 0: no limit */

    /* Called before each step and during long searches; may be NULL. */
    void (*progress)(void *context);
    void *context;
};

/* What there is so far. */
struct dropout_counts {
    size_t positions; /* searched */
    size_t expanded;
    size_t guessed; /* moves with a guess: positions that wait for a search */
    size_t joined;  /* moves to a position that was there already */
    size_t repeats; /* moves that repeat a position */
    size_t shallow; /* searches for guesses */
    uint64_t nodes; /* of all searches */
    int cost;       /* of the leaf looked at last */
    int plies;      /* of the longest line */
};

/* `scorer` is borrowed until dropout_destroy(). Errors: STATUS_NO_MEMORY. The caller destroys. */
MUST_CHECK enum caxton_status dropout_create(const struct dropout_options *options,
                                             struct scorer *scorer, struct dropout **out);
void dropout_destroy(struct dropout *dropout); /* NULL is allowed */

/* Is a limit reached, or nothing left? */
bool dropout_is_done(const struct dropout *dropout);

/* Looks at one leaf: *node (NULL: nobody asks). Errors: STATUS_END (it is done), those of
 * scorer_ask(): STATUS_END, too, when it was stopped. */
MUST_CHECK enum caxton_status dropout_step(struct dropout *dropout, uint32_t *node,
                                           struct diag *diag);

/* All steps. Errors: as dropout_step(); what there is can be looked at then, but not continued. */
MUST_CHECK enum caxton_status dropout_run(struct dropout *dropout, struct diag *diag);

/* Borrowed until the next step. */
const struct dropout_graph *dropout_graph(const struct dropout *dropout);
const struct dropout_counts *dropout_counts(const struct dropout *dropout);

/* The moves of our side in a node that the book has, the best first; 0: none, or the opponent's
 * turn. Where the best that there is repeats a position the book has none: to repeat is left to the
 * engine. out: MOVES_MAX of them. */
int dropout_own_moves(const struct dropout *dropout, uint32_t node, struct own_move *out);

/* Adds the moves of our side, by the scores that were backed up, in the positions that they and the
 * opponent's scored moves lead to: of weight 1 where there is one, else by their probability.
 * replies: the opponent's moves, too, of a weight from 100 down to 1:
 * less the more they lose. Errors: STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status dropout_entries(const struct dropout *dropout, bool replies,
                                              struct entry_list *list);

/* Puts the graphs of `count` books, of one side each, into the store, instead of what it had: the
 * positions that own moves of the book and scored replies lead to. A reply is as probable as its
 * weight in dropout_entries() says. Errors: as score_store_add(). */
MUST_CHECK enum caxton_status dropout_keep(const struct dropout *const *grown, size_t count,
                                           struct score_store *store, struct diag *diag);
