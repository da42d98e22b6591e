#include "book/build/teller.h"

#include <errno.h>
#include <string.h>

#include "book/build/player.h"
#include "book/polyglot.h"

enum { PLIES_AT_ONCE = 256 };

/* Whose moves of this game count. */
static void colors_of(const struct build_options *options, const struct pgn_game *game,
                      bool colors[2])
{
    static const char *const tags[2] = {"White", "Black"};
    for (int color = WHITE; color <= BLACK; color++)
        colors[color] =
            options->colors[color] &&
            (!options->player || player_matches(pgn_tag_value(game, tags[color]), options->player));
}

/* LEFT_REASONS: the game counts. */
static enum left_out reason_to_leave(const struct build_options *options,
                                     const struct pgn_game *game, const bool colors[2])
{
    if (game->unfinished && !options->unfinished)
        return LEFT_UNFINISHED;
    if (game->chess960)
        return LEFT_CHESS960;
    if (!colors[WHITE] && !colors[BLACK])
        return LEFT_PLAYER;
    return game->ply_count ? LEFT_REASONS : LEFT_EMPTY;
}

/* The result as `color` sees it. */
static enum outcome outcome_for(enum pgn_result result, int color)
{
    if (result != PGN_WHITE_WINS && result != PGN_BLACK_WINS)
        return OUTCOME_DRAW;
    return (result == PGN_WHITE_WINS) == (color == WHITE) ? OUTCOME_WIN : OUTCOME_LOSS;
}

static bool stood_before(const struct pgn_game *game, size_t ply)
{
    for (size_t i = 0; i < ply; i++)
        if (game->keys[i] == game->keys[ply])
            return true;
    return false;
}

static enum caxton_status count_game(const struct build_options *options, struct counter *counter,
                                     const struct pgn_game *game, const bool colors[2],
                                     struct told *told, struct diag *diag)
{
    uint64_t keys[PLIES_AT_ONCE];
    uint16_t moves[PLIES_AT_ONCE];
    uint8_t outcomes[PLIES_AT_ONCE];
    size_t count = 0;
    size_t plies = game->ply_count < options->max_plies ? game->ply_count : options->max_plies;
    for (size_t ply = 0; ply < plies; ply++) {
        int color = game->start.turn ^ (int)(ply & 1);
        /* A position counts once a game, with the move first played in it. */
        if (!colors[color] || stood_before(game, ply))
            continue;
        if (count == PLIES_AT_ONCE) {
            enum caxton_status status = counter_add(counter, keys, moves, outcomes, count, diag);
            if (status != STATUS_OK)
                return status;
            told->plies += count;
            count = 0;
        }
        keys[count] = game->keys[ply];
        moves[count] = polyglot_from_move(game->moves[ply]);
        outcomes[count++] = (uint8_t)outcome_for(game->result, color);
    }
    told->plies += count;
    return counter_add(counter, keys, moves, outcomes, count, diag);
}

static enum caxton_status take_game(const struct build_options *options, struct counter *counter,
                                    const struct pgn_game *game, struct told *told,
                                    struct diag *diag)
{
    bool colors[2];
    colors_of(options, game, colors);
    enum left_out reason = reason_to_leave(options, game, colors);
    if (reason != LEFT_REASONS) {
        told->left[reason]++;
        return STATUS_OK;
    }
    told->used++;
    return count_game(options, counter, game, colors, told, diag);
}

static void note_bad_game(struct told *told, const struct pgn_game *game, const struct diag *fault)
{
    uint64_t n = told->left[LEFT_BAD]++;
    if (n < BAD_GAMES_SHOWN)
        told->bad[n] = (struct bad_game){.number = game->number, .diag = *fault};
}

enum caxton_status teller_run(const struct build_options *options, struct counter *counter,
                              pgn_source source, void *context, struct told *told,
                              struct diag *diag)
{
    struct pgn_reader *reader = pgn_create(source, context);
    if (!reader) {
        diag_set(diag, 0, 0, "out of memory");
        return STATUS_NO_MEMORY;
    }
    pgn_set_ply_limit(reader, options->max_plies);
    enum caxton_status status = STATUS_OK;
    while (status == STATUS_OK) {
        struct pgn_game game;
        struct diag fault;
        status = pgn_next(reader, &game, &fault);
        if (status == STATUS_END)
            break;
        if (status == STATUS_IO || status == STATUS_NO_MEMORY) {
            diag_set(diag, 0, 0, "%s",
                     status == STATUS_IO && errno ? strerror(errno) : status_name(status));
            break;
        }
        told->games++;
        if (status == STATUS_OK) {
            status = take_game(options, counter, &game, told, diag);
        } else {
            note_bad_game(told, &game, &fault);
            status = STATUS_OK;
        }
    }
    pgn_destroy(reader);
    return status == STATUS_END ? STATUS_OK : status;
}
