/* Writing a tree, and the kinds of tree that makebook writes. */
#pragma once

#include "book/format.h"
#include "book/formats/thompson/tree_coder.h"
#include "book/graph/graph.h"

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

/* As struct book_writer.write_graph; writer->options: struct tree_options. Puts moves of equal
 * weight in another order. STATUS_RANGE: also a pure tree with packed weights, or without a choice,
 * which no reader would recognise. */
MUST_CHECK enum caxton_status tree_write(struct book_graph *graph, const struct book_writer *writer,
                                         FILE *out, struct book_losses *losses, struct diag *diag);

/* Everything: exact weights, near jumps, non-book moves; the same with styles; small: weights where
 * there is a choice, no non-book moves; pure: Spracklen's, no weights, jumps, non-book moves. */
enum { TREE_WRITERS = 4 };
extern const struct book_writer tree_writers[TREE_WRITERS];
