#include "engine/uci.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/program.h"
#include "base/thread.h"
#include "book/uci/position.h"
#include "chess/fen.h"
#include "chess/game.h"
#include "chess/mirror.h"
#include "engine/commands.h"
#include "engine/setoption.h"
#include "eval/network.h"

struct uci {
    struct session *session;
    struct output *out; /* of the session */
    struct position_memory memory;
    bool debug;
    bool quit;
    struct span arguments; /* of the command that is carried out */
    bool is_alone;         /* one command of a command line, no conversation */
    /* Why the command was not carried out, or failed, when alone. */
    enum caxton_status status;
    struct diag why;
};

/* The command is not carried out: STATUS_SYNTAX, or it failed. */
static void refuse(struct uci *uci, enum caxton_status status, const char *why)
{
    uci->status = status;
    diag_set(&uci->why, 0, 0, "%s", why);
    if (!uci->is_alone)
        report_string(uci->out, "%s", uci->why.text);
}

static void do_uci(struct uci *uci)
{
    report_line(uci->out, "id name Caxton %s", program_version);
    report_line(uci->out, "id author the Caxton authors");
    options_list(uci->out);
    report_line(uci->out, "uciok");
}

static void do_isready(struct uci *uci)
{
    report_line(uci->out, "readyok");
}

static void do_ucinewgame(struct uci *uci)
{
    uci->memory.valid = false;
    session_new_game(uci->session);
}

static void do_setoption(struct uci *uci)
{
    setoption_command(uci->session, uci->arguments, uci->debug);
}

static void do_position(struct uci *uci)
{
    session_finish(uci->session);
    (void)position_command(session_game(uci->session), &uci->memory, uci->arguments, uci->out);
    if (uci->debug)
        command_display(uci->session);
}

static void do_go(struct uci *uci)
{
    int64_t start_ms = clock_ms();
    session_finish(uci->session);
    struct go go;
    go_parse(uci->arguments, game_position(session_game(uci->session)), uci->out, &go);
    if (uci->is_alone && !go.has_end)
        refuse(uci, STATUS_SYNTAX,
               go.request.ponder ? "go ponder needs an interface that says ponderhit"
                                 : "go needs a limit: depth, nodes, mate, movetime, or infinite");
    else if (uci->is_alone && go.is_faulty)
        refuse(uci, STATUS_SYNTAX, "go was not understood");
    else
        session_go(uci->session, &go, start_ms);
}

/* Takes a number off `rest`; without one *number stays as it is. False: it is none, or out of
 * range. */
static bool take_number(struct span *rest, int min, int max, int *number)
{
    int64_t value = *number;
    struct span token = span_token(rest);
    if (token.size && span_to_int(token, min, max, &value) != STATUS_OK)
        return false;
    *number = (int)value;
    return true;
}

static void do_bench(struct uci *uci)
{
    struct bench_task task = {.run = bench_run, .depth = BENCH_DEPTH};
    session_finish(uci->session);
    if (take_number(&uci->arguments, 1, SEARCH_DEPTH_MAX, &task.depth) &&
        !span_token(&uci->arguments).size)
        session_bench(uci->session, &task);
    else
        refuse(uci, STATUS_SYNTAX, "bench takes one number, the depth");
}

static void do_speedtest(struct uci *uci)
{
    enum { SECONDS = 60, SECONDS_MAX = 1000000, HASH_MB = 128 };
    struct bench_task task = {
        .run = speedtest_run, .threads = thread_processors(SEARCH_THREADS_MAX), .seconds = SECONDS};
    struct span rest = uci->arguments;
    int most = (int)(memory_limit_bytes() >> 22); /* MB, a quarter */
    session_finish(uci->session);
    bool good = take_number(&rest, 1, SEARCH_THREADS_MAX, &task.threads);
    task.hash_mb = HASH_MB * task.threads < most ? HASH_MB * task.threads : most ? most : HASH_MB;
    if (good && take_number(&rest, 1, SEARCH_HASH_MB_MAX, &task.hash_mb) &&
        take_number(&rest, 1, SECONDS_MAX, &task.seconds) && !span_token(&rest).size) {
        command_compiler(uci->session);
        session_bench(uci->session, &task);
    } else {
        refuse(uci, STATUS_SYNTAX, "speedtest takes up to three numbers: threads, MB, seconds");
    }
}

static void do_genfens(struct uci *uci)
{
    struct bench_task task = {.run = genfens_run};
    struct span rest = uci->arguments;
    struct diag why;
    int64_t seed = 0;
    session_finish(uci->session);
    bool good = take_number(&rest, 1, GENFENS_MAX, &task.count) && task.count > 0 &&
                span_equal(span_token(&rest), "seed") &&
                span_to_int(span_token(&rest), 0, INT64_MAX, &seed) == STATUS_OK &&
                span_equal(span_token(&rest), "book");
    struct span book = span_token(&rest);
    struct span extra = span_token(&rest);
    task.seed = (uint64_t)seed;
    task.is_chess960 = span_equal(extra, "dfrc");
    if (!good || !book.size || (extra.size && !task.is_chess960) || span_token(&rest).size) {
        refuse(uci, STATUS_SYNTAX, "genfens is: genfens N seed S book None|FILE [dfrc]");
        return;
    }
    char path[OPTION_TEXT_MAX];
    text_copy(path, sizeof path, book);
    if (!span_equal_nocase(book, "none") &&
        fen_read_file(path, &task.starts, &task.start_count, &why) != STATUS_OK)
        refuse(uci, STATUS_IO, why.text);
    else
        session_bench(uci->session, &task);
}

static void do_flip(struct uci *uci)
{
    struct game *game = session_game(uci->session);
    struct position flipped;
    session_finish(uci->session);
    position_mirror(game_position(game), &flipped);
    game_reset(game, &flipped);
    uci->memory.valid = false;
}

static void do_export_net(struct uci *uci)
{
    struct diag why;
    struct span name = span_trim(uci->arguments);
    char path[OPTION_TEXT_MAX];
    text_copy(path, sizeof path, name);
    if (!name.size)
        refuse(uci, STATUS_SYNTAX, "export_net needs the name of a file");
    else if (network_builtin_export(path, &why) != STATUS_OK)
        refuse(uci, STATUS_IO, why.text);
    else
        report_string(uci->out, "the built-in network is now in %s", path);
}

static void do_wait(struct uci *uci)
{
    if (session_will_end(uci->session))
        (void)session_wait(uci->session);
    else
        report_string(uci->out, "wait: this search ends by stop or ponderhit only");
}

static void do_debug(struct uci *uci)
{
    struct span value = span_token(&uci->arguments);
    if (span_equal(value, "on") || span_equal(value, "off"))
        uci->debug = span_equal(value, "on");
    else
        report_string(uci->out, "debug: on or off");
}

static void do_stop(struct uci *uci)
{
    session_stop(uci->session);
}

static void do_ponderhit(struct uci *uci)
{
    session_ponderhit(uci->session);
}

static void do_register(struct uci *uci)
{
    (void)uci;
}

static void do_quit(struct uci *uci)
{
    uci->quit = true;
}

static void do_help(struct uci *uci);

struct uci_command {
    const char *name;
    void (*run)(struct uci *uci);
    void (*show)(struct session *session); /* in place of `run` */
    const char *help;
};

static const struct uci_command commands[] = {
    {"uci", do_uci, NULL, "say who we are and which options there are"},
    {"isready", do_isready, NULL, "answer readyok, also during a search"},
    {"ucinewgame", do_ucinewgame, NULL, "forget the last game"},
    {"setoption", do_setoption, NULL, "setoption name NAME [value VALUE]"},
    {"position", do_position, NULL, "position (startpos | fen FEN) [moves MOVE...]"},
    {"go", do_go, NULL,
     "go [wtime|btime|winc|binc|movestogo|movetime|depth|nodes|mate N]... [infinite] [ponder] "
     "[searchmoves MOVE...], or go perft N"},
    {"stop", do_stop, NULL, "end the search, give its move"},
    {"ponderhit", do_ponderhit, NULL, "the expected move was played"},
    {"debug", do_debug, NULL, "debug (on | off): say more"},
    {"register", do_register, NULL, "not needed"},
    {"quit", do_quit, NULL, "end"},
    {"d", NULL, command_display, "show the position"},
    {"eval", NULL, command_eval, "show the static evaluation"},
    {"book", NULL, command_book, "show what the book says here"},
    {"bench", do_bench, NULL, "bench [DEPTH]: search fixed positions, show nodes and speed"},
    {"speedtest", do_speedtest, NULL,
     "speedtest [THREADS] [MB] [SECONDS]: the speed with all threads, a table"},
    {"genfens", do_genfens, NULL,
     "genfens N seed S book None|FILE [dfrc]: N positions to begin games from, for OpenBench"},
    {"compiler", NULL, command_compiler, "show what built this program, and its network"},
    {"flip", do_flip, NULL, "exchange the colours of the position"},
    {"export_net", do_export_net, NULL, "export_net FILE: write the built-in network"},
    {"wait", do_wait, NULL, "read on when the search has ended, for scripts"},
    {"help", do_help, NULL, "this list"},
};

enum { COMMAND_COUNT = sizeof commands / sizeof *commands };

static void do_help(struct uci *uci)
{
    for (int i = 0; i < COMMAND_COUNT; i++)
        report_line(uci->out, "%-11s %s", commands[i].name, commands[i].help);
}

void uci_list_commands(FILE *out, enum help_form form)
{
    for (int i = 0; i < COMMAND_COUNT; i++)
        help_row(out, form, 0, commands[i].name, "-", commands[i].help);
}

/* alone: on the command line, where the words of the program can stand, too. *near: what may be
 * said instead, " (did you mean bench?)", or "". */
enum { NEAR_MAX = 64 };
static const struct uci_command *find_command(struct span name, bool alone, char near[NEAR_MAX])
{
    static const char *const words[] = {"play", "options", "--version", "--help"};
    struct text_nearest nearest = {.wanted = name};
    near[0] = '\0';
    for (size_t i = 0; alone && i < sizeof words / sizeof *words; i++)
        text_nearest_try(&nearest, span_of(words[i]));
    for (int i = 0; i < COMMAND_COUNT; i++) {
        if (span_equal(name, commands[i].name))
            return &commands[i];
        text_nearest_try(&nearest, span_of(commands[i].name));
    }
    if (nearest.word.data)
        (void)snprintf(near, NEAR_MAX, " (did you mean %s?)", nearest.word.data);
    return NULL;
}

static void run_command(struct uci *uci, const struct uci_command *command)
{
    if (command->run)
        command->run(uci);
    else
        command->show(uci->session);
}

/* The command at the beginning of `line`, its arguments in uci->arguments. NULL: there is none, and
 * what is not known has been said. */
static const struct uci_command *take_command(struct uci *uci, struct span line)
{
    struct span name = span_token(&line);
    if (!name.size)
        return NULL;
    uci->arguments = line;
    char near[NEAR_MAX];
    const struct uci_command *command = find_command(name, false, near);
    if (!command)
        report_string(uci->out, "unknown command \"%.*s\"%s", report_quote_size(name), name.data,
                      near);
    return command;
}

static void end(struct uci *uci)
{
    session_destroy(uci->session);
    position_memory_free(&uci->memory);
}

enum caxton_status uci_converse(FILE *in, FILE *out, uint64_t seed)
{
    struct uci uci = {.session = session_create(out, seed)};
    if (!uci.session)
        return STATUS_NO_MEMORY;
    uci.out = session_out(uci.session);
    struct program_line line = {0};
    while (!uci.quit && program_read_line(in, &line)) {
        if (line.is_cut) {
            report_string(uci.out, "a line of more than %d bytes is skipped", PROGRAM_LINE_MAX);
            continue;
        }
        session_log_input(uci.session, span_make(line.data, line.size));
        const struct uci_command *command = take_command(&uci, span_make(line.data, line.size));
        if (command)
            run_command(&uci, command);
    }
    free(line.data);
    if (uci.quit) /* a script writes "go perft 5" and "quit" at once */
        session_wait_for_count(uci.session);
    end(&uci);
    return ferror(out) ? STATUS_IO : STATUS_OK;
}

enum caxton_status uci_execute(const char *line, FILE *out, uint64_t seed, struct diag *diag)
{
    struct span rest = span_of(line);
    struct span name = span_token(&rest);
    char near[NEAR_MAX];
    const struct uci_command *command = find_command(name, true, near);
    if (!command) {
        diag_set(diag, 0, 0, "no such command: %.*s%s", report_quote_size(name), name.data, near);
        return STATUS_NOT_FOUND;
    }
    struct uci uci = {.session = session_create(out, seed), .is_alone = true};
    if (!uci.session) {
        diag_set(diag, 0, 0, "start: %s", status_name(STATUS_NO_MEMORY));
        return STATUS_NO_MEMORY;
    }
    enum caxton_status status = STATUS_OK;
    uci.out = session_out(uci.session);
    session_options(uci.session)->book.own_book = false;
    uci.arguments = rest;
    run_command(&uci, command);
    if (!session_wait(uci.session))
        refuse(&uci, STATUS_IO, "the command failed");
    if (uci.status != STATUS_OK) {
        *diag = uci.why;
        status = uci.status;
    } else if (ferror(out)) {
        diag_set(diag, 0, 0, "standard output cannot be written");
        status = STATUS_IO;
    }
    end(&uci);
    return status;
}
