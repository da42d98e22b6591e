/* The player inside the engine: it asks the book, and searches where the book has no move. The UCI
 * session and `caxton play` use it. Not thread-safe, except for search_stop() and
 * search_ponderhit() on its search. */
#pragma once

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

/* Does the book answer this request? As player_ask(); UCI_AnalyseMode, MultiPV above 1 and
 * searchmoves ask for analysis, and a weak level leaves the built-in book early. */
bool thinker_ask_book(struct thinker *thinker, const struct game *game,
                      const struct options *options, const struct search_request *request,
                      struct book_answer *answer);

/* Searches. Limited strength changes the move that is played (engine/strength.h); the reporter sees
 * no more lines than MultiPV asks for. */
void thinker_search(struct thinker *thinker, const struct options *options,
                    const struct search_request *request, const struct search_reporter *reporter,
                    struct search_result *result);
