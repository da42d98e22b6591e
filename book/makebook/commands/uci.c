/* makebook uci: another UCI engine, with a book. */
#include <signal.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/interrupt.h"
#include "book/adapter/adapter.h"
#include "book/makebook/commands/commands.h"

enum { LATE_MAX_S = 86400, MS = 1000 };

struct uci_run {
    const char *engine;
    const char *books;
    int64_t late_s;
    struct command_line line;
};

/* An interface ends a program like this. The engine ends first: it may not look at its input. */
static void stop(void *context)
{
    adapter_stop(context);
    (void)raise(SIGTERM);
}

static enum exit_status run(void *context)
{
    struct uci_run *command = context;
    struct adapter *adapter;
    struct diag diag;
    const struct adapter_settings settings = {
        .command = command->engine,
        .books = command->books,
        .out = stdout,
        .seed = clock_seed(),
        .patience_ms = command->late_s * MS,
    };
    program_outlive_reader();
    enum caxton_status status = adapter_create(&settings, &adapter, &diag);
    if (status != STATUS_OK)
        return command_fail(&command->line, "%s", diag.text);
    struct interrupt *interrupt = interrupt_catch(stop, adapter);
    status = adapter_converse(adapter, stdin);
    interrupt_release(interrupt);
    adapter_destroy(adapter);
    if (status == STATUS_THREAD)
        return command_fail(&command->line, "%s", status_name(status));
    return command_end(&command->line, EXIT_DONE);
}

static const char about[] =
    "A UCI engine for any interface: everything is passed on to another UCI engine, and books "
    "answer\n"
    "first. --book takes what the option BookFile of Caxton takes: books of any kind, several\n"
    "separated by ';', each with options of its own (docs/ENGINE.md, Books). BookFile, OwnBook,\n"
    "BookSelection, BookDepth and the others can be set like every option of the engine, whose "
    "own\n"
    "books are off. An engine that ends, is much too late or answers with an illegal move is "
    "started\n"
    "again and asked once more.";

static enum exit_status command_main(int argc, char **argv)
{
    struct uci_run command = {.engine = NULL};
    const struct option_row rows[] = {
        TEXT_ROW("engine", 0, "COMMAND", "the UCI engine, with its arguments", &command.engine,
                 .required = "which engine is to play? --engine says it"),
        TEXT_ROW("book", 0, "FILE", "the book, or several: A;B", &command.books,
                 .required = "which book? --book says it"),
        NUMBER_ROW("engine-timeout", 0, "SECONDS",
                   "start the engine again when a move is late by so much, or isready by six times "
                   "as much",
                   &command.late_s, 1, LATE_MAX_S, USUAL(10)),
    };
    command.line =
        COMMAND_LINE("uci", "--engine COMMAND --book FILE", about, rows, ROW_COUNT(rows), 0, 0);
    return command_run(&command.line, argc, argv, run, &command);
}

const struct command command_uci = {"uci", "play another UCI engine with a book", command_main};
