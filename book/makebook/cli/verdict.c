#include "book/makebook/cli/verdict.h"

#include <math.h>

#include "book/book.h"
#include "book/format.h"
#include "book/polyglot_entry.h"

bool compared_open(const struct command_line *line, char *const *names, int count,
                   struct compared *out)
{
    struct source *judge = &out->sources[2];
    for (int which = 0; which < 2; which++) {
        struct diag diag = {.text = ""};
        struct source *source = &out->sources[which];
        if (!source_open_walk(line, names[which], WLD_WEIGHTS_UNITS, source))
            return false;
        if (book_graph_create(source->book, NULL, &out->graphs[which], &diag) != STATUS_OK)
            return command_refuse(line, "%s", diag.text);
    }
    if (count < DIFF_SOURCES)
        return true;
    return source_open(line, names[2], judge) &&
           (judge->file ||
            command_refuse(line, "%s: these are no statistics (.wld) in a file", names[2]));
}

void compared_close(struct compared *books)
{
    for (int which = 0; which < 2; which++)
        book_graph_destroy(&books->graphs[which]);
    for (int which = 0; which < DIFF_SOURCES; which++)
        source_close(&books->sources[which]);
}

#define CONFIDENCE 1.96 /* standard errors: 95 % */

/* What is known of the games of one position's moves. */
static enum caxton_status find_results(const struct source sources[DIFF_SOURCES], uint64_t key,
                                       struct book_facts *out, struct diag *diag)
{
    struct book_facts facts;
    enum caxton_status status = STATUS_OK;
    book_facts_clear(out);
    for (int which = 0; which < DIFF_SOURCES && status == STATUS_OK; which++) {
        const struct book *book = sources[which].book;
        if (!book || !book->counts || book->counts->mirrored)
            continue;
        book_facts_clear(&facts);
        status = book->format->facts(book->state, key, NULL, &facts, diag);
        book_facts_merge(out, &facts);
    }
    return status;
}

/* The shares of a position's moves in the book, of those with results. Returns whether any has. */
static bool shares_of(const struct book_graph *graph, const struct book_node *node,
                      const struct book_facts *results, double shares[MOVES_MAX])
{
    double weights = 0;
    for (int k = 0; k < results->count; k++) {
        shares[k] = 0;
        for (uint32_t i = 0; i < node->count; i++) {
            const struct book_edge *edge = &graph->edges[node->first + i];
            if (polyglot_from_move(edge->move) == results->moves[k].stored)
                shares[k] += edge->weight;
        }
        weights += shares[k];
    }
    for (int k = 0; k < results->count; k++)
        shares[k] /= weights > 0 ? weights : 1;
    return weights > 0;
}

static unsigned moves_played(const struct book_graph *graph, const struct book_node *node)
{
    unsigned count = 0;
    for (uint32_t i = 0; i < node->count; i++)
        count += graph->edges[node->first + i].weight > 0;
    return count;
}

static double mean_plies(const struct book_graph *graph)
{
    double sum = 0;
    for (size_t i = 0; i < graph->node_count; i++)
        sum += graph->nodes[i].known ? graph->nodes[i].ply : 0;
    return graph->known ? sum / (double)graph->known : 0;
}

/* The sums of what is a mean at last, for either colour. */
struct sums {
    double moves[2];
    double games[2];
    double most[2]; /* games of one position */
    double points[2][2];
    double variance[2]; /* of the difference of points */
};

static double games_of(const struct book_facts *results, int i)
{
    return (double)book_move_games(&results->moves[i]) / (double)results->unit;
}

static void add_scores(const struct book_facts *results, const double a[MOVES_MAX],
                       const double b[MOVES_MAX], int turn, struct sums *sums)
{
    double games = 0;
    double variance = 0;
    for (int i = 0; i < results->count; i++)
        games += games_of(results, i);
    for (int i = 0; i < results->count; i++) {
        const struct book_move_facts *facts = &results->moves[i];
        double n = games_of(results, i);
        if (n <= 0)
            continue;
        double score = ((double)facts->wins + (double)facts->draws / 2) / (double)results->unit / n;
        double squares = ((double)facts->wins + (double)facts->draws / 4) / (double)results->unit;
        sums->points[turn][0] += games * a[i] * score;
        sums->points[turn][1] += games * b[i] * score;
        variance += (a[i] - b[i]) * (a[i] - b[i]) * (squares / n - score * score) / n;
    }
    sums->games[turn] += games;
    sums->variance[turn] += games * games * variance;
    sums->most[turn] = games > sums->most[turn] ? games : sums->most[turn];
}

static enum caxton_status compare_nodes(const struct book_graph graphs[2],
                                        const struct source sources[DIFF_SOURCES],
                                        const struct book_node *const nodes[2],
                                        struct diff_verdict *verdict, struct sums *sums,
                                        struct diag *diag)
{
    struct book_facts results;
    double shares[2][MOVES_MAX];
    enum caxton_status status = find_results(sources, nodes[0]->key, &results, diag);
    if (status != STATUS_OK)
        return status;
    verdict->compared++;
    for (int which = 0; which < 2; which++)
        sums->moves[which] += moves_played(&graphs[which], nodes[which]);
    int turn = graphs[0].roots[nodes[0]->root].turn ^ (int)(nodes[0]->ply & 1);
    if (!shares_of(&graphs[0], nodes[0], &results, shares[0]) ||
        !shares_of(&graphs[1], nodes[1], &results, shares[1]))
        return STATUS_OK;
    verdict->scored[turn]++;
    add_scores(&results, shares[0], shares[1], turn, sums);
    return STATUS_OK;
}

enum caxton_status diff_verdict_take(const struct compared *books, struct diff_verdict *out,
                                     struct diag *diag)
{
    const struct book_graph *graphs = books->graphs;
    struct diff_verdict verdict = {.compared = 0};
    struct sums sums = {.games = {0}};
    enum caxton_status status = STATUS_OK;
    for (size_t i = 0; i < graphs[0].node_count && status == STATUS_OK; i++) {
        const struct book_node *a = &graphs[0].nodes[i];
        uint32_t at = a->known ? book_graph_find(&graphs[1], a->key) : BOOK_GRAPH_NONE;
        if (at == BOOK_GRAPH_NONE || !graphs[1].nodes[at].known)
            continue;
        const struct book_node *const nodes[2] = {a, &graphs[1].nodes[at]};
        status = compare_nodes(graphs, books->sources, nodes, &verdict, &sums, diag);
    }
    for (int which = 0; which < 2; which++) {
        verdict.plies[which] = mean_plies(&graphs[which]);
        if (verdict.compared)
            verdict.moves[which] = sums.moves[which] / (double)verdict.compared;
    }
    for (int turn = 0; turn < 2; turn++) {
        const double games = sums.games[turn];
        if (games <= 0)
            continue;
        for (int which = 0; which < 2; which++)
            verdict.score[turn][which] = sums.points[turn][which] / games;
        verdict.error[turn] =
            CONFIDENCE * sqrt(sums.variance[turn] * games / sums.most[turn]) / games;
    }
    if (status == STATUS_OK)
        *out = verdict;
    return status;
}

/* Which has more, to the precision that is printed: 0, 1 or, of equal ones, -1. */
static int larger(const double values[2], int parts)
{
    double a = (double)(int64_t)(values[0] * parts + 0.5);
    double b = (double)(int64_t)(values[1] * parts + 0.5);
    return a > b ? 0 : b > a ? 1 : -1;
}

void diff_verdict_print(FILE *out, const struct diff_verdict *verdict)
{
    enum { TENTHS = 10, HUNDREDTHS = 100 };
    static const char *const deeper[] = {"The books are equally deep", "A is deeper",
                                         "B is deeper"};
    static const char *const broader[] = {"they are equally broad", "A is broader", "B is broader"};
    (void)fprintf(out, "%s: positions are %.1f and %.1f plies from the start on average",
                  deeper[larger(verdict->plies, TENTHS) + 1], verdict->plies[0], verdict->plies[1]);
    if (verdict->compared)
        (void)fprintf(out, "; %s: %.2f and %.2f moves in a position of both",
                      broader[larger(verdict->moves, HUNDREDTHS) + 1], verdict->moves[0],
                      verdict->moves[1]);
    (void)fprintf(out, " (A, B).\n");
    for (int turn = WHITE; turn <= BLACK; turn++) {
        const double *score = verdict->score[turn];
        double more = score[1] - score[0];
        if (!verdict->scored[turn])
            continue;
        (void)fprintf(
            out,
            "%s: %s: %.1f%% and %.1f%% of the points in %llu position%s of known results, "
            "%+.1f +- %.1f for B.\n",
            turn == WHITE ? "White" : "Black",
            more > verdict->error[turn]    ? "B scores better"
            : -more > verdict->error[turn] ? "A scores better"
                                           : "neither scores better for certain",
            score[0] * 100, score[1] * 100, (unsigned long long)verdict->scored[turn],
            verdict->scored[turn] == 1 ? "" : "s", more * 100, verdict->error[turn] * 100);
    }
}

static void verdict_put_pair(struct json *json, const char *name, const double values[2],
                             int digits)
{
    json_array(json, name);
    json_decimal(json, NULL, values[0], digits);
    json_decimal(json, NULL, values[1], digits);
    json_end(json);
}

void diff_verdict_json(struct json *json, const struct diff_verdict *verdict)
{
    enum { DIGITS = 4 };
    verdict_put_pair(json, "plies_mean", verdict->plies, DIGITS);
    if (verdict->compared)
        verdict_put_pair(json, "moves_mean", verdict->moves, DIGITS);
    for (int turn = WHITE; turn <= BLACK; turn++)
        if (verdict->scored[turn]) {
            verdict_put_pair(json, turn == WHITE ? "score_white" : "score_black",
                             verdict->score[turn], DIGITS);
            json_decimal(json, turn == WHITE ? "error_white" : "error_black", verdict->error[turn],
                         DIGITS);
        }
    json_unsigned(json, "positions_scored", verdict->scored[WHITE] + verdict->scored[BLACK]);
}
