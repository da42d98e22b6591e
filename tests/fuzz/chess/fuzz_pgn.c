/* Any bytes as PGN. The first two choose how the source cuts the rest into pieces and the ply
 * limit. What was read well must be legal, be written, and be read again as the same. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chess/attacks.h"
#include "chess/movegen.h"
#include "chess/pgn_write.h"
#include "tests/support/pieces.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition)
{
    if (!condition)
        abort();
}

static void check_rewritten(const struct pgn_game *read, const struct game *game)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    require(out != NULL);
    require(pgn_write(out, game, read->tags, read->tag_count, read->result, NULL, NULL) ==
            STATUS_OK);
    require(fclose(out) == 0);

    struct pgn_reader *reader = pgn_create_memory(text, size);
    struct pgn_game again;
    struct diag diag;
    require(reader != NULL);
    require(pgn_next(reader, &again, &diag) == STATUS_OK);
    require(again.ply_count == read->ply_count && again.result == read->result);
    require(again.start.key == read->start.key);
    for (size_t i = 0; i < again.ply_count; i++)
        require(again.moves[i] == read->moves[i]);
    require(pgn_next(reader, &again, &diag) == STATUS_END);
    pgn_destroy(reader);
    free(text);
}

static void check_game(const struct pgn_game *read, struct game *game)
{
    game_reset(game, &read->start);
    for (size_t i = 0; i < read->ply_count; i++) {
        require(movegen_is_legal(game_position(game), read->moves[i]));
        require(game_play(game, read->moves[i]) == STATUS_OK);
    }
    require(game_position(game)->key == position_compute_key(game_position(game)));
    check_rewritten(read, game);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2)
        return 0;
    chess_init();
    struct pieces pieces = {span_make((const char *)data + 2, size - 2), (size_t)data[0] + 1};
    struct pgn_reader *reader = pgn_create(read_piece, &pieces);
    struct game *game = game_create();
    require(reader && game);
    if (data[1] < 64)
        pgn_set_ply_limit(reader, data[1]);

    struct pgn_game read;
    struct diag diag;
    enum caxton_status status;
    uint64_t number = 0;
    uint64_t line = 0;
    while ((status = pgn_next(reader, &read, &diag)) != STATUS_END) {
        require(read.number == ++number);
        require(read.line >= line && read.offset < size);
        line = read.line;
        if (status == STATUS_OK)
            check_game(&read, game);
        else
            require(diag.line >= read.line && diag.column > 0 && diag.offset <= size &&
                    diag.text[0] != '\0');
    }
    game_destroy(game);
    pgn_destroy(reader);
    return 0;
}
