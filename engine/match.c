#include "engine/match.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/command_line.h"
#include "eval/eval.h"

/* Setting up ------------------------------------------------------------------------------- */

static bool read_seconds(struct span text, int64_t *ms)
{
    enum { DAY_MS = 24 * 3600 * 1000 };
    char data[32];
    struct text_buffer number = text_buffer_on(data, sizeof data);
    /* ".5" as well as "0.5" */
    text_append(&number, "%s%.*s", text.size && text.data[0] == '.' ? "0" : "", (int)text.size,
                text.data);
    return !number.cut && options_read_decimal(data, 3, DAY_MS, ms);
}

bool time_control_read(const char *text, struct time_control *out)
{
    const char *plus = strchr(text, '+');
    struct span base = plus ? span_make(text, (size_t)(plus - text)) : span_of(text);
    struct time_control control = {0};
    if (!read_seconds(base, &control.base_ms) || control.base_ms == 0 ||
        (plus && !read_seconds(span_of(plus + 1), &control.increment_ms)))
        return false;
    *out = control;
    return true;
}

static enum caxton_status init_player(struct match *match, int color, struct book_set *books,
                                      uint64_t seed)
{
    struct thinker *player = &match->players[color];
    enum caxton_status status = thinker_init(player, seed + (uint64_t)color);
    if (status != STATUS_OK)
        return status;
    player->books = books;
    match->shown.clock_ms[color] = match->control.base_ms;
    status = search_set_hash(player->search, match->options->hash_mb);
    return status == STATUS_OK ? search_set_threads(player->search, match->options->threads)
                               : status;
}

enum caxton_status match_init(struct match *match, const struct options *options,
                              struct time_control control, struct book_set *books,
                              struct screen *screen, uint64_t seed)
{
    *match = (struct match){.options = options, .control = control, .screen = screen};
    atomic_init(&match->interrupted, false);
    match->game = game_create();
    if (!match->game)
        return STATUS_NO_MEMORY;
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

/* Playing ---------------------------------------------------------------------------------- */

static struct match_record *new_record(struct match *match)
{
    size_t ply = game_plies(match->game);
    struct match_record *records =
        array_reserve(match->records, &match->capacity, ply + 1, sizeof *records);
    if (!records)
        return NULL;
    match->records = records;
    records[ply] = (struct match_record){0};
    return &records[ply];
}

/* The move to play; when interrupted any move. */
static move think(struct match *match, struct match_record *record)
{
    static const struct search_reporter silent = {0};
    struct thinker *player = &match->players[game_position(match->game)->turn];
    struct search_request request;
    struct search_result result;
    struct book_answer answer;
    search_request_init(&request);
    thinker_prepare(match->game, match->options, &request);
    for (int color = WHITE; color <= BLACK; color++) {
        request.time_ms[color] = match->shown.clock_ms[color];
        request.increment_ms[color] = match->control.increment_ms;
    }
    if (thinker_ask_book(player, match->game, match->options, &request, &answer)) {
        record->from_book = true;
        record->share_permille = answer.share_permille;
        return answer.move;
    }
    search_arm(player->search, false, clock_ms());
    if (atomic_load(&match->interrupted)) /* looked at after arming, which forgets search_stop() */
        return MOVE_NONE;
    thinker_search(player, match->options, &request, &silent, &result);
    record->score = result.score;
    record->depth = result.depth;
    return result.best;
}

void match_append_score(struct text_buffer *text, int score)
{
    int size = score < 0 ? -score : score;
    int shown = eval_centipawns(size);
    if (size >= SCORE_MATE_IN_MAX)
        text_append(text, "%cM%d", score < 0 ? '-' : '+', (SCORE_MATE - size + 1) / 2);
    else
        text_append(text, "%c%d.%02d", score < 0 ? '-' : '+', shown / 100, shown % 100);
}

static void describe(struct match *match, const struct match_record *record, int mover)
{
    struct text_buffer text = text_buffer_on(match->shown.thought, sizeof match->shown.thought);
    if (record->from_book) {
        text_append(&text, "from the book, %d.%d%%", record->share_permille / 10,
                    record->share_permille % 10);
    } else {
        match_append_score(&text, mover == WHITE ? record->score : -record->score);
        text_append(&text, " for White, depth %d, %lld.%02lld s", record->depth,
                    (long long)(record->spent_ms / 1000),
                    (long long)(record->spent_ms % 1000 / 10));
    }
    const struct eco *eco = eco_find(game_position(match->game)->key);
    if (!eco)
        return;
    match->opening = eco;
    text = text_buffer_on(match->shown.opening, sizeof match->shown.opening);
    text_append(&text, "%s %s", eco->code, eco->name);
}

/* *is_over: the time is up, or the game was interrupted; no move is played then. */
static enum caxton_status play_move(struct match *match, bool *is_over)
{
    int mover = game_position(match->game)->turn;
    int64_t *clock = &match->shown.clock_ms[mover];
    struct match_record *record = new_record(match);
    if (!record)
        return STATUS_NO_MEMORY;
    int64_t start_ms = clock_ms();
    move m = think(match, record);
    record->spent_ms = clock_ms() - start_ms;
    *clock -= record->spent_ms;
    *is_over = *clock <= 0 || atomic_load(&match->interrupted);
    if (*is_over)
        return STATUS_OK;
    *clock += match->control.increment_ms;
    enum caxton_status status = game_play(match->game, m);
    if (status != STATUS_OK)
        return status;
    describe(match, record, mover);
    screen_draw(match->screen, match->game, &match->shown);
    if (record->from_book && match->book_pause_ms)
        clock_sleep_ms(match->book_pause_ms);
    return match->screen->failed ? STATUS_IO : STATUS_OK;
}

enum caxton_status match_play(struct match *match, struct match_outcome *outcome)
{
    bool is_over = false;
    screen_draw(match->screen, match->game, &match->shown);
    while (!is_over && game_state(match->game) == GAME_OPEN) {
        enum caxton_status status = play_move(match, &is_over);
        if (status != STATUS_OK)
            return status;
    }
    enum game_state state = game_state(match->game);
    /* If the side to move loses. */
    enum pgn_result lost =
        game_position(match->game)->turn == WHITE ? PGN_BLACK_WINS : PGN_WHITE_WINS;
    if (state != GAME_OPEN)
        *outcome = (struct match_outcome){state == GAME_CHECKMATE ? lost : PGN_DRAW,
                                          game_state_name(state), "normal"};
    else if (atomic_load(&match->interrupted))
        *outcome = (struct match_outcome){PGN_UNKNOWN, "interrupted", "unterminated"};
    else
        *outcome = (struct match_outcome){lost, "time is up", "time forfeit"};
    return STATUS_OK;
}
