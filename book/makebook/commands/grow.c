/* makebook grow: a book by search against a given book. */
#include "book/grow/grow.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/terminal.h"
#include "book/book.h"
#include "book/grow/grow_result.h"
#include "book/makebook/cli/outputs.h"
#include "book/makebook/cli/save.h"
#include "book/makebook/cli/searching.h"
#include "book/makebook/commands/commands.h"
#include "book/makebook/commands/grow_against.h"
#include "book/makebook/commands/grow_gather.h"
#include "book/makebook/commands/grow_own.h"
#include "book/makebook/commands/grow_report.h"
#include "eval/eval.h"

#define NODES_MAX ((int64_t)1 << 53) /* exact as a double */

enum { SIDE_WHITE, SIDE_BLACK, SIDE_BOTH, SIDES = 2 };
enum { DEPTH_DEFAULT = 20, MIN_DEPTH_DEFAULT = 16, PARTS_DEFAULT = 100, MARGIN_MAX = 1000 };
enum { BRANCH_DECIMALS = 2, BRANCH_UNIT = 100, BRANCH_MAX = 1000 * BRANCH_UNIT };

struct grow_command {
    int side;
    const char *output;
    const char *branch;
    int64_t depth;
    int64_t min_depth;
    int64_t nodes;
    int64_t min_nodes;
    int64_t margin;
    int64_t moves;
    int64_t max_positions;
    bool replies;
    bool quiet;
    struct grow_against against;
    struct grow_own own;
    struct searching searching;
    struct command_line line;

    const struct book_writer *writer;
    struct grow *grown[SIDES];
    struct progress progress;
    double seconds;
};

/* Refuses an output that is read. Returns EXIT_DONE or EXIT_USAGE. */
static int spare_inputs(const struct grow_command *command, const char *output)
{
    const struct option_texts *names = &command->against.names;
    for (size_t i = 0; i <= names->count; i++) {
        const char *name = i < names->count ? names->items[i] : command->own.keep;
        if (outputs_are_one(name, output))
            return command_misuse(&command->line, "%s is read: it would be lost", name);
    }
    return EXIT_DONE;
}

/* Returns EXIT_DONE or EXIT_USAGE. */
static int find_output(struct grow_command *command)
{
    const struct command_line *line = &command->line;
    const char *output = command->output;
    if (!output)
        return command_misuse(line, "where to? -o says it");
    if (save_find_writer(line, output, &command->writer) != EXIT_DONE)
        return EXIT_USAGE;
    if (searching_find_store(line, &command->searching, output) != EXIT_DONE)
        return EXIT_USAGE;
    const char *store = command->searching.store_path;
    if (spare_inputs(command, output) != EXIT_DONE || spare_inputs(command, store) != EXIT_DONE)
        return EXIT_USAGE;
    if (outputs_are_one(output, store))
        return command_misuse(line, "%s is the book: the store needs another name", output);
    return EXIT_DONE;
}

/* How far is searched: by depth, unless --nodes is given. Returns EXIT_DONE or EXIT_USAGE. */
static int read_limits(struct grow_command *command, struct grow_options *options)
{
    const struct command_line *line = &command->line;
    if (command->nodes && (command->depth || command->min_depth))
        return command_misuse(line, "--nodes goes with --min-nodes, not with depths");
    if (command->nodes && command->branch)
        return command_misuse(line, "--branch is for depths: not with --nodes");
    if (command->min_nodes && !command->nodes)
        return command_misuse(line, "--min-nodes needs --nodes");
    if (command->min_nodes == 0)
        command->min_nodes = command->nodes / PARTS_DEFAULT + 1;
    if (command->depth == 0)
        command->depth = DEPTH_DEFAULT;
    if (command->min_depth == 0)
        command->min_depth = MIN_DEPTH_DEFAULT;
    if (command->min_depth > command->depth)
        return command_misuse(line,
                              "--depth, %" PRId64 " (%d unless given), is less than --min-depth, "
                              "%" PRId64 " (%d unless given)",
                              command->depth, DEPTH_DEFAULT, command->min_depth, MIN_DEPTH_DEFAULT);
    if (command->nodes && command->min_nodes > command->nodes)
        return command_misuse(line, "--min-nodes is larger than --nodes");
    options->root_depth = (int)command->depth;
    options->min_depth = (int)command->min_depth;
    options->root_nodes = (uint64_t)command->nodes;
    options->min_nodes = (uint64_t)command->min_nodes;
    return EXIT_DONE;
}

/* Returns EXIT_DONE or EXIT_USAGE. */
static int read_options(struct grow_command *command, struct grow_options *options)
{
    int64_t branch = 0;
    const char *text = command->branch ? command->branch : "3";
    if (!options_read_decimal(text, BRANCH_DECIMALS, BRANCH_MAX, &branch) || branch <= BRANCH_UNIT)
        return command_misuse(&command->line, "--branch %s is no number above 1", text);
    *options = (struct grow_options){.branch = (double)branch / BRANCH_UNIT,
                                     .own.margin = (int)command->margin * EVAL_HALF / 100,
                                     .own.most = (int)command->moves,
                                     .max_positions = (size_t)command->max_positions};
    position_start(&options->root);
    command->against.wants_results = command->own.practical != NULL;
    command->against.quiet = command->quiet;
    int answer = grow_against_read(&command->line, &command->against, &options->opponent);
    if (answer == EXIT_DONE)
        answer = read_limits(command, options);
    if (answer == EXIT_DONE)
        answer = grow_own_read(&command->line, &command->own, &command->against.results, options);
    if (answer == EXIT_DONE && command->moves && !command->margin)
        return command_misuse(&command->line, "--moves needs --margin");
    return answer;
}

static void show_progress(void *context, const struct grow *grow)
{
    struct grow_command *command = context;
    const struct scorer_counts counts = scorer_counts(command->searching.scorer);
    grow_report_progress(&command->progress, grow, &counts);
}

/* For scorer_on_wait(): the side that grows is the last one. */
static void show_wait(void *context)
{
    const struct grow_command *command = context;
    const struct grow *grow = command->grown[1] ? command->grown[1] : command->grown[0];
    show_progress(context, grow);
}

static enum caxton_status run_side(struct grow_command *command, struct grow_options *options,
                                   int side, struct diag *diag)
{
    struct grow **grow = &command->grown[command->grown[0] != NULL];
    options->side = side;
    options->progress = show_progress;
    options->context = command;
    diag_set(diag, 0, 0, "out of memory");
    enum caxton_status status = grow_create(options, command->searching.scorer, grow);
    if (status != STATUS_OK)
        return status;
    if (command->progress.shown)
        scorer_on_wait(command->searching.scorer, show_wait, command);
    return grow_run(*grow, diag);
}

/* Why the book has no move. */
static int refuse_empty(const struct grow_command *command)
{
    const char *unit = command->nodes ? "nodes" : "depth";
    for (int i = 0; i < SIDES && command->grown[i]; i++)
        if (grow_counts(command->grown[i])->full)
            return command_fail(&command->line,
                                "--max-positions was reached before the first move of the book");
    return command_fail(&command->line,
                        "no position is probable enough for a search of %" PRId64
                        " %s: a smaller --min-%s, or a larger --%s",
                        command->nodes ? command->min_nodes : command->min_depth,
                        command->nodes ? "nodes" : "plies", unit, unit);
}

static int save(const struct grow_command *command)
{
    struct gathering gathering = {.root_count = 0};
    struct book *book = NULL;
    struct diag diag = {.text = ""};
    const struct grow_gather what = {
        .grown = {command->grown[0], command->grown[1]},
        .own = &command->own,
        .replies = command->replies,
    };
    enum caxton_status status = grow_gather(&what, &gathering, &diag);
    if (status == STATUS_OK && *diag.text)
        (void)command_fail(&command->line, "warning: %s: %s", command->own.keep, diag.text);
    if (status == STATUS_OK && gathering.list.count == 0) {
        gather_free(&gathering);
        return refuse_empty(command);
    }
    if (status == STATUS_OK)
        status = gather_finish(&gathering, command->output, &book);
    gather_free(&gathering);
    if (status != STATUS_OK)
        return command_fail(&command->line, "%s",
                            status == STATUS_NO_MEMORY ? "out of memory" : diag.text);
    int answer = save_book(&command->line, book, command->writer, command->output);
    book_close(book);
    return answer;
}

static void report(const struct grow_command *command)
{
    FILE *out = outputs_report(command->output);
    for (int i = 0; i < SIDES && command->grown[i]; i++) {
        bool black = command->side == SIDE_BLACK || i > 0;
        grow_report_side(out, black ? "Black" : "White", command->grown[i]);
    }
    grow_against_report(out, &command->against);
    (void)fprintf(out, "%s: %s\n", text_safe(command->output).text, command->writer->about);
    searching_report(out, &command->searching, command->seconds);
}

static enum caxton_status grow_all(struct grow_command *command, struct grow_options *options,
                                   struct diag *diag)
{
    enum caxton_status status = searching_open(&command->line, &command->searching, diag);
    if (status != STATUS_OK)
        return status;
    progress_start(&command->progress, command->quiet, 0);
    if (command->side != SIDE_BLACK)
        status = run_side(command, options, WHITE, diag);
    if (status == STATUS_OK && command->side != SIDE_WHITE)
        status = run_side(command, options, BLACK, diag);
    progress_end(&command->progress);
    command->seconds = (double)progress_elapsed_ms(&command->progress) / 1000;
    return status;
}

/* Puts the graph into the store, if that is a file. */
static enum caxton_status keep_graph(const struct grow_command *command, struct diag *diag)
{
    size_t count = command->grown[1] ? SIDES : 1;
    if (!*command->searching.store_path)
        return STATUS_OK;
    return grow_keep((const struct grow *const *)command->grown, count, command->searching.store,
                     diag);
}

static int grow_and_save(struct grow_command *command, struct grow_options *options)
{
    struct diag diag = {.text = ""};
    enum caxton_status status = grow_all(command, options, &diag);
    searching_end(&command->searching);
    if (status == STATUS_OK)
        status = keep_graph(command, &diag);
    int answer = status == STATUS_OK
                     ? save(command)
                     : searching_give_up(&command->line, &command->searching, status, &diag);
    if (answer == EXIT_DONE && !command->quiet)
        report(command);
    for (int i = 0; i < SIDES; i++)
        grow_destroy(command->grown[i]);
    return searching_close(&command->line, &command->searching, answer);
}

static int run(void *context)
{
    struct grow_command *command = context;
    struct grow_options options;
    int answer = find_output(command);
    if (answer == EXIT_DONE)
        answer = read_options(command, &options);
    if (answer != EXIT_DONE)
        return answer;
    if (!outputs_try(&command->line, command->output))
        return EXIT_FAILED;
    answer = grow_against_open(&command->line, &command->against);
    if (answer == EXIT_DONE)
        answer = grow_own_open(&command->line, &command->own, &options);
    if (answer == EXIT_DONE)
        answer = grow_and_save(command, &options);
    grow_own_close(&command->own);
    grow_against_close(&command->against);
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
    "output, a Polyglot book, without a store unless --store names one.\n\n"
    "--against takes books, statistics and PGN files with results, whose games are counted as by\n"
    "build: the options from --max-ply on say which, and how much of them. Beyond the paper are\n"
    "all of --shares, --shallow, --nodes, --margin, --start, --keep, --practical and --leave; "
    "what\n"
    "they are for is in docs/MAKEBOOK.md.";

enum {
    ROWS_HERE = 24,
    ROWS_MAX = ROWS_HERE + GROW_AGAINST_ROWS + GROW_OWN_ROWS + GROW_GAMES_ROWS_MAX
};

/* The options, in the order of --help. Returns how many they are. */
static size_t make_rows(struct grow_command *command, struct option_row rows[ROWS_MAX])
{
    const struct option_row first[] = {
        TEXT_ROW("output", 'o', "OUT", "the book to be written", &command->output),
        CHOICE_ROW("side", "white|black|both", "who has the book (white)", &command->side),
        NUMBER_ROW("depth", 0, "PLIES", "of the search at the start (20)", &command->depth, 1,
                   SEARCH_DEPTH_MAX),
        NUMBER_ROW("min-depth", 0, "PLIES", "of the last searches of a line (16)",
                   &command->min_depth, 1, SEARCH_DEPTH_MAX),
        NUMBER_ROW("nodes", 0, "N", "of the search at the start, instead of depths: in proportion",
                   &command->nodes, 1, NODES_MAX),
        NUMBER_ROW("min-nodes", 0, "N", "of the last searches of a line (a hundredth of --nodes)",
                   &command->min_nodes, 1, NODES_MAX),
        NUMBER_ROW("margin", 0, "CP", "play other moves, too, that score so little worse",
                   &command->margin, 0, MARGIN_MAX),
        NUMBER_ROW("moves", 0, "N", "so many of them at most, the best included", &command->moves,
                   1, MOVES_MAX),
        TEXT_ROW("branch", 0, "N", "how much less probable is a ply less (3)", &command->branch),
        SEARCHING_ROWS(command->searching, "OUT.store"),
        NUMBER_ROW("max-positions", 0, "N", "end the book when it has so many, the opponent's too",
                   &command->max_positions, 1, INT32_MAX),
        FLAG_ROW("replies", 0, "put the opponent's moves into the book, too", &command->replies),
        FLAG_ROW("quiet", 'q', "no progress, no closing report", &command->quiet),
    };
    _Static_assert(sizeof first <= ROWS_HERE * sizeof *rows, "all fit");
    size_t count = GROW_AGAINST_ROWS;
    grow_against_rows(&command->against, rows);
    memcpy(rows + count, first, sizeof first);
    count += sizeof first / sizeof *first;
    grow_own_rows(&command->own, rows + count);
    count += GROW_OWN_ROWS;
    return count + grow_against_game_rows(&command->against, rows + count);
}

static int command_main(int argc, char **argv)
{
    struct grow_command command = {.searching = SEARCHING_DEFAULT};
    struct option_row rows[ROWS_MAX];
    command.line = COMMAND_LINE("grow", "--against FILE -o OUT [options]", about, rows,
                                make_rows(&command, rows), 0, 0);
    return command_run(&command.line, argc, argv, run, &command);
}

const struct command command_grow = {"grow", "make a book by search against a given book",
                                     command_main};
