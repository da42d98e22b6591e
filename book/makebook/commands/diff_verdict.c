#include "book/makebook/commands/diff_verdict.h"

#include "book/polyglot_entry.h"
#include "book/statistics/wld_file.h"

/* The results of one position's moves. */
struct results {
    uint16_t moves[MOVES_MAX];
    double games[MOVES_MAX];
    double points[MOVES_MAX];
    int count;
    double unit; /* of the counts that are being added */
};

/* A tally_sink. */
static enum caxton_status take_tally(void *context, const struct tally *tally)
{
    struct results *results = context;
    int i = 0;
    while (i < results->count && results->moves[i] != tally->move)
        i++;
    if (i == MOVES_MAX)
        return STATUS_OK;
    if (i == results->count) {
        results->moves[i] = tally->move;
        results->games[i] = results->points[i] = 0;
        results->count++;
    }
    results->games[i] += (double)tally_games(tally) / results->unit;
    results->points[i] +=
        ((double)tally->counts[OUTCOME_WIN] + (double)tally->counts[OUTCOME_DRAW] / 2) /
        results->unit;
    return STATUS_OK;
}

static enum caxton_status find_results(const struct source sources[2], uint64_t key,
                                       struct results *out, struct diag *diag)
{
    enum caxton_status status = STATUS_OK;
    out->count = 0;
    for (int which = 0; which < 2 && status == STATUS_OK; which++) {
        const struct wld_file *file = sources[which].file;
        if (!file || wld_reader_info(sources[which].stats)->mirrored)
            continue;
        out->unit = (double)wld_reader_info(sources[which].stats)->unit;
        status = wld_file_find(file, key, take_tally, out, diag);
    }
    return status;
}

/* The share of the points that the moves of a position score, each by its weight. Returns whether
 * that is known. */
static bool score_node(const struct book_graph *graph, const struct book_node *node,
                       const struct results *results, double *score)
{
    double weights = 0;
    double points = 0;
    for (uint32_t i = 0; i < node->count; i++) {
        const struct book_edge *edge = &graph->edges[node->first + i];
        int k = 0;
        while (k < results->count && results->moves[k] != polyglot_from_move(edge->move))
            k++;
        if (k == results->count || results->games[k] <= 0)
            continue;
        weights += edge->weight;
        points += edge->weight * results->points[k] / results->games[k];
    }
    *score = weights > 0 ? points / weights : 0;
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

/* The sums of what is a mean at last. */
struct sums {
    double moves[2];
    double games;
    double points[2];
};

static enum caxton_status compare_nodes(const struct book_graph graphs[2],
                                        const struct source sources[2],
                                        const struct book_node *const nodes[2],
                                        struct diff_verdict *verdict, struct sums *sums,
                                        struct diag *diag)
{
    struct results results;
    double score[2];
    double games = 0;
    enum caxton_status status = find_results(sources, nodes[0]->key, &results, diag);
    if (status != STATUS_OK)
        return status;
    verdict->compared++;
    for (int which = 0; which < 2; which++)
        sums->moves[which] += moves_played(&graphs[which], nodes[which]);
    for (int i = 0; i < results.count; i++)
        games += results.games[i];
    if (!score_node(&graphs[0], nodes[0], &results, &score[0]) ||
        !score_node(&graphs[1], nodes[1], &results, &score[1]))
        return STATUS_OK;
    verdict->scored++;
    sums->games += games;
    for (int which = 0; which < 2; which++)
        sums->points[which] += games * score[which];
    return STATUS_OK;
}

enum caxton_status diff_verdict_take(const struct book_graph graphs[2],
                                     const struct source sources[2], struct diff_verdict *out,
                                     struct diag *diag)
{
    struct diff_verdict verdict = {.compared = 0};
    struct sums sums = {.games = 0};
    enum caxton_status status = STATUS_OK;
    for (size_t i = 0; i < graphs[0].node_count && status == STATUS_OK; i++) {
        const struct book_node *a = &graphs[0].nodes[i];
        uint32_t at = a->known ? book_graph_find(&graphs[1], a->key) : BOOK_GRAPH_NONE;
        if (at == BOOK_GRAPH_NONE || !graphs[1].nodes[at].known)
            continue;
        const struct book_node *const nodes[2] = {a, &graphs[1].nodes[at]};
        status = compare_nodes(graphs, sources, nodes, &verdict, &sums, diag);
    }
    for (int which = 0; which < 2; which++) {
        verdict.plies[which] = mean_plies(&graphs[which]);
        if (verdict.compared)
            verdict.moves[which] = sums.moves[which] / (double)verdict.compared;
        if (verdict.scored)
            verdict.score[which] = sums.points[which] / sums.games;
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
    enum { TENTHS = 10, HUNDREDTHS = 100, PERMILLE = 1000 };
    static const char *const deeper[] = {"The books are equally deep", "A is deeper",
                                         "B is deeper"};
    static const char *const broader[] = {"they are equally broad", "A is broader", "B is broader"};
    static const char *const better[] = {"The moves score alike", "A scores better",
                                         "B scores better"};
    (void)fprintf(out, "%s: positions are %.1f and %.1f plies from the start on average",
                  deeper[larger(verdict->plies, TENTHS) + 1], verdict->plies[0], verdict->plies[1]);
    if (verdict->compared)
        (void)fprintf(out, "; %s: %.2f and %.2f moves in a position of both",
                      broader[larger(verdict->moves, HUNDREDTHS) + 1], verdict->moves[0],
                      verdict->moves[1]);
    (void)fprintf(out, " (A, B).\n");
    if (verdict->scored)
        (void)fprintf(out,
                      "%s: %.1f%% and %.1f%% of the points in %llu position%s of known "
                      "results.\n",
                      better[larger(verdict->score, PERMILLE) + 1], verdict->score[0] * 100,
                      verdict->score[1] * 100, (unsigned long long)verdict->scored,
                      verdict->scored == 1 ? "" : "s");
}

static void put_pair(struct json *json, const char *name, const double values[2], int digits)
{
    json_array(json, name);
    json_decimal(json, NULL, values[0], digits);
    json_decimal(json, NULL, values[1], digits);
    json_end(json);
}

void diff_verdict_json(struct json *json, const struct diff_verdict *verdict)
{
    enum { DIGITS = 4 };
    put_pair(json, "plies_mean", verdict->plies, DIGITS);
    if (verdict->compared)
        put_pair(json, "moves_mean", verdict->moves, DIGITS);
    if (verdict->scored)
        put_pair(json, "score", verdict->score, DIGITS);
    json_unsigned(json, "positions_scored", verdict->scored);
}
