/* What a store knows of a position and its moves. */
#pragma once

#include "book/facts.h"
#include "book/store/score_store.h"

/* As struct book_format.facts. Scores are those of deepest_answers_of_move(). */
MUST_CHECK enum caxton_status store_facts(const struct score_store *store,
                                          const struct position *pos, const move *moves, int count,
                                          struct book_facts *out);
