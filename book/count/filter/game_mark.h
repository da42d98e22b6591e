/* What sample games (book/statistics/samples_file.h) are chosen and known again by, and what
 * statistics with facets file a game under. */
#pragma once

#include "book/statistics/facets.h"
#include "chess/pgn.h"

/* A number that tells the game from others: of its players, its date, its start and its first
 * `plies` moves. A game of a file that was read to at least so many plies has always the same. */
uint32_t game_mark(const struct pgn_game *game, uint64_t plies);

/* The sum of both players' Elo; one that is unknown is 0. */
uint16_t game_elos(const struct pgn_game *game);

/* The facet of the game, of the kinds in `facets` alone, and the players' ratings, which are 0
 * where its group is. The month is that of Date, or of UTCDate where Date has no year. */
uint32_t game_facet(const struct pgn_game *game, unsigned facets, uint16_t ratings[2]);
