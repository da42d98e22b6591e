#include "book/learn/line.h"

#include <stdlib.h>

#include "base/array.h"

enum caxton_status learn_go_to(const struct learn_game *game, size_t ply, struct game *board)
{
    enum caxton_status status = STATUS_OK;
    game_reset(board, &game->start);
    for (size_t i = 0; i < ply && status == STATUS_OK; i++)
        status = game_play(board, game->moves[i]);
    return status;
}

static enum caxton_status add_step(struct learn_line *line, size_t ply)
{
    if (!ARRAY_GROW(line->steps, line->capacity, line->count + 1))
        return STATUS_NO_MEMORY;
    line->steps[line->count++] = (struct learn_step){.ply = ply, .move = line->game->moves[ply]};
    return STATUS_OK;
}

enum caxton_status learn_line_make(const struct draft *draft, const struct learn_game *game,
                                   int side, struct game *board, struct learn_line *out)
{
    struct book_move moves[MOVES_MAX];
    enum caxton_status status = STATUS_OK;
    *out = (struct learn_line){.game = game, .side = side, .exit_score = LEARN_NO_SCORE};
    game_reset(board, &game->start);
    for (size_t ply = 0; ply < game->ply_count && status == STATUS_OK; ply++) {
        bool ours = game_position(board)->turn == side && game->scores[ply] != LEARN_GIVEN;
        if (ours && !out->avoided) {
            int count = draft_probe(draft, board, moves);
            int at = draft_index(moves, count, game->moves[ply]);
            bool played = at >= 0 && moves[at].weight > 0;
            /* The engine left the book here; it may come back to it later. */
            if (!played && out->exit_score == LEARN_NO_SCORE)
                out->exit_score = game->scores[ply];
            if (played) {
                out->exit_score = LEARN_NO_SCORE;
                status = add_step(out, ply);
            }
            /* Moves are heaviest first: a book that plays none has fallen silent, and the engine
             * had to think. */
            out->avoided = !played && (at >= 0 || (count > 0 && moves[0].weight > 0));
        }
        if (status == STATUS_OK)
            status = game_play(board, game->moves[ply]);
    }
    return status;
}

void learn_line_free(struct learn_line *line)
{
    free(line->steps);
    *line = (struct learn_line){.game = NULL};
}

int learn_line_points(const struct learn_line *line)
{
    enum { WIN = 2, DRAW = 1 };
    enum pgn_result ours = line->side == WHITE ? PGN_WHITE_WINS : PGN_BLACK_WINS;
    if (line->game->result == PGN_DRAW)
        return DRAW;
    return line->game->result == ours ? WIN : 0;
}
