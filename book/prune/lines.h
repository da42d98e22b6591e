/* Which positions of a book lines still reach, how soon, and with which probability, when some of
 * its moves have fallen. */
#pragma once

#include "book/prune/arcs.h"
#include "book/prune/rules.h"

/* Lets moves fall by the rules about lines until no more do. reasons: of each edge of the graph,
 * changed. reached: of each node, filled: a line comes to it. Errors: STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status prune_lines(const struct book_graph *graph,
                                          const struct prune_options *options, uint8_t *reasons,
                                          bool *reached);
