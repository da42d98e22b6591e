/* makebook vet: which moves of a book lose, and a book without them. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/atomic_file.h"
#include "base/terminal.h"
#include "base/text.h"
#include "book/book.h"
#include "book/format.h"
#include "book/formats/polyglot/polyglot.h"
#include "book/graph/graph_visit.h"
#include "book/makebook/cli/entries.h"
#include "book/makebook/cli/gather.h"
#include "book/makebook/cli/moves.h"
#include "book/makebook/cli/outputs.h"
#include "book/makebook/cli/report.h"
#include "book/makebook/cli/save.h"
#include "book/makebook/cli/searching.h"
#include "book/makebook/cli/source.h"
#include "book/makebook/commands/commands.h"
#include "book/vet/vet.h"
#include "chess/fen.h"
#include "chess/notation.h"
#include "search/search.h"

/* What makebook vet says of a book. */

struct vet_report {
    const char *name; /* of the book */
    const char *kind;
    const struct vet *vet;
    const struct vet_options *options;
    const struct vet_cut *cut; /* what falls; NULL: nothing is taken out */
    size_t limit;              /* so many of each kind are named; 0: all */
};

enum { LINE_MAX = 160, COUNT_TEXT_MAX = 24 };

static const char *const kind_names[] = {
    [VET_BLUNDER] = "blunder", [VET_LINE] = "line", [VET_DRIFT] = "drift"};

/* The moves to the finding and its own. */
static size_t line_of(const struct vet_report *report, const struct vet_finding *finding,
                      struct position *pos, move line[BOOK_GRAPH_PLIES_MAX + 1])
{
    const struct book_graph *graph = report->options->graph;
    size_t plies = graph->nodes[finding->node].ply;
    book_graph_position(graph, finding->node, pos, line);
    line[plies++] = graph->edges[finding->edge].move;
    return plies;
}

static const struct position *root_of(const struct vet_report *report, uint32_t node)
{
    const struct book_graph *graph = report->options->graph;
    return &graph->roots[graph->nodes[node].root];
}

/* Lines that begin elsewhere say where. */
static void print_root(FILE *out, const struct position *root)
{
    struct position start;
    char fen[FEN_MAX];
    position_start(&start);
    if (root->key == start.key)
        return;
    fen_format(root, fen);
    (void)fprintf(out, "[%s] ", fen);
}

/* How many leaves are bad is not known where they were not searched. */
static void bad_text(const struct vet_report *report, size_t bad, char text[COUNT_TEXT_MAX])
{
    if (report->options->at_once)
        (void)snprintf(text, COUNT_TEXT_MAX, "-");
    else
        (void)snprintf(text, COUNT_TEXT_MAX, "%zu", bad);
}

static const char *score_text(int cp, int mate, char text[COUNT_TEXT_MAX])
{
    if (mate)
        (void)snprintf(text, COUNT_TEXT_MAX, "#%d", mate);
    else
        (void)snprintf(text, COUNT_TEXT_MAX, "%+.2f", cp / 100.0);
    return text;
}

static void print_finding(FILE *out, const struct vet_report *report,
                          const struct vet_finding *finding)
{
    struct position pos;
    char better[SAN_MAX];
    char bad[COUNT_TEXT_MAX];
    char loss[COUNT_TEXT_MAX];
    char score[COUNT_TEXT_MAX];
    char best[COUNT_TEXT_MAX];
    move line[BOOK_GRAPH_PLIES_MAX + 1];
    size_t plies = line_of(report, finding, &pos, line);
    move_to_san(&pos, finding->better, better);
    bad_text(report, finding->bad, bad);
    bool is_cut = finding->better_cp > VET_WON_CP || finding->score_cp < -VET_WON_CP;
    (void)snprintf(loss, sizeof loss, "%s%d", is_cut ? ">" : "",
                   vet_loss(finding->better_cp, finding->score_cp));
    (void)fprintf(out, "%5s  %6s  %6s  %-7s %7zu %7s %5d.%d%% %8.4f%%  ", loss,
                  score_text(finding->score_cp, finding->mate, score),
                  score_text(finding->better_cp, finding->better_mate, best), better,
                  finding->leaves, bad, finding->share_permille / 10, finding->share_permille % 10,
                  100 * finding->reach);
    print_root(out, root_of(report, finding->node));
    moves_print(out, root_of(report, finding->node), line, plies);
    (void)fputc('\n', out);
}

static void print_kind(FILE *out, const struct vet_report *report, enum vet_kind kind,
                       const char *heading)
{
    size_t all;
    size_t count = 0;
    size_t shown = 0;
    const struct vet_finding *findings = vet_findings(report->vet, &all);
    for (size_t i = 0; i < all; i++)
        count += findings[i].kind == kind;
    (void)fprintf(out, "\n%s: %zu\n", heading, count);
    if (count > 0)
        (void)fprintf(out, "%5s  %6s  %15s %7s %7s %7s %9s  %s\n", "loss", "score", "better move",
                      "leaves", "bad", "share", "games", "line");
    for (size_t i = 0; i < all; i++) {
        if (findings[i].kind != kind || (report->limit && shown == report->limit))
            continue;
        print_finding(out, report, &findings[i]);
        shown++;
    }
    if (shown < count)
        (void)fprintf(out, "... and %zu more; --limit 0 shows all\n", count - shown);
}

/* Moves of positions that fall, the first ones of each line; as JSON the lines to all. */
static void put_fallen(struct report *to, const struct vet_report *report)
{
    const struct book_graph *graph = report->options->graph;
    size_t shown = 0;
    report_say(to, "\npositions that fall with them: %zu\n", report->cut->fallen_count);
    json_array(&to->json, "fallen");
    for (uint32_t i = 0; i < graph->node_count; i++) {
        const struct position *root = root_of(report, i);
        struct position pos;
        move line[BOOK_GRAPH_PLIES_MAX];
        if (!report->cut->fallen[i])
            continue;
        if (report_is_cut(to, (int64_t)report->limit, shown++, report->cut->fallen_count))
            break;
        book_graph_position(graph, i, &pos, line);
        json_line(&to->json);
        json_object(&to->json, NULL);
        json_number(&to->json, "moves", graph->nodes[i].count);
        json_array(&to->json, "line");
        moves_json(&to->json, root, line, graph->nodes[i].ply);
        json_end(&to->json);
        json_end(&to->json);
        report_say(to, "%5u move%s  ", (unsigned)graph->nodes[i].count,
                   graph->nodes[i].count == 1 ? " " : "s");
        if (to->text) {
            print_root(to->text, root);
            moves_print(to->text, root, line, graph->nodes[i].ply);
        }
        report_say(to, "\n");
    }
    json_end(&to->json);
}

/* As tables; as JSON, which names all whatever the limit. */
static void vet_report_text(FILE *out, const struct vet_report *report)
{
    const struct vet_counts counts = vet_counts(report->vet);
    char numbers[3][THOUSANDS_MAX];
    char heading[LINE_MAX];
    struct report to = report_begin(out, false);
    (void)fprintf(out, "%s: %s, %s moves looked at in %s positions, %s leaves\n",
                  text_safe(report->name).text, report->kind,
                  terminal_thousands(counts.moves, numbers[0]),
                  terminal_thousands(counts.positions, numbers[1]),
                  terminal_thousands(counts.leaves, numbers[2]));
    if (counts.blunders + counts.lines + counts.bad_leaves == 0) {
        (void)fprintf(out, "no move loses %d centipawns or more%s\n", report->options->margin_cp,
                      report->options->at_once ? " at once" : ", and no line ends so far down");
        return;
    }
    (void)snprintf(heading, sizeof heading, "moves that lose %d centipawns or more at once",
                   report->options->margin_cp);
    print_kind(out, report, VET_BLUNDER, heading);
    if (!report->options->at_once) {
        print_kind(out, report, VET_LINE, "moves that lose as much by the lines behind them");
        (void)snprintf(
            heading, sizeof heading,
            "moves that lose half of that, and the most on the way to leaves %d centipawns down",
            report->options->margin_cp);
        print_kind(out, report, VET_DRIFT, heading);
        (void)fprintf(out, "\nbad leaves: %zu of %zu, %zu of them by little and little\n",
                      counts.bad_leaves, counts.leaves, counts.unblamed);
    }
    if (report->cut)
        put_fallen(&to, report);
}

/* JSON --------------------------------------------------------------------------------------- */

/* A number that takes a search of the leaves; without one it is null. */
static void put_searched(struct json *json, const struct vet_report *report, const char *name,
                         size_t value)
{
    if (report->options->at_once)
        json_text(json, name, NULL);
    else
        json_unsigned(json, name, value);
}

static void put_finding(struct json *json, const struct vet_report *report,
                        const struct vet_finding *finding)
{
    struct position pos;
    char text[FEN_MAX];
    move line[BOOK_GRAPH_PLIES_MAX + 1];
    size_t plies = line_of(report, finding, &pos, line);
    json_line(json);
    json_object(json, NULL);
    json_text(json, "kind", kind_names[finding->kind]);
    fen_format(&pos, text);
    json_text(json, "fen", text);
    move_to_uci(line[plies - 1], false, text);
    json_text(json, "move", text);
    move_to_uci(finding->better, false, text);
    json_text(json, "better", text);
    json_number(json, "score_cp", finding->score_cp);
    json_number(json, "score_mate", finding->mate);
    json_number(json, "better_cp", finding->better_cp);
    json_number(json, "better_mate", finding->better_mate);
    json_number(json, "loss_cp", vet_loss(finding->better_cp, finding->score_cp));
    json_unsigned(json, "limit", finding->effort);
    json_unsigned(json, "leaves", finding->leaves);
    put_searched(json, report, "bad_leaves", finding->bad);
    json_number(json, "share_permille", finding->share_permille);
    json_decimal(json, "reach", finding->reach, 9);
    json_array(json, "line");
    moves_json(json, root_of(report, finding->node), line, plies);
    json_end(json);
    json_end(json);
}

static void vet_report_json(FILE *out, const struct vet_report *report)
{
    const struct vet_counts counts = vet_counts(report->vet);
    struct report to = report_begin(out, true);
    struct json *json = &to.json;
    size_t count;
    const struct vet_finding *findings = vet_findings(report->vet, &count);
    json_object(json, NULL);
    json_text(json, "book", report->name);
    json_text(json, "format", report->kind);
    json_number(json, "margin_cp", report->options->margin_cp);
    json_unsigned(json, "positions", counts.positions);
    json_unsigned(json, "moves", counts.moves);
    json_unsigned(json, "leaves", counts.leaves);
    put_searched(json, report, "bad_leaves", counts.bad_leaves);
    put_searched(json, report, "bad_leaves_unblamed", counts.unblamed);
    json_unsigned(json, "suspects", counts.suspects);
    json_unsigned(json, "blunders", counts.blunders);
    put_searched(json, report, "lines", counts.lines);
    json_array(json, "findings");
    for (size_t i = 0; i < count; i++)
        put_finding(json, report, &findings[i]);
    json_line(json);
    json_end(json);
    if (report->cut)
        put_fallen(&to, report);
    json_end(json);
    (void)fputc('\n', out);
}

/* Confirming searches: how many, the plies between them, the bits between them in nodes; plies from
 * --depth to the last. */
enum { CONFIRM_SEARCHES = 6, CONFIRM_PLIES = 3, CONFIRM_BITS = 2, CONFIRM_DEEPER = 12 };

enum { CONFIRM_MORE = 6 }; /* bits: 64 times the nodes */

/* Of the first look: with 6 plies 3. Nxe5 after 1. e4 e5 2. Nf3 Nc6 was missed. */
enum { SCAN_PLIES = 8 };

struct vet_command {
    int side;
    int64_t depth;
    int64_t nodes;
    int64_t scan;
    int64_t confirm;
    int64_t margin_cp;
    int64_t limit;
    int64_t divisor;
    bool at_once;
    bool drop;
    bool mark;
    bool json;
    struct searching searching;
    struct command_line line;

    struct source source;
    struct book_graph graph;
    struct vet_options options;
    struct vet *vet;
    struct vet_cut cut;
    size_t changed; /* entries left out, or with less weight */
};

/* Returns EXIT_DONE or EXIT_USAGE. */
static enum exit_status find_output(struct vet_command *command)
{
    const struct command_line *line = &command->line;
    struct searching *searching = &command->searching;
    int ways = command->drop + command->mark + (command->divisor > 0);
    if (ways > 1)
        return command_misuse(line, "one of --drop, --down-weight and --mark");
    if ((ways == 1) != (searching->output != NULL))
        return command_misuse(line, "-o OUT goes with one of --drop, --down-weight and --mark");
    enum exit_status answer = searching_find_files(line, searching, NULL, 0);
    if (answer == EXIT_DONE && command->mark && !(searching->writer->keeps & BOOK_MARKS))
        return command_misuse(line, "%s: marks can stand in .pgn and .epd only", searching->output);
    return answer;
}

/* Of the last confirming search, when nobody says it. */
static int64_t last_limit(int64_t leaves, bool by_nodes)
{
    if (by_nodes)
        return leaves << CONFIRM_MORE;
    int64_t depth = leaves + CONFIRM_DEEPER;
    return depth < SEARCH_DEPTH_MAX ? depth : SEARCH_DEPTH_MAX;
}

/* Returns EXIT_DONE or EXIT_USAGE. */
static enum exit_status read_options(struct vet_command *command)
{
    struct vet_options *options = &command->options;
    enum search_limit_kind kind = command->nodes ? SEARCH_NODES : SEARCH_TO_DEPTH;
    bool by_nodes = kind == SEARCH_NODES;
    int64_t leaves = by_nodes ? command->nodes : command->depth;
    bool has_scan = options_given(&command->line, "scan");
    int64_t scan = by_nodes && !has_scan ? (leaves + 7) / 8 : command->scan;
    int64_t confirm = command->confirm ? command->confirm : last_limit(leaves, by_nodes);
    if (!by_nodes && (scan > SEARCH_DEPTH_MAX || confirm > SEARCH_DEPTH_MAX))
        return command_misuse(&command->line, "no search goes deeper than %d", SEARCH_DEPTH_MAX);
    if (has_scan && scan > leaves)
        return command_misuse(&command->line, "--scan is larger than --%s, %" PRId64,
                              by_nodes ? "nodes" : "depth", leaves);
    if (scan > leaves)
        scan = leaves;
    if (confirm < scan)
        return command_misuse(&command->line, "--confirm is less than --scan, %" PRId64, scan);
    *options = (struct vet_options){.graph = &command->graph,
                                    .side = (enum vet_sides)command->side,
                                    .margin_cp = (int)command->margin_cp,
                                    .at_once = command->at_once,
                                    .scan = {kind, (uint64_t)scan},
                                    .leaves = {kind, (uint64_t)leaves}};
    for (int i = CONFIRM_SEARCHES - 1; i >= 0; i--) {
        int64_t value = by_nodes ? confirm >> CONFIRM_BITS * i : confirm - CONFIRM_PLIES * i;
        if (value > scan || i == 0)
            options->confirm[options->confirms++] = (struct search_limit){kind, (uint64_t)value};
    }
    return EXIT_DONE;
}

static void show_progress(void *context)
{
    char line[LINE_MAX];
    struct vet_command *command = context;
    if (!progress_is_due(&command->searching.progress))
        return;
    const struct vet_counts now = vet_counts(command->vet);
    double rate = searching_rate(&command->searching);
    struct text_buffer text = text_buffer_on(line, sizeof line);
    text_append(&text, "%s: %zu of %zu searches", now.stage, now.done, now.total);
    if (rate > 0) { /* of this stage, by the rate of all so far */
        text_append(&text, ", %.*f/s, ", rate < 10, rate);
        searching_put_time(&text, (double)(now.total - now.done) / rate);
        text_append(&text, " left");
    }
    progress_text(&command->searching.progress, line);
}

static enum caxton_status vet_all(void *context, struct diag *diag)
{
    struct vet_command *command = context;
    command->options.progress = show_progress;
    command->options.context = command;
    enum caxton_status status =
        vet_create(&command->options, command->searching.scorer, &command->vet);
    return status == STATUS_OK ? vet_run(command->vet, diag) : status;
}

/* Writing the book. --------------------------------------------------------------------------- */

static void change(struct vet_command *command, struct entry_list *list)
{
    command->changed = command->drop
                           ? vet_cut_drop(&command->cut, list)
                           : vet_cut_down_weight(&command->cut, list, (uint32_t)command->divisor);
}

/* Polyglot to Polyglot: the entries that stay are the same bytes in the same order, unless castling
 * has to be written otherwise. */
static enum exit_status save_entries(struct vet_command *command)
{
    struct entry_list list = {.separate = true};
    struct polyglot_report report = {0};
    enum exit_status answer = EXIT_DONE;
    if (entries_list(&command->source.book->table, &list) != STATUS_OK)
        answer = command_fail(&command->line, "out of memory");
    if (answer == EXIT_DONE) {
        change(command, &list);
        if (list.count == 0)
            answer = command_fail(&command->line, "no move is left: no book is written");
    }
    if (answer == EXIT_DONE &&
        !entries_save(&command->line, &list, NULL, true, command->searching.output, &report))
        answer = EXIT_FAILED;
    entry_list_free(&list);
    return answer;
}

/* Of any other kind, or into one. */
static enum exit_status save_moves(struct vet_command *command)
{
    struct gathering gathering = {.root_count = 0};
    struct diag diag = {.text = ""};
    enum caxton_status status = gather_book(&gathering, command->source.book, GATHER_SUM, &diag);
    if (status == STATUS_OK && *diag.text)
        (void)command_fail(&command->line, "warning: %s: %s", command->source.name, diag.text);
    if (status == STATUS_OK)
        change(command, &gathering.list);
    if (status == STATUS_OK && gathering.list.count == 0) {
        gather_free(&gathering);
        return command_fail(&command->line, "no move is left: no book is written");
    }
    return save_gathered(&command->line, &gathering, status, &diag, command->source.book,
                         command->searching.writer, command->searching.output);
}

/* The book as it is, with marks. */
static enum exit_status save_marks(struct vet_command *command)
{
    struct diag diag;
    struct diag why = {.text = ""};
    const struct book_graph *graph = &command->graph;
    struct book_losses losses = {.positions = graph->positions,
                                 .unreached = graph->positions - graph->known,
                                 .comments = command->source.book->comment_count};
    char lost[BOOK_LOSSES_TEXT_MAX];
    struct atomic_file *file = NULL;
    size_t count;
    const struct vet_finding *findings = vet_findings(command->vet, &count);
    for (size_t i = 0; i < count; i++)
        command->graph.edges[findings[i].edge].mark =
            findings[i].kind == VET_DRIFT ? BOOK_MISTAKE : BOOK_BLUNDER;
    if (!outputs_create(&command->line, command->searching.output, &file))
        return EXIT_FAILED;
    enum caxton_status status = command->searching.writer->write_graph(
        &command->graph, command->searching.writer, atomic_file_stream(file), &losses, &why);
    diag_set(&diag, 0, 0, "%s: %s", command->searching.output, why.text);
    if (outputs_end(&command->line, file, status, diag.text) != EXIT_DONE)
        return EXIT_FAILED;
    if (*book_losses_text(&losses, lost))
        (void)command_fail(&command->line, "warning: %s: %s", command->searching.output, lost);
    return EXIT_DONE;
}

static enum exit_status save(struct vet_command *command)
{
    size_t count;
    const struct vet_finding *findings = vet_findings(command->vet, &count);
    if (command->mark)
        return save_marks(command);
    if (vet_cut_create(&command->graph, findings, count, &command->cut) != STATUS_OK)
        return command_fail(&command->line, "out of memory");
    bool as_it_is =
        command->source.book->format->holds_entries && command->searching.writer->writes_entries;
    return as_it_is ? save_entries(command) : save_moves(command);
}

/* Reports. ------------------------------------------------------------------------------------ */

static void report(const struct vet_command *command)
{
    FILE *out = outputs_report(command->searching.output);
    const struct vet_report report = {.name = command->source.name,
                                      .kind = book_format_name(command->source.book),
                                      .vet = command->vet,
                                      .options = &command->options,
                                      .cut = command->drop ? &command->cut : NULL,
                                      .limit = (size_t)command->limit};
    if (command->json)
        vet_report_json(out, &report);
    else if (!command->searching.quiet)
        vet_report_text(out, &report);
    if (command->json || command->searching.quiet)
        return;
    if (command->searching.output)
        (void)fprintf(out, "\n%s: %s", text_safe(command->searching.output).text,
                      command->searching.writer->about);
    if (command->drop)
        (void)fprintf(out, ", %zu entries left out", command->changed);
    else if (command->divisor)
        (void)fprintf(out, ", %zu weights divided by %" PRId64, command->changed, command->divisor);
    (void)fputc('\n', out);
    searching_report(out, &command->searching);
}

/* What is found so far. */
static void report_stopped(void *context)
{
    struct vet_command *command = context;
    size_t found = 0;
    if (command->vet)
        (void)vet_findings(command->vet, &found);
    if (found == 0 || command->json || command->searching.output)
        return;
    command->options.at_once = true; /* leaves are not all searched */
    report(command);
}

static enum exit_status finish(void *context)
{
    struct vet_command *command = context;
    enum exit_status answer = command->searching.output ? save(command) : EXIT_DONE;
    if (answer == EXIT_DONE)
        report(command);
    return answer;
}

static enum exit_status vet_book(struct vet_command *command)
{
    static const struct searching_work work = {
        .run = vet_all, .show = show_progress, .stopped = report_stopped, .finish = finish};
    struct diag diag = {.text = "out of memory"};
    if (book_graph_create(command->source.book, NULL, &command->graph, &diag) != STATUS_OK)
        return command_fail(&command->line, "%s", diag.text);
    if (command->graph.edge_count == 0)
        return command_fail(&command->line, "%s: no line leads to a move of it",
                            command->source.name);
    if (command->graph.positions > command->graph.known)
        (void)command_fail(&command->line,
                           "%s: %zu of %zu positions are not looked at: no line leads there, as "
                           "where rare moves were left out",
                           command->source.name, command->graph.positions - command->graph.known,
                           command->graph.positions);
    return searching_run(&command->line, &command->searching, &work, command);
}

static enum exit_status run(void *context)
{
    struct vet_command *command = context;
    enum exit_status answer = find_output(command);
    if (answer == EXIT_DONE)
        answer = read_options(command);
    if (answer != EXIT_DONE)
        return answer;
    if (!outputs_try(&command->line, command->searching.output))
        return EXIT_FAILED;
    if (!source_open_walk(&command->line, command->line.operands[0], WLD_WEIGHTS_UNITS,
                          &command->source))
        return EXIT_FAILED;
    answer = vet_book(command);
    vet_destroy(command->vet);
    vet_cut_destroy(&command->cut);
    book_graph_destroy(&command->graph);
    source_close(&command->source);
    return command_end(&command->line, answer);
}

static const char about[] =
    "Finds the moves of a book of any kind that lose. Every position is searched a little; a move\n"
    "that seems to lose is a suspect, and deeper searches of it and of the best move confirm or\n"
    "clear it: those lose at once. Then all positions and the ends of all lines are searched to\n"
    "--depth, and the scores are backed up along the moves of the book: a move that loses by what\n"
    "lies behind it is named where the line leaves the path. For ends that are bad without such a\n"
    "move, the one that lost most is named.\n\n"
    "loss is in centipawns; score is what the move is worth to who makes it, in pawns; leaves are\n"
    "ends of lines behind it, and bad those of them where who made it is --margin down; share is\n"
    "its weight in the position, games how probably a game by the weights of the book comes to it."
    "\n\n"
    "Searches are kept in the store as soon as they are done: a run that was stopped is started\n"
    "again and goes on; without -o it names the moves that it has found lose. What is found does\n"
    "not depend on --threads. The kind of OUT is seen from its name. BOOK is a file, \"-\" or\n"
    "\"builtin\".";

static enum exit_status command_main(int argc, char **argv)
{
    struct vet_command command = {.side = 0};
    const struct option_row rows[] = {
        CHOICE_ROW("color", "both|white|black", "whose moves are looked at", &command.side,
                   .old = "side"),
        NUMBER_ROW("margin", 0, "CP", "what a blunder loses at least, in centipawns",
                   &command.margin_cp, 1, 2 * VET_WON_CP, USUAL(120)),
        FLAG_ROW("giveaways", 0, "only moves that lose at once: leaves are not searched",
                 &command.at_once),
        NUMBER_ROW("depth", 0, "PLIES", "of the searches of leaves and own positions",
                   &command.depth, 1, SEARCH_DEPTH_MAX, USUAL(10)),
        NUMBER_ROW("nodes", 0, "N", "the same in nodes; all searches are limited by nodes then",
                   &command.nodes, 1, INT32_MAX, .without = "depth"),
        NUMBER_ROW("scan", 0, "N",
                   "the first look at all positions: an eighth of --nodes, or plies", &command.scan,
                   1, INT32_MAX, USUAL(SCAN_PLIES)),
        NUMBER_ROW("confirm", 0, "N",
                   "the last search that confirms (--depth + 12; 64 times --nodes)",
                   &command.confirm, 1, INT64_MAX),
        SEARCHING_ROWS(command.searching, "OUT.store"),
        FLAG_ROW("drop", 0, "leave out the moves that lose, and what only they lead to",
                 &command.drop),
        NUMBER_ROW("down-weight", 0, "N", "divide their weights by N", &command.divisor, 2,
                   UINT32_MAX),
        FLAG_ROW("mark", 0, "mark them ?? (PGN: $4) in OUT, others to blame ? ($2)", &command.mark),
        TEXT_ROW("output", 'o', "OUT", "the book to be written", &command.searching.output),
        NUMBER_ROW("limit", 0, "N", "name so many of each kind; 0: all", &command.limit, 0,
                   INT32_MAX, USUAL(20)),
        FLAG_ROW("json", 0, "as JSON, all of them", &command.json),
        FLAG_ROW("quiet", 'q', "no progress, no report", &command.searching.quiet),
    };
    command.line = COMMAND_LINE("vet", "BOOK [options]", about, rows, ROW_COUNT(rows), 1, 1);
    return command_run(&command.line, argc, argv, run, &command);
}

const struct command command_vet = {"vet", "find the moves of a book that lose, by searches",
                                    command_main};
