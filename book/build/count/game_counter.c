#include "book/build/count/game_counter.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "book/polyglot_entry.h"
#include "chess/mirror.h"

struct teller {
    const struct rules *rules;
    struct hand *hand;
    struct pgn_reader *reader;
    uint64_t *keys; /* of the game at hand, where colours are mirrored */
    size_t keys_capacity;
};

/* The result as `color` sees it. */
static enum outcome outcome_for(enum pgn_result result, int color)
{
    if (result != PGN_WHITE_WINS && result != PGN_BLACK_WINS)
        return OUTCOME_DRAW;
    return (result == PGN_WHITE_WINS) == (color == WHITE) ? OUTCOME_WIN : OUTCOME_LOSS;
}

/* Which keys a game has had, roughly: most positions are seen at once to be new. */
enum { SEEN_WORDS = 16 };
struct seen {
    uint64_t bits[SEEN_WORDS];
};

/* Has the position at `ply` stood on the board before? Asked for one ply after the other. */
static bool stood_before(struct seen *seen, const uint64_t *keys, size_t ply)
{
    uint64_t key = keys[ply];
    uint64_t *word = &seen->bits[key >> 32 & (SEEN_WORDS - 1)];
    uint64_t bit = UINT64_C(1) << (key & 63);
    bool maybe = *word & bit;
    *word |= bit;
    for (size_t i = 0; maybe && i < ply; i++)
        if (keys[i] == key)
            return true;
    return false;
}

/* The keys of the first `count` positions as if White were to move in each. */
static enum caxton_status mirror_keys(struct teller *teller, const struct pgn_game *game,
                                      size_t count)
{
    if (count > teller->keys_capacity) {
        uint64_t *keys = realloc(teller->keys, 2 * count * sizeof *keys);
        if (!keys)
            return STATUS_NO_MEMORY;
        teller->keys = keys;
        teller->keys_capacity = 2 * count;
    }
    struct position pos = game->start;
    for (size_t ply = 0; ply < count; ply++) {
        struct undo undo;
        teller->keys[ply] = pos.turn == WHITE ? game->keys[ply] : position_mirror_key(&pos);
        position_make(&pos, game->moves[ply], &undo);
    }
    return STATUS_OK;
}

static enum caxton_status count_game(struct teller *teller, const struct pgn_game *game,
                                     const struct verdict *verdict, struct told *told,
                                     struct diag *diag)
{
    const struct filter *filter = &teller->rules->options->filter;
    bool mirror = teller->rules->options->mirror;
    struct seen seen = {{0}};
    if (mirror && mirror_keys(teller, game, verdict->end) != STATUS_OK)
        return STATUS_NO_MEMORY;
    const uint64_t *keys = mirror ? teller->keys : game->keys;
    for (size_t ply = 0; ply < verdict->end; ply++) {
        /* A position counts once a game, with the move first played in it. */
        bool again = stood_before(&seen, keys, ply);
        if (again || ply < verdict->first || !filter_takes_ply(filter, game, verdict, ply))
            continue;
        int turn = game->start.turn ^ (int)(ply & 1);
        move m = mirror && turn == BLACK ? move_mirror(game->moves[ply]) : game->moves[ply];
        enum caxton_status status =
            hand_add(teller->hand, keys[ply], polyglot_from_move(m),
                     outcome_for(game->result, turn), verdict->amount, diag);
        if (status != STATUS_OK)
            return status;
        told->plies++;
    }
    return STATUS_OK;
}

/* `fault`: what is wrong with the game, NULL: nothing. */
static enum caxton_status take_game(struct teller *teller, const struct pgn_game *game,
                                    const struct diag *fault, struct told *told, struct diag *diag)
{
    const struct rules *rules = teller->rules;
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
    return count_game(teller, game, &verdict, told, diag);
}

static void note_bad_game(struct told *told, const struct pgn_game *game, const struct diag *fault)
{
    uint64_t n = told->bad_games++;
    if (n < BAD_GAMES_SHOWN)
        told->bad[n] = (struct bad_game){.number = game->number, .diag = *fault};
}

/* One game, or STATUS_END. */
static enum caxton_status take_next(struct teller *teller, struct told *told, struct diag *diag)
{
    struct pgn_game game;
    struct diag fault = {.text = ""};
    enum caxton_status status = pgn_next(teller->reader, &game, &fault);
    if (status == STATUS_END)
        return status;
    if (status == STATUS_IO || status == STATUS_NO_MEMORY) {
        diag_set(diag, 0, 0, "%s",
                 status == STATUS_IO && errno ? strerror(errno) : status_name(status));
        return status;
    }
    told->games++;
    if (status == STATUS_OK)
        return take_game(teller, &game, NULL, told, diag);
    note_bad_game(told, &game, &fault);
    if (!teller->rules->options->strict)
        return take_game(teller, &game, &fault, told, diag);
    *diag = fault;
    return status;
}

static enum caxton_status no_source(void *context, char *buffer, size_t capacity, size_t *size)
{
    (void)context;
    (void)buffer;
    (void)capacity;
    *size = 0;
    return STATUS_OK;
}

struct teller *teller_create(const struct rules *rules, struct counter *counter)
{
    const struct build_options *options = rules->options;
    struct teller *teller = calloc(1, sizeof *teller);
    if (!teller)
        return NULL;
    teller->rules = rules;
    teller->hand = hand_create(counter);
    teller->reader = pgn_create(no_source, NULL);
    if (!teller->hand || !teller->reader) {
        teller_destroy(teller);
        return NULL;
    }
    pgn_set_ply_limit(teller->reader, filter_plies_needed(&options->filter, options->max_plies));
    pgn_set_fingerprints(teller->reader, rules->duplicates != NULL);
    return teller;
}

void teller_destroy(struct teller *teller)
{
    if (!teller)
        return;
    hand_destroy(teller->hand);
    pgn_destroy(teller->reader);
    free(teller->keys);
    free(teller);
}

static enum caxton_status take_all(struct teller *teller, struct told *told, struct diag *diag)
{
    enum caxton_status status = STATUS_OK;
    while (status == STATUS_OK)
        status = take_next(teller, told, diag);
    told->lines = pgn_lines(teller->reader);
    return status == STATUS_END ? STATUS_OK : status;
}

enum caxton_status teller_run(struct teller *teller, pgn_source source, void *context,
                              struct told *told, struct diag *diag)
{
    pgn_restart(teller->reader, source, context);
    return take_all(teller, told, diag);
}

enum caxton_status teller_run_text(struct teller *teller, char *text, size_t size,
                                   struct told *told, struct diag *diag)
{
    pgn_restart_text(teller->reader, text, size);
    return take_all(teller, told, diag);
}

enum caxton_status teller_finish(struct teller *teller, struct diag *diag)
{
    return hand_flush(teller->hand, diag);
}
