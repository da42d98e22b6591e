/* The positions of a book as a tree: which of them can be reached from a root position, and by
 * which line. A line follows the moves of the book; where the book has nothing to say, and beside
 * its moves, also every other move that leads (back) into it: a book of one colour knows none of
 * the other's. Of several lines to a position the shortest counts; of several as short the one
 * whose moves are heavier, the earlier moves first, and moves of the book go before others. Every
 * position of the book is in the tree once, so that transpositions and repetitions end. */
#ifndef CAXTON_BOOK_MAKEBOOK_COMMANDS_TREE_H
#define CAXTON_BOOK_MAKEBOOK_COMMANDS_TREE_H

#include "base/status.h"
#include "book/entry_table.h"

struct tree_entry {
    struct book_entry entry;
    size_t index; /* among those the tree was made of */
};

#define TREE_NONE UINT32_MAX

/* One key of the book and its entries. */
struct tree_node {
    size_t first; /* into tree.entries */
    size_t count;
    uint32_t parent; /* these five mean something when `reached` */
    uint32_t child;  /* the first, TREE_NONE = none */
    uint32_t next;   /* sibling */
    uint32_t ply;    /* moves from the root */
    move via;        /* from the parent */
    bool reached;
};

struct tree {
    struct tree_entry *entries; /* by key, the heaviest first, then by move and index */
    size_t entry_count;
    struct tree_node *nodes; /* by key; then the positions that lines only pass through */
    size_t node_count;       /* of the book's positions */
    size_t passed;           /* those behind them, with a count of 0 */
    size_t reached;          /* of the book's positions */
    uint32_t deepest;        /* the most plies to a reached position */
    uint32_t longest;        /* the same of all nodes */
    uint32_t root;
    struct position root_pos;
};

/* Of entries in any order. Errors: STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status tree_create(const struct entry_table *table,
                                          const struct position *root, struct tree *out);
void tree_destroy(struct tree *tree);

/* line: the `ply` moves from the root to `pos`. All is borrowed until the visitor returns. */
struct tree_stop {
    const struct tree_node *node;
    const struct position *pos;
    const move *line;
    size_t ply;
};
typedef void (*tree_visitor)(void *context, const struct tree_stop *stop);

/* Visits every reached position of the book, a line before those that continue it, heavier moves
 * first. Errors: STATUS_NO_MEMORY, before the first visit. */
MUST_CHECK enum caxton_status tree_visit(const struct tree *tree, tree_visitor visitor,
                                         void *context);

#endif
