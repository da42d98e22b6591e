#include "book/build/teller.h"

#include <errno.h>
#include <string.h>

#include "book/polyglot.h"

enum { PLIES_AT_ONCE = 256 };

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

static enum caxton_status count_game(const struct filter *filter, struct counter *counter,
                                     const struct pgn_game *game, const struct verdict *verdict,
                                     struct told *told, struct diag *diag)
{
    uint64_t keys[PLIES_AT_ONCE];
    uint16_t moves[PLIES_AT_ONCE];
    uint8_t outcomes[PLIES_AT_ONCE];
    size_t count = 0;
    for (size_t ply = verdict->first; ply < verdict->end; ply++) {
        /* A position counts once a game, with the move first played in it. */
        if (!filter_takes_ply(filter, game, verdict, ply) || stood_before(game, ply))
            continue;
        if (count == PLIES_AT_ONCE) {
            enum caxton_status status =
                counter_add(counter, keys, moves, outcomes, count, verdict->amount, diag);
            if (status != STATUS_OK)
                return status;
            told->plies += count;
            count = 0;
        }
        keys[count] = game->keys[ply];
        moves[count] = polyglot_from_move(game->moves[ply]);
        outcomes[count++] = (uint8_t)outcome_for(game->result, game->start.turn ^ (int)(ply & 1));
    }
    told->plies += count;
    return counter_add(counter, keys, moves, outcomes, count, verdict->amount, diag);
}

/* `fault`: what is wrong with the game, NULL: nothing. */
static enum caxton_status take_game(const struct rules *rules, struct counter *counter,
                                    const struct pgn_game *game, const struct diag *fault,
                                    struct told *told, struct diag *diag)
{
    const struct filter *filter = &rules->options->filter;
    struct verdict verdict = filter_judge(filter, game, fault != NULL, rules->options->max_plies);
    if (verdict.reason == LEFT_REASONS && rules->duplicates) {
        bool is_new = true;
        enum caxton_status status = duplicates_add(
            rules->duplicates, filter_fingerprint(filter, game, &verdict, fault), &is_new, diag);
        if (status != STATUS_OK)
            return status;
        if (!is_new)
            verdict.reason = LEFT_DUPLICATE;
    }
    if (verdict.reason != LEFT_REASONS) {
        told->left[verdict.reason]++;
        return STATUS_OK;
    }
    told->used++;
    told->amount += verdict.amount;
    told->bad_used += fault != NULL;
    return count_game(filter, counter, game, &verdict, told, diag);
}

static void note_bad_game(struct told *told, const struct pgn_game *game, const struct diag *fault)
{
    uint64_t n = told->bad_games++;
    if (n < BAD_GAMES_SHOWN)
        told->bad[n] = (struct bad_game){.number = game->number, .diag = *fault};
}

/* One game, or STATUS_END. */
static enum caxton_status take_next(const struct rules *rules, struct pgn_reader *reader,
                                    struct counter *counter, struct told *told, struct diag *diag)
{
    struct pgn_game game;
    struct diag fault = {.text = ""};
    enum caxton_status status = pgn_next(reader, &game, &fault);
    if (status == STATUS_END)
        return status;
    if (status == STATUS_IO || status == STATUS_NO_MEMORY) {
        diag_set(diag, 0, 0, "%s",
                 status == STATUS_IO && errno ? strerror(errno) : status_name(status));
        return status;
    }
    told->games++;
    if (status == STATUS_OK)
        return take_game(rules, counter, &game, NULL, told, diag);
    note_bad_game(told, &game, &fault);
    if (!rules->options->strict)
        return take_game(rules, counter, &game, &fault, told, diag);
    *diag = fault;
    return status;
}

enum caxton_status teller_run(const struct rules *rules, struct counter *counter, pgn_source source,
                              void *context, struct told *told, struct diag *diag)
{
    const struct build_options *options = rules->options;
    struct pgn_reader *reader = pgn_create(source, context);
    if (!reader) {
        diag_set(diag, 0, 0, "out of memory");
        return STATUS_NO_MEMORY;
    }
    pgn_set_ply_limit(reader, filter_plies_needed(&options->filter, options->max_plies));
    pgn_set_fingerprints(reader, rules->duplicates != NULL);
    enum caxton_status status = STATUS_OK;
    while (status == STATUS_OK)
        status = take_next(rules, reader, counter, told, diag);
    pgn_destroy(reader);
    return status == STATUS_END ? STATUS_OK : status;
}
