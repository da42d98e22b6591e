#include "book/makebook/cli/openings.h"

#include <inttypes.h>
#include <stdlib.h>

#include "chess/fen.h"

static bool fail_memory(const struct command_line *line, enum caxton_status status)
{
    return status == STATUS_OK || command_refuse(line, "%s", status_name(status));
}

/* A game is an opening as it stands, or --plies says how much of it. */
static enum caxton_status add_game(struct openings *out, const struct pgn_game *game)
{
    enum caxton_status status = STATUS_OK;
    if (game->other_variant) {
        out->bad_games++;
        return status;
    }
    if (!out->plies)
        return suite_add(&out->suite, &game->start, game->moves, game->ply_count, NULL);
    out->short_games += game->ply_count < (size_t)out->plies[0];
    for (size_t i = (size_t)out->plies[0];
         i <= (size_t)out->plies[1] && i <= game->ply_count && status == STATUS_OK; i++)
        status = suite_add(&out->suite, &game->start, game->moves, i, NULL);
    return status;
}

bool openings_add_games(const struct command_line *line, const char *name, pgn_source source,
                        void *context, struct openings *out)
{
    struct pgn_reader *reader = pgn_create(source, context);
    enum caxton_status status = reader ? STATUS_OK : STATUS_NO_MEMORY;
    struct diag diag = {.text = ""};
    struct pgn_game game = {.number = 0};
    bool whole = !out->plies;
    if (reader)
        pgn_set_ply_limit(reader, whole ? SUITE_PLIES_MAX + 1 : (size_t)out->plies[1]);
    while (status == STATUS_OK) {
        status = pgn_next(reader, &game, &diag);
        if (status == STATUS_OK && whole && game.ply_count > SUITE_PLIES_MAX) {
            diag_set(&diag, game.line, 1, "more than %d plies: --plies says where openings end",
                     SUITE_PLIES_MAX);
            status = STATUS_SYNTAX;
        } else if (status == STATUS_OK) {
            status = add_game(out, &game);
        }
        if (pgn_is_game_fault(status) && (whole || out->bad_games++ == 0))
            (void)command_fail(line, "%s:%zu:%zu: game %" PRIu64 ": %s", name, (size_t)diag.line,
                               (size_t)diag.column, game.number, diag.text);
        if (pgn_is_game_fault(status) && !whole)
            status = STATUS_OK;
    }
    pgn_destroy(reader);
    return status == STATUS_END || (!pgn_is_game_fault(status) && fail_memory(line, status));
}

bool openings_add_positions(const struct command_line *line, const char *path, struct openings *out)
{
    struct position *positions;
    struct diag diag;
    size_t count;
    enum caxton_status status = fen_read_file(path, &positions, &count, &diag);
    if (status != STATUS_OK)
        return command_refuse(line, "%s", diag.text);
    for (size_t i = 0; i < count && status == STATUS_OK; i++)
        status = suite_add(&out->suite, &positions[i], NULL, 0, NULL);
    free(positions);
    return fail_memory(line, status);
}

void openings_put_pairs(struct report *to, const uint64_t pairs[MATCH_PAIRS])
{
    json_array(&to->json, "pairs");
    for (int i = 0; i < MATCH_PAIRS; i++) {
        json_unsigned(&to->json, NULL, pairs[i]);
        report_say(to, "%s%" PRIu64, i ? ", " : "[", pairs[i]);
    }
    json_end(&to->json);
    report_say(to, "]");
}

void openings_put_score(struct report *to, const struct match_score *score, bool in_pairs)
{
    double low = score->mean - score->error;
    double high = score->mean + score->error;
    bool known = score->deviation > 0 && low > 0 && high < 1;
    if (!known) { /* of pairs that are alike no spread is known */
        report_say(to, ", too few for Elo");
        json_literal(&to->json, "elo", "null");
        json_literal(&to->json, "nelo", "null");
        return;
    }
    double error = (match_elo(high) - match_elo(low)) / 2;
    report_say(to, " Elo %+.1f +- %.1f", match_elo(score->mean), error);
    json_decimal(&to->json, "elo", match_elo(score->mean), 2);
    json_decimal(&to->json, "elo_error", error, 2);
    json_decimal(&to->json, "los", match_los(score), 4);
    if (!in_pairs)
        return;
    report_say(to, ", nElo %+.1f +- %.1f", score->nelo, score->nelo_error);
    json_decimal(&to->json, "nelo", score->nelo, 2);
    json_decimal(&to->json, "nelo_error", score->nelo_error, 2);
}
