/* makebook learn: a book that has learnt from games. */
#include "book/learn/learn.h"

#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"
#include "base/progress.h"
#include "book/book.h"
#include "book/build/input/input.h"
#include "book/makebook/cli/gather.h"
#include "book/makebook/cli/outputs.h"
#include "book/makebook/cli/save.h"
#include "book/makebook/cli/searching.h"
#include "book/makebook/cli/source.h"
#include "book/makebook/commands/commands.h"
#include "book/makebook/commands/learn_report.h"
#include "search/limits.h"

enum { MARGIN_MAX = 10000, DEFAULT_DEPTH = 18 };

struct learn_command {
    const char *book;
    const char *player;
    const char *output;
    int side; /* 0: both, else 1 + colour */
    int64_t depth;
    int64_t nodes;
    int64_t margin_cp;
    int64_t good_cp;
    int64_t back;
    bool openings;
    bool quiet;
    struct command_line line;

    const struct book_writer *writer;
    struct searching searching;
    struct source source;
    struct learn_games games;
    struct learn_options options;
    struct learnt learnt;
    struct progress progress;
    size_t done;
    double seconds;
};

/* Is one of the inputs the file at `path`? */
static bool is_input(const struct learn_command *command, const char *path)
{
    bool found = outputs_are_one(command->book, path);
    for (int i = 0; i < command->line.operand_count; i++)
        found |= outputs_are_one(command->line.operands[i], path);
    return found;
}

/* Returns EXIT_DONE or EXIT_USAGE. */
static int find_files(struct learn_command *command)
{
    const struct command_line *line = &command->line;
    const char *output = command->output;
    if (!command->book)
        return command_misuse(line, "which book was played with? --book says it");
    if (!output)
        return command_misuse(line, "where to? -o says it");
    if (save_find_writer(line, output, &command->writer) != EXIT_DONE)
        return EXIT_USAGE;
    if (searching_find_store(line, &command->searching, output) != EXIT_DONE)
        return EXIT_USAGE;
    const char *store = command->searching.store_path;
    if (is_input(command, output) || is_input(command, store))
        return command_misuse(line, "%s is read: it would be lost",
                              is_input(command, output) ? output : store);
    if (outputs_are_one(output, store))
        return command_misuse(line, "%s is the book: the store needs another name", output);
    return EXIT_DONE;
}

/* Returns EXIT_DONE or EXIT_USAGE. */
static int read_options(struct learn_command *command)
{
    struct learn_options *options = &command->options;
    if (command->depth > 0 && command->nodes > 0)
        return command_misuse(&command->line, "--depth or --nodes, not both");
    options->limit =
        command->nodes > 0
            ? (struct search_limit){SEARCH_NODES, (uint64_t)command->nodes}
            : (struct search_limit){SEARCH_TO_DEPTH,
                                    command->depth > 0 ? (uint64_t)command->depth : DEFAULT_DEPTH};
    options->margin_cp = (int)command->margin_cp;
    options->good_cp = (int)command->good_cp;
    options->back = (size_t)command->back;
    return EXIT_DONE;
}

static bool read_file(struct learn_command *command, const char *path)
{
    const struct learn_choice choice = {
        .player = command->player,
        .sides = {command->side != 1 + BLACK, command->side != 1 + WHITE},
        .openings = command->openings};
    struct input *input = NULL;
    struct diag diag = {.text = ""};
    const char *name = strcmp(path, "-") == 0 ? "standard input" : path;
    if (input_open(path, &input, &diag) != STATUS_OK)
        return command_refuse(&command->line, "%s", diag.text);
    enum caxton_status status = learn_games_read(&command->games, &choice, input_read, input, name);
    const char *fault = status == STATUS_NO_MEMORY ? "out of memory" : input_fault(input);
    if (status != STATUS_OK)
        (void)command_fail(&command->line, "%s: %s", name, fault);
    input_close(input);
    return status == STATUS_OK;
}

static bool read_games(struct learn_command *command)
{
    const struct command_line *line = &command->line;
    const struct learn_games *games = &command->games;
    for (int i = 0; i < line->operand_count; i++)
        if (!read_file(command, line->operands[i]))
            return false;
    learn_games_sort(&command->games);
    if (games->count > 0)
        return true;
    if (command->player && games->read > games->bad && games->unfinished + games->forfeited == 0)
        return command_refuse(line, "%s: none of %llu games is one of \"%s\"", line->operands[0],
                              (unsigned long long)games->read, command->player);
    return command_refuse(line,
                          "%s: no game to learn from: %llu read, %llu bad, %llu unfinished, %llu "
                          "lost on time or by a forfeit",
                          line->operands[0], (unsigned long long)games->read,
                          (unsigned long long)games->bad, (unsigned long long)games->unfinished,
                          (unsigned long long)games->forfeited);
}

static bool read_book(struct learn_command *command)
{
    struct source *source = &command->source;
    if (!source_open(&command->line, command->book, source))
        return false;
    if (source->stats) {
        (void)source_wants_book(&command->line, source);
        return false;
    }
    command->options.token = checksum_add(CHECKSUM_EMPTY, source->bytes, source->size);
    return true;
}

static void show_progress(void *context, size_t done, size_t all)
{
    struct learn_command *command = context;
    char text[80];
    command->done = done;
    if (!progress_is_due(&command->progress))
        return;
    (void)snprintf(text, sizeof text, "lost lines: %zu of %zu", done, all);
    progress_text(&command->progress, text);
}

/* For scorer_on_wait(). */
static void show_wait(void *context)
{
    struct learn_command *command = context;
    show_progress(context, command->done, command->learnt.lost);
}

static enum caxton_status learn(struct learn_command *command, struct diag *diag)
{
    struct learn_options *options = &command->options;
    options->progress = show_progress;
    options->context = command;
    enum caxton_status status = searching_open(&command->line, &command->searching, diag);
    if (status != STATUS_OK)
        return status;
    diag_set(diag, 0, 0, "out of memory");
    status = learn_begin(options, command->source.book, &command->games, command->searching.store,
                         &command->learnt);
    if (status != STATUS_OK)
        return status;
    progress_start(&command->progress, command->quiet, 0);
    if (command->progress.shown)
        scorer_on_wait(command->searching.scorer, show_wait, command);
    status = learn_run(options, command->searching.scorer, &command->learnt, diag);
    progress_end(&command->progress);
    command->seconds = (double)progress_elapsed_ms(&command->progress) / 1000;
    return status;
}

static int save(const struct learn_command *command)
{
    struct gathering gathering = {.root_count = 0};
    const struct draft *draft = &command->learnt.draft;
    struct book *book = NULL;
    struct diag diag = {.text = ""};
    enum caxton_status status = gather_book(&gathering, command->source.book, GATHER_SUM, &diag);
    if (status == STATUS_OK && *diag.text)
        (void)command_fail(&command->line, "warning: %s: %s", command->source.name, diag.text);
    if (status == STATUS_OK)
        status = gather_additions(&gathering, draft->changes, draft->count);
    if (status == STATUS_OK)
        status = gather_finish(&gathering, command->output, &book);
    gather_free(&gathering);
    if (status != STATUS_OK)
        return command_fail(&command->line, "%s: %s", command->source.name, status_name(status));
    book_made_of(book, command->source.book);
    int answer = save_book(&command->line, book, command->writer, command->output);
    book_close(book);
    return answer;
}

static int report(const struct learn_command *command)
{
    FILE *out = outputs_report(command->output);
    if (learn_report_events(out, &command->learnt) != STATUS_OK)
        return command_fail(&command->line, "out of memory");
    learn_report_bad(out, &command->games);
    learn_report_counts(out, &command->games, &command->learnt);
    (void)fprintf(out, "%s: %s\n", text_safe(command->output).text, command->writer->about);
    searching_report(out, &command->searching, command->seconds);
    return EXIT_DONE;
}

/* The book first, then what the store is to remember of it: a run that is killed between the two
 * can be repeated. */
static int finish(struct learn_command *command)
{
    struct diag diag = {.text = ""};
    int answer = save(command);
    if (answer == EXIT_DONE && learn_remember(&command->options, &command->learnt,
                                              command->searching.store, &diag) != STATUS_OK)
        answer = command_fail(&command->line, "%s", diag.text);
    return answer == EXIT_DONE && !command->quiet ? report(command) : answer;
}

static int run(void *context)
{
    struct learn_command *command = context;
    struct diag diag = {.text = ""};
    int answer = find_files(command);
    if (answer == EXIT_DONE)
        answer = read_options(command);
    if (answer != EXIT_DONE)
        return answer;
    if (!outputs_try(&command->line, command->output))
        return EXIT_FAILED;
    answer = EXIT_FAILED;
    if (read_book(command) && read_games(command)) {
        enum caxton_status status = learn(command, &diag);
        searching_end(&command->searching);
        answer = status == STATUS_OK
                     ? finish(command)
                     : searching_give_up(&command->line, &command->searching, status, &diag);
        answer = searching_close(&command->line, &command->searching, answer);
    }
    learnt_free(&command->learnt);
    learn_games_free(&command->games);
    source_close(&command->source);
    return command_end(&command->line, answer);
}

static const char about[] =
    "Learns from games that were played with a book. Of each lost game the moves that our side\n"
    "played by the book are searched, the last one first. Where another move is better by "
    "--margin\n"
    "the book plays that one from now on. When no search explains the loss the book leaves the\n"
    "line all the same: by another of its moves, or any move, that is not worse than --margin; "
    "else\n"
    "the last move of the book is not played any more, and the engine thinks there itself. A move\n"
    "that gives way stays with the weight 0. Moves of won and drawn games get more weight where\n"
    "there is a choice.\n\n"
    "Our side is --player, on the side that --side says; without both, each side of every game. A\n"
    "game counts once: the store remembers games and moves, so give the same --store each time. "
    "It\n"
    "also keeps every search. A run that was stopped or killed is simply started again: it goes\n"
    "on, and ends in the same bytes. The book does not depend on --threads. Bad games are left "
    "out\n"
    "and counted. The kind of book is seen from the name of OUT, as for convert.";

static int command_main(int argc, char **argv)
{
    struct learn_command command = {.searching = SEARCHING_DEFAULT, .margin_cp = 20};
    const struct option_row rows[] = {
        TEXT_ROW("book", 0, "BOOK", "the book that was played with, of any kind", &command.book),
        TEXT_ROW("output", 'o', "OUT", "the book to be written", &command.output),
        TEXT_ROW("player", 0, "NAME", "who has the book, as in build (everybody)", &command.player),
        CHOICE_ROW("side", "both|white|black", "the side of the board that has it (both)",
                   &command.side),
        NUMBER_ROW("depth", 0, "PLIES",
                   "of searches after a loss (18); at least 2 more than grow searched there",
                   &command.depth, 1, SEARCH_DEPTH_MAX),
        NUMBER_ROW("nodes", 0, "N", "of searches after a loss, instead of a depth", &command.nodes,
                   1, INT64_MAX),
        NUMBER_ROW("margin", 0, "CP", "so much better, or worse at most, is another move (20)",
                   &command.margin_cp, 0, MARGIN_MAX),
        NUMBER_ROW("good", 0, "CP", "a score that explains a loss when a move leads to it (0)",
                   &command.good_cp, -MARGIN_MAX, MARGIN_MAX),
        NUMBER_ROW("back", 0, "N", "search the last N moves of a line (all)", &command.back, 1,
                   INT32_MAX),
        FLAG_ROW("openings", 0, "moves with the comment \"book\" were given by a tournament",
                 &command.openings),
        SEARCHING_ROWS(command.searching, "OUT.store"),
        FLAG_ROW("quiet", 'q', "no progress, no closing report", &command.quiet),
    };
    command.line = COMMAND_LINE("learn", "GAMES... --book BOOK -o OUT [options]", about, rows,
                                ROW_COUNT(rows), 1, argc);
    return command_run(&command.line, argc, argv, run, &command);
}

const struct command command_learn = {"learn", "change a book by what its games taught",
                                      command_main};
