/* The player inside the engine: it looks into the book, and searches where the book is silent.
 * Used by the UCI session and by self-play alike. Not thread-safe, except for search_stop() and
 * search_ponderhit() on its search. */
#ifndef CAXTON_ENGINE_THINKER_H
#define CAXTON_ENGINE_THINKER_H

#include "book/open/book_set.h"
#include "chess/game.h"
#include "engine/options.h"

struct thinker {
    struct search *search;  /* owned */
    struct book_set *books; /* borrowed, may be NULL: no book */
    struct rng rng;         /* for the choice of book moves and at limited strength */
};

/* Errors: STATUS_NO_MEMORY. `seed` decides every choice that is left to chance. */
MUST_CHECK enum caxton_status thinker_init(struct thinker *thinker, uint64_t seed);
void thinker_free(struct thinker *thinker);

/* Root, its history, and the settings of `options`: all of `request` but its limits. */
void thinker_prepare(const struct game *game, const struct options *options,
                     struct search_request *request);

/* Does the book answer this request? Never when the position is to be analysed (infinite, mate,
 * searchmoves, UCI_AnalyseMode), behind BookDepth, or by a move back into a position that has stood
 * before: no book asks for repetitions, the search decides whether one is wanted. */
bool thinker_ask_book(struct thinker *thinker, const struct game *game,
                      const struct options *options, const struct search_request *request,
                      struct book_answer *answer);

/* One line about a book move, without a newline: book, move, share, opening. */
void thinker_describe(struct text_buffer *text, const struct game *game,
                      const struct book_answer *answer, bool chess960);

/* Searches. At limited strength only the move that is played is what the limit makes of it; the
 * reporter sees no more lines than MultiPV asks for. */
void thinker_search(struct thinker *thinker, const struct options *options,
                    const struct search_request *request, const struct search_reporter *reporter,
                    struct search_result *result);

#endif
