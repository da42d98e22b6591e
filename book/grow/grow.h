/* Grows a book by search for one side, against a given book.
 *
 * The most probable position is expanded, again and again: ours by the one move that a search finds
 * best, the opponent's by what the given book plays there, or by all legal moves alike. Likely
 * positions are searched deeper; where the depth would be too small, the line ends. Positions that
 * a review of games found without an answer can go before all others: they are searched as deep as
 * the start, and what lies behind them is as probable as our games came there.
 *
 * The result is a function of the options and of the answers that searches give. So a run that was
 * killed is run again: it asks the same questions, and finds the answers in the store.
 * Source: J. P. Fishburn, "Search-based opening book construction", ICGA Journal 40 (1), 2018. */
#pragma once

#include "book/entry_table.h"
#include "book/grow/dag.h"
#include "book/grow/opponent.h"
#include "book/grow/own_choice.h"
#include "book/grow/starts.h"
#include "search/limits.h"

struct score_store;
struct book;
struct findings;
struct grow;

struct grow_options {
    struct position root;             /* where games begin, unless `starts` says it */
    const struct grow_starts *starts; /* borrowed; NULL: `root` alone */
    int side;                         /* WHITE or BLACK: who has the book */
    struct opponent opponent;
    const struct findings *first; /* positions to be answered before all others; NULL: none */
    const struct book *kept;    /* where it knows moves of our side these are played; NULL: none */
    int root_depth;             /* D: plies of a search of probability 1 */
    int min_depth;              /* d: searches of less are not made, 1 .. D */
    double branch;              /* B > 1: a position B times less probable, a ply less */
    uint64_t root_nodes;        /* 0, or instead of these depths: nodes of probability 1, */
    uint64_t min_nodes;         /* and the fewest that are searched: see limit_rule.h */
    struct own_choice_rule own; /* {0}: the one move that the search finds */
    size_t max_positions;       /* to have is enough: the book ends there; 0: no limit */

    /* Called before each expansion and during long searches; may be NULL. */
    void (*progress)(void *context);
    /* Called when one of our positions begins to wait, and when its probability is raised while it
     * waits; `limit`: of its search now. May be NULL. */
    void (*waits)(void *context, const struct grow *grow, uint32_t node, struct search_limit limit);
    void *context;
};

/* What there is so far. */
struct grow_counts {
    size_t positions;       /* of the graph */
    size_t first;           /* of them those that went before all others */
    size_t own_moves;       /* of the book */
    size_t preferred;       /* positions where another than the best is played */
    size_t own_known;       /* positions whose moves starts, `kept` or the store gave */
    size_t searches;        /* that the book is made of */
    uint64_t nodes;         /* of these searches */
    size_t in_book;         /* the opponent's positions by the given book, */
    size_t out_of_book;     /* and by all legal moves, */
    size_t shallow;         /* with so many searches, */
    uint64_t shallow_nodes; /* of so many nodes */
    size_t joined;          /* moves to a position that was there already */
    size_t cycles;          /* moves refused */
    size_t waiting;         /* positions to be expanded, */
    size_t waiting_own;     /* of them ours */
    size_t depths[SEARCH_DEPTH_MAX + 1]; /* best moves found at each depth */
    double probability;                  /* of the position expanded last, */
    int depth;                           /* and how deep one of ours is searched then */
    bool full;                           /* max_positions was reached */
};

/* Both are borrowed until grow_destroy(). Errors: STATUS_NO_MEMORY. The caller destroys it. */
MUST_CHECK enum caxton_status grow_create(const struct grow_options *options, struct scorer *scorer,
                                          struct grow **out);
void grow_destroy(struct grow *grow); /* NULL is allowed */

/* Expands one position. *node (NULL: nobody asks): which. Errors: STATUS_END (the book is done),
 * those of scorer_ask(): STATUS_END, too, when it was stopped. */
MUST_CHECK enum caxton_status grow_step(struct grow *grow, uint32_t *node, struct diag *diag);

/* Is the book done: is nothing left to expand, or is it full? */
bool grow_is_done(const struct grow *grow);

/* Expands until the book is done. Errors: STATUS_END (stopped), others of scorer_ask(); what there
 * is can be looked at then, but not continued. */
MUST_CHECK enum caxton_status grow_run(struct grow *grow, struct diag *diag);

/* Borrowed until the next step. */
const struct dag *grow_dag(const struct grow *grow);
const struct grow_counts *grow_counts(const struct grow *grow);

/* Who has the book. */
int grow_side(const struct grow *grow);

/* The best move of our side in a node, MOVE_NONE: none, or the opponent's turn. */
move grow_own_move(const struct grow *grow, uint32_t node);

/* reached[n]: the probability that a game makes its first n plies, and that our side answers the
 * position then from the book, n < `count`; 0 where the opponent is to move. A position counts at
 * the ply by which it was found first; those behind positions that went before all others are left
 * out. */
void grow_reach(const struct grow *grow, double *reached, size_t count);

/* Adds the moves of our side: of weight 1 where there is one, else by their probability. Errors:
 * STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status grow_own_entries(const struct grow *grow, struct entry_list *list);

/* Adds the opponent's moves that the book has an answer to, by their probability, but none in
 * positions that `own` has moves of: a book for both sides knows better there. Errors:
 * STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status
grow_reply_entries(const struct grow *grow, const struct entry_table *own, struct entry_list *list);

/* Puts the graphs of `count` books, of one side each, into the store, instead of what it had. Own
 * positions that are too improbable to be searched are left out. Errors: as score_store_add(). */
MUST_CHECK enum caxton_status grow_keep(const struct grow *const *grown, size_t count,
                                        struct score_store *store, struct diag *diag);
