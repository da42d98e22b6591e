/* Stores (book/scoring/score_store.h) as books: the own moves of the graph, or those that were
 * chosen instead, of weight 1; and the opponent's that have an answer, by their probability, but
 * none where the other side's book knows the position. These are the moves that `makebook grow
 * --replies` writes. A store without a graph has the best move of the deepest search of each
 * position. */
#pragma once

#include "book/format.h"

struct deepest_answers;
struct score_store;

extern const struct book_format store_format;

/* The store that was opened as this book; NULL: it is another kind. */
const struct score_store *store_format_store(const struct book *book);

/* Adds the scores of searches, and which moves they refute, to what is known of the moves by games.
 */
void store_format_scores(const struct deepest_answers *answers, const struct position *pos,
                         struct book_facts *out);

/* What the store knows of the moves that `out` has: searches, games, its graph. answers: of all its
 * positions, for many look-ups (book/scoring/deepest_answers.h); NULL: the store is read for this
 * one. Errors: STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status store_format_facts(const struct score_store *store,
                                                 const struct deepest_answers *answers,
                                                 const struct position *pos,
                                                 struct book_facts *out);
