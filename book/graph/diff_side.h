/* Two books in comparison. */
#pragma once

#include "book/entry_table.h"
#include "book/graph/difference.h"
#include "book/graph/graph.h"

/* One of the two books. */
struct side {
    const struct book_graph *graph;
    const struct entry_table *table; /* NULL: a book of lines */
    bool mirrored;
    uint64_t *chance; /* of each node */
    uint64_t *behind; /* of each node: positions that only this book has, itself and behind it */
    uint8_t *missing; /* of each node: the other book does not know it */
    uint8_t *touched; /* of table: a bit for the first entry of each position that was compared */
};

struct comparison {
    struct side sides[2];
    uint32_t threshold_ppm;
    struct book_diff diff;
    size_t capacity;
};

/* Do the shares a / sum_a and b / sum_b differ by more than the threshold? */
static inline bool book_diff_differs(const struct comparison *comparison, uint32_t a,
                                     uint64_t sum_a, uint32_t b, uint64_t sum_b)
{
    return book_diff_shares_differ(a, sum_a, b, sum_b, comparison->threshold_ppm);
}
