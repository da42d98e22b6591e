/* The player inside the engine: it asks the book, and searches where the book has no move. The UCI
 * session and `caxton play` use it. Not thread-safe, except for search_stop() and
 * search_ponderhit() on its search. */
#pragma once

#include "book/open/book_set.h"
#include "chess/game.h"
#include "engine/options.h"

/* `nodestime`: the engine's own clock, which counts nodes. The interface's clock tells how long a
 * game may take, but not how much of it the nodes have used: on a fast machine it hardly runs.
 * Idea: Stockfish, TimeManagement::availableNodes.
 * All zero: no game yet. */
struct node_clock {
    int nodes_per_ms; /* of the last search by a clock; 0 = none in this game */
    int moves_to_go;  /* that search's */
    int before;       /* and that of the search before */
    int64_t left;     /* nodes; less than 0 when a search took more */
};

struct thinker {
    struct search *search;   /* owned */
    struct eval *eval;       /* owned; scores book moves */
    struct book_set *books;  /* borrowed, may be NULL: no book */
    struct rng rng;          /* chooses book moves, and moves at limited strength */
    struct node_clock clock; /* of this game, with `nodestime` */
};

enum { THINKER_BOOK_LINE_MAX = 10 };

/* Errors: STATUS_NO_MEMORY. `seed` starts the random numbers. */
MUST_CHECK enum caxton_status thinker_init(struct thinker *thinker, uint64_t seed);
void thinker_free(struct thinker *thinker);

/* Scores positions with `network`, borrowed for as long as it is in use. At first it is the
 * built-in one. */
void thinker_set_network(struct thinker *thinker, const struct network *network);

/* Forgets what was searched in the last game. */
void thinker_new_game(struct thinker *thinker);

/* Fills all of `request` but its limits: the root, the positions before it, and what `options`
 * say. */
void thinker_prepare(const struct game *game, const struct options *options,
                     struct search_request *request);

/* Does the book answer this request? Not when the position is to be analysed (infinite, mate,
 * searchmoves, UCI_AnalyseMode, MultiPV above 1), not after BookDepth, and not by a move that
 * repeats a position: whether a repetition is wanted the search decides. */
bool thinker_ask_book(struct thinker *thinker, const struct game *game,
                      const struct options *options, const struct search_request *request,
                      struct book_answer *answer);

/* One line about a book move, without a newline: book, move, share, opening. */
void thinker_describe(struct text_buffer *text, const struct game *game,
                      const struct book_answer *answer, bool chess960);

/* A book move as the info line of a search to depth 1: the books' line in
 * line[0..THINKER_BOOK_LINE_MAX), which `info` borrows, and the network's score from the view of
 * the side that plays the move. The network scores only quiet positions well: the score is that of
 * the first position of the line after a move that is no capture and gives no check; if there is
 * none, of the position after the book move. */
void thinker_book_info(struct thinker *thinker, const struct game *game,
                       const struct book_answer *answer, struct search_info *info, move *line);

/* Searches. Limited strength changes the move that is played (engine/strength.h); the reporter sees
 * no more lines than MultiPV asks for. */
void thinker_search(struct thinker *thinker, const struct options *options,
                    const struct search_request *request, const struct search_reporter *reporter,
                    struct search_result *result);
