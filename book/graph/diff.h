/* What two books know differently: positions are compared, whatever lines lead to them, and within
 * each position its moves and their shares of the weight. */
#ifndef CAXTON_BOOK_GRAPH_DIFF_H
#define CAXTON_BOOK_GRAPH_DIFF_H

#include "book/graph/graph.h"

enum { BOOK_DIFF_ALL = 1000000 }; /* shares are of a million */

enum book_difference_kind {
    DIFFERENCE_SHARE,    /* both play the move, with other shares */
    DIFFERENCE_MOVE,     /* one has the move, and both the position */
    DIFFERENCE_POSITION, /* one has the position, and both a move to it (or it has no line) */
};

struct book_difference {
    enum book_difference_kind kind;
    int owner;         /* which book has the move or the position, 0 or 1 */
    int side;          /* in whose graph the node is */
    uint32_t node;     /* the position that the move is played in; the position */
    move move;         /* MOVE_NONE for a position */
    uint32_t share[2]; /* of the move, in either book */
    uint64_t behind;   /* positions that only this book has, behind the move or the position, the
                          latter included; each is counted once in the whole list */
    uint64_t rank;     /* how much it matters: how likely games by the book get there, times the
                          difference of the shares */
};

struct book_diff {
    uint64_t positions_both;
    uint64_t positions_only[2];
    uint64_t moves_same;
    uint64_t moves_changed; /* with other shares */
    uint64_t moves_only[2]; /* those of positions that only one has included */
    uint64_t unreached[2]; /* of what is counted above: positions without a line, that differ and so
                              are not in the list; in one book or both */
    struct book_difference *list; /* those of lines, by rank, the likeliest first */
    size_t count;
};

/* Moves differ when their shares differ by more than threshold_ppm, exactly. The chance to get to a
 * position is the product of the shares on its line; a move that the book does not know counts an
 * eighth where it knows none, and beside those that it knows 1/1024. Errors: STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status book_diff_create(const struct book_graph *a,
                                               const struct book_graph *b, uint32_t threshold_ppm,
                                               struct book_diff *out);
void book_diff_destroy(struct book_diff *diff); /* of {0}, too */

/* Does the one know nothing that the other does not? */
bool book_diff_is_empty(const struct book_diff *diff);

#endif
