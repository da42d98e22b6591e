/* makebook grow: a book by search against a given book. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/progress.h"
#include "base/terminal.h"
#include "base/text.h"
#include "book/book.h"
#include "book/grow/grow.h"
#include "book/grow/grow_result.h"
#include "book/makebook/cli/outputs.h"
#include "book/makebook/cli/save.h"
#include "book/makebook/cli/searching.h"
#include "book/makebook/commands/commands.h"
#include "book/makebook/commands/grow_against.h"
#include "book/makebook/commands/grow_own.h"
#include "chess/notation.h"
#include "eval/eval.h"
#include "search/score.h"

/* What makebook grow tells: a line while it works, a table when it is done. */

enum { LINE_MAX = 160 };

#define REACH_LEAST 0.0005 /* rarer moves are not listed */

/* Redraws the line of progress when it is due. */
static void grow_report_progress(struct progress *progress, const struct grow *grow,
                                 const struct scorer_counts *counts)
{
    char line[LINE_MAX];
    if (!progress_is_due(progress))
        return;
    const struct grow_counts *now = grow_counts(grow);
    double seconds = (double)progress_elapsed_ms(progress) / 1000;
    double rate = seconds > 0 ? (double)counts->searched / seconds : 0;
    struct text_buffer text = text_buffer_on(line, sizeof line);
    text_append(&text, "%zu positions, p %.2g, depth %d, %zu searches, %.*f/s", now->positions,
                now->probability, now->depth, now->searches, rate < 10, rate);
    if (rate > 0) {
        /* Those that wait now; others will come. */
        double left = (double)now->waiting_own / rate;
        text_append(&text, ", %zu wait: %.0f:%02.0f", now->waiting_own,
                    (double)(int64_t)(left / 60), (double)((int64_t)left % 60));
    }
    progress_text(progress, line);
}

/* A number with commas in a column, and what it is. */
static void print_count(FILE *out, uint64_t count, const char *what)
{
    char number[THOUSANDS_MAX];
    (void)fprintf(out, "%14s  %s\n", terminal_thousands(count, number), what);
}

static void print_first_move(FILE *out, const struct grow *grow)
{
    const struct dag *dag = grow_dag(grow);
    char san[SAN_MAX];
    move first = grow_own_move(grow, DAG_ROOT);
    if (first == MOVE_NONE)
        return;
    move_to_san(&dag->roots[DAG_ROOT], first, san);
    int score = dag->nodes[DAG_ROOT].score;
    if (dag->nodes[DAG_ROOT].depth > 0 && score_is_mate(score))
        (void)fprintf(out, "%14s  first move, %s\n", san, score > 0 ? "mate" : "mated");
    else if (dag->nodes[DAG_ROOT].depth > 0)
        (void)fprintf(out, "%14s  first move, score %.2f\n", san, eval_centipawns(score) / 100.0);
    else /* it was given */
        (void)fprintf(out, "%14s  first move\n", san);
}

static void print_depths(FILE *out, const struct grow_counts *counts)
{
    (void)fprintf(out, "%14s  searches\n", "depth");
    for (int depth = SEARCH_DEPTH_MAX; depth > 0; depth--) {
        char number[THOUSANDS_MAX];
        if (counts->depths[depth])
            (void)fprintf(out, "%14d  %s\n", depth,
                          terminal_thousands(counts->depths[depth], number));
    }
}

static void print_reach(FILE *out, const struct grow *grow)
{
    double reached[DAG_PLIES_MAX];
    double moves = 0;
    grow_reach(grow, reached, DAG_PLIES_MAX);
    (void)fprintf(out, "%14s  of the games are in book\n", "own move");
    for (int ply = 0, number = 1; ply < DAG_PLIES_MAX; ply++) {
        moves += reached[ply];
        if (reached[ply] >= REACH_LEAST)
            (void)fprintf(out, "%14d  %5.1f %%\n", number, 100 * reached[ply]);
        number += ply % 2; /* two plies are one move, whoever begins */
    }
    (void)fprintf(out, "%14.2f  own moves in book a game\n", moves);
}

/* Prints what the book of one side is: `heading`, sizes, depths, how long games stay in it. */
static void grow_report_side(FILE *out, const char *heading, const struct grow *grow)
{
    const struct grow_counts *counts = grow_counts(grow);
    (void)fprintf(out, "%s\n", heading);
    print_count(out, counts->positions, "positions");
    print_count(out, counts->own_moves, "moves in the book");
    print_first_move(out, grow);
    if (counts->preferred)
        print_count(out, counts->preferred, "of them preferred to what the search found");
    if (counts->own_known)
        print_count(out, counts->own_known, "positions with moves that were given");
    print_count(out, counts->searches, "searches");
    print_count(out, counts->nodes, "nodes in them");
    print_count(out, counts->in_book, "positions of the opponent by the given book");
    print_count(out, counts->out_of_book, "by all legal moves");
    if (counts->shallow) {
        print_count(out, counts->shallow, "shallow searches of these");
        print_count(out, counts->shallow_nodes, "nodes in them");
    }
    print_count(out, counts->joined, "moves to a position that was there already");
    print_count(out, counts->cycles, "moves refused, for they would close a cycle");
    print_depths(out, counts);
    print_reach(out, grow);
    if (counts->full)
        (void)fprintf(out, "%14s  --max-positions was reached: less probable ones are left out\n",
                      "");
}

/* The moves of a grown book, put together. */

enum { GROW_SIDES = 2 };

struct grow_gather {
    const struct grow *grown[GROW_SIDES]; /* of one side, or of White and Black; else NULL */
    const struct grow_own *own;
    bool replies; /* the opponent's, too */
};

/* Names the positions where games begin elsewhere than usual. */
static enum caxton_status add_roots(const struct dag *dag, struct gathering *gathering)
{
    struct position usual;
    enum caxton_status status = STATUS_OK;
    position_start(&usual);
    for (size_t i = 0; i < dag->root_count && status == STATUS_OK; i++)
        if (dag->roots[i].key != usual.key)
            status = gather_root(gathering, &dag->roots[i]);
    return status;
}

/* Adds what is kept, the moves of the sides in other positions, and the replies that they answer.
 * Errors: STATUS_NO_MEMORY, those of gather_color(). */
static enum caxton_status grow_gather(const struct grow_gather *what, struct gathering *gathering,
                                      struct diag *diag)
{
    struct entry_list *list = &gathering->list;
    struct entry_list own = {.separate = true};
    struct entry_list replies = {.separate = true};
    enum caxton_status status = STATUS_OK;
    for (int i = 0; i < GROW_SIDES && what->grown[i] && status == STATUS_OK; i++) {
        status = grow_own_gather(what->own, grow_side(what->grown[i]), gathering, diag);
        if (status == STATUS_OK)
            status = add_roots(grow_dag(what->grown[i]), gathering);
        if (status == STATUS_OK)
            status = grow_own_entries(what->grown[i], &own);
    }
    if (status == STATUS_OK)
        status = gather_new(list, &own);
    entry_list_sort(list);
    const struct entry_table ours = {.entries = list->entries, .count = list->count};
    for (int i = 0; i < GROW_SIDES && what->grown[i] && status == STATUS_OK && what->replies; i++)
        status = grow_reply_entries(what->grown[i], &ours, &replies);
    for (size_t i = 0; i < replies.count && status == STATUS_OK; i++)
        status = entry_list_append(list, &replies.entries[i]);
    entry_list_free(&own);
    entry_list_free(&replies);
    return status;
}

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
