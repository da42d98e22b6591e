/* Any bytes as PGN, read several times over by a reader that knows openings again by their text,
 * and by one that knows none: games, faults, and their places are the same. The first three bytes
 * choose the ply limit, how the text arrives, and how much is read of a game; the rest is text. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "chess/attacks.h"
#include "chess/pgn.h"
#include "tests/support/pieces.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { TIMES = 3, LIMITS = 64 };

static void require(bool condition)
{
    if (!condition)
        abort();
}

static void same_bytes(const void *a, const void *b, size_t size)
{
    require(size == 0 || memcmp(a, b, size) == 0);
}

static void compare(const struct pgn_game *a, const struct pgn_game *b)
{
    require(a->number == b->number && a->line == b->line && a->offset == b->offset);
    require(a->result == b->result && a->notes == b->notes && a->chess960 == b->chess960);
    require(a->tag_count == b->tag_count && a->start.key == b->start.key);
    for (size_t i = 0; i < a->tag_count; i++) {
        require(a->tags[i].name.size == b->tags[i].name.size);
        require(a->tags[i].value.size == b->tags[i].value.size);
        same_bytes(a->tags[i].name.data, b->tags[i].name.data, a->tags[i].name.size);
        same_bytes(a->tags[i].value.data, b->tags[i].value.data, a->tags[i].value.size);
    }
    require(a->ply_count == b->ply_count && a->plies_read == b->plies_read);
    require(strcmp(a->beyond_fault, b->beyond_fault) == 0);
    same_bytes(a->moves, b->moves, a->plies_read * sizeof *a->moves);
    same_bytes(a->marks, b->marks, a->plies_read);
    if (a->plies_read)
        same_bytes(a->keys, b->keys, (a->plies_read + 1) * sizeof *a->keys);
    for (size_t i = 0; a->comments && i < a->plies_read; i++)
        require(strcmp(a->comments[i].text, b->comments[i].text) == 0);
}

/* The way to the game's node is that of its moves. */
static void check_node(const struct pgn_reader *reader, const struct pgn_game *game)
{
    size_t count;
    const struct pgn_node *nodes = pgn_nodes(reader, &count);
    size_t node = game->node;
    require(node < count);
    if (!node)
        return;
    require(nodes[node].ply <= game->plies_read);
    for (size_t ply = nodes[node].ply; ply > 0; ply--) {
        require(nodes[node].ply == ply && nodes[node].key == game->keys[ply]);
        require(nodes[node].played == game->moves[ply - 1] && nodes[node].parent < node);
        node = nodes[node].parent;
    }
    require(node == PGN_NODE_START);
}

/* Reads all games of both; the second one knows openings. */
static void read_both(struct pgn_reader *readers[2])
{
    struct pgn_game games[2];
    struct diag diags[2];
    enum caxton_status status[2] = {STATUS_OK, STATUS_OK};
    while (status[0] != STATUS_END) {
        for (int i = 0; i < 2; i++) {
            diags[i] = (struct diag){.text = ""};
            status[i] = pgn_next(readers[i], &games[i], &diags[i]);
        }
        require(status[0] == status[1]);
        if (status[0] == STATUS_END)
            break;
        compare(&games[0], &games[1]);
        require(strcmp(diags[0].text, diags[1].text) == 0 && diags[0].offset == diags[1].offset);
        require(diags[0].line == diags[1].line && diags[0].column == diags[1].column);
        check_node(readers[1], &games[1]);
    }
    require(pgn_lines(readers[0]) == pgn_lines(readers[1]));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 4)
        return 0;
    chess_init();
    const char *text = (const char *)data + 3;
    size_t length = size - 3;
    char *lying = malloc(length + (size_t)2 * PGN_MARGIN);
    struct pieces inputs[2];
    struct pgn_reader *readers[2];
    require(lying != NULL);
    for (int i = 0; i < 2; i++) {
        readers[i] = pgn_create(read_piece, &inputs[i]);
        require(readers[i] != NULL);
        if (data[0] < LIMITS)
            pgn_set_ply_limit(readers[i], data[0]);
        pgn_set_whole_games(readers[i], data[2] & 1);
        pgn_set_comments(readers[i], data[2] & 2);
    }
    require(pgn_set_nodes(readers[1], data[2] & 4 ? PGN_NODES_LEAST : 256) == STATUS_OK);
    for (int time = 0; time < TIMES; time++) {
        inputs[0] = (struct pieces){span_make(text, length), SIZE_MAX};
        inputs[1] = (struct pieces){span_make(text, length), data[1]};
        pgn_restart(readers[0], read_piece, &inputs[0]);
        memcpy(lying + PGN_MARGIN, text, length);
        if (data[1])
            pgn_restart(readers[1], read_piece, &inputs[1]);
        else
            pgn_restart_text(readers[1], lying + PGN_MARGIN, length);
        read_both(readers);
    }
    pgn_destroy(readers[0]);
    pgn_destroy(readers[1]);
    free(lying);
    return 0;
}
