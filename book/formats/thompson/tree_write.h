/* Writing a tree. */
#ifndef CAXTON_BOOK_FORMATS_THOMPSON_TREE_WRITE_H
#define CAXTON_BOOK_FORMATS_THOMPSON_TREE_WRITE_H

#include <stdio.h>

#include "book/formats/thompson/tree_weights.h"
#include "book/graph/graph.h"

struct book_losses;

struct tree_options {
    enum tree_weights weights; /* NONE for a pure tree */
    bool pure;                 /* no header */
    /* Jumps, but only those of two bytes, to positions that the tree has already, reached by
     * another order of moves. Without a jump the line ends, and the position is found by its key.
     */
    bool jumps;
    bool non_book_moves; /* with them, and with what only they reach; see book/graph/graph.h */
    bool styles;         /* mark choices that differ in the character they lead to */
};

/* Writes a graph. Puts its moves of equal weight in another order. *losses (may be NULL) gets
 * the positions left out; `diag` (may be NULL) says why it failed.
 * Errors: STATUS_NO_MEMORY; STATUS_IO; STATUS_ILLEGAL (no line leads to a move of the book);
 * STATUS_RANGE (too large; a pure tree with packed weights; a pure tree without a choice, which no
 * reader would recognise). */
MUST_CHECK enum caxton_status tree_write_graph(struct book_graph *graph,
                                               const struct tree_options *options, FILE *out,
                                               struct book_losses *losses, struct diag *diag);

/* The same of a book, whose graph is made first. */
MUST_CHECK enum caxton_status tree_write_with(const struct book *book,
                                              const struct tree_options *options, FILE *out,
                                              struct book_losses *losses, struct diag *diag);

#endif
