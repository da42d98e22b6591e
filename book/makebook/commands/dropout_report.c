#include "book/makebook/commands/dropout_report.h"

#include "base/terminal.h"
#include "base/text.h"
#include "book/makebook/cli/moves.h"
#include "eval/eval.h"
#include "search/score.h"

enum { LINE_MAX = 160, MAIN_LINE_MAX = 30 };

void dropout_report_progress(struct progress *progress, const struct dropout *dropout,
                             const struct scorer_counts *counts)
{
    char line[LINE_MAX];
    if (!progress_is_due(progress))
        return;
    const struct dropout_counts *now = dropout_counts(dropout);
    double seconds = (double)progress_elapsed_ms(progress) / 1000;
    double rate = seconds > 0 ? (double)counts->searched / seconds : 0;
    struct text_buffer text = text_buffer_on(line, sizeof line);
    text_append(&text, "%zu positions, cost %d, %d plies, %.1fM nodes, %.*f searches/s",
                now->positions, eval_centipawns(now->cost), now->plies, (double)now->nodes / 1e6,
                rate < 10, rate);
    progress_text(progress, line);
}

static void print_count(FILE *out, uint64_t count, const char *what)
{
    char number[THOUSANDS_MAX];
    (void)fprintf(out, "%14s  %s\n", terminal_thousands(count, number), what);
}

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

void dropout_report_side(FILE *out, const char *heading, const struct dropout *dropout,
                         const struct position *root)
{
    const struct dropout_counts *counts = dropout_counts(dropout);
    (void)fprintf(out, "%s\n", heading);
    print_count(out, counts->positions, "positions searched");
    print_count(out, counts->expanded, "of them expanded");
    print_count(out, counts->guessed, "moves with a guess, not searched");
    print_count(out, counts->shallow, "shallow searches for guesses");
    print_count(out, counts->nodes, "nodes in all searches");
    print_count(out, counts->joined, "moves to a position that was there already");
    print_count(out, counts->repeats, "moves that repeat a position");
    print_count(out, (uint64_t)counts->plies, "plies, the longest line");
    print_count(out, (uint64_t)eval_centipawns(counts->cost), "centipawns, the last leaf's cost");
    print_main_line(out, dropout_graph(dropout), root);
}

void dropout_report_book(FILE *out, size_t moves)
{
    print_count(out, moves, "moves in the book");
}
