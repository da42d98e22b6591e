#include "book/match/book_match.h"

#include <inttypes.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/append_file.h"
#include "base/array.h"
#include "base/clock.h"
#include "base/memory_stream.h"
#include "base/thread.h"
#include "base/thread_pool.h"
#include "base/xxh64.h"
#include "book/learn/games.h"
#include "book/scoring/builtin_searcher.h"
#include "chess/eco.h"
#include "chess/pgn_write.h"

static const char event[] = "[Event \"makebook match\"]\n";

enum ply_source { GIVEN, FROM_BOOK, SEARCHED };

struct ply_record {
    enum ply_source source;
    int share_permille;
    int score;
    int depth;
    uint64_t nodes;
    int64_t spent_ms;
};

/* Where one game after the other is played. */
struct board {
    struct book_match *match;
    struct search *searches[2]; /* of A and B */
    struct game *game;
    size_t number; /* of the game, from 0 */
    struct ply_record *records;
    size_t capacity;
    int64_t clock_ms[2]; /* by colour, as the rest */
    int64_t quiet_plies;
    int64_t lost_moves[2];
    char comment[128];
};

struct book_match {
    struct book_match_settings settings;
    char tag[400]; /* what the games depend on */
    struct append_file *file;
    struct pgn_reader *reader;
    atomic_bool over; /* no more games are wanted; set under `monitor` */
    struct board *boards;
    int board_count;
    struct monitor monitor;        /* guards what follows while games are played */
    size_t next;                   /* game to be begun */
    struct memory_stream *waiting; /* games that are over, by number, before one that is not */
    size_t first_waiting;          /* the number of waiting[0] */
    struct match_tally tally;
    bool stopped;
    enum caxton_status status;
    struct diag diag;
};

static int side_of(const struct book_match_settings *settings, size_t game, int color)
{
    int of_a = settings->color >= 0 ? settings->color : (int)(game % 2);
    return color != of_a;
}

/* Games of the same round share all but the colours. */
static size_t round_of(const struct book_match_settings *settings, size_t game)
{
    return settings->color >= 0 ? game : game / 2;
}

/* What is known of the games ---------------------------------------------------------------- */

static enum caxton_status add_opening(struct match_tally *tally, const struct pgn_game *game,
                                      int color, uint64_t points)
{
    struct span code = pgn_tag_value(game, "ECO");
    struct span name = pgn_tag_value(game, "Opening");
    struct match_opening wanted = {.color = color};
    size_t at = 0;
    while (at < name.size && name.data[at] != ':' && name.data[at] != ',')
        at++;
    text_copy(wanted.code, sizeof wanted.code, code);
    text_copy(wanted.name, sizeof wanted.name, span_make(name.data, at));
    for (at = 0; at < tally->opening_count; at++)
        if (tally->openings[at].color == color &&
            strcmp(tally->openings[at].code, wanted.code) == 0)
            break;
    if (at == tally->opening_count) {
        if (!ARRAY_GROW(tally->openings, tally->opening_capacity, at + 1))
            return STATUS_NO_MEMORY;
        tally->openings[tally->opening_count++] = wanted;
    }
    tally->openings[at].games++;
    tally->openings[at].points += points;
    return STATUS_OK;
}

/* The plies of both sides, as their comments say who found them. */
static void add_plies(struct match_tally *tally, const struct pgn_game *game, const int sides[2])
{
    enum { MOST_CP = 1000 };
    bool has_left[2] = {false, false};
    for (size_t i = 0; i < game->ply_count; i++) {
        int turn = (int)((size_t)game->start.turn + i) % 2;
        int side = sides[turn];
        const char *said = game->comments[i].text;
        bool by_book = said[0] == '/';
        tally->sides[side].book_moves += by_book;
        if (by_book || has_left[side] || strcmp(said, "book") == 0)
            continue;
        int score = learn_comment_score(said, turn);
        if (!has_left[!side])
            tally->sides[side].left_first++;
        has_left[side] = true;
        score = score == LEARN_NO_SCORE ? (said[0] == '-' ? -MOST_CP : MOST_CP) : score;
        tally->sides[side].exits++;
        tally->sides[side].exit_cp += score > MOST_CP    ? MOST_CP
                                      : score < -MOST_CP ? -MOST_CP
                                                         : score;
    }
}

static void add_pair(const struct book_match_settings *settings, struct match_tally *tally,
                     uint64_t points)
{
    bool alone = settings->color >= 0;
    uint64_t before = alone ? points : tally->points_before;
    tally->points_before = points;
    if (!alone && tally->games % 2)
        return;
    tally->pairs[match_pair_of((int)before, (int)points)]++;
    if (!settings->sprt)
        return;
    tally->llr = match_llr(tally->pairs, settings->nelo0, settings->nelo1);
    tally->decided = tally->llr >= MATCH_LLR_END || tally->llr <= -MATCH_LLR_END;
}

/* Takes a game that was written, the next one of the match. STATUS_FORMAT: it is not. */
static enum caxton_status take_game(struct book_match *match, const struct pgn_game *game)
{
    const struct book_match_settings *settings = &match->settings;
    struct match_tally *tally = &match->tally;
    size_t number = (size_t)tally->games;
    const int sides[2] = {side_of(settings, number, WHITE), side_of(settings, number, BLACK)};
    static const unsigned white_points[] = {
        [PGN_WHITE_WINS] = 2, [PGN_DRAW] = 1, [PGN_BLACK_WINS] = 0};
    char round[24];
    (void)snprintf(round, sizeof round, "%zu", round_of(settings, number) + 1);
    if (!span_equal(pgn_tag_value(game, "Settings"), match->tag) ||
        !span_equal(pgn_tag_value(game, "White"), settings->names[sides[WHITE]]) ||
        !span_equal(pgn_tag_value(game, "Round"), round) || game->result == PGN_UNKNOWN)
        return STATUS_FORMAT;
    uint64_t points = white_points[game->result];
    points = sides[WHITE] ? 2 - points : points;
    if (!ARRAY_GROW(tally->game_keys, tally->game_key_capacity, number + 1))
        return STATUS_NO_MEMORY;
    tally->game_keys[number] =
        xxh64(game->moves, game->ply_count * sizeof *game->moves, game->start.key);
    tally->games++;
    tally->results[points]++;
    add_plies(tally, game, sides);
    add_pair(settings, tally, points);
    return add_opening(tally, game, sides[BLACK] ? WHITE : BLACK, points);
}

static enum caxton_status read_games(struct book_match *match, struct span text, struct diag *diag)
{
    enum caxton_status status = STATUS_OK;
    pgn_restart(match->reader, span_read, &text);
    while (status == STATUS_OK) {
        struct pgn_game game;
        status = pgn_next(match->reader, &game, diag);
        if (status == STATUS_OK || pgn_is_game_fault(status))
            diag_set(diag, game.line, 1, "game %" PRIu64, game.number);
        if (status == STATUS_OK)
            status = take_game(match, &game);
    }
    return status == STATUS_END ? STATUS_OK : status;
}

static int compare_keys(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a;
    uint64_t y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static int compare_openings(const void *a, const void *b)
{
    const struct match_opening *x = a;
    const struct match_opening *y = b;
    int64_t lost[2] = {(int64_t)x->games - (int64_t)x->points,
                       (int64_t)y->games - (int64_t)y->points};
    if (lost[0] != lost[1])
        return lost[0] > lost[1] ? -1 : 1;
    int order = strcmp(x->code, y->code);
    return order ? order : x->color - y->color;
}

const struct match_tally *book_match_tally(struct book_match *match)
{
    struct match_tally *tally = &match->tally;
    if (tally->games == 0)
        return tally;
    qsort(tally->openings, tally->opening_count, sizeof *tally->openings, compare_openings);
    qsort(tally->game_keys, tally->games, sizeof *tally->game_keys, compare_keys);
    tally->repeated = 0;
    for (size_t i = 1; i < tally->games; i++)
        tally->repeated += tally->game_keys[i] == tally->game_keys[i - 1];
    return tally;
}

/* The file --------------------------------------------------------------------------------- */

/* The end of the last whole game: its result and an empty line; one stands behind tags, too. */
static size_t whole_games(const char *text, size_t size)
{
    while (size >= 3 && (text[size - 1] != '\n' || text[size - 2] != '\n' || text[size - 3] == ']'))
        size--;
    return size < 3 ? 0 : size;
}

static enum caxton_status read_file(struct book_match *match, const char *path, struct diag *diag)
{
    struct diag why = {.text = "it does not begin as one"};
    enum caxton_status status = append_file_open(path, &match->file, diag);
    if (status != STATUS_OK)
        return status;
    size_t size = (size_t)append_file_size(match->file);
    char *text = malloc(size + 1);
    if (!text)
        return diag_fail(STATUS_NO_MEMORY, diag, "out of memory");
    status = append_file_read(match->file, 0, text, size, diag);
    size_t whole = status == STATUS_OK ? whole_games(text, size) : 0;
    size_t rest = size - whole < sizeof event - 1 ? size - whole : sizeof event - 1;
    if (status == STATUS_OK) {
        status = memcmp(text + whole, event, rest) == 0 ? STATUS_OK : STATUS_FORMAT;
        if (status == STATUS_OK)
            status = read_games(match, span_make(text, whole), &why);
        if (status != STATUS_OK)
            diag_set(diag, 0, 0, "%s: %s: no game of this match, with these books and settings",
                     path, why.text);
    }
    if (status == STATUS_OK && whole < size)
        status = append_file_cut(match->file, whole, diag);
    free(text);
    return status;
}

static const char *comment_on(void *context, size_t ply)
{
    struct board *board = context;
    const struct ply_record *record = &board->records[ply];
    struct text_buffer text = text_buffer_on(board->comment, sizeof board->comment);
    if (record->source == GIVEN)
        return "book";
    if (record->source == SEARCHED)
        report_pawns(&text, record->score);
    text_append(&text, "/%d", record->depth);
    if (board->match->settings.nodes == 0) /* else the same game is the same text */
        text_append(&text, " %.3fs", (double)record->spent_ms / 1000);
    if (record->source == SEARCHED)
        text_append(&text, ", n=%" PRIu64, record->nodes);
    else
        text_append(&text, ", book=%d.%d%%", record->share_permille / 10,
                    record->share_permille % 10);
    return board->comment;
}

struct match_ending {
    enum pgn_result result;
    const char *termination;
};

static enum caxton_status write_game(struct board *board, struct match_ending ending, FILE *out)
{
    const struct book_match_settings *settings = &board->match->settings;
    const struct game *game = board->game;
    const struct eco *eco = eco_find_last(game_keys(game), game_plies(game) + 1);
    char round[24];
    char control[64];
    char name[200];
    (void)snprintf(round, sizeof round, "%zu", round_of(settings, board->number) + 1);
    (void)snprintf(control, sizeof control, "%.9g+%.9g", (double)settings->control.base_ms / 1000,
                   (double)settings->control.increment_ms / 1000);
    if (eco)
        eco_ascii(eco->name, name, sizeof name);
    const char *white = settings->names[side_of(settings, board->number, WHITE)];
    const char *black = settings->names[side_of(settings, board->number, BLACK)];
    const struct pgn_tag tags[] = {
        {span_of("Event"), span_of("makebook match")},
        {span_of("Round"), span_of(round)},
        {span_of("White"), span_of(white)},
        {span_of("Black"), span_of(black)},
        {span_of("Settings"), span_of(board->match->tag)},
        {span_of("Termination"), span_of(ending.termination)},
        {span_of("TimeControl"), span_of(settings->nodes ? "-" : control)},
        {span_of("ECO"), span_of(eco ? eco->code : "")},
        {span_of("Opening"), span_of(eco ? name : "")},
    };
    size_t count = sizeof tags / sizeof *tags - (eco ? 0 : 2);
    return pgn_write(out, game, tags, count, ending.result, comment_on, board);
}

/* A game -------------------------------------------------------------------------------------- */

static uint64_t round_number(const struct book_match_settings *settings, size_t game)
{
    return rng_mix(settings->seed + rng_mix(round_of(settings, game) + 1));
}

/* False: the match is over. */
static bool think(struct board *board, int side, struct search_request *request,
                  struct ply_record *record, move *out)
{
    enum { VARIED = 10 }; /* nodes by a tenth in all */
    static const struct search_reporter silent = {0};
    const struct book_match_settings *settings = &board->match->settings;
    struct search *search = board->searches[side];
    struct search_result result;
    for (int color = WHITE; color <= BLACK && settings->nodes == 0; color++) {
        request->overhead_ms = 0; /* no chess program is between */
        request->time_ms[color] = board->clock_ms[color];
        request->increment_ms[color] = settings->control.increment_ms;
    }
    if (settings->nodes > 0)
        request->nodes = settings->nodes - settings->nodes / VARIED / 2 +
                         round_number(settings, board->number) % (settings->nodes / VARIED + 1);
    search_arm(search, false, clock_ms());
    if (atomic_load(&board->match->over)) /* after arming, which forgets search_stop() */
        return false;
    search_run(search, request, &silent, &result);
    *record = (struct ply_record){
        .source = SEARCHED, .score = result.score, .depth = result.depth, .nodes = result.nodes};
    *out = result.best;
    return !atomic_load(&board->match->over);
}

static void adjudicate(struct board *board, const struct ply_record *record, int mover)
{
    const struct book_match_settings *settings = &board->match->settings;
    bool searched = record->source == SEARCHED;
    bool decisive = score_is_decisive(record->score);
    int cp = eval_centipawns(record->score);
    bool quiet = searched && !decisive && cp <= settings->draw_cp && -cp <= settings->draw_cp;
    bool lost = searched && record->score < 0 && (decisive || -cp >= settings->resign_cp);
    board->quiet_plies = game_position(board->game)->rule50 ? board->quiet_plies : 0;
    board->quiet_plies = quiet ? board->quiet_plies + 1 : 0;
    board->lost_moves[mover] = lost ? board->lost_moves[mover] + 1 : 0;
}

static enum caxton_status add_move(struct board *board, move m, const struct ply_record *record)
{
    size_t ply = game_plies(board->game);
    if (!ARRAY_GROW(board->records, board->capacity, ply + 1))
        return STATUS_NO_MEMORY;
    board->records[ply] = *record;
    return game_play(board->game, m);
}

/* STATUS_END: the match is over. */
static enum caxton_status make_move(struct board *board)
{
    static const struct book_options options = {.own_book = true};
    const struct book_match_settings *settings = &board->match->settings;
    int mover = game_position(board->game)->turn;
    int side = side_of(settings, board->number, mover);
    struct search_request request;
    struct ply_record record = {.source = FROM_BOOK};
    struct book_answer answer;
    struct rng rng;
    move m;
    int64_t start_ms = clock_ms();
    search_request_init(&request);
    search_request_set_game(&request, board->game);
    rng_seed(&rng, round_number(settings, board->number) + game_plies(board->game));
    if (player_ask(settings->books[side], board->game, &options, &request, false, INT_MAX, &rng,
                   &answer)) {
        record.share_permille = answer.share_permille;
        m = answer.move;
    } else if (!think(board, side, &request, &record, &m)) {
        return STATUS_END;
    }
    record.spent_ms = clock_ms() - start_ms;
    /* Nobody loses on time: on a busy machine that would say nothing of a book. */
    board->clock_ms[mover] -= record.spent_ms;
    board->clock_ms[mover] = board->clock_ms[mover] > 0 ? board->clock_ms[mover] : 1;
    board->clock_ms[mover] += settings->control.increment_ms;
    enum caxton_status status = add_move(board, m, &record);
    adjudicate(board, &record, mover);
    return status;
}

static bool has_ended(const struct board *board, struct match_ending *ending)
{
    const struct book_match_settings *settings = &board->match->settings;
    const struct position *pos = game_position(board->game);
    enum game_state state = game_state(board->game);
    *ending = (struct match_ending){PGN_DRAW, "normal"};
    if (state == GAME_CHECKMATE)
        ending->result = pgn_result_on_board(board->game);
    if (state != GAME_OPEN)
        return true;
    bool lost[2] = {false, false};
    for (int color = WHITE; color <= BLACK; color++)
        lost[color] =
            settings->resign_count > 0 && board->lost_moves[color] >= settings->resign_count;
    ending->termination = "adjudication";
    ending->result = lost[WHITE] ? PGN_BLACK_WINS : lost[BLACK] ? PGN_WHITE_WINS : PGN_DRAW;
    return lost[WHITE] || lost[BLACK] ||
           (settings->draw_count > 0 && pos->fullmove > settings->draw_number &&
            board->quiet_plies >= 2 * settings->draw_count);
}

/* Plays board->number. STATUS_END: the match is over. */
static enum caxton_status play_game(struct board *board, struct match_ending *ending)
{
    const struct book_match_settings *settings = &board->match->settings;
    const struct suite *suite = settings->openings;
    const struct ply_record given = {.source = GIVEN};
    struct position start;
    enum caxton_status status = STATUS_OK;
    position_start(&start);
    game_reset(board->game, &start);
    if (suite) {
        const struct suite_opening *opening =
            &suite->openings[round_of(settings, board->number) % suite->count];
        game_reset(board->game, &suite->roots[opening->root]);
        for (uint32_t i = 0; i < opening->plies && status == STATUS_OK; i++)
            status = add_move(board, suite->moves[opening->first + i], &given);
    }
    for (int i = 0; i < 2; i++) {
        search_clear(board->searches[i]);
        board->clock_ms[i] = settings->control.base_ms;
        board->lost_moves[i] = 0;
    }
    board->quiet_plies = 0;
    while (status == STATUS_OK && !has_ended(board, ending))
        status = make_move(board);
    return status;
}

/* All games ----------------------------------------------------------------------------------- */

static void end_match(struct book_match *match)
{
    atomic_store(&match->over, true);
    for (int i = 0; i < match->board_count; i++)
        for (int side = 0; side < 2; side++)
            if (match->boards[i].searches[side])
                search_stop(match->boards[i].searches[side]);
}

/* Takes the games whose turn it is. */
static enum caxton_status take_waiting(struct book_match *match)
{
    enum caxton_status status = STATUS_OK;
    while (status == STATUS_OK && match->tally.games < match->settings.games &&
           !match->tally.decided) {
        struct memory_stream *game = &match->waiting[match->tally.games - match->first_waiting];
        if (!game->bytes)
            break;
        if (match->file)
            status = append_file_add(match->file, game->bytes, game->size, &match->diag);
        if (status == STATUS_OK)
            status = read_games(match, span_make(game->bytes, game->size), &match->diag);
        free(game->bytes);
        game->bytes = NULL;
    }
    return status;
}

static enum caxton_status play_next(struct board *board, struct memory_stream *out)
{
    struct match_ending ending;
    enum caxton_status status = play_game(board, &ending);
    *out = (struct memory_stream){.file = NULL};
    if (status != STATUS_OK)
        return status;
    status = memory_stream_open(out) ? write_game(board, ending, out->file) : STATUS_NO_MEMORY;
    return memory_stream_close(out) ? status : STATUS_NO_MEMORY;
}

static void run_board(void *context, int index)
{
    struct book_match *match = context;
    struct board *board = &match->boards[index];
    monitor_lock(&match->monitor);
    while (!atomic_load(&match->over) && match->next < match->settings.games) {
        struct memory_stream game;
        board->number = match->next++;
        monitor_unlock(&match->monitor);
        enum caxton_status status = play_next(board, &game);
        monitor_lock(&match->monitor);
        if (status == STATUS_OK && !atomic_load(&match->over)) {
            match->waiting[board->number - match->first_waiting] = game;
            status = take_waiting(match);
        } else {
            free(game.bytes);
        }
        if (status != STATUS_OK && match->status == STATUS_OK && !atomic_load(&match->over))
            match->status = status;
        if (status != STATUS_OK || match->tally.decided)
            end_match(match);
    }
    monitor_unlock(&match->monitor);
}

void book_match_stop(struct book_match *match)
{
    monitor_lock(&match->monitor);
    match->stopped = true;
    end_match(match);
    monitor_unlock(&match->monitor);
}

static enum caxton_status set_up_board(struct book_match *match, struct board *board)
{
    enum caxton_status status = STATUS_OK;
    board->match = match;
    board->game = game_create();
    for (int side = 0; side < 2 && status == STATUS_OK; side++) {
        board->searches[side] = search_create();
        status = board->searches[side]
                     ? search_set_hash(board->searches[side], match->settings.hash_mb)
                     : STATUS_NO_MEMORY;
    }
    return board->game ? status : STATUS_NO_MEMORY;
}

static enum caxton_status set_up(struct book_match *match, struct thread_pool **pool)
{
    size_t missing = match->settings.games - match->next;
    int count = match->settings.threads;
    count = (size_t)count < missing ? count : (int)missing;
    match->waiting = calloc(missing, sizeof *match->waiting);
    match->boards = calloc((size_t)count, sizeof *match->boards);
    enum caxton_status status = match->waiting && match->boards ? STATUS_OK : STATUS_NO_MEMORY;
    monitor_lock(&match->monitor); /* it may be stopped meanwhile */
    for (int i = 0; i < count && status == STATUS_OK; i++) {
        status = set_up_board(match, &match->boards[i]);
        match->board_count++;
    }
    monitor_unlock(&match->monitor);
    return status == STATUS_OK ? thread_pool_create(count, run_board, match, pool) : status;
}

enum caxton_status book_match_play(struct book_match *match,
                                   void (*show)(void *context, const struct match_tally *tally),
                                   void *context, struct diag *diag)
{
    enum { SHOWN_MS = 200 };
    struct thread_pool *pool = NULL;
    match->next = match->first_waiting = (size_t)match->tally.games;
    if (match->next >= match->settings.games || match->tally.decided)
        return STATUS_OK;
    enum caxton_status status = set_up(match, &pool);
    if (status == STATUS_OK)
        thread_pool_start(pool);
    for (int parked = 0; status == STATUS_OK && parked < match->board_count;) {
        thread_pool_wait_until(pool, clock_ms() + SHOWN_MS);
        monitor_lock(&match->monitor);
        if (show)
            show(context, &match->tally);
        monitor_unlock(&match->monitor);
        for (parked = 0; parked < match->board_count && thread_pool_is_parked(pool, parked);)
            parked++;
    }
    thread_pool_destroy(pool);
    if (status == STATUS_OK)
        status = match->status;
    if (status == STATUS_OK && match->file)
        status = append_file_sync(match->file, &match->diag);
    if (status != STATUS_OK)
        *diag = match->diag;
    return status == STATUS_OK && match->stopped ? STATUS_END : status;
}

static enum caxton_status describe(struct book_match *match)
{
    const struct book_match_settings *settings = &match->settings;
    const struct builtin_settings builtin = {.hash_mb = settings->hash_mb};
    struct searcher_identity identity;
    struct text_buffer text = text_buffer_on(match->tag, sizeof match->tag);
    uint64_t openings = 0;
    for (size_t i = 0; settings->openings && i < settings->openings->count; i++)
        openings = rng_mix(openings + settings->openings->openings[i].key);
    text_append(&text,
                "nodes=%" PRIu64 " tc=%lld+%lld hash=%d seed=%" PRIu64
                " color=%d draw=%lld,%lld,%lld resign=%lld,%lld",
                settings->nodes, (long long)settings->control.base_ms,
                (long long)settings->control.increment_ms, settings->hash_mb, settings->seed,
                settings->color, (long long)settings->draw_number, (long long)settings->draw_count,
                (long long)settings->draw_cp, (long long)settings->resign_count,
                (long long)settings->resign_cp);
    enum caxton_status status = builtin_searcher_identity(&builtin, &identity);
    text_append(&text, " openings=%" PRIx64 " books=%" PRIx64 ",%" PRIx64 " search=%" PRIx64,
                openings, settings->prints[0], settings->prints[1],
                status == STATUS_OK ? identity.signature ^ identity.network ^ EVAL_HALF : 0);
    return status;
}

enum caxton_status book_match_create(const struct book_match_settings *settings, const char *path,
                                     struct book_match **out, struct diag *diag)
{
    static const struct span nothing = {"", 0};
    struct book_match *match = calloc(1, sizeof *match);
    diag_set(diag, 0, 0, "out of memory");
    if (!match || monitor_init(&match->monitor) != STATUS_OK) {
        free(match);
        return STATUS_NO_MEMORY;
    }
    struct span text = nothing;
    match->settings = *settings;
    atomic_init(&match->over, false);
    diag_set(&match->diag, 0, 0, "out of memory");
    match->reader = pgn_create(span_read, &text);
    enum caxton_status status = match->reader ? describe(match) : STATUS_NO_MEMORY;
    if (status == STATUS_OK) {
        pgn_set_comments(match->reader, true);
        status = path ? read_file(match, path, diag) : STATUS_OK;
    }
    if (status == STATUS_OK)
        *out = match;
    else
        book_match_destroy(match);
    return status;
}

void book_match_destroy(struct book_match *match)
{
    if (!match)
        return;
    for (int i = 0; i < match->board_count; i++) {
        for (int side = 0; side < 2; side++)
            search_destroy(match->boards[i].searches[side]);
        game_destroy(match->boards[i].game);
        free(match->boards[i].records);
    }
    for (size_t i = 0; match->waiting && i < match->settings.games - match->first_waiting; i++)
        free(match->waiting[i].bytes);
    free(match->waiting);
    free(match->boards);
    free(match->tally.openings);
    free(match->tally.game_keys);
    append_file_close(match->file);
    pgn_destroy(match->reader);
    monitor_destroy(&match->monitor);
    free(match);
}
