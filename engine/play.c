#include "engine/play.h"

#include <stdlib.h>
#include <string.h>

#include "base/atomic_file.h"
#include "base/clock.h"
#include "base/command_line.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "base/terminal.h"
#include "chess/pgn_write.h"
#include "engine/match.h"

/* BOOK_PAUSE_MS: a book move takes no time, and could not be seen. EXIT_INTERRUPTED: what a shell
 * makes of SIGINT. */
enum { PATH_SIZE = 4096, BOOK_PAUSE_MS = 500, EXIT_USAGE = 2, EXIT_INTERRUPTED = 130 };

/* The command line. */
struct arguments {
    const char *time_control;
    const char *pgn; /* NULL: a new file in games/ */
    const char *book;
    bool no_book;
    int64_t seed;
    int64_t threads;
    int64_t hash_mb;
    bool ascii; /* letters for pieces */
    bool plain; /* no colours, no redrawing */
};

struct play {
    struct arguments arguments;
    struct time_control control;
    struct options options;
    struct screen screen;
    struct book_set *books;
    struct match match;
    char started[CLOCK_TEXT_MAX];
    char path[PATH_SIZE]; /* where the game is written */
    char comment[160];
};

/* Setting up ------------------------------------------------------------------------------- */

static int complain(const char *what)
{
    (void)fprintf(stderr, "caxton play: %s\n", what);
    return 1;
}

static enum parse_result read_arguments(int argc, char **argv, struct arguments *out)
{
    const struct option_row rows[] = {
        TEXT_ROW("tc", 0, "BASE+INC", "seconds for the game and per move, for each side (20+0.2)",
                 &out->time_control),
        TEXT_ROW("pgn", 0, "FILE", "where the game is saved (a new file in games/)", &out->pgn),
        TEXT_ROW("book", 0, "FILE", "the book, several separated by ';' (the built-in one)",
                 &out->book),
        FLAG_ROW("no-book", 0, "think from the first move", &out->no_book),
        NUMBER_ROW("seed", 0, "N", "choose the same book moves every time", &out->seed, 0,
                   INT64_MAX),
        NUMBER_ROW("threads", 0, "N", "search threads of each side (1)", &out->threads, 1,
                   SEARCH_THREADS_MAX),
        NUMBER_ROW("hash", 0, "MB", "transposition table of each side (16)", &out->hash_mb, 1,
                   SEARCH_HASH_MB_MAX),
        FLAG_ROW("ascii", 0, "letters for the pieces", &out->ascii),
        FLAG_ROW("no-color", 0, "plain text, as into a file or pipe", &out->plain),
    };
    struct command_line line = {
        .program = "caxton",
        .command = "play",
        .synopsis = "[OPTIONS]",
        .about = "The engine plays a game against itself, opened from its book. Ctrl-C ends the\n"
                 "game; what was played is saved.",
        .rows = rows,
        .row_count = ROW_COUNT(rows),
    };
    return options_parse(&line, argc, argv);
}

/* False, and said why, when a value makes no sense. */
static bool take_arguments(struct play *play)
{
    const struct arguments *arguments = &play->arguments;
    const char *wrong = NULL;
    if (!time_control_read(arguments->time_control, &play->control))
        wrong = "--tc wants seconds as 20+0.2; see caxton play --help";
    else if (arguments->pgn && !*arguments->pgn)
        wrong = "--pgn wants a name; see caxton play --help";
    else if (strlen(arguments->book) >= sizeof play->options.book_file)
        wrong = "--book: the name is too long";
    if (wrong) {
        (void)complain(wrong);
        return false;
    }
    options_init(&play->options);
    play->options.own_book = !arguments->no_book;
    play->options.threads = (int)arguments->threads;
    play->options.hash_mb = (int)arguments->hash_mb;
    text_copy(play->options.book_file, sizeof play->options.book_file, span_of(arguments->book));
    return true;
}

static void choose_style(struct play *play)
{
    const char *terminal = getenv("TERM");
    bool capable = file_is_terminal(stdout) && terminal && strcmp(terminal, "dumb") != 0;
    bool rich = capable && !play->arguments.plain && !getenv("NO_COLOR");
    play->screen = (struct screen){.out = stdout, .redraw = rich};
    play->screen.style.color = rich;
    play->screen.style.unicode = !play->arguments.ascii && terminal_is_utf8();
}

/* A book that was asked for must be there: false when none of them is. */
static bool open_books(struct play *play)
{
    enum caxton_status status = book_set_open(play->options.book_file, &play->books);
    if (status != STATUS_OK) {
        (void)complain(status_name(status));
        return false;
    }
    for (int i = 0; i < book_set_remark_count(play->books); i++)
        (void)fprintf(stderr, "caxton play: the book: %s\n", book_set_remark(play->books, i));
    return book_set_count(play->books) > 0;
}

/* Decides where the game goes, makes the folder, and sees that it can be written there: after the
 * game it would be too late. */
static bool choose_path(struct play *play)
{
    struct text_buffer text = text_buffer_on(play->path, PATH_SIZE);
    struct diag diag;
    if (play->arguments.pgn)
        text_append(&text, "%s", play->arguments.pgn);
    else
        text_append(&text, "games/caxton-%s.pgn", play->started);
    if (text.cut)
        diag_set(&diag, 0, 0, "the name of the PGN file is too long");
    else if ((play->arguments.pgn || file_make_folder("games", &diag) == STATUS_OK) &&
             atomic_file_try(play->path, &diag) == STATUS_OK)
        return true;
    (void)complain(diag.text);
    return false;
}

/* Saving ----------------------------------------------------------------------------------- */

static const char *comment_on(void *context, size_t ply)
{
    struct play *play = context;
    const struct match_record *record = &play->match.records[ply];
    struct text_buffer text = text_buffer_on(play->comment, sizeof play->comment);
    if (record->from_book) {
        text_append(&text, "book");
    } else {
        match_append_score(&text, record->score);
        text_append(&text, "/%d %lld.%02llds", record->depth, (long long)(record->spent_ms / 1000),
                    (long long)(record->spent_ms % 1000 / 10));
    }
    return play->comment;
}

static struct pgn_tag tag(const char *name, const char *value)
{
    return (struct pgn_tag){span_of(name), span_of(value)};
}

static enum caxton_status write_game(struct play *play, const struct match_outcome *outcome,
                                     FILE *out)
{
    const struct match *match = &play->match;
    const char *started = play->started;
    char date[40];
    char control[64];
    char plies[32];
    (void)snprintf(date, sizeof date, "%.4s.%.2s.%.2s", started, started + 4, started + 6);
    (void)snprintf(control, sizeof control, "%g+%g", (double)play->control.base_ms / 1000,
                   (double)play->control.increment_ms / 1000);
    (void)snprintf(plies, sizeof plies, "%zu", game_plies(match->game));
    struct pgn_tag tags[] = {
        tag("Event", "Caxton plays itself"),
        tag("Date", date),
        tag("White", "Caxton " CAXTON_VERSION),
        tag("Black", "Caxton " CAXTON_VERSION),
        tag("TimeControl", control),
        tag("PlyCount", plies),
        tag("Termination", outcome->termination),
        tag("ECO", match->opening ? match->opening->code : ""),
        tag("Opening", match->opening ? match->opening->name : ""),
    };
    size_t count = sizeof tags / sizeof *tags - (match->opening ? 0 : 2);
    return pgn_write(out, match->game, tags, count, outcome->result, comment_on, play);
}

static int save(struct play *play, const struct match_outcome *outcome)
{
    struct atomic_file *file = NULL;
    struct diag diag = {.text = "out of memory"};
    enum caxton_status status = atomic_file_create(play->path, &file, &diag);
    if (status == STATUS_OK)
        status = write_game(play, outcome, atomic_file_stream(file));
    if (status == STATUS_OK)
        status = atomic_file_commit(file, &diag);
    else
        atomic_file_abort(file);
    if (status != STATUS_OK)
        return complain(diag.text);
    screen_say(&play->screen, "The game is saved in %s", play->path);
    return 0;
}

/* ------------------------------------------------------------------------------------------ */

static int conclude(struct play *play, const struct match_outcome *outcome, const char *program)
{
    size_t plies = game_plies(play->match.game);
    screen_say(&play->screen, "%s, %s, after %zu moves", pgn_result_text(outcome->result),
               outcome->reason, (plies + 1) / 2);
    if (plies > 0 && save(play, outcome) != 0)
        return 1;
    char path[PATH_SIZE];
    bool is_interrupted = outcome->result == PGN_UNKNOWN;
    if (!is_interrupted)
        screen_say(&play->screen,
                   "To play against Caxton, load this UCI engine in your chess program: %s",
                   file_own_path(path, sizeof path) ? path : program);
    return play->screen.failed ? 1 : is_interrupted ? EXIT_INTERRUPTED : 0;
}

static void on_interrupt(void *context)
{
    match_interrupt(context);
}

static int run(struct play *play, const char *program)
{
    struct match *match = &play->match;
    enum caxton_status status = match_init(match, &play->options, play->control, play->books,
                                           &play->screen, (uint64_t)play->arguments.seed);
    if (status != STATUS_OK)
        return complain(status_name(status));
    match->book_pause_ms = file_is_terminal(stdout) ? BOOK_PAUSE_MS : 0;
    struct interrupt *interrupt = interrupt_catch(on_interrupt, match);
    if (!interrupt)
        return complain(status_name(STATUS_THREAD));
    struct match_outcome outcome;
    status = match_play(match, &outcome);
    int result =
        status == STATUS_OK ? conclude(play, &outcome, program) : complain(status_name(status));
    interrupt_release(interrupt);
    return result;
}

int play_main(int argc, char **argv, uint64_t seed)
{
    static const struct arguments defaults = {
        .time_control = "20+0.2", .book = "", .threads = 1, .hash_mb = 16};
    struct play play = {.arguments = defaults};
    play.arguments.seed = (int64_t)(seed >> 1);
    enum parse_result parsed = read_arguments(argc - 2, argv + 2, &play.arguments);
    if (parsed != PARSE_RUN)
        return parsed == PARSE_HELP_SHOWN ? 0 : EXIT_USAGE;
    if (!take_arguments(&play))
        return EXIT_USAGE;
    clock_local(play.started);
    choose_style(&play);
    int result = choose_path(&play) && open_books(&play) ? run(&play, argv[0]) : 1;
    match_free(&play.match);
    book_set_close(play.books);
    return result;
}
