/* Moves that are taken out of a book, and what falls with them: positions to which only these moves
 * lead. */
#pragma once

#include "book/entry_table.h"
#include "book/vet/vet.h"

struct vet_cut {
    const struct book_graph *graph;
    bool *named;  /* by edge: a blunder, or the move where a losing line begins */
    bool *fallen; /* by node: only lines with these moves lead there */
    size_t named_count;
    size_t fallen_count;
};

/* Of all findings but drifts. Where the book has no moves of its own any legal move leads on, else
 * its moves and those that the graph passes by. Errors: STATUS_NO_MEMORY. The caller destroys it.
 */
MUST_CHECK enum caxton_status vet_cut_create(const struct book_graph *graph,
                                             const struct vet_finding *findings, size_t count,
                                             struct vet_cut *out);
void vet_cut_destroy(struct vet_cut *cut); /* of {0}, too */

/* Leaves out of the entries what is cut and what has fallen; the others stay as they are. Returns
 * how many are left out. */
size_t vet_cut_drop(const struct vet_cut *cut, struct entry_list *list);

/* Divides the weights of what is cut; none becomes 0. Returns how many have changed. */
size_t vet_cut_down_weight(const struct vet_cut *cut, struct entry_list *list, uint32_t divisor);
