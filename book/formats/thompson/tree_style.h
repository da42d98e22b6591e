/* The characters of openings (enum book_style), by ECO code and name: what the style byte says. */
#pragma once

#include "book/graph/graph.h"

/* The characters that each move of the graph leads to: those of the openings that the positions
 * behind it belong to. styles: by edge. Errors: STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status tree_find_styles(const struct book_graph *graph, uint8_t *styles);
