/* Writing a game as PGN. Source: the PGN standard's export format. */
#pragma once

#include <stdio.h>

#include "chess/game.h"
#include "chess/pgn.h"

/* Writes seven-tag roster, the extra tags, SetUp/FEN where the game needs them, and the moves in
 * lines of at most 80 characters. `comment` may be NULL; else it gives the text after a ply (NULL =
 * none); a glyph that it begins with ("$4 bad") is written as one, before it. Errors: STATUS_IO.
 * The stream stays open. */
MUST_CHECK enum caxton_status
pgn_write(FILE *out, const struct game *game, const struct pgn_tag *tags, size_t tag_count,
          enum pgn_result result, const char *(*comment)(void *context, size_t ply), void *context);

/* Who wins where the game ends in mate; else PGN_UNKNOWN. */
enum pgn_result pgn_result_on_board(const struct game *game);
const char *pgn_result_text(enum pgn_result result); /* "1-0", "0-1", "1/2-1/2", "*" */
