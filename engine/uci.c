#include "engine/uci.h"

#include <stdlib.h>

#include "base/clock.h"
#include "chess/game.h"
#include "engine/bench.h"
#include "engine/commands.h"
#include "engine/position.h"
#include "engine/setoption.h"
#include "engine/tuning.h"

struct uci {
    struct report report;
    struct session *session;
    struct position_memory memory;
    bool debug;
    bool quit;
    bool is_alone;       /* one command of a command line, no conversation */
    const char *refusal; /* why the command was not carried out when alone; NULL: it was */
};

static void do_uci(struct uci *uci, struct span arguments)
{
    (void)arguments;
    report_line(&uci->report, "id name Caxton " CAXTON_VERSION);
    report_line(&uci->report, "id author the Caxton authors");
    options_list(&uci->report);
    tuning_list(&uci->report);
    report_line(&uci->report, "uciok");
}

static void do_isready(struct uci *uci, struct span arguments)
{
    (void)arguments;
    report_line(&uci->report, "readyok");
}

static void do_ucinewgame(struct uci *uci, struct span arguments)
{
    (void)arguments;
    uci->memory.valid = false;
    session_new_game(uci->session);
}

static void do_setoption(struct uci *uci, struct span arguments)
{
    session_finish(uci->session);
    setoption_command(uci->session, arguments, uci->debug);
}

static void do_position(struct uci *uci, struct span arguments)
{
    session_finish(uci->session);
    position_command(uci->session, &uci->memory, arguments);
    if (uci->debug)
        command_display(uci->session);
}

static void do_go(struct uci *uci, struct span arguments)
{
    int64_t start_ms = clock_ms();
    session_finish(uci->session);
    struct go go;
    go_parse(arguments, game_position(session_game(uci->session)), &uci->report, &go);
    if (uci->is_alone && !go.has_end)
        uci->refusal = go.request.ponder
                           ? "go ponder needs an interface that says ponderhit"
                           : "go needs a limit: depth, nodes, mate, movetime, or infinite";
    else
        session_go(uci->session, &go, start_ms);
}

static void do_bench(struct uci *uci, struct span arguments)
{
    static const char wanted[] = "bench takes one number, the depth";
    int64_t depth = BENCH_DEPTH;
    struct span text = span_trim(arguments);
    session_finish(uci->session);
    if (!text.size || span_to_int(text, 1, SEARCH_DEPTH_MAX, &depth) == STATUS_OK)
        (void)session_bench(uci->session, (int)depth);
    else if (uci->is_alone)
        uci->refusal = wanted;
    else
        report_string(&uci->report, "%s", wanted);
}

static void do_stop(struct uci *uci, struct span arguments)
{
    (void)arguments;
    session_stop(uci->session);
}

static void do_ponderhit(struct uci *uci, struct span arguments)
{
    (void)arguments;
    session_ponderhit(uci->session);
}

static void do_debug(struct uci *uci, struct span arguments)
{
    struct span value = span_token(&arguments);
    if (span_equal(value, "on") || span_equal(value, "off"))
        uci->debug = span_equal(value, "on");
    else
        report_string(&uci->report, "debug: on or off");
}

static void do_register(struct uci *uci, struct span arguments)
{
    (void)uci;
    (void)arguments; /* nothing to register */
}

static void do_quit(struct uci *uci, struct span arguments)
{
    (void)arguments;
    uci->quit = true;
}

static void do_d(struct uci *uci, struct span arguments)
{
    (void)arguments;
    command_display(uci->session);
}

static void do_eval(struct uci *uci, struct span arguments)
{
    (void)arguments;
    command_eval(uci->session);
}

static void do_book(struct uci *uci, struct span arguments)
{
    (void)arguments;
    command_book(uci->session);
}

static void do_help(struct uci *uci, struct span arguments);

struct command {
    const char *name;
    void (*run)(struct uci *uci, struct span arguments);
    const char *help;
};

static const struct command commands[] = {
    {"uci", do_uci, "say who we are and which options there are"},
    {"isready", do_isready, "answer readyok, also during a search"},
    {"ucinewgame", do_ucinewgame, "forget the last game"},
    {"setoption", do_setoption, "setoption name NAME [value VALUE]"},
    {"position", do_position, "position (startpos | fen FEN) [moves MOVE...]"},
    {"go", do_go,
     "go [wtime|btime|winc|binc|movestogo|movetime|depth|nodes|mate N]... [infinite] [ponder] "
     "[searchmoves MOVE...], or go perft N"},
    {"stop", do_stop, "end the search, give its move"},
    {"ponderhit", do_ponderhit, "the expected move was played"},
    {"debug", do_debug, "debug (on | off): say more"},
    {"register", do_register, "not needed"},
    {"quit", do_quit, "end"},
    {"d", do_d, "show the position"},
    {"eval", do_eval, "show the static evaluation"},
    {"book", do_book, "show what the book says here"},
    {"bench", do_bench, "bench [DEPTH]: search fixed positions, show nodes and speed"},
    {"help", do_help, "this list"},
};

enum { COMMAND_COUNT = sizeof commands / sizeof *commands };

static void do_help(struct uci *uci, struct span arguments)
{
    (void)arguments;
    for (int i = 0; i < COMMAND_COUNT; i++)
        report_line(&uci->report, "%-11s %s", commands[i].name, commands[i].help);
}

static const struct command *find_command(struct span name)
{
    for (int i = 0; i < COMMAND_COUNT; i++)
        if (span_equal(name, commands[i].name))
            return &commands[i];
    return NULL;
}

static void execute(struct uci *uci, struct span line)
{
    struct span name = span_token(&line);
    if (!name.size)
        return;
    const struct command *command = find_command(name);
    if (command)
        command->run(uci, line);
    else
        report_string(&uci->report, "unknown command \"%.*s\"", report_quote_size(name), name.data);
}

static enum caxton_status start(struct uci *uci, FILE *out, uint64_t seed)
{
    *uci = (struct uci){0};
    enum caxton_status status = report_init(&uci->report, out);
    if (status != STATUS_OK)
        return status;
    uci->session = session_create(&uci->report, seed);
    if (uci->session)
        return STATUS_OK;
    report_free(&uci->report);
    return STATUS_NO_MEMORY;
}

static void end(struct uci *uci)
{
    session_destroy(uci->session);
    position_memory_free(&uci->memory);
    report_free(&uci->report);
}

enum caxton_status uci_converse(FILE *in, FILE *out, uint64_t seed)
{
    struct uci uci;
    enum caxton_status status = start(&uci, out, seed);
    if (status != STATUS_OK)
        return status;
    char *line = NULL;
    size_t capacity = 0;
    while (!uci.quit) {
        ssize_t size = getline(&line, &capacity, in);
        if (size < 0)
            break;
        execute(&uci, span_make(line, (size_t)size));
    }
    free(line);
    end(&uci);
    return STATUS_OK;
}

enum caxton_status uci_execute(const char *line, FILE *out, uint64_t seed, struct diag *diag)
{
    struct span rest = span_of(line);
    if (!find_command(span_token(&rest))) {
        diag_set(diag, 0, 0, "no such command");
        return STATUS_NOT_FOUND;
    }
    struct uci uci;
    enum caxton_status status = start(&uci, out, seed);
    if (status != STATUS_OK) {
        diag_set(diag, 0, 0, "start: %s", status_name(status));
        return status;
    }
    uci.is_alone = true;
    session_options(uci.session)->own_book = false;
    execute(&uci, span_of(line));
    session_wait(uci.session);
    if (uci.refusal) {
        diag_set(diag, 0, 0, "%s", uci.refusal);
        status = STATUS_SYNTAX;
    } else if (report_has_failed(&uci.report)) {
        diag_set(diag, 0, 0, "standard output cannot be written");
        status = STATUS_IO;
    }
    end(&uci);
    return status;
}
