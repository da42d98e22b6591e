/* makebook dropout: a book by search for both sides, against no book. */
#include <stdio.h>

#include "base/text.h"
#include "book/book.h"
#include "book/grow/dropout.h"
#include "book/makebook/cli/gather.h"
#include "book/makebook/cli/moves.h"
#include "book/makebook/cli/outputs.h"
#include "book/makebook/cli/report.h"
#include "book/makebook/cli/save.h"
#include "book/makebook/cli/searching.h"
#include "book/makebook/commands/commands.h"
#include "chess/eco.h"
#include "chess/movegen.h"
#include "chess/position_text.h"
#include "eval/eval.h"
#include "search/limits.h"
#include "search/score.h"

/* What makebook dropout tells: a line while it works, a table when it is done. */

enum { MAIN_LINE_MAX = 30 };

/* The move of an expanded node whose score is that of the node; false: it repeats a position, or
 * nothing follows. */
static bool find_best(const struct dropout_graph *graph, uint32_t node, struct dag_move *out)
{
    const struct dag_node *at = &graph->dag.nodes[node];
    for (uint32_t i = 0; i < at->count; i++) {
        int score;
        if (dropout_graph_move_score(graph, node, i, &score) && score == graph->nodes[node].score) {
            *out = graph->dag.moves[at->first + i];
            return true;
        }
    }
    return false;
}

static void print_main_line(FILE *out, const struct dropout_graph *graph,
                            const struct position *root)
{
    move line[MAIN_LINE_MAX];
    size_t plies = 0;
    struct dag_move best;
    uint32_t node = DAG_ROOT;
    int score = graph->nodes[DAG_ROOT].score;
    while (plies < MAIN_LINE_MAX && find_best(graph, node, &best)) {
        line[plies++] = best.move;
        node = best.to;
    }
    (void)fprintf(out, "%14s  ", "main line");
    moves_print(out, root, line, plies);
    if (score_is_mate(score))
        (void)fprintf(out, "\n%14s  score of the start\n", score > 0 ? "mate" : "mated");
    else
        (void)fprintf(out, "\n%14.2f  score of the start\n", eval_centipawns(score) / 100.0);
}

/* Prints what the book of one side is: `heading`, sizes, the main line with its score. root: where
 * it begins, with the number of the move, which the graph does not keep. */
static void dropout_report_side(FILE *out, const char *heading, const struct dropout *dropout,
                                const struct position *root)
{
    const struct dropout_counts *counts = dropout_counts(dropout);
    struct report to = report_of_counts(out);
    (void)fprintf(out, "%s\n", heading);
    report_number(&to, NULL, "", counts->positions, "positions searched");
    report_number(&to, NULL, "", counts->expanded, "of them expanded");
    report_number(&to, NULL, "", counts->guessed, "moves with a guess, not searched");
    report_number(&to, NULL, "", counts->shallow, "shallow searches for guesses");
    report_number(&to, NULL, "", counts->nodes, "nodes in all searches");
    report_number(&to, NULL, "", counts->joined, "moves to a position that was there already");
    report_number(&to, NULL, "", counts->repeats, "moves that repeat a position");
    report_number(&to, NULL, "", (uint64_t)counts->plies, "plies, the longest line");
    report_number(&to, NULL, "", (uint64_t)eval_centipawns(counts->cost),
                  "centipawns, the last leaf's cost");
    print_main_line(out, dropout_graph(dropout), root);
}

#define NODES_MAX ((int64_t)1 << 53)

enum { SIDE_WHITE, SIDE_BLACK, SIDE_BOTH, SIDES = 2 };

enum { PERCENT = 100, MARGIN_MAX = 1000, WEIGHT_MAX = 1000, COST_MAX = 100000 };

struct dropout_command {
    int side;
    const char *start;
    struct position line_root; /* where the moves of `start` begin, */
    move line_moves[DAG_PLIES_MAX];
    size_t line_plies;
    int64_t depth;
    int64_t nodes;
    int64_t ply_cost;
    int64_t own_cost;
    int64_t other_cost;
    int64_t doubt;
    int64_t max_cost;
    int64_t max_nodes;
    int64_t max_positions;
    int64_t margin;
    int64_t moves;
    bool replies;
    struct searching searching;
    struct command_line line;

    struct dropout_options options;
    struct dropout *grown[SIDES]; /* of one side, or of White and Black; else NULL */
    size_t entries;               /* of the book */
};

/* Centipawns as users see them in the units of scores. */
static int points_of(int64_t centipawns)
{
    return (int)(centipawns * EVAL_HALF / PERCENT);
}

/* Returns EXIT_DONE or EXIT_USAGE. */
static enum exit_status read_options(struct dropout_command *command)
{
    const struct command_line *line = &command->line;
    struct dropout_options *options = &command->options;
    struct diag diag;
    if (!options_given(line, "max-cost|max-nodes|max-positions"))
        return command_misuse(
            line, "when does it end? --max-nodes, --max-positions or --max-cost says it");
    *options = (struct dropout_options){
        .limit = {SEARCH_TO_DEPTH, (uint64_t)command->depth},
        .costs = {.ply = points_of(command->ply_cost),
                  .own = (int)command->own_cost,
                  .other = (int)command->other_cost,
                  .doubt = points_of(command->doubt)},
        .own = {.margin = points_of(command->margin), .most = (int)command->moves},
        .max_positions = (size_t)command->max_positions,
        .max_nodes = (uint64_t)command->max_nodes,
        .max_cost = points_of(command->max_cost)};
    if (command->nodes)
        options->limit = (struct search_limit){SEARCH_NODES, (uint64_t)command->nodes};
    position_start(&command->line_root);
    char room[ECO_LINE_MAX];
    struct span words;
    if (command->start && (command_words(line, command->start, room, &words, &diag) != STATUS_OK ||
                           line_from_text(words, &command->line_root, command->line_moves,
                                          DAG_PLIES_MAX, &command->line_plies, &diag) != STATUS_OK))
        return command_misuse(line, "--start %s: %s", command->start, diag.text);
    options->root = command->line_root;
    for (size_t ply = 0; ply < command->line_plies; ply++)
        position_play(&options->root, command->line_moves[ply]);
    if (movegen_count(&options->root) == 0)
        return command_misuse(line, "--start %s: the game has ended there", command->start);
    return EXIT_DONE;
}

/* The side that grows is the last one. */
static void show_progress(void *context)
{
    enum { LINE_MAX = 160 };
    char line[LINE_MAX];
    struct dropout_command *command = context;
    if (!progress_is_due(&command->searching.progress))
        return;
    const struct dropout_counts *now = dropout_counts(command->grown[command->grown[1] != NULL]);
    double rate = searching_rate(&command->searching);
    struct text_buffer text = text_buffer_on(line, sizeof line);
    text_append(&text, "%zu positions, cost %d, %d plies, %.1fM nodes, %.*f searches/s",
                now->positions, eval_centipawns(now->cost), now->plies, (double)now->nodes / 1e6,
                rate < 10, rate);
    progress_text(&command->searching.progress, line);
}

static enum caxton_status grow_all(void *context, struct diag *diag)
{
    struct dropout_command *command = context;
    enum caxton_status status = STATUS_OK;
    command->options.progress = show_progress;
    command->options.context = command;
    for (int side = WHITE; side <= BLACK && status == STATUS_OK; side++) {
        struct dropout **grown = &command->grown[command->grown[0] != NULL];
        if (command->side != SIDE_BOTH && command->side != side)
            continue;
        command->options.side = side;
        status = dropout_create(&command->options, command->searching.scorer, grown);
        if (status == STATUS_OK)
            status = dropout_run(*grown, diag);
    }
    return status;
}

/* Puts the moves of both sides together. In each position the first book that has one stands: that
 * of the side which is to move, when there are replies. */
static enum caxton_status gather_moves(const struct dropout_command *command,
                                       struct entry_list *list)
{
    enum caxton_status status = STATUS_OK;
    for (int replies = 0; replies <= command->replies; replies++) {
        struct entry_list added = {.separate = true};
        for (int i = 0; i < SIDES && command->grown[i] && status == STATUS_OK; i++)
            status = dropout_entries(command->grown[i], replies, &added);
        if (status == STATUS_OK)
            status = gather_new(list, &added);
        entry_list_free(&added);
    }
    return status;
}

/* Adds the moves that lead to the start, of both sides, and where they begin. */
static enum caxton_status gather_line(const struct dropout_command *command,
                                      struct gathering *gathering)
{
    struct position pos = command->line_root;
    struct position usual;
    struct entry_list added = {.separate = true};
    enum caxton_status status = STATUS_OK;
    for (size_t ply = 0; ply < command->line_plies && status == STATUS_OK; ply++) {
        move m = command->line_moves[ply];
        status = entry_list_add(&added, &pos, m, (struct book_entry){.weight = 1});
        position_play(&pos, m);
    }
    if (status == STATUS_OK)
        status = gather_new(&gathering->list, &added);
    entry_list_free(&added);
    position_start(&usual);
    return status == STATUS_OK && command->line_root.key != usual.key
               ? gather_root(gathering, &command->line_root)
               : status;
}

static enum exit_status save(struct dropout_command *command)
{
    const struct searching *searching = &command->searching;
    struct gathering gathering = {.root_count = 0};
    struct diag diag = {.text = ""};
    enum caxton_status status = gather_moves(command, &gathering.list);
    command->entries = gathering.list.count;
    if (status == STATUS_OK && command->entries == 0) {
        gather_free(&gathering);
        return command_fail(&command->line, "the book has no move: a larger --max-positions, "
                                            "--max-nodes or --max-cost");
    }
    if (status == STATUS_OK && command->start)
        status = gather_line(command, &gathering);
    return save_gathered(&command->line, &gathering, status, &diag, NULL, searching->writer,
                         searching->output);
}

static void report(const struct dropout_command *command)
{
    const struct searching *searching = &command->searching;
    FILE *out = outputs_report(searching->output);
    struct report to = report_of_counts(out);
    for (int i = 0; i < SIDES && command->grown[i]; i++) {
        bool black = command->side == SIDE_BLACK || i > 0;
        dropout_report_side(out, black ? "Black" : "White", command->grown[i],
                            &command->options.root);
    }
    report_number(&to, NULL, "", command->entries, "moves in the book");
    (void)fprintf(out, "%s: %s\n", text_safe(searching->output).text, searching->writer->about);
    searching_report(out, searching);
}

/* The graph goes into the store, if that is a file. */
static enum exit_status finish(void *context)
{
    struct dropout_command *command = context;
    const struct searching *searching = &command->searching;
    const struct dropout *const *grown = (const struct dropout *const *)command->grown;
    struct diag diag = {.text = ""};
    if (*searching->store_path &&
        dropout_keep(grown, command->grown[1] ? SIDES : 1, searching->store, &diag) != STATUS_OK)
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
    struct dropout_command *command = context;
    enum exit_status answer = searching_find_files(&command->line, &command->searching, NULL, 0);
    if (answer == EXIT_DONE)
        answer = read_options(command);
    if (answer != EXIT_DONE)
        return answer;
    if (!outputs_try(&command->line, command->searching.output))
        return EXIT_FAILED;
    answer = searching_run(&command->line, &command->searching, &work, command);
    for (int i = 0; i < SIDES; i++)
        dropout_destroy(command->grown[i]);
    return command_end(&command->line, answer);
}

static const char about[] =
    "Makes a book by search when nothing is known of the opponent: both sides play by search. The\n"
    "cheapest leaf is looked at again and again, where a leaf costs --ply-cost for each ply on\n"
    "the line to it, and for each move the centipawns that it scores worse than the best one\n"
    "there, times --own-cost or --other-cost. So good lines get long, replies that are hardly\n"
    "worse are answered, too, and a best move that turns out badly gives way to another. Scores\n"
    "are backed up to the start, and the book plays by them. This is Lincke's drop-out expansion\n"
    "(2000). makebook grow is for an opponent whose book is known.\n\n"
    "It ends when one of --max-nodes, --max-positions and --max-cost is reached. As for grow:\n"
    "every search is kept in the store, a run that was stopped goes on when it is started again,\n"
    "and the book does not depend on --threads.";

static enum exit_status command_main(int argc, char **argv)
{
    struct dropout_command command = {.start = NULL};
    const struct option_row rows[] = {
        TEXT_ROW("output", 'o', "OUT", "the book to be written", &command.searching.output,
                 .required = "where to? -o says it"),
        CHOICE_ROW("color", "white|black|both", "who has the book", &command.side, .old = "side"),
        TEXT_ROW("start", 0, "FEN|MOVES|ECO|NAME", "begin there, not at the usual start",
                 &command.start),
        NUMBER_ROW("depth", 0, "PLIES", "of each search", &command.depth, 1, SEARCH_DEPTH_MAX,
                   USUAL(16)),
        NUMBER_ROW("nodes", 0, "N", "of each search, instead of a depth", &command.nodes, 1,
                   NODES_MAX, .without = "depth"),
        NUMBER_ROW("max-nodes", 0, "N", "end when all searches together have so many",
                   &command.max_nodes, 1, NODES_MAX),
        NUMBER_ROW("max-positions", 0, "N", "end when so many positions are searched",
                   &command.max_positions, 1, INT32_MAX),
        NUMBER_ROW("max-cost", 0, "CP", "end when every leaf costs more", &command.max_cost, 1,
                   COST_MAX),
        NUMBER_ROW("ply-cost", 0, "CP", "what a ply costs", &command.ply_cost, 1, COST_MAX,
                   USUAL(20)),
        NUMBER_ROW("own-cost", 0, "N", "what a centipawn costs that we lose", &command.own_cost, 0,
                   WEIGHT_MAX, USUAL(16)),
        NUMBER_ROW("other-cost", 0, "N", "what one costs that the opponent loses",
                   &command.other_cost, 0, WEIGHT_MAX, USUAL(1)),
        NUMBER_ROW("doubt", 0, "CP", "what a move of ours counts less till replies are looked at",
                   &command.doubt, 0, MARGIN_MAX, USUAL(10)),
        NUMBER_ROW("margin", 0, "CP", "play other moves, too, that score so little worse",
                   &command.margin, 0, MARGIN_MAX),
        NUMBER_ROW("moves", 0, "N", "so many of them at most, the best included", &command.moves, 1,
                   MOVES_MAX, .needs = "margin"),
        SEARCHING_ROWS(command.searching, "OUT.store"),
        FLAG_ROW("replies", 0, "put the opponent's moves into the book, too", &command.replies),
        FLAG_ROW("quiet", 'q', "no progress, no closing report", &command.searching.quiet),
    };
    command.line = COMMAND_LINE("dropout", "-o OUT [options]", about, rows, ROW_COUNT(rows), 0, 0);
    return command_run(&command.line, argc, argv, run, &command);
}

const struct command command_dropout = {
    "dropout", "make a book by search when nothing is known of the opponent", command_main};
