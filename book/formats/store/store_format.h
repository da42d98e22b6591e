/* Stores (book/scoring/score_store.h) as books: the own moves of the graph, or those that were
 * chosen instead, of weight 1; and the opponent's that have an answer, by their probability, but
 * none where the other side's book knows the position. These are the moves that `makebook grow
 * --replies` writes. A store without a graph has the best move of the deepest search of each
 * position. */
#pragma once

#include "book/format.h"

extern const struct book_format store_format;
