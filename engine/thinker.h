/* The player inside the engine: it asks the book, and searches where the book has no move. The UCI
 * session and `caxton play` use it. Not thread-safe, except for search_stop() and
 * search_ponderhit() on its search. */
#ifndef CAXTON_ENGINE_THINKER_H
#define CAXTON_ENGINE_THINKER_H

#include "book/open/book_set.h"
#include "chess/game.h"
#include "engine/options.h"

struct thinker {
    struct search *search;  /* owned */
    struct eval *eval;      /* owned; scores book moves */
    struct book_set *books; /* borrowed, may be NULL: no book */
    struct rng rng;         /* for the choice of book moves and at limited strength */
};

enum { THINKER_BOOK_LINE_MAX = 10 };

/* Errors: STATUS_NO_MEMORY. `seed` decides every choice that is left to chance. */
MUST_CHECK enum caxton_status thinker_init(struct thinker *thinker, uint64_t seed);
void thinker_free(struct thinker *thinker);

/* Scores positions with `network`, borrowed for as long as it is in use. At first it is the
 * built-in one. */
void thinker_set_network(struct thinker *thinker, const struct network *network);

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

/* What an interface is told about a book move, in the form of a search to depth 1: the books' line
 * in line[0..THINKER_BOOK_LINE_MAX), which `info` borrows, and the network's score from the view
 * of the side that plays the move. Only a quiet position is scored well, so that the score is that
 * of the first position of the line in which no piece has just been captured and nobody is in
 * check; without one, of the position after the move. */
void thinker_book_info(struct thinker *thinker, const struct game *game,
                       const struct book_answer *answer, struct search_info *info, move *line);

/* Searches. At limited strength only the move that is played is what the limit makes of it; the
 * reporter sees no more lines than MultiPV asks for. */
void thinker_search(struct thinker *thinker, const struct options *options,
                    const struct search_request *request, const struct search_reporter *reporter,
                    struct search_result *result);

#endif
