/* Games that were played, kept in memory to learn from. */
#pragma once

#include "base/fingerprint.h"
#include "book/count/count.h"
#include "chess/pgn.h"

enum { LEARN_NO_SCORE = INT16_MIN, LEARN_GIVEN = LEARN_NO_SCORE + 1 };

struct learn_game {
    struct position start;
    move *moves;
    int16_t *scores; /* per ply: what its player thought of it: centipawns, or a mate as in
                        search/score.h; LEARN_NO_SCORE; LEARN_GIVEN: the tournament made the move */
    size_t ply_count;
    enum pgn_result result;
    bool ours[2];             /* by colour: was this side ours? */
    struct fingerprint print; /* of players, date, result and all moves */
    const char *file;         /* borrowed */
    uint64_t number;
    uint64_t line;
};

/* Whose games: of `player` (any spelling that player_matches() takes; NULL: of anybody), on the
 * sides that are true. openings: moves with the comment "book" were not the players' own: they are
 * the openings of a tournament. */
struct learn_choice {
    const char *player;
    bool sides[2];
    bool openings;
};

struct learn_games {
    struct learn_game *list;
    size_t count;
    size_t capacity;
    /* What became of all that was read: */
    uint64_t read;
    uint64_t bad;
    uint64_t unfinished;
    uint64_t forfeited; /* decided by the clock, by a breach of rules or of the line */
    uint64_t other;     /* of other players, or no standard chess */
    uint64_t twice;     /* after learn_games_sort() */
    struct bad_game bad_shown[BAD_GAMES_SHOWN];
};

/* Adds the games of one input; `name` is kept. A bad game is counted and left out. Errors:
 * STATUS_NO_MEMORY, those of the source. */
MUST_CHECK enum caxton_status learn_games_read(struct learn_games *games,
                                               const struct learn_choice *choice, pgn_source source,
                                               void *context, const char *name);

/* Puts the games into an order that depends on nothing but the games, equal ones once. */
void learn_games_sort(struct learn_games *games);

void learn_games_free(struct learn_games *games);

/* The score at the beginning of a comment, as engines write it behind their moves: "+0.30/12 0.5s",
 * "-M7/20", of who made the move; "[%eval 0.30]" and "[%eval #-3]", White's, as on Lichess. turn:
 * who made the move. In centipawns, or a mate as in search/score.h; LEARN_NO_SCORE: there is none.
 */
int learn_comment_score(const char *comment, int turn);
