/* What a store knows of a position and its moves. */
#pragma once

#include "book/facts.h"
#include "book/store/score_store.h"

/* As struct book_format.facts. The score of a move is that of the deepest search of the position
 * when it found that move, else that of the deepest search behind the move. */
MUST_CHECK enum caxton_status store_facts(const struct score_store *store,
                                          const struct position *pos, const move *moves, int count,
                                          struct book_facts *out);
