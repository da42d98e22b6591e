/* Learning from games that the engine has played with a book: the same loss does not happen twice,
 * and what scored is played more often.
 *
 * For each lost game the moves that our side played by the book are looked at, the last one first.
 * A search says what is best there, and what the move of the book is worth. Where another move is
 * better by the margin, the book plays that one from now on. When no search explains the loss, the
 * book leaves the line all the same: the last move that has another one within the margin gives way
 * to it; when there is none, the last move of the book is not played any more, so that the engine
 * thinks there itself. A move that gives way stays in the book with the weight 0: known, never
 * played. So a book tells by itself which games it avoids.
 *
 * For each won or drawn game the weights of the moves go up where there is a choice.
 *
 * The result is a function of the games, the book, the options, the answers of searches and of what
 * the store knew: not of the order of games, nor of threads.
 *
 * A game is learnt from once. The store remembers games, with the book that they were learnt into:
 * the same book given again with the same games becomes the same again, so that a run that was
 * killed can be repeated. */
#pragma once

#include "book/learn/learnt.h"
#include "book/scoring/scorer.h"

/* Finds the lines of the games, and which the store knows. No search may be under way. Errors:
 * STATUS_NO_MEMORY; free *out then, too. `book` and `games` are borrowed. */
MUST_CHECK enum caxton_status learn_begin(const struct learn_options *options,
                                          const struct book *book, const struct learn_games *games,
                                          const struct score_store *store, struct learnt *out);

/* Learns. Errors: those of scorer_ask(). */
MUST_CHECK enum caxton_status learn_run(const struct learn_options *options, struct scorer *scorer,
                                        struct learnt *learnt, struct diag *diag);

/* Tells the store what was learnt, when the book is written and nobody searches any more: games and
 * chosen moves. Errors: as score_store_add(). */
MUST_CHECK enum caxton_status learn_remember(const struct learn_options *options,
                                             const struct learnt *learnt, struct score_store *store,
                                             struct diag *diag);

void learnt_free(struct learnt *learnt); /* of {0}, too */
