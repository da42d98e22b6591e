#include "book/makebook/commands/grow_report.h"

#include <inttypes.h>

#include "base/terminal.h"
#include "base/text.h"
#include "chess/notation.h"
#include "eval/eval.h"
#include "search/score.h"

enum { LINE_MAX = 160 };

#define REACH_LEAST 0.0005 /* rarer moves are not listed */

void grow_report_progress(struct progress *progress, const struct grow *grow,
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

void grow_report_side(FILE *out, const char *heading, const struct grow *grow)
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
