#include "book/makebook/commands/vet_report.h"

#include <inttypes.h>

#include "base/json.h"
#include "base/terminal.h"
#include "base/text.h"
#include "book/makebook/cli/moves.h"
#include "chess/fen.h"
#include "chess/notation.h"

enum { LINE_MAX = 160, COUNT_TEXT_MAX = 24 };

static const char *const kind_names[] = {
    [VET_BLUNDER] = "blunder", [VET_LINE] = "line", [VET_DRIFT] = "drift"};

void vet_report_progress(struct progress *progress, const struct vet *vet, size_t searched)
{
    char line[LINE_MAX];
    if (!progress_is_due(progress))
        return;
    const struct vet_counts now = vet_counts(vet);
    double seconds = (double)progress_elapsed_ms(progress) / 1000;
    double rate = seconds > 0 ? (double)searched / seconds : 0;
    struct text_buffer text = text_buffer_on(line, sizeof line);
    text_append(&text, "%s: %zu of %zu searches", now.stage, now.done, now.total);
    if (rate > 0) {
        /* Of this stage, by the rate of all so far. */
        double left = (double)(now.total - now.done) / rate;
        text_append(&text, ", %.*f/s, %.0f:%02.0f left", rate < 10, rate,
                    (double)(int64_t)(left / 60), (double)((int64_t)left % 60));
    }
    progress_text(progress, line);
}

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

/* Moves of positions that fall, the first ones of each line. */
static void print_fallen(FILE *out, const struct vet_report *report)
{
    const struct book_graph *graph = report->options->graph;
    size_t shown = 0;
    (void)fprintf(out, "\npositions that fall with them: %zu\n", report->cut->fallen_count);
    for (uint32_t i = 0; i < graph->node_count; i++) {
        struct position pos;
        move line[BOOK_GRAPH_PLIES_MAX];
        if (!report->cut->fallen[i])
            continue;
        if (report->limit && shown == report->limit) {
            (void)fprintf(out, "... and %zu more; --limit 0 shows all\n",
                          report->cut->fallen_count - shown);
            return;
        }
        book_graph_position(graph, i, &pos, line);
        (void)fprintf(out, "%5u move%s  ", (unsigned)graph->nodes[i].count,
                      graph->nodes[i].count == 1 ? " " : "s");
        print_root(out, root_of(report, i));
        moves_print(out, root_of(report, i), line, graph->nodes[i].ply);
        (void)fputc('\n', out);
        shown++;
    }
}

void vet_report_text(FILE *out, const struct vet_report *report)
{
    const struct vet_counts counts = vet_counts(report->vet);
    char numbers[3][THOUSANDS_MAX];
    char heading[LINE_MAX];
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
        print_fallen(out, report);
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

/* The lines to the positions that fall. */
static void put_fallen(struct json *json, const struct vet_report *report)
{
    const struct book_graph *graph = report->options->graph;
    json_array(json, "fallen");
    for (uint32_t i = 0; i < graph->node_count; i++) {
        struct position pos;
        move line[BOOK_GRAPH_PLIES_MAX];
        if (!report->cut->fallen[i])
            continue;
        book_graph_position(graph, i, &pos, line);
        json_line(json);
        json_object(json, NULL);
        json_number(json, "moves", graph->nodes[i].count);
        json_array(json, "line");
        moves_json(json, root_of(report, i), line, graph->nodes[i].ply);
        json_end(json);
        json_end(json);
    }
    json_end(json);
}

void vet_report_json(FILE *out, const struct vet_report *report)
{
    const struct vet_counts counts = vet_counts(report->vet);
    struct json json = json_start(out);
    size_t count;
    const struct vet_finding *findings = vet_findings(report->vet, &count);
    json_object(&json, NULL);
    json_text(&json, "book", report->name);
    json_text(&json, "format", report->kind);
    json_number(&json, "margin_cp", report->options->margin_cp);
    json_unsigned(&json, "positions", counts.positions);
    json_unsigned(&json, "moves", counts.moves);
    json_unsigned(&json, "leaves", counts.leaves);
    put_searched(&json, report, "bad_leaves", counts.bad_leaves);
    put_searched(&json, report, "bad_leaves_unblamed", counts.unblamed);
    json_unsigned(&json, "suspects", counts.suspects);
    json_unsigned(&json, "blunders", counts.blunders);
    put_searched(&json, report, "lines", counts.lines);
    json_array(&json, "findings");
    for (size_t i = 0; i < count; i++)
        put_finding(&json, report, &findings[i]);
    json_line(&json);
    json_end(&json);
    if (report->cut)
        put_fallen(&json, report);
    json_end(&json);
    (void)fputc('\n', out);
}
