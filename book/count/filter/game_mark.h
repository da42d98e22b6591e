/* What sample games (book/statistics/samples_file.h) are chosen and known again by. */
#pragma once

#include "chess/pgn.h"

/* A number that tells the game from others: of its players, its date, its start and its first
 * `plies` moves. A game of a file that was read to at least so many plies has always the same. */
uint32_t game_mark(const struct pgn_game *game, uint64_t plies);

/* The sum of both players' Elo; one that is unknown is 0. */
uint16_t game_elos(const struct pgn_game *game);
