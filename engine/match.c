#include "engine/match.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/clock.h"

/* Setting up ------------------------------------------------------------------------------- */

static enum caxton_status init_player(struct match *match, int color, struct book_set *books,
                                      uint64_t seed)
{
    struct thinker *player = &match->players[color];
    enum caxton_status status = thinker_init(player, seed + (uint64_t)color);
    if (status != STATUS_OK)
        return status;
    player->books = books;
    match->clock_ms[color] = match->control.base_ms;
    status = search_set_hash(player->search, match->options->hash_mb);
    return status == STATUS_OK ? search_set_threads(player->search, match->options->threads)
                               : status;
}

enum caxton_status match_init(struct match *match, const struct position *start,
                              const struct options *options, struct time_control control,
                              struct book_set *books, uint64_t seed)
{
    *match = (struct match){.options = options, .control = control};
    atomic_init(&match->interrupted, false);
    match->game = game_create();
    if (!match->game)
        return STATUS_NO_MEMORY;
    game_reset(match->game, start);
    enum caxton_status status = init_player(match, WHITE, books, seed);
    return status == STATUS_OK ? init_player(match, BLACK, books, seed) : status;
}

void match_free(struct match *match)
{
    thinker_free(&match->players[WHITE]);
    thinker_free(&match->players[BLACK]);
    game_destroy(match->game);
    free(match->records);
}

void match_interrupt(struct match *match)
{
    atomic_store(&match->interrupted, true);
    search_stop(match->players[WHITE].search);
    search_stop(match->players[BLACK].search);
}

/* Thinking --------------------------------------------------------------------------------- */

static void set_limits(const struct match *match, struct search_request *request)
{
    if (!match->control.base_ms) {
        request->movetime_ms = match->control.movetime_ms;
        return;
    }
    for (int color = WHITE; color <= BLACK; color++) {
        request->time_ms[color] = match->clock_ms[color];
        request->increment_ms[color] = match->control.increment_ms;
    }
}

static void choose(struct match *match, const struct options *options,
                   struct search_request *request, struct match_record *record)
{
    static const struct search_reporter silent = {0};
    struct thinker *player = &match->players[game_position(match->game)->turn];
    struct search_result result = {0};
    struct book_answer answer;
    int64_t start_ms = clock_ms();
    *record = (struct match_record){0};
    thinker_prepare(match->game, options, request);
    if (thinker_ask_book(player, match->game, options, request, &answer)) {
        record->from_book = true;
        record->share_permille = answer.share_permille;
        record->move = answer.move;
    } else {
        search_arm(player->search, false, start_ms);
        if (atomic_load(&match->interrupted)) /* after arming, which forgets search_stop() */
            return;
        thinker_search(player, options, request, &silent, &result);
        record->move = result.best;
        record->score = result.score;
        record->depth = result.depth;
    }
    record->spent_ms = clock_ms() - start_ms;
}

void match_think(struct match *match, struct match_record *record)
{
    struct search_request request;
    search_request_init(&request);
    set_limits(match, &request);
    choose(match, match->options, &request, record);
}

void match_advise(struct match *match, int64_t spent_ms, struct match_record *record)
{
    enum { HINT_MS = 1000, HINT_PART = 10 };
    struct search_request request;
    struct options options = *match->options;
    options.limit_strength = false;
    search_request_init(&request);
    request.movetime_ms = HINT_MS;
    int64_t left_ms = match_clock_after(match, spent_ms);
    if (match->control.base_ms && left_ms / HINT_PART < HINT_MS) /* it is the person's time */
        request.movetime_ms = left_ms / HINT_PART > 0 ? left_ms / HINT_PART : 1;
    choose(match, &options, &request, record);
}

/* Playing ---------------------------------------------------------------------------------- */

int64_t match_clock_after(const struct match *match, int64_t spent_ms)
{
    int64_t clock = match->clock_ms[game_position(match->game)->turn];
    return match->control.base_ms ? clock - spent_ms : clock + spent_ms;
}

void match_run_clock(struct match *match, int64_t spent_ms)
{
    match->clock_ms[game_position(match->game)->turn] = match_clock_after(match, spent_ms);
}

const struct eco *match_opening(const struct match *match)
{
    size_t plies = game_plies(match->game);
    return plies ? match->records[plies - 1].opening : eco_find(game_position(match->game)->key);
}

enum caxton_status match_play(struct match *match, const struct match_record *record)
{
    int mover = game_position(match->game)->turn;
    int64_t clock = match_clock_after(match, record->spent_ms);
    if (atomic_load(&match->interrupted))
        match->end = MATCH_INTERRUPTED;
    else if (match->control.base_ms && clock <= 0)
        match->end = MATCH_TIME_UP;
    if (match->end != MATCH_OPEN)
        return STATUS_OK;
    size_t ply = game_plies(match->game);
    struct match_record *records =
        array_reserve(match->records, &match->capacity, ply + 1, sizeof *records);
    if (!records)
        return STATUS_NO_MEMORY;
    match->records = records;
    const struct eco *before = match_opening(match);
    enum caxton_status status = game_play(match->game, record->move);
    if (status != STATUS_OK)
        return status;
    const struct eco *opening = eco_find(game_position(match->game)->key);
    records[ply] = *record;
    records[ply].clock_ms = match->clock_ms[mover];
    records[ply].opening = opening ? opening : before;
    match->clock_ms[mover] = clock + match->control.increment_ms;
    return STATUS_OK;
}

bool match_take_back(struct match *match)
{
    if (!game_take_back(match->game))
        return false;
    match->clock_ms[game_position(match->game)->turn] =
        match->records[game_plies(match->game)].clock_ms;
    return true;
}

bool match_is_over(const struct match *match)
{
    return match->end != MATCH_OPEN || game_state(match->game) != GAME_OPEN;
}

struct match_outcome match_outcome(const struct match *match)
{
    enum game_state state = game_state(match->game);
    const struct position *pos = game_position(match->game);
    /* If the side to move loses. */
    enum pgn_result lost = pos->turn == WHITE ? PGN_BLACK_WINS : PGN_WHITE_WINS;
    if (state != GAME_OPEN)
        return (struct match_outcome){state == GAME_CHECKMATE ? lost : PGN_DRAW,
                                      game_state_name(state), "normal"};
    if (match->end == MATCH_RESIGNED)
        return (struct match_outcome){lost, "resigned", "normal"};
    /* A bare king cannot mate (FIDE 6.9). */
    if (match->end == MATCH_TIME_UP && bb_count(pos->colors[!pos->turn]) == 1)
        return (struct match_outcome){PGN_DRAW, "time is up, and a bare king cannot mate",
                                      "time forfeit"};
    if (match->end == MATCH_TIME_UP)
        return (struct match_outcome){lost, "time is up", "time forfeit"};
    return (struct match_outcome){PGN_UNKNOWN,
                                  match->end == MATCH_INTERRUPTED ? "interrupted" : "not finished",
                                  "unterminated"};
}
