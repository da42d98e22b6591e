/* What a PGN reader makes of an input, as text that tests compare. */
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chess/notation.h"
#include "chess/pgn.h"
#include "chess/pgn_write.h"
#include "tests/support/pieces.h"

/* Writes the main line in coordinates, a mark as $n behind its move. */
static inline void transcribe_moves(FILE *out, const struct pgn_game *game)
{
    for (size_t i = 0; i < game->ply_count; i++) {
        char move_text[UCI_MAX];
        move_to_uci(game->moves[i], game->chess960, move_text);
        (void)fprintf(out, "%s", move_text);
        if (game->marks[i])
            (void)fprintf(out, "$%d", game->marks[i]);
        (void)fputc(' ', out);
    }
}

/* One line a game: "number moves result", or "number moves bad LINE:COLUMN reason". `details` adds
 * where the game begins and its tags. The caller frees the text and destroys the reader. */
static inline char *transcribe(struct pgn_reader *reader, bool details)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    struct pgn_game game;
    struct diag diag;
    enum caxton_status status;
    if (!out)
        abort();
    while ((status = pgn_next(reader, &game, &diag)) != STATUS_END) {
        if (status == STATUS_IO || status == STATUS_NO_MEMORY) {
            (void)fprintf(out, "%s\n", status_name(status));
            break;
        }
        (void)fprintf(out, "%d ", (int)game.number);
        if (details) {
            (void)fprintf(out, "at %d+%d ", (int)game.line, (int)game.offset);
            for (size_t i = 0; i < game.tag_count; i++)
                (void)fprintf(out, "%.*s=%.*s; ", (int)game.tags[i].name.size,
                              game.tags[i].name.data, (int)game.tags[i].value.size,
                              game.tags[i].value.data);
        }
        transcribe_moves(out, &game);
        if (status == STATUS_OK)
            (void)fprintf(out, "%s\n", pgn_result_text(game.result));
        else
            (void)fprintf(out, "bad %d:%d %s\n", (int)diag.line, (int)diag.column, diag.text);
    }
    if (fclose(out) != 0)
        abort();
    return text;
}
