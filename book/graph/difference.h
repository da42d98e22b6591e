/* What a comparison of two books gives. */
#pragma once

#include "chess/movegen.h"

enum { BOOK_DIFF_ALL = 1000000 }; /* shares are of a million */

__extension__ typedef unsigned __int128 wide;

/* Do the shares a / sum_a and b / sum_b differ by more than the threshold? Sums below 2^53. */
static inline bool book_diff_shares_differ(uint64_t a, uint64_t sum_a, uint64_t b, uint64_t sum_b,
                                           uint32_t threshold_ppm)
{
    wide x = (wide)a * (sum_b ? sum_b : 1);
    wide y = (wide)b * (sum_a ? sum_a : 1);
    wide all = (wide)(sum_a ? sum_a : 1) * (sum_b ? sum_b : 1);
    return (x > y ? x - y : y - x) * BOOK_DIFF_ALL > all * threshold_ppm;
}

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
