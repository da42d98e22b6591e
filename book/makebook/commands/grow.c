/* makebook grow: a book by search against a given book. */
#include "book/grow/grow.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/atomic_file.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "base/terminal.h"
#include "base/thread.h"
#include "book/book.h"
#include "book/grow/builtin_searcher.h"
#include "book/makebook/cli/gather.h"
#include "book/makebook/cli/outputs.h"
#include "book/makebook/cli/save.h"
#include "book/makebook/cli/source.h"
#include "book/makebook/commands/commands.h"
#include "book/makebook/commands/grow_report.h"

enum { SIDE_WHITE, SIDE_BLACK, SIDE_BOTH, SIDES = 2 };
enum { BRANCH_DECIMALS = 2, BRANCH_UNIT = 100, BRANCH_MAX = 1000 * BRANCH_UNIT, PATH_SIZE = 4096 };

struct grow_command {
    int side;
    const char *against;
    const char *output;
    const char *store_name;
    const char *branch;
    int64_t depth;
    int64_t min_depth;
    int64_t threads;
    int64_t hash_mb;
    int64_t max_positions;
    bool replies;
    bool quiet;
    struct command_line line;

    const struct book_writer *writer;
    char store_path[PATH_SIZE]; /* "": none */
    struct source source;
    struct score_store *store;
    struct scorer *scorer;
    struct interrupt *interrupt;
    struct grow *grown[SIDES];
    struct progress progress;
    struct scorer_counts counts; /* when all has grown */
    double seconds;
};

/* Returns EXIT_DONE or EXIT_USAGE. */
static int find_output(struct grow_command *command)
{
    const struct command_line *line = &command->line;
    const char *output = command->output;
    if (!output)
        return command_misuse(line, "where to? -o says it");
    if (!command->against)
        return command_misuse(line, "against what? --against says it");
    if (outputs_is_stats_name(output))
        return command_misuse(line, "a book is written here, not statistics (.wld)");
    command->writer = formats_writer_of_path(output);
    if (!command->writer && outputs_are_named(line, output, "bin") != EXIT_DONE)
        return EXIT_USAGE;
    if (!command->writer)
        command->writer = formats_writer("bin");
    if (command->store_name && strcmp(command->store_name, "-") == 0)
        return command_misuse(line, "the store is a file that is read and written: not -");
    struct text_buffer path = text_buffer_on(command->store_path, sizeof command->store_path);
    if (command->store_name)
        text_append(&path, "%s", command->store_name);
    else if (!outputs_is_standard(output))
        text_append(&path, "%s.store", output);
    if (path.cut)
        return command_misuse(line, "the path of the store is too long");
    if (outputs_are_one(command->against, output) ||
        outputs_are_one(command->against, command->store_path))
        return command_misuse(line, "%s is read: it would be lost", command->against);
    if (outputs_are_one(output, command->store_path))
        return command_misuse(line, "%s is the book: the store needs another name", output);
    return EXIT_DONE;
}

/* Returns EXIT_DONE or EXIT_USAGE. */
static int read_options(struct grow_command *command, struct grow_options *options)
{
    int64_t branch = 0;
    if (command->min_depth > command->depth)
        return command_misuse(&command->line, "--min-depth is larger than --depth");
    if (!options_read_decimal(command->branch, BRANCH_DECIMALS, BRANCH_MAX, &branch) ||
        branch <= BRANCH_UNIT)
        return command_misuse(&command->line, "--branch %s is no number above 1", command->branch);
    *options = (struct grow_options){.against = command->source.book,
                                     .root_depth = (int)command->depth,
                                     .min_depth = (int)command->min_depth,
                                     .branch = (double)branch / BRANCH_UNIT,
                                     .max_positions = (size_t)command->max_positions};
    position_start(&options->root);
    return EXIT_DONE;
}

static void stop(void *context)
{
    scorer_stop(context);
}

static void show_progress(void *context, const struct grow *grow)
{
    struct grow_command *command = context;
    const struct scorer_counts counts = scorer_counts(command->scorer);
    grow_report_progress(&command->progress, grow, &counts);
}

/* For scorer_on_wait(): the side that grows is the last one. */
static void show_wait(void *context)
{
    const struct grow_command *command = context;
    const struct grow *grow = command->grown[1] ? command->grown[1] : command->grown[0];
    show_progress(context, grow);
}

static const char *store_name(const struct grow_command *command)
{
    return *command->store_path ? command->store_path : NULL;
}

static enum caxton_status open_scorer(struct grow_command *command, struct diag *diag)
{
    struct searcher_identity identity;
    const struct builtin_settings settings = {.hash_mb = (int)command->hash_mb};
    int threads = command->threads ? (int)command->threads : thread_processors(SCORER_THREADS_MAX);
    diag_set(diag, 0, 0, "out of memory");
    enum caxton_status status = builtin_searcher_identity(&settings, &identity);
    if (status == STATUS_OK)
        status = score_store_open(store_name(command), &identity, &command->store, diag);
    if (status == STATUS_OK && *score_store_remark(command->store))
        (void)command_fail(&command->line, "warning: %s: %s", command->store_path,
                           score_store_remark(command->store));
    if (status == STATUS_OK)
        status = scorer_create(&builtin_searcher, &settings, threads, command->store,
                               &command->scorer, diag);
    return status;
}

static enum caxton_status grow_side(struct grow_command *command, struct grow_options *options,
                                    int side, struct diag *diag)
{
    struct grow **grow = &command->grown[command->grown[0] != NULL];
    options->side = side;
    options->progress = show_progress;
    options->context = command;
    diag_set(diag, 0, 0, "out of memory");
    enum caxton_status status = grow_create(options, command->scorer, grow);
    if (status != STATUS_OK)
        return status;
    if (command->progress.shown)
        scorer_on_wait(command->scorer, show_wait, command);
    return grow_run(*grow, diag);
}

/* Puts the moves of both sides together. */
static enum caxton_status gather_moves(const struct grow_command *command,
                                       struct gathering *gathering)
{
    struct entry_list *list = &gathering->list;
    struct entry_list replies = {.separate = true};
    enum caxton_status status = STATUS_OK;
    for (int i = 0; i < SIDES && command->grown[i] && status == STATUS_OK; i++)
        status = grow_own_entries(command->grown[i], list);
    entry_list_sort(list);
    const struct entry_table own = {.entries = list->entries, .count = list->count};
    for (int i = 0; i < SIDES && command->grown[i] && status == STATUS_OK && command->replies; i++)
        status = grow_reply_entries(command->grown[i], &own, &replies);
    for (size_t i = 0; i < replies.count && status == STATUS_OK; i++)
        status = entry_list_append(list, &replies.entries[i]);
    entry_list_free(&replies);
    return status;
}

static int save(const struct grow_command *command)
{
    struct gathering gathering = {.root_count = 0};
    struct book *book = NULL;
    enum caxton_status status = gather_moves(command, &gathering);
    if (status == STATUS_OK && gathering.list.count == 0) {
        gather_free(&gathering);
        return command_fail(&command->line,
                            "no position is probable enough for a search of %" PRId64
                            " plies: a smaller --min-depth, or a larger --depth",
                            command->min_depth);
    }
    if (status == STATUS_OK)
        status = gather_finish(&gathering, command->output, &book);
    gather_free(&gathering);
    if (status != STATUS_OK)
        return command_fail(&command->line, "out of memory");
    int answer = save_book(&command->line, book, command->writer, command->output);
    book_close(book);
    return answer;
}

static void report(const struct grow_command *command)
{
    FILE *out = outputs_report(command->output);
    char searched[THOUSANDS_MAX];
    char nodes[THOUSANDS_MAX];
    const struct scorer_counts *counts = &command->counts;
    for (int i = 0; i < SIDES && command->grown[i]; i++) {
        bool black = command->side == SIDE_BLACK || i > 0;
        grow_report_side(out, black ? "Black" : "White", command->grown[i]);
    }
    (void)fprintf(out, "%s: %s\n", command->output, command->writer->about);
    (void)fprintf(out, "searched now: %s positions, %s nodes, in %.1f seconds, %zu thread%s\n",
                  terminal_thousands(counts->searched, searched),
                  terminal_thousands(counts->nodes, nodes), command->seconds, counts->threads,
                  text_plural(counts->threads));
    if (store_name(command))
        (void)fprintf(out, "%s: %zu scores, %zu of them new\n", command->store_path,
                      score_store_count(command->store), counts->searched);
}

/* One line about why there is no book, and how to go on. */
static int give_up(const struct grow_command *command, enum caxton_status status,
                   const struct diag *diag)
{
    bool kept = command->store && store_name(command);
    size_t count = kept ? score_store_count(command->store) : 0;
    if (status == STATUS_END && kept)
        return command_fail(&command->line,
                            "stopped; %zu scores are kept in %s: the same command goes on", count,
                            command->store_path);
    if (status == STATUS_END)
        return command_fail(&command->line, "stopped; without --store nothing is kept");
    return command_fail(&command->line, "%s", diag->text);
}

static enum caxton_status grow_all(struct grow_command *command, struct grow_options *options,
                                   struct diag *diag)
{
    enum caxton_status status = open_scorer(command, diag);
    if (status != STATUS_OK)
        return status;
    progress_start(&command->progress, command->quiet, 0);
    command->interrupt = interrupt_catch(stop, command->scorer);
    if (command->side != SIDE_BLACK)
        status = grow_side(command, options, WHITE, diag);
    if (status == STATUS_OK && command->side != SIDE_WHITE)
        status = grow_side(command, options, BLACK, diag);
    interrupt_release(command->interrupt);
    progress_end(&command->progress);
    command->seconds = (double)progress_elapsed_ms(&command->progress) / 1000;
    return status;
}

/* Ends the threads: nobody else uses the store any more. */
static void end_scorer(struct grow_command *command)
{
    if (command->scorer)
        command->counts = scorer_counts(command->scorer);
    scorer_destroy(command->scorer);
    command->scorer = NULL;
}

static int run(void *context)
{
    struct grow_command *command = context;
    struct grow_options options;
    struct diag diag = {.text = ""};
    int answer = find_output(command);
    if (answer == EXIT_DONE)
        answer = read_options(command, &options);
    if (answer != EXIT_DONE)
        return answer;
    if (atomic_file_try(command->output, &diag) != STATUS_OK)
        return command_fail(&command->line, "%s", diag.text);
    if (!source_open_walk(&command->line, command->against, &command->source))
        return EXIT_FAILED;
    options.against = command->source.book;
    enum caxton_status status = grow_all(command, &options, &diag);
    end_scorer(command);
    answer = status == STATUS_OK ? save(command) : give_up(command, status, &diag);
    if (answer == EXIT_DONE && !command->quiet)
        report(command);
    for (int i = 0; i < SIDES; i++)
        grow_destroy(command->grown[i]);
    if (score_store_close(command->store, &diag) != STATUS_OK)
        answer = command_fail(&command->line, "%s", diag.text);
    source_close(&command->source);
    return command_end(&command->line, answer);
}

static const char about[] =
    "Makes a book by search, to be played against a given book. The most probable position is\n"
    "taken again and again: the opponent's gets the moves of the given book, as probable as their\n"
    "weights say, or all legal moves alike where that book ends; ours gets the one move that a\n"
    "search finds best. A position of probability Q is searched to --depth + log(Q) plies, the\n"
    "logarithm to the base of --branch; where that is less than --min-depth the line ends. The\n"
    "method is J. P. Fishburn's (ICGA Journal 40, 2018); one ply more of --depth takes about "
    "three\n"
    "times as long.\n\n"
    "Every search is kept in the store as soon as it is done. A run that was stopped or killed is\n"
    "simply started again: it goes on, and ends in the same bytes. The book does not depend on\n"
    "--threads. The kind of book is seen from the name of OUT, as for convert; \"-\" is standard\n"
    "output, a Polyglot book, without a store unless --store names one.";

static int command_main(int argc, char **argv)
{
    struct grow_command command = {
        .branch = "3", .depth = 20, .min_depth = 16, .hash_mb = 16, .threads = 0};
    const struct option_row rows[] = {
        TEXT_ROW("against", 0, "BOOK", "what the opponent plays: a book of any kind, statistics",
                 &command.against),
        TEXT_ROW("output", 'o', "OUT", "the book to be written", &command.output),
        CHOICE_ROW("side", "white|black|both", "who has the book (white)", &command.side),
        NUMBER_ROW("depth", 0, "PLIES", "of the search at the start (20)", &command.depth, 1,
                   SEARCH_DEPTH_MAX),
        NUMBER_ROW("min-depth", 0, "PLIES", "of the last searches of a line (16)",
                   &command.min_depth, 1, SEARCH_DEPTH_MAX),
        TEXT_ROW("branch", 0, "N", "how much less probable is a ply less (3)", &command.branch),
        NUMBER_ROW("threads", 0, "N", "searches at a time (as many as processors)",
                   &command.threads, 1, SCORER_THREADS_MAX),
        NUMBER_ROW("hash", 0, "MB", "of each search; another one may find other moves (16)",
                   &command.hash_mb, 1, SEARCH_HASH_MB_MAX),
        TEXT_ROW("store", 0, "FILE", "where searches are kept (OUT.store)", &command.store_name),
        NUMBER_ROW("max-positions", 0, "N", "end the book when it has so many, the opponent's too",
                   &command.max_positions, 1, INT32_MAX),
        FLAG_ROW("replies", 0, "put the opponent's moves into the book, too", &command.replies),
        FLAG_ROW("quiet", 'q', "no progress, no closing report", &command.quiet),
    };
    command.line =
        COMMAND_LINE("grow", "--against BOOK -o OUT [options]", about, rows, ROW_COUNT(rows), 0, 0);
    return command_run(&command.line, argc, argv, run, &command);
}

const struct command command_grow = {"grow", "make a book by search against a given book",
                                     command_main};
