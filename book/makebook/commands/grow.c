/* makebook grow: a book by search against a given book. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/terminal.h"
#include "base/text.h"
#include "book/book.h"
#include "book/graph/expected.h"
#include "book/grow/grow.h"
#include "book/grow/own_choice.h"
#include "book/makebook/cli/gather.h"
#include "book/makebook/cli/outputs.h"
#include "book/makebook/cli/report.h"
#include "book/makebook/cli/save.h"
#include "book/makebook/cli/searching.h"
#include "book/makebook/cli/source.h"
#include "book/makebook/commands/commands.h"
#include "book/makebook/commands/grow_against.h"
#include "book/review/findings.h"
#include "chess/notation.h"
#include "chess/position_text.h"
#include "eval/eval.h"
#include "search/score.h"

/* What makebook grow tells: a line while it works, a table when it is done. */

#define REACH_LEAST 0.0005 /* rarer moves are not listed */

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
    struct report to = report_of_counts(out);
    (void)fprintf(out, "%s\n", heading);
    report_number(&to, NULL, "", counts->positions, "positions");
    report_number(&to, NULL, "", counts->own_moves, "moves in the book");
    print_first_move(out, grow);
    report_nonzero(&to, NULL, "", counts->preferred, "of them preferred to what the search found");
    report_nonzero(&to, NULL, "", counts->first, "positions of the review, answered first");
    report_nonzero(&to, NULL, "", counts->own_known, "positions with moves that were given");
    report_number(&to, NULL, "", counts->searches, "searches");
    report_number(&to, NULL, "", counts->nodes, "nodes in them");
    report_number(&to, NULL, "", counts->in_book, "positions of the opponent by the given book");
    report_number(&to, NULL, "", counts->out_of_book, "by all legal moves");
    report_nonzero(&to, NULL, "", counts->shallow, "shallow searches of these");
    report_nonzero(&to, NULL, "", counts->shallow_nodes, "nodes in them");
    report_number(&to, NULL, "", counts->joined, "moves to a position that was there already");
    report_number(&to, NULL, "", counts->cycles, "moves refused, for they would close a cycle");
    print_depths(out, counts);
    print_reach(out, grow);
    if (counts->full)
        (void)fprintf(out, "%14s  --max-positions was reached: less probable ones are left out\n",
                      "");
}

/* What our side plays without a search or beside it: lines to where the book starts, a repertoire
 * that is kept, what people score with a move. ---------------------------------------------------
 */

enum { GROW_OWN_ROWS = 7 };

/* Begins as {0}. */
struct grow_own {
    struct option_texts starts;
    const char *keep;
    const char *first;
    int64_t practical; /* of PRACTICAL_ALL */
    int64_t prior;
    int64_t often;
    int64_t leave;

    struct grow_starts *read_starts; /* after grow_own_read(); NULL: the usual start */
    struct practical rule;           /* likewise */
    struct own_preference preference;
    struct source kept; /* after grow_own_open() */
    struct findings findings;
};

enum {
    PRACTICAL_DECIMALS = 2,
    PRACTICAL_ALL = 10000, /* 100 percent */
    GAMES_MAX = 1000000,
    LEAVE_MAX = 1000,
};

/* Fills rows[0 .. GROW_OWN_ROWS). */
static void grow_own_rows(struct grow_own *own, struct option_row *rows)
{
    const struct option_row all[GROW_OWN_ROWS] = {
        TEXTS_ROW("start", 0, "FEN|MOVES|ECO|NAME", "where the book starts; may be given again",
                  &own->starts),
        TEXT_ROW("keep", 0, "BOOK", "play and keep the moves of this book: only fill its gaps",
                 &own->keep),
        TEXT_ROW("first", 0, "FILE", "answer what review --json found in games before all else",
                 &own->first, .needs = "keep"),
        PERCENT_ROW("practical", "so much of a move's value is what people score", &own->practical,
                    PRACTICAL_DECIMALS, .without = "margin|moves",
                    .why = "--practical chooses one move: not with --margin and --moves"),
        NUMBER_ROW("prior", 0, "GAMES", "the engine's opinion counts as so many games", &own->prior,
                   1, GAMES_MAX, USUAL(EXPECTED_PRIOR), .needs = "practical"),
        NUMBER_ROW("often", 0, "GAMES", "consider moves that people have played so often",
                   &own->often, 1, GAMES_MAX, USUAL(10), .needs = "practical"),
        NUMBER_ROW("leave", 0, "CP", "of moves so little worse, one out of the opponent's book",
                   &own->leave, 1, LEAVE_MAX, .needs = "against",
                   .without = "margin|moves|practical",
                   .why = "--leave chooses one move out of the book of --against: not with "
                          "--margin, --moves and --practical"),
    };
    memcpy(rows, all, sizeof all);
}

static enum exit_status read_lines(const struct command_line *line,
                                   const struct option_texts *texts, move (*moves)[DAG_PLIES_MAX],
                                   struct start *out)
{
    for (size_t i = 0; i < texts->count; i++) {
        struct diag diag = {.text = ""};
        char room[ECO_LINE_MAX];
        struct span text;
        out[i].line = moves[i];
        if (command_words(line, texts->items[i], room, &text, &diag) != STATUS_OK ||
            line_from_text(text, &out[i].root, moves[i], DAG_PLIES_MAX, &out[i].plies, &diag) !=
                STATUS_OK)
            return command_misuse(line, "--start \"%s\": %s", texts->items[i], diag.text);
    }
    return EXIT_DONE;
}

static enum exit_status read_starts(const struct command_line *line, struct grow_own *own)
{
    move moves[OPTION_TEXTS_MAX][DAG_PLIES_MAX];
    struct start list[OPTION_TEXTS_MAX];
    struct diag diag = {.text = ""};
    size_t fault = 0;
    enum exit_status answer = read_lines(line, &own->starts, moves, list);
    if (answer != EXIT_DONE || own->starts.count == 0)
        return answer;
    enum caxton_status status =
        starts_create(list, own->starts.count, &own->read_starts, &fault, &diag);
    if (status == STATUS_NO_MEMORY)
        return command_fail(line, "out of memory");
    if (status != STATUS_OK)
        return command_misuse(line, "--start \"%s\": %s", own->starts.items[fault], diag.text);
    return EXIT_DONE;
}

/* Reads the options into `out`, which has the opponent and the margin already. Returns EXIT_DONE or
 * an exit status. */
static enum exit_status grow_own_read(const struct command_line *line, struct grow_own *own,
                                      struct grow_options *out)
{
    enum exit_status answer = read_starts(line, own);
    if (answer != EXIT_DONE)
        return answer;
    out->starts = own->read_starts;
    bool is_practical = options_given(line, "practical");
    if (is_practical) {
        own->rule = (struct practical){.opponent = &out->opponent,
                                       .share = (double)own->practical / PRACTICAL_ALL,
                                       .prior = (double)own->prior,
                                       .least = (double)own->often};
        own->preference = preference_practical(&own->rule);
    }
    if (own->leave) {
        own->preference = preference_leave(&out->opponent);
        out->own.margin = (int)own->leave * EVAL_HALF / 100;
    }
    if (is_practical || own->leave)
        out->own.preference = &own->preference;
    return EXIT_DONE;
}

/* Opens the book to be kept. */
static enum exit_status grow_own_open(const struct command_line *line, struct grow_own *own,
                                      struct grow_options *out)
{
    if (own->keep && !source_open_walk(line, own->keep, WLD_WEIGHTS_GAMES, &own->kept))
        return EXIT_FAILED;
    out->kept = own->kept.book;
    if (!own->first)
        return EXIT_DONE;
    struct diag diag = {.text = ""};
    struct unanswered any[2] = {{.share = 0}, {.share = 0}};
    out->first = &own->findings;
    if (findings_read(own->first, &own->findings, &diag) != STATUS_OK ||
        findings_fit(&own->findings, out->kept, &diag) != STATUS_OK)
        return command_fail(line, "%s", diag.text);
    if (!findings_next(&own->findings, WHITE, &any[0]) &&
        !findings_next(&own->findings, BLACK, &any[1]))
        (void)command_fail(line, "warning: %s: nothing in it wants an answer", own->first);
    return EXIT_DONE;
}

static void grow_own_close(struct grow_own *own)
{
    starts_destroy(own->read_starts);
    source_close(&own->kept);
    findings_free(&own->findings);
}

/* The command. ------------------------------------------------------------------------------- */

#define NODES_MAX ((int64_t)1 << 53) /* exact as a double */

enum { SIDE_WHITE, SIDE_BLACK, SIDE_BOTH, SIDES = 2 };

enum { PARTS_DEFAULT = 100, MARGIN_MAX = 1000 };

enum { BRANCH_DECIMALS = 2, BRANCH_UNIT = 100, BRANCH_MAX = 1000 * BRANCH_UNIT };

struct grow_command {
    int side;
    int64_t branch; /* in units of 1 / BRANCH_UNIT */
    int64_t depth;
    int64_t min_depth;
    int64_t nodes;
    int64_t min_nodes;
    int64_t margin;
    int64_t moves;
    int64_t max_positions;
    bool replies;
    struct grow_against against;
    struct grow_own own;
    struct searching searching;
    struct command_line line;

    struct grow_options options;
    struct grow *grown[SIDES]; /* of one side, or of White and Black; else NULL */
};

/* Returns EXIT_DONE or EXIT_USAGE. */
static enum exit_status find_output(struct grow_command *command)
{
    const char *inputs[OPTION_TEXTS_MAX + 2];
    size_t count = command->against.names.count;
    for (size_t i = 0; i < count; i++)
        inputs[i] = command->against.names.items[i];
    inputs[count] = command->own.keep;
    inputs[count + 1] = command->own.first;
    return searching_find_files(&command->line, &command->searching, inputs, count + 2);
}

/* How far is searched: by depth, unless --nodes is given. Returns EXIT_DONE or EXIT_USAGE. */
static enum exit_status read_limits(struct grow_command *command)
{
    struct grow_options *options = &command->options;
    const struct command_line *line = &command->line;
    if (command->min_nodes == 0)
        command->min_nodes = command->nodes / PARTS_DEFAULT + 1;
    if (command->min_depth > command->depth)
        return command_misuse(
            line, "--depth, %" PRId64 "%s, is less than --min-depth, %" PRId64 "%s", command->depth,
            options_given(line, "depth") ? "" : " unless given", command->min_depth,
            options_given(line, "min-depth") ? "" : " unless given");
    if (command->nodes && command->min_nodes > command->nodes)
        return command_misuse(line, "--min-nodes is larger than --nodes");
    options->root_depth = (int)command->depth;
    options->min_depth = (int)command->min_depth;
    options->root_nodes = (uint64_t)command->nodes;
    options->min_nodes = (uint64_t)command->min_nodes;
    return EXIT_DONE;
}

/* Returns EXIT_DONE or EXIT_USAGE. */
static enum exit_status read_options(struct grow_command *command)
{
    struct grow_options *options = &command->options;
    *options = (struct grow_options){.branch = (double)command->branch / BRANCH_UNIT,
                                     .own.margin = (int)command->margin * EVAL_HALF / 100,
                                     .own.most = (int)command->moves,
                                     .max_positions = (size_t)command->max_positions};
    position_start(&options->root);
    command->against.wants_results = options_given(&command->line, "practical");
    command->against.quiet = command->searching.quiet;
    enum exit_status answer =
        grow_against_read(&command->line, &command->against, &options->opponent);
    if (answer == EXIT_DONE)
        answer = read_limits(command);
    if (answer == EXIT_DONE)
        answer = grow_own_read(&command->line, &command->own, options);
    return answer;
}

/* The side that grows is the last one. */
static void show_progress(void *context)
{
    enum { LINE_MAX = 160 };
    char line[LINE_MAX];
    struct grow_command *command = context;
    if (!progress_is_due(&command->searching.progress))
        return;
    const struct grow_counts *now = grow_counts(command->grown[command->grown[1] != NULL]);
    double rate = searching_rate(&command->searching);
    struct text_buffer text = text_buffer_on(line, sizeof line);
    text_append(&text, "%zu positions, p %.2g, depth %d, %zu searches, %.*f/s", now->positions,
                now->probability, now->depth, now->searches, rate < 10, rate);
    if (rate > 0) { /* those that wait now; others will come */
        text_append(&text, ", %zu wait: ", now->waiting_own);
        searching_put_time(&text, (double)now->waiting_own / rate);
    }
    progress_text(&command->searching.progress, line);
}

static enum caxton_status grow_all(void *context, struct diag *diag)
{
    struct grow_command *command = context;
    enum caxton_status status = STATUS_OK;
    command->options.progress = show_progress;
    command->options.context = command;
    for (int side = WHITE; side <= BLACK && status == STATUS_OK; side++) {
        struct grow **grow = &command->grown[command->grown[0] != NULL];
        if (command->side != SIDE_BOTH && command->side != side)
            continue;
        command->options.side = side;
        status = grow_create(&command->options, command->searching.scorer, grow);
        if (status == STATUS_OK)
            status = grow_run(*grow, diag);
    }
    return status;
}

/* Why the book has no move. */
static enum exit_status refuse_empty(const struct grow_command *command)
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

/* Names the positions where games begin elsewhere than usual. */
static enum caxton_status add_roots(const struct dag *dag, struct gathering *gathering)
{
    struct position usual;
    enum caxton_status status = STATUS_OK;
    position_start(&usual);
    for (size_t i = 0; i < dag->root_count && i < dag->first_from && status == STATUS_OK; i++)
        if (dag->roots[i].key != usual.key)
            status = gather_root(gathering, &dag->roots[i]);
    return status;
}

/* Adds what is kept, whole, whether the grown book reaches it or not; the moves of the sides in
 * other positions; and the replies that they answer. */
static enum caxton_status gather_moves(const struct grow_command *command,
                                       struct gathering *gathering, struct diag *diag)
{
    struct grow *const *grown = command->grown;
    struct entry_list *list = &gathering->list;
    struct entry_list own = {.separate = true};
    struct entry_list replies = {.separate = true};
    enum caxton_status status = STATUS_OK;
    for (int i = 0; i < SIDES && grown[i] && status == STATUS_OK; i++) {
        if (command->own.kept.book)
            status = gather_color(gathering, command->own.kept.book, grow_side(grown[i]), diag);
        if (status == STATUS_OK)
            status = add_roots(grow_dag(grown[i]), gathering);
        if (status == STATUS_OK)
            status = grow_own_entries(grown[i], &own);
    }
    if (status == STATUS_OK)
        status = gather_new(list, &own);
    entry_list_sort(list);
    const struct entry_table ours = {.entries = list->entries, .count = list->count};
    for (int i = 0; i < SIDES && grown[i] && status == STATUS_OK && command->replies; i++)
        status = grow_reply_entries(grown[i], &ours, &replies);
    for (size_t i = 0; i < replies.count && status == STATUS_OK; i++)
        status = entry_list_append(list, &replies.entries[i]);
    entry_list_free(&own);
    entry_list_free(&replies);
    return status;
}

static enum exit_status save(const struct grow_command *command)
{
    const struct searching *searching = &command->searching;
    struct gathering gathering = {.root_count = 0};
    struct diag diag = {.text = ""};
    enum caxton_status status = gather_moves(command, &gathering, &diag);
    if (status == STATUS_OK && *diag.text)
        (void)command_fail(&command->line, "warning: %s: %s", command->own.keep, diag.text);
    if (status == STATUS_OK && gathering.list.count == 0) {
        gather_free(&gathering);
        return refuse_empty(command);
    }
    return save_gathered(&command->line, &gathering, status, &diag, NULL, searching->writer,
                         searching->output);
}

static void report(const struct grow_command *command)
{
    const struct searching *searching = &command->searching;
    FILE *out = outputs_report(searching->output);
    for (int i = 0; i < SIDES && command->grown[i]; i++) {
        bool black = command->side == SIDE_BLACK || i > 0;
        grow_report_side(out, black ? "Black" : "White", command->grown[i]);
    }
    grow_against_report(out, &command->against);
    (void)fprintf(out, "%s: %s\n", text_safe(searching->output).text, searching->writer->about);
    searching_report(out, searching);
}

/* The graph goes into the store, if that is a file. */
static enum exit_status finish(void *context)
{
    const struct grow_command *command = context;
    const struct searching *searching = &command->searching;
    const struct grow *const *grown = (const struct grow *const *)command->grown;
    struct diag diag = {.text = ""};
    if (*searching->store_path &&
        grow_keep(grown, command->grown[1] ? SIDES : 1, searching->store, &diag) != STATUS_OK)
        return command_fail(&command->line, "%s", diag.text);
    enum exit_status answer = save(command);
    if (answer == EXIT_DONE && !searching->quiet)
        report(command);
    return answer;
}

static enum exit_status run(void *context)
{
    static const struct searching_work work = {
        .run = grow_all, .show = show_progress, .finish = finish};
    struct grow_command *command = context;
    enum exit_status answer = find_output(command);
    if (answer == EXIT_DONE)
        answer = read_options(command);
    if (answer != EXIT_DONE)
        return answer;
    if (!outputs_try(&command->line, command->searching.output))
        return EXIT_FAILED;
    answer = grow_against_open(&command->line, &command->against);
    if (answer == EXIT_DONE)
        answer = grow_own_open(&command->line, &command->own, &command->options);
    if (answer == EXIT_DONE)
        answer = searching_run(&command->line, &command->searching, &work, command);
    for (int i = 0; i < SIDES; i++)
        grow_destroy(command->grown[i]);
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
    "all of --shares, --shallow, --nodes, --margin, --start, --keep, --first, --practical and\n"
    "--leave; what they are for is in docs/MAKEBOOK.md.";

enum {
    ROWS_HERE = 24,
    ROWS_MAX = ROWS_HERE + GROW_AGAINST_ROWS + GROW_OWN_ROWS + GROW_GAMES_ROWS_MAX
};

/* The options, in the order of --help. Returns how many they are. */
static size_t make_rows(struct grow_command *command, struct option_row rows[ROWS_MAX])
{
    const struct option_row first[] = {
        TEXT_ROW("output", 'o', "OUT", "the book to be written", &command->searching.output,
                 .required = "where to? -o says it"),
        CHOICE_ROW("color", "white|black|both", "who has the book", &command->side, .old = "side"),
        NUMBER_ROW("depth", 0, "PLIES", "of the search at the start", &command->depth, 1,
                   SEARCH_DEPTH_MAX, USUAL(20)),
        NUMBER_ROW("min-depth", 0, "PLIES", "of the last searches of a line", &command->min_depth,
                   1, SEARCH_DEPTH_MAX, USUAL(16)),
        NUMBER_ROW("nodes", 0, "N", "of the search at the start, instead of depths: in proportion",
                   &command->nodes, 1, NODES_MAX, .without = "depth|min-depth",
                   .why = "--nodes goes with --min-nodes, not with depths"),
        NUMBER_ROW("min-nodes", 0, "N", "of the last searches of a line (a hundredth of --nodes)",
                   &command->min_nodes, 1, NODES_MAX, .needs = "nodes"),
        NUMBER_ROW("margin", 0, "CP", "play other moves, too, that score so little worse",
                   &command->margin, 0, MARGIN_MAX),
        NUMBER_ROW("moves", 0, "N", "so many of them at most, the best included", &command->moves,
                   1, MOVES_MAX, .needs = "margin"),
        DECIMAL_ROW("branch", "N", "how much less probable is a ply less", &command->branch,
                    BRANCH_DECIMALS, BRANCH_UNIT + 1, BRANCH_MAX, USUAL(3 * BRANCH_UNIT),
                    .wants = "a number above 1", .without = "nodes"),
        SEARCHING_ROWS(command->searching, "OUT.store"),
        NUMBER_ROW("max-positions", 0, "N", "end the book when it has so many, the opponent's too",
                   &command->max_positions, 1, INT32_MAX),
        FLAG_ROW("replies", 0, "put the opponent's moves into the book, too", &command->replies),
        FLAG_ROW("quiet", 'q', "no progress, no closing report", &command->searching.quiet),
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

static enum exit_status command_main(int argc, char **argv)
{
    struct grow_command command = {.side = 0};
    struct option_row rows[ROWS_MAX];
    command.line = COMMAND_LINE("grow", "--against FILE -o OUT [options]", about, rows,
                                make_rows(&command, rows), 0, 0);
    return command_run(&command.line, argc, argv, run, &command);
}

const struct command command_grow = {"grow", "make a book by search against a given book",
                                     command_main};
