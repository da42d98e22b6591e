#include "engine/play.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/atomic_file.h"
#include "base/command_line.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "base/program.h"
#include "base/terminal.h"
#include "book/uci/wdl.h"
#include "chess/eco.h"
#include "chess/fen.h"
#include "chess/notation.h"
#include "chess/pgn_write.h"
#include "chess/position_text.h"
#include "engine/play_internal.h"

/* QUOTE_SIZE: a message with a word of it stays within 80 columns. */
enum { TICK_MS = 1000, QUOTE_SIZE = 16 };

static void say(struct play *play, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Draws the game as it stands. */
static void play_show(struct play *play)
{
    const struct eco *opening = match_opening(&play->match);
    struct text_buffer text = text_buffer_on(play->shown.opening, sizeof play->shown.opening);
    play->shown.opening[0] = '\0';
    if (opening)
        text_append(&text, "%s %.70s", opening->code, opening->name); /* 80 columns */
    for (int color = WHITE; color <= BLACK; color++)
        play->shown.clock_ms[color] = play->match.clock_ms[color];
    screen_draw(&play->screen, play->match.game, &play->shown);
}

/* Sets the names beside the clocks, and which side is below. */
static void play_name_sides(struct play *play)
{
    for (int color = WHITE; color <= BLACK; color++) {
        struct text_buffer text =
            text_buffer_on(play->shown.names[color], sizeof play->shown.names[color]);
        text_append(&text, "%s", color == WHITE ? "White" : "Black");
        if (color == play->person)
            text_append(&text, " (you)");
        else if (play->options.limit_strength)
            text_append(&text, " (%d Elo)", play->options.elo);
    }
    if (play->person != PLAY_NOBODY)
        play->screen.style.flipped = play->person == BLACK;
}

static void say(struct play *play, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    (void)vsnprintf(play->message, sizeof play->message, format, args);
    va_end(args);
}

/* Commands --------------------------------------------------------------------------------- */

/* Each is given the words after its name, and says whether the turn is over. */

static bool give_hint(struct play *play, struct span rest)
{
    (void)rest;
    struct match_record record;
    char san[SAN_MAX];
    match_advise(&play->match, clock_ms() - play->turn_ms, &record);
    if (record.move == MOVE_NONE) /* interrupted */
        return false;
    move_to_san(game_position(play->match.game), record.move, san);
    struct text_buffer text = text_buffer_on(play->message, sizeof play->message);
    text_append(&text, "Caxton would play %s", san);
    if (record.from_book) {
        text_append(&text, ", a book move.");
    } else {
        text_append(&text, " (");
        report_pawns(&text, record.score);
        text_append(&text, " for you, depth %d).", record.depth);
    }
    return false;
}

static bool take_back(struct play *play, struct span rest)
{
    (void)rest;
    if (game_plies(play->match.game) < 2 || !match_take_back(&play->match) ||
        !match_take_back(&play->match)) {
        say(play, "There is no move of yours to take back.");
        return false;
    }
    play->shown.thought[0] = '\0';
    play_show(play);
    say(play, "Your last move and the answer to it are taken back.");
    return true;
}

static bool set_level(struct play *play, struct span rest)
{
    int64_t elo;
    struct span word = span_token(&rest);
    if (span_equal_nocase(word, "full")) {
        play->options.limit_strength = false;
    } else if (span_to_int(word, ELO_MIN, ELO_MAX, &elo) == STATUS_OK) {
        play->options.limit_strength = true;
        play->options.elo = (int)elo;
    } else {
        say(play, "level wants a number of Elo, %d to %d, or full.", ELO_MIN, ELO_MAX);
        return false;
    }
    play_name_sides(play);
    if (play->options.limit_strength)
        say(play, "Caxton plays at about %d Elo from now on.", play->options.elo);
    else
        say(play, "Caxton plays at full strength from now on.");
    return false;
}

static bool switch_sides(struct play *play, struct span rest)
{
    (void)rest;
    play->person = !play->person;
    play_name_sides(play);
    return true;
}

static bool watch(struct play *play, struct span rest)
{
    (void)rest;
    play->person = PLAY_NOBODY;
    play_name_sides(play);
    return true;
}

static bool show_board(struct play *play, struct span rest)
{
    (void)rest;
    play_show(play);
    return false;
}

static bool show_fen(struct play *play, struct span rest)
{
    (void)rest;
    char fen[FEN_MAX];
    fen_format(game_position(play->match.game), fen);
    say(play, "%s", fen);
    return false;
}

static bool resign(struct play *play, struct span rest)
{
    (void)rest;
    play->match.end = MATCH_RESIGNED;
    return true;
}

static bool quit(struct play *play, struct span rest)
{
    (void)rest;
    play->match.end = MATCH_LEFT;
    return true;
}

/* With the position it fits on a terminal of 24 lines. */
static const char help[] = "hint          what Caxton would play for you\n"
                           "back          take back your last move\n"
                           "level 1500    how strong Caxton plays, in Elo; or level full\n"
                           "switch        change sides: Caxton moves for you now\n"
                           "watch         let Caxton play both sides from here on\n"
                           "board, fen    show the board again; the position as FEN\n"
                           "resign, quit  give up; leave. The game is saved\n"
                           "A move is typed as e4, exd5, Nf3, O-O, e8=Q or g1f3.";

static bool give_help(struct play *play, struct span rest)
{
    (void)rest;
    say(play, "%s", help);
    return false;
}

static const struct play_command {
    const char *name;
    bool (*run)(struct play *play, struct span rest);
} commands[] = {
    {"hint", give_hint},      {"back", take_back}, {"undo", take_back},   {"level", set_level},
    {"switch", switch_sides}, {"watch", watch},    {"board", show_board}, {"fen", show_fen},
    {"resign", resign},       {"quit", quit},      {"exit", quit},        {"help", give_help},
    {"?", give_help},
};

enum { COMMAND_COUNT = sizeof commands / sizeof *commands };

/* Moves ------------------------------------------------------------------------------------ */

/* As much of it as fits on the line of a fault, without what a terminal would obey. */
static const char *quote(struct span text, char out[QUOTE_SIZE])
{
    text_copy(out, QUOTE_SIZE, text);
    for (char *c = out; *c; c++)
        if ((unsigned char)*c < ' ' || (unsigned char)*c > '~')
            *c = '?';
    return out;
}

/* False, and said why, when the line is no move. */
static bool read_move(struct play *play, struct span line, move *out)
{
    const struct position *pos = game_position(play->match.game);
    char quoted[QUOTE_SIZE];
    struct span text = span_trim(span_from(line, move_number_size(line)));
    enum caxton_status status = move_from_text(pos, text, out);
    if (status == STATUS_OK)
        return true;
    (void)quote(line, quoted);
    if (status == STATUS_AMBIGUOUS)
        say(play, "%s: several pieces can do that; name the square it comes from, as in Nbd2.",
            quoted);
    else if (status == STATUS_ILLEGAL)
        say(play, "%s is not legal here%s.", quoted,
            position_in_check(pos) ? ": the king is in check" : "");
    else
        say(play, "%s is neither a move nor a command; try e4, Nf3, g1f3 or help.", quoted);
    return false;
}

/* A line of the person; says whether the turn is over. *record: a move, or MOVE_NONE. */
static bool obey(struct play *play, struct span line, struct match_record *record)
{
    struct span rest = line;
    struct span word = span_token(&rest);
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (span_equal_nocase(word, commands[i].name))
            return commands[i].run(play, rest);
    return read_move(play, line, &record->move);
}

/* The turn ----------------------------------------------------------------------------------- */

/* The message is shown once. On a terminal it replaces the one before. */
static void prompt(struct play *play)
{
    if (play->screen.redraw)
        play_show(play);
    if (*play->message)
        screen_say(&play->screen, "%s", play->message);
    play->message[0] = '\0';
    screen_ask(&play->screen, play->is_echoed ? "Your move: " : "Your move:\n");
}

static void show_clock(struct play *play, int64_t spent_ms)
{
    struct screen_state shown = play->shown;
    shown.clock_ms[play->person] = match_clock_after(&play->match, spent_ms);
    screen_draw_clocks(&play->screen, &shown);
}

/* Waits for a line while the clock runs; false when the match ends instead. */
static bool next_line(struct play *play, struct span *line)
{
    bool is_timed = play->control.base_ms > 0;
    int64_t end_ms = play->turn_ms + play->match.clock_ms[play->person];
    for (;;) {
        int64_t now_ms = clock_ms();
        if (is_timed && now_ms >= end_ms) {
            play->match.end = MATCH_TIME_UP;
            return false;
        }
        int64_t tick_ms = now_ms + TICK_MS;
        int64_t until_ms = is_timed && end_ms < tick_ms ? end_ms : tick_ms;
        switch (line_input_next(play->input, until_ms, line)) {
        case LINE_READ:
            return true;
        case LINE_LATE:
            show_clock(play, clock_ms() - play->turn_ms);
            break;
        case LINE_WOKEN:
            play->match.end = MATCH_INTERRUPTED;
            return false;
        case LINE_END:
            play->match.end = MATCH_LEFT;
            return false;
        }
    }
}

/* A person's turn: obeys commands until a move was played, or the match has ended, or another side
 * is to move. Errors: STATUS_NO_MEMORY. */
static enum caxton_status play_person_turn(struct play *play)
{
    bool is_over = false;
    play->turn_ms = clock_ms();
    struct match_record record = {.by_person = true};
    while (!is_over) {
        struct span line;
        prompt(play);
        if (play->screen.failed || !next_line(play, &line))
            return STATUS_OK;
        line = span_trim(line);
        is_over = line.size > 0 && obey(play, line, &record);
    }
    if (record.move == MOVE_NONE) { /* another plays on with the same clock */
        match_run_clock(&play->match, clock_ms() - play->turn_ms);
        return STATUS_OK;
    }
    record.spent_ms = clock_ms() - play->turn_ms;
    enum caxton_status status = match_play(&play->match, &record);
    play->shown.thought[0] = '\0';
    if (status == STATUS_OK && (play->screen.redraw || match_is_over(&play->match)))
        play_show(play);
    return status;
}

/* BOOK_PAUSE_MS: a book move takes no time, and could not be seen. */
enum { BOOK_PAUSE_MS = 500, MOVETIME_MS = 1000, DAY_MS = 24 * 3600 * 1000 };

enum you { YOU_WHITE, YOU_BLACK, YOU_RANDOM, YOU_NONE, YOU_UNSAID = -1 };

/* Setting up ------------------------------------------------------------------------------- */

static enum exit_status complain(const char *what)
{
    (void)fprintf(stderr, "caxton play: %s\n", text_safe(what).text);
    return EXIT_FAILED;
}

static enum parse_result read_arguments(int argc, char **argv, struct play_arguments *out)
{
    const struct option_row rows[] = {
        CHOICE_ROW("you", "white|black|random|none",
                   "the side you play (white; without a terminal none)", &out->you,
                   USUAL(YOU_UNSAID)),
        NUMBER_ROW("level", 0, "ELO", "how strong the engine plays, about (as strong as it can)",
                   &out->elo, ELO_MIN, ELO_MAX),
        TEXT_ROW("start", 0, "FEN|MOVES|ECO|NAME", "the position to start from", &out->start,
                 .old = "fen"),
        TEXT_ROW("tc", 0, "BASE+INC",
                 "clock of each side, in seconds (none; against itself 20+0.2)",
                 &out->time_control),
        DECIMAL_ROW("movetime", "SECONDS", "without a clock: the engine's time for a move",
                    &out->movetime_ms, 3, 1, DAY_MS, USUAL(MOVETIME_MS), .without = "tc",
                    .wants = "seconds as 2 or 0.5"),
        TEXT_ROW("pgn", 0, "FILE", "the game is added to this file (a new one in games/)",
                 &out->pgn),
        TEXT_ROW("book", 0, "FILE", "the book, several separated by ';' (the built-in one)",
                 &out->book),
        FLAG_ROW("no-book", 0, "think from the first move", &out->no_book),
        NUMBER_ROW("seed", 0, "N", "choose the same book moves every time", &out->seed, 0,
                   INT64_MAX),
        NUMBER_ROW("threads", 0, "N", "search threads of each side", &out->threads, 1,
                   SEARCH_THREADS_MAX, USUAL(1)),
        NUMBER_ROW("hash", 0, "MB", "transposition table of each side", &out->hash_mb, 1,
                   SEARCH_HASH_MB_MAX, USUAL(16)),
        FLAG_ROW("ascii", 0, "letters for the pieces", &out->ascii),
        FLAG_ROW("no-color", 0, "plain text, as into a file or pipe", &out->plain),
    };
    struct command_line line = {
        .program = "caxton",
        .command = "play",
        .synopsis = "[OPTIONS]",
        .about = "You play against the engine: type a move, or help. Without a terminal, or with\n"
                 "--you none, the engine plays against itself. The game is opened from the book,\n"
                 "and saved when it ends, also after Ctrl-C.",
        .rows = rows,
        .row_count = ROW_COUNT(rows),
    };
    enum parse_result result = options_parse(&line, argc, argv);
    out->has_movetime = options_given(&line, "movetime");
    return result;
}

/* A person plays where there is somebody to see the board and to answer. */
static enum you choose_side(const struct play *play)
{
    enum you you = (enum you)play->arguments.you;
    if (you == YOU_UNSAID)
        return file_is_terminal(stdin) && file_is_terminal(stdout) ? YOU_WHITE : YOU_NONE;
    if (you == YOU_RANDOM)
        return play->arguments.seed % 2 ? YOU_BLACK : YOU_WHITE;
    return you;
}

/* NULL, or what is wrong. */
static const char *take_clock(struct play *play)
{
    const struct play_arguments *arguments = &play->arguments;
    struct time_control *control = &play->control;
    const char *clock = arguments->time_control;
    if (!clock && !arguments->has_movetime && play->person == PLAY_NOBODY)
        clock = "20+0.2";
    if (clock)
        return time_control_read(clock, control)
                   ? NULL
                   : "--tc wants seconds as 20+0.2; see caxton play --help";
    control->movetime_ms = arguments->movetime_ms;
    return NULL;
}

/* The same. */
static const char *take_position(struct play *play, struct diag *diag)
{
    char room[ECO_LINE_MAX];
    struct span text;
    const char *start = play->arguments.start ? play->arguments.start : "";
    enum caxton_status status = eco_line(span_of(start), room, &text, diag);
    if (status == STATUS_OK)
        status = position_from_text(text, &play->start, diag);
    if (status == STATUS_OK)
        return NULL;
    char fault[sizeof diag->text];
    text_copy(fault, sizeof fault, span_of(diag->text));
    diag_set(diag, 0, 0, "--start: %.200s", fault);
    return diag->text;
}

/* False, and said why, when a value makes no sense. */
static bool take_arguments(struct play *play)
{
    const struct play_arguments *arguments = &play->arguments;
    struct diag diag;
    enum you you = choose_side(play);
    play->person = you == YOU_WHITE ? WHITE : you == YOU_BLACK ? BLACK : PLAY_NOBODY;
    const char *wrong = take_clock(play);
    if (!wrong)
        wrong = take_position(play, &diag);
    if (!wrong && arguments->pgn && !*arguments->pgn)
        wrong = "--pgn wants a name; see caxton play --help";
    if (!wrong && strlen(arguments->book) >= sizeof play->options.book.file)
        wrong = "--book: the name is too long";
    if (wrong) {
        (void)complain(wrong);
        return false;
    }
    options_init(&play->options);
    play->options.book.own_book = !arguments->no_book;
    play->options.threads = (int)arguments->threads;
    play->options.hash_mb = (int)arguments->hash_mb;
    play->options.limit_strength = arguments->elo > 0;
    if (arguments->elo > 0)
        play->options.elo = (int)arguments->elo;
    text_copy(play->options.book.file, sizeof play->options.book.file, span_of(arguments->book));
    return true;
}

static void choose_style(struct play *play)
{
    bool rich = terminal_obeys(stdout) && !play->arguments.plain && !getenv("NO_COLOR");
    play->screen = (struct screen){.out = stdout, .redraw = rich};
    play->screen.style.color = rich;
    play->screen.style.unicode = !play->arguments.ascii && terminal_is_utf8();
    play->is_echoed = file_is_terminal(stdin);
}

/* A book that was asked for must be there: false when none of them is. */
static bool open_books(struct play *play)
{
    enum caxton_status status = book_set_open(play->options.book.file, &play->books);
    if (status != STATUS_OK) {
        (void)complain(status_name(status));
        return false;
    }
    for (int i = 0; i < book_set_remark_count(play->books); i++)
        (void)fprintf(stderr, "caxton play: the book: %s\n",
                      text_safe(book_set_remark(play->books, i)).text);
    return book_set_count(play->books) > 0;
}

/* Decides where the game goes, makes the folder, and sees that it can be written there: after the
 * game it would be too late. */
static bool choose_path(struct play *play)
{
    struct text_buffer text = text_buffer_on(play->path, PLAY_PATH_MAX);
    struct diag diag;
    if (play->arguments.pgn)
        text_append(&text, "%s", play->arguments.pgn);
    else
        text_append(&text, PLAY_PATH_FORM ".pgn", play->started);
    if (text.cut)
        diag_set(&diag, 0, 0, "the name of the PGN file is too long");
    else if ((play->arguments.pgn || file_make_folder("games", &diag) == STATUS_OK) &&
             atomic_file_try(play->path, &diag) == STATUS_OK)
        return true;
    (void)complain(diag.text);
    return false;
}

/* Showing ---------------------------------------------------------------------------------- */

/* After a move of the engine. */
static void describe(struct play *play, const struct match_record *record, int mover)
{
    struct screen_state *shown = &play->shown;
    struct text_buffer text = text_buffer_on(shown->thought, sizeof shown->thought);
    if (record->from_book) {
        text_append(&text, "from the book, %d.%d%%", record->share_permille / 10,
                    record->share_permille % 10);
        return; /* the evaluation stays as it was */
    }
    struct wdl wdl = wdl_estimate(record->score, wdl_material(game_position(play->match.game)));
    int permille = wdl.win + wdl.draw / 2;
    shown->white_permille = mover == WHITE ? permille : 1000 - permille;
    report_pawns(&text, mover == WHITE ? record->score : -record->score);
    text_append(&text, " for White, depth %d, %lld.%02lld s", record->depth,
                (long long)(record->spent_ms / 1000), (long long)(record->spent_ms % 1000 / 10));
}

/* Playing ---------------------------------------------------------------------------------- */

static enum caxton_status engine_turn(struct play *play)
{
    struct match *match = &play->match;
    int mover = game_position(match->game)->turn;
    struct match_record record;
    if (play->screen.redraw && play->person != PLAY_NOBODY)
        screen_ask(&play->screen, "Caxton is thinking ...");
    match_think(match, &record);
    enum caxton_status status = match_play(match, &record);
    if (status != STATUS_OK || match->end != MATCH_OPEN)
        return status;
    describe(play, &record, mover);
    play_show(play);
    if (record.from_book && play->person == PLAY_NOBODY && file_is_terminal(stdout))
        clock_sleep_ms(BOOK_PAUSE_MS);
    return STATUS_OK;
}

static enum caxton_status play_game(struct play *play)
{
    enum caxton_status status = STATUS_OK;
    play_name_sides(play);
    play->shown.white_permille = 500;
    if (play->person != PLAY_NOBODY)
        (void)snprintf(play->message, sizeof play->message, "%s",
                       "Type your move, as e4 or e2e4; help lists what else there is.");
    play_show(play);
    while (status == STATUS_OK && !match_is_over(&play->match)) {
        bool is_persons = game_position(play->match.game)->turn == play->person;
        status = is_persons ? play_person_turn(play) : engine_turn(play);
        if (play->screen.failed && play->match.end == MATCH_OPEN)
            play->match.end = MATCH_LEFT; /* nobody sees it; it is saved */
    }
    return status;
}

/* Ending ----------------------------------------------------------------------------------- */

static enum exit_status conclude(struct play *play, const char *program)
{
    const struct match_outcome outcome = match_outcome(&play->match);
    size_t plies = game_plies(play->match.game);
    struct diag diag;
    if (play->screen.redraw)
        play_show(play);
    screen_say(&play->screen, "%s, %s, after %zu moves", pgn_result_text(outcome.result),
               outcome.reason, (plies + 1) / 2);
    if (plies > 0 && play_save(play, &outcome, &diag) != STATUS_OK)
        return complain(diag.text);
    if (plies > 0)
        screen_say(&play->screen, "The game is saved in %s", text_safe(play->path).text);
    char path[PLAY_PATH_MAX];
    bool is_interrupted = play->match.end == MATCH_INTERRUPTED;
    if (!is_interrupted && !play->input)
        screen_say(&play->screen,
                   "To play against Caxton, load this UCI engine in your chess program: %s\n"
                   "or play in a terminal: caxton play --you white",
                   text_safe(file_own_path(path, sizeof path) ? path : program).text);
    if (play->screen.failed && play->screen.failed != EPIPE) {
        (void)snprintf(path, sizeof path, "standard output: %s", strerror(play->screen.failed));
        return complain(path);
    }
    if (play->screen.failed) /* the reader has gone */
        return EXIT_FAILED;
    return is_interrupted ? EXIT_INTERRUPTED : EXIT_DONE;
}

static void on_interrupt(void *context)
{
    struct play *play = context;
    match_interrupt(&play->match);
    if (play->input)
        line_input_wake(play->input);
}

static enum exit_status run(struct play *play, const char *program)
{
    enum caxton_status status =
        match_init(&play->match, &play->start, &play->options, play->control, play->books,
                   (uint64_t)play->arguments.seed);
    if (status != STATUS_OK)
        return complain(status_name(status));
    if (play->person != PLAY_NOBODY && !(play->input = line_input_create()))
        return complain(status_name(STATUS_THREAD));
    program_outlive_reader(); /* the game is saved then, too */
    atomic_file_catch_signals();
    struct interrupt *interrupt = interrupt_catch(on_interrupt, play);
    if (!interrupt)
        return complain(status_name(STATUS_THREAD));
    status = play_game(play);
    interrupt_release(interrupt); /* a signal that comes while the game is saved ends the program */
    return status == STATUS_OK ? conclude(play, program) : complain(status_name(status));
}

enum exit_status play_main(int argc, char **argv, uint64_t seed)
{
    static const struct play_arguments defaults = {.book = ""};
    struct play play = {.arguments = defaults};
    play.arguments.seed = (int64_t)(seed >> 1);
    enum parse_result parsed = read_arguments(argc - 2, argv + 2, &play.arguments);
    if (parsed != PARSE_RUN)
        return parsed == PARSE_HELP_SHOWN ? EXIT_DONE : EXIT_USAGE;
    if (!take_arguments(&play))
        return EXIT_USAGE;
    clock_local(play.started);
    choose_style(&play);
    enum exit_status result =
        choose_path(&play) && open_books(&play) ? run(&play, argv[0]) : EXIT_FAILED;
    line_input_destroy(play.input);
    match_free(&play.match);
    book_set_close(play.books);
    return result;
}
