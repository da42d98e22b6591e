#include "engine/play.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/atomic_file.h"
#include "base/clock.h"
#include "chess/eco.h"
#include "chess/game.h"
#include "chess/pgn_write.h"
#include "engine/play_arguments.h"
#include "engine/screen.h"
#include "engine/thinker.h"
#include "eval/eval.h"

enum { PATH_SIZE = 4096, THOUGHT_MAX = 160 };

/* Where a move came from. */
struct record {
    bool from_book;
    int share_permille;
    int score; /* the mover's view */
    int depth;
    int64_t spent_ms;
};

struct match {
    const struct play_arguments *arguments;
    struct game *game;
    struct book_set *books;
    struct thinker players[2];
    struct record *records; /* one for each ply */
    size_t capacity;
    const struct eco *opening;
    struct screen screen;
    struct screen_state shown;
    char thought[THOUGHT_MAX];
    char opening_text[THOUGHT_MAX];
    char comment[THOUGHT_MAX];
    struct tm started;
    char path[PATH_SIZE]; /* where the game is written */
};

struct outcome {
    enum pgn_result result;
    const char *reason;
    bool on_time;
};

/* Setting up ------------------------------------------------------------------------------- */

static int complain(const char *what, const char *why)
{
    (void)fprintf(stderr, "caxton play: %s: %s\n", what, why);
    return 1;
}

static bool is_utf8_locale(void)
{
    static const char *const variables[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        const char *value = getenv(variables[i]);
        if (value && *value)
            return strstr(value, "UTF-8") || strstr(value, "utf8") || strstr(value, "utf-8");
    }
    return false;
}

static void choose_style(struct match *match)
{
    const struct play_arguments *arguments = match->arguments;
    const char *terminal = getenv("TERM");
    bool capable = isatty(STDOUT_FILENO) && terminal && strcmp(terminal, "dumb") != 0;
    bool rich = capable && !arguments->plain && !getenv("NO_COLOR");
    match->screen = (struct screen){.out = stdout, .redraw = rich};
    match->screen.style.color = rich;
    match->screen.style.unicode = !arguments->ascii && is_utf8_locale();
}

/* A book that was asked for must be there: false when none of them is. */
static bool open_books(struct match *match)
{
    enum caxton_status status = book_set_open(match->arguments->options->book_file, &match->books);
    if (status != STATUS_OK) {
        (void)complain("the book", status_name(status));
        return false;
    }
    for (int i = 0; i < book_set_remark_count(match->books); i++)
        (void)complain("the book", book_set_remark(match->books, i));
    return book_set_count(match->books) > 0;
}

static enum caxton_status set_up_player(struct match *match, int color)
{
    const struct options *options = match->arguments->options;
    struct thinker *player = &match->players[color];
    enum caxton_status status = thinker_init(player, match->arguments->seed + (uint64_t)color);
    if (status != STATUS_OK)
        return status;
    player->books = match->books;
    match->shown.clock_ms[color] = match->arguments->base_ms;
    status = search_set_hash(player->search, options->hash_mb);
    return status == STATUS_OK ? search_set_threads(player->search, options->threads) : status;
}

static enum caxton_status set_up(struct match *match)
{
    match->game = game_create();
    if (!match->game)
        return STATUS_NO_MEMORY;
    enum caxton_status status = set_up_player(match, WHITE);
    return status == STATUS_OK ? set_up_player(match, BLACK) : status;
}

static void tear_down(struct match *match)
{
    thinker_free(&match->players[WHITE]);
    thinker_free(&match->players[BLACK]);
    book_set_close(match->books);
    game_destroy(match->game);
    free(match->records);
}

/* Playing ---------------------------------------------------------------------------------- */

static struct record *new_record(struct match *match)
{
    size_t ply = game_plies(match->game);
    if (ply == match->capacity) {
        size_t capacity = match->capacity ? 2 * match->capacity : 256;
        struct record *records = realloc(match->records, capacity * sizeof *records);
        if (!records)
            return NULL;
        match->records = records;
        match->capacity = capacity;
    }
    return &match->records[ply];
}

static move think(struct match *match, struct record *record)
{
    const struct options *options = match->arguments->options;
    struct thinker *player = &match->players[game_position(match->game)->turn];
    struct search_request request;
    search_request_init(&request);
    thinker_prepare(match->game, options, &request);
    for (int color = WHITE; color <= BLACK; color++) {
        request.time_ms[color] = match->shown.clock_ms[color];
        request.increment_ms[color] = match->arguments->increment_ms;
    }
    *record = (struct record){0};
    struct book_answer answer;
    if (thinker_ask_book(player, match->game, options, &request, &answer)) {
        record->from_book = true;
        record->share_permille = answer.share_permille;
        return answer.move;
    }
    static const struct search_reporter silent = {0};
    struct search_result result;
    search_arm(player->search, false, clock_ms());
    thinker_search(player, options, &request, &silent, &result);
    record->score = result.score;
    record->depth = result.depth;
    return result.best;
}

/* "+0.34" or "+M5": pawns, or moves to mate. */
static void append_score(struct text_buffer *text, int score)
{
    int size = score < 0 ? -score : score;
    int shown = eval_centipawns(size);
    if (size >= SCORE_MATE_IN_MAX)
        text_append(text, "%cM%d", score < 0 ? '-' : '+', (SCORE_MATE - size + 1) / 2);
    else
        text_append(text, "%c%d.%02d", score < 0 ? '-' : '+', shown / 100, shown % 100);
}

static void describe(struct match *match, const struct record *record, int mover)
{
    struct text_buffer text = text_buffer_on(match->thought, sizeof match->thought);
    if (record->from_book) {
        text_append(&text, "from the book, %d.%d%%", record->share_permille / 10,
                    record->share_permille % 10);
    } else {
        append_score(&text, mover == WHITE ? record->score : -record->score);
        text_append(&text, " for White, depth %d, %lld.%02lld s", record->depth,
                    (long long)(record->spent_ms / 1000),
                    (long long)(record->spent_ms % 1000 / 10));
    }
    const struct eco *eco = eco_find(game_position(match->game)->key);
    if (eco)
        match->opening = eco;
    struct text_buffer opening = text_buffer_on(match->opening_text, sizeof match->opening_text);
    if (match->opening)
        text_append(&opening, "%s %s", match->opening->code, match->opening->name);
}

/* Plays one move; false when the mover's time ran out over it. */
static bool play_move(struct match *match, enum caxton_status *status)
{
    int mover = game_position(match->game)->turn;
    int64_t *clock = &match->shown.clock_ms[mover];
    struct record *record = new_record(match);
    *status = record ? STATUS_OK : STATUS_NO_MEMORY;
    if (!record)
        return true;
    int64_t start_ms = clock_ms();
    move m = think(match, record);
    record->spent_ms = clock_ms() - start_ms;
    *clock -= record->spent_ms;
    if (*clock <= 0)
        return false;
    *clock += match->arguments->increment_ms;
    *status = game_play(match->game, m);
    if (*status == STATUS_OK)
        describe(match, record, mover);
    return true;
}

static struct outcome outcome_of(const struct game *game)
{
    enum game_state state = game_state(game);
    struct outcome outcome = {PGN_UNKNOWN, game_state_name(state), false};
    if (state == GAME_CHECKMATE)
        outcome.result = game_position(game)->turn == WHITE ? PGN_BLACK_WINS : PGN_WHITE_WINS;
    else if (state != GAME_OPEN)
        outcome.result = PGN_DRAW;
    return outcome;
}

static enum caxton_status play_game(struct match *match, struct outcome *outcome)
{
    match->shown.thought = match->thought;
    match->shown.opening = match->opening_text;
    enum caxton_status status = STATUS_OK;
    for (;;) {
        screen_draw(&match->screen, match->game, &match->shown);
        *outcome = outcome_of(match->game);
        if (outcome->result != PGN_UNKNOWN || status != STATUS_OK)
            return status;
        if (match->screen.failed)
            return STATUS_IO;
        int mover = game_position(match->game)->turn;
        if (!play_move(match, &status)) {
            *outcome = (struct outcome){mover == WHITE ? PGN_BLACK_WINS : PGN_WHITE_WINS,
                                        "time is up", true};
            return STATUS_OK;
        }
    }
}

/* Saving ----------------------------------------------------------------------------------- */

static const char *comment_on(void *context, size_t ply)
{
    struct match *match = context;
    const struct record *record = &match->records[ply];
    struct text_buffer text = text_buffer_on(match->comment, sizeof match->comment);
    if (record->from_book)
        text_append(&text, "book");
    else {
        append_score(&text, record->score);
        text_append(&text, "/%d %lld.%02llds", record->depth, (long long)(record->spent_ms / 1000),
                    (long long)(record->spent_ms % 1000 / 10));
    }
    return match->comment;
}

static struct pgn_tag tag(const char *name, const char *value)
{
    return (struct pgn_tag){span_of(name), span_of(value)};
}

static enum caxton_status write_game(struct match *match, const struct outcome *outcome, FILE *out)
{
    const struct play_arguments *arguments = match->arguments;
    const struct tm *now = &match->started;
    char date[32];
    char control[64];
    char plies[32];
    struct text_buffer text = text_buffer_on(date, sizeof date);
    text_append(&text, "%04d.%02d.%02d", now->tm_year + 1900, now->tm_mon + 1, now->tm_mday);
    text = text_buffer_on(control, sizeof control);
    text_append(&text, "%g+%g", (double)arguments->base_ms / 1000,
                (double)arguments->increment_ms / 1000);
    text = text_buffer_on(plies, sizeof plies);
    text_append(&text, "%zu", game_plies(match->game));
    struct pgn_tag tags[] = {
        tag("Event", "Caxton plays itself"),
        tag("Date", date),
        tag("White", "Caxton " CAXTON_VERSION),
        tag("Black", "Caxton " CAXTON_VERSION),
        tag("TimeControl", control),
        tag("PlyCount", plies),
        tag("Termination", outcome->on_time ? "time forfeit" : "normal"),
        tag("ECO", match->opening ? match->opening->code : ""),
        tag("Opening", match->opening ? match->opening->name : ""),
    };
    size_t count = sizeof tags / sizeof *tags - (match->opening ? 0 : 2);
    return pgn_write(out, match->game, tags, count, outcome->result, comment_on, match);
}

/* Decides where the game goes, makes the folder, and sees that it can be written there: before the
 * game, for afterwards is too late. */
static bool choose_path(struct match *match)
{
    struct text_buffer text = text_buffer_on(match->path, PATH_SIZE);
    const struct tm *now = &match->started;
    struct diag diag;
    if (match->arguments->pgn)
        text_append(&text, "%s", match->arguments->pgn);
    else
        text_append(&text, "games/caxton-%04d%02d%02d-%02d%02d%02d.pgn", now->tm_year + 1900,
                    now->tm_mon + 1, now->tm_mday, now->tm_hour, now->tm_min, now->tm_sec);
    if (text.cut)
        diag_set(&diag, 0, 0, "the name of the PGN file is too long");
    else if (!match->arguments->pgn && mkdir("games", 0777) != 0 && errno != EEXIST)
        diag_set(&diag, 0, 0, "games: %s", strerror(errno));
    else if (atomic_file_try(match->path, &diag) == STATUS_OK)
        return true;
    (void)fprintf(stderr, "caxton play: %s\n", diag.text);
    return false;
}

static int save(struct match *match, const struct outcome *outcome)
{
    struct atomic_file *file = NULL;
    struct diag diag = {.text = "out of memory"};
    enum caxton_status status = atomic_file_create(match->path, &file, &diag);
    if (status == STATUS_OK)
        status = write_game(match, outcome, atomic_file_stream(file));
    if (status == STATUS_OK)
        status = atomic_file_commit(file, &diag);
    else
        atomic_file_abort(file);
    if (status != STATUS_OK) {
        (void)fprintf(stderr, "caxton play: %s\n", diag.text);
        return 1;
    }
    screen_say(&match->screen, "The game is saved in %s", match->path);
    return 0;
}

static void name_binary(struct match *match, const char *fallback)
{
    char path[PATH_SIZE];
    ssize_t size = readlink("/proc/self/exe", path, sizeof path - 1);
    if (size > 0)
        path[size] = '\0';
    screen_say(&match->screen,
               "To play against Caxton, load this UCI engine in your chess program: %s",
               size > 0 ? path : fallback);
}

/* ------------------------------------------------------------------------------------------ */

static int run(struct match *match, const char *program)
{
    enum caxton_status status = set_up(match);
    if (status != STATUS_OK)
        return complain("start", status_name(status));
    struct outcome outcome = {0};
    status = play_game(match, &outcome);
    if (status != STATUS_OK)
        return complain("the game ended early", status_name(status));
    screen_say(&match->screen, "%s, %s, after %zu moves", pgn_result_text(outcome.result),
               outcome.reason, (game_plies(match->game) + 1) / 2);
    int result = save(match, &outcome);
    if (result == 0)
        name_binary(match, program);
    return match->screen.failed ? 1 : result;
}

int play_main(int argc, char **argv, uint64_t seed)
{
    struct options options;
    struct diag diag;
    struct play_arguments arguments = {.options = &options, .seed = seed};
    if (play_arguments_read(argc, argv, &arguments, &diag) != STATUS_OK) {
        (void)fprintf(stderr, "caxton play: %s; see caxton play --help\n", diag.text);
        return 2;
    }
    if (arguments.help)
        return fputs(play_help, stdout) >= 0 && fflush(stdout) == 0 ? 0 : 1;

    struct match match = {.arguments = &arguments};
    time_t seconds = time(NULL);
    (void)localtime_r(&seconds, &match.started);
    choose_style(&match);
    int result = choose_path(&match) && open_books(&match) ? run(&match, argv[0]) : 1;
    tear_down(&match);
    return result;
}
