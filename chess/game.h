/* A game: a start position and the moves played, of any length; repetition and its end. */
#pragma once

#include "chess/position.h"

struct game;

enum game_state {
    GAME_OPEN,
    GAME_CHECKMATE, /* the side to move is mated */
    GAME_STALEMATE,
    GAME_INSUFFICIENT_MATERIAL,
    GAME_FIFTY_MOVES,
    GAME_REPETITION, /* the position stands for the third time */
};

/* A game at the standard start, or NULL when there is no memory. The caller destroys it. */
struct game *game_create(void);
void game_destroy(struct game *game); /* NULL is allowed */

/* Starts again from `start`, no moves played. Keeps its memory. */
void game_reset(struct game *game, const struct position *start);

/* Plays a legal move (the caller knows that it is one). Errors: STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status game_play(struct game *game, move m);

/* Takes the last move back; false when there is none. */
bool game_take_back(struct game *game);

/* Borrowed until the next call that changes the game. */
const struct position *game_position(const struct game *game);
const struct position *game_start(const struct game *game);
size_t game_plies(const struct game *game);
move game_move(const struct game *game, size_t ply); /* ply < game_plies() */

/* Keys of all positions from the start to the current one, game_plies() + 1 of them, as repetition
 * compares them: the Polyglot key, without an en passant capture that is not legal (FIDE 9.2.3). */
const uint64_t *game_keys(const struct game *game);

/* Would the legal move `m` lead to a position that has stood before? */
bool game_would_repeat(const struct game *game, move m);

/* The automatic end of the game; a mate goes before the fifty-move rule. */
enum game_state game_state(const struct game *game);
const char *game_state_name(enum game_state state);
