#include "book/graph/expected.h"

#include <math.h>
#include <stdlib.h>

#include "book/book.h"
#include "book/graph/replies.h"
#include "book/polyglot_entry.h"
#include "eval/eval.h"
#include "search/score.h"

/* ln 2 in two parts: the first has 32 bits, so that its multiples are exact. */
#define LN2_HIGH 6.93147180369123816490e-01
#define LN2_LOW  1.90821492927058770002e-10
#define LN_10    2.30258509299404568402

enum { TERMS = 18, CENTIPAWNS_TENFOLD = 400 };

#define EXPONENT_LEAST (-700.0) /* e^-708 is the last that is a normal number */

double exponential(double x)
{
    if (!(x > EXPONENT_LEAST))
        return 0;
    int halves = (int)(-x / (LN2_HIGH + LN2_LOW) + 0.5);
    double rest = (x + halves * LN2_HIGH) + halves * LN2_LOW; /* at most ln 2 / 2 either way */
    double sum = 1;
    for (int i = TERMS; i > 0; i--)
        sum = 1 + rest / i * sum;
    for (; halves > 0; halves--)
        sum /= 2;
    return sum;
}

double expected_points(int score)
{
    if (score_is_mate(score))
        return score > 0;
    double size = (score < 0 ? -score : score) * (100.0 / EVAL_HALF);
    double odds = exponential(-size * (LN_10 / CENTIPAWNS_TENFOLD));
    return score < 0 ? odds / (1 + odds) : 1 / (1 + odds);
}

struct expected expected_average(double games, double points, double prior, double opinion)
{
    double all = games + prior;
    return (struct expected){all > 0 ? (points + prior * opinion) / all : opinion, all};
}

void wilson_interval(double part, double n, double *low, double *high)
{
    const double z = 1.959963984540054; /* of the normal distribution: 95 % */
    double s = n > 0 ? part / n : 0;
    double middle = (s + z * z / (2 * n)) / (1 + z * z / n);
    double half = z * sqrt(s * (1 - s) / n + z * z / (4 * n * n)) / (1 + z * z / n);
    *low = n > 0 ? middle - half : 0;
    *high = n > 0 ? middle + half : 1;
}

double expected_at_least(struct expected expected)
{
    double low;
    double high;
    wilson_interval(expected.score * expected.games, expected.games, &low, &high);
    return low;
}

/* Backing up. --------------------------------------------------------------------------------- */

#define SETTLED 1e-13 /* a change of points, or of games as a share of them, that is none */

/* So often positions are computed again: what still goes round then is as good as a draw. */
enum { ROUNDS_MAX = 1000 };

static const struct expected nobody_knows = {.score = 0.5, .games = 1};

/* Of the database, that came to a node. */
struct games {
    double games;
    double points;
    double by_lines; /* the same by moves of the graph: also where the database ends */
    double points_by_lines;
};

struct backing_up {
    struct expected_graph *graph;
    const struct expected_rules *rules;
    struct games *known; /* by node */
};

static bool is_own(const struct expected_graph *graph, uint32_t node)
{
    return book_graph_turn(&graph->graph, node) == graph->own;
}

/* Is nothing backed up to this move? */
static bool is_end(const struct backing_up *up, const struct book_edge *edge)
{
    const struct book_node *nodes = up->graph->graph.nodes;
    uint32_t most = up->rules->eval_ply;
    return edge->to == BOOK_GRAPH_NONE || nodes[edge->to].count == 0 ||
           (most > 0 && nodes[edge->to].ply >= most);
}

/* Games and points of our side. */
static struct expected score_of(const struct book_facts *facts, move m, bool own)
{
    const struct book_move_facts *known = book_facts_find(facts, polyglot_from_move(m));
    double games = known ? (double)book_move_games(known) / (double)facts->unit : 0;
    double score =
        games > 0 ? (double)book_move_points(known) / 2 / (double)book_move_games(known) : 0;
    return (struct expected){own || games <= 0 ? score : 1 - score, games};
}

/* played: what games scored; searched: what a search may know of the move. */
static struct expected value_of_end(const struct backing_up *up, const struct games *known,
                                    struct expected played, const struct book_move_facts *searched,
                                    bool own, bool evals)
{
    if (searched->searched) {
        double points = expected_points(searched->score);
        double games = evals ? 0 : played.games;
        return expected_average(games, games * played.score, up->rules->prior,
                                own ? points : 1 - points);
    }
    if (played.games > 0)
        return played;
    if (known->games > 0)
        return (struct expected){known->points / known->games, 1};
    return known->by_lines > 0 ? (struct expected){known->points_by_lines / known->by_lines, 1}
                               : nobody_knows;
}

/* What the database says of the moves of a node. */
static enum caxton_status look_up(struct backing_up *up, uint32_t at, struct diag *diag)
{
    struct expected_graph *graph = up->graph;
    const struct book_node *node = &graph->graph.nodes[at];
    struct games *known = &up->known[at];
    struct book_facts facts;
    struct position pos;
    bool own = is_own(graph, at);
    book_graph_position(&graph->graph, at, &pos, NULL);
    enum caxton_status status = book_look_up(up->rules->database, &pos, &facts, diag);
    if (status != STATUS_OK)
        return status;
    for (int i = 0; i < facts.count; i++) {
        struct expected played = score_of(&facts, facts.moves[i].move, own);
        known->games += played.games;
        known->points += played.games * played.score;
    }
    for (uint32_t e = node->first; e < node->first + node->count; e++) {
        const struct book_edge *edge = &graph->graph.edges[e];
        struct expected *played = &graph->games[e];
        *played = score_of(&facts, edge->move, own);
        if (edge->to == BOOK_GRAPH_NONE)
            continue;
        up->known[edge->to].by_lines += played->games;
        up->known[edge->to].points_by_lines += played->games * played->score;
    }
    return STATUS_OK;
}

/* The values of its moves where lines end; after look_up() of all nodes. */
static enum caxton_status end_lines(struct backing_up *up, uint32_t at, struct diag *diag)
{
    struct expected_graph *graph = up->graph;
    const struct book_node *node = &graph->graph.nodes[at];
    const struct book_edge *edges = graph->graph.edges;
    const struct expected_rules *rules = up->rules;
    struct book_facts searched;
    struct position pos;
    enum caxton_status status = STATUS_OK;
    bool own = is_own(graph, at);
    bool evals = rules->eval_ply > 0 && node->ply + 1 >= rules->eval_ply;
    book_facts_clear(&searched);
    for (uint32_t e = node->first; e < node->first + node->count; e++)
        if (is_end(up, &edges[e]))
            (void)book_facts_add(&searched, polyglot_from_move(edges[e].move), edges[e].move);
    if (rules->facts && searched.count > 0) {
        book_graph_position(&graph->graph, at, &pos, NULL);
        status = rules->facts(rules->known, node->key, &pos, &searched, diag);
    }
    int i = 0;
    for (uint32_t e = node->first; e < node->first + node->count && status == STATUS_OK; e++)
        if (is_end(up, &edges[e]))
            graph->moves[e] =
                value_of_end(up, &up->known[at], graph->games[e], &searched.moves[i++], own, evals);
    return status;
}

static struct expected value_of_node(const struct backing_up *up, uint32_t at)
{
    const struct expected_graph *graph = up->graph;
    const struct book_node *node = &graph->graph.nodes[at];
    const struct book_edge *edges = graph->graph.edges;
    double sum = 0; /* of whole numbers: exact */
    double score = 0;
    double spread = 0;
    for (uint32_t e = node->first; e < node->first + node->count; e++)
        sum += edges[e].weight;
    for (uint32_t e = node->first; e < node->first + node->count; e++) {
        const struct expected *value =
            is_end(up, &edges[e]) ? &graph->moves[e] : &graph->nodes[edges[e].to];
        double share = edges[e].weight / sum;
        score += share * value->score;
        spread += share * share / value->games;
    }
    double games = 1 / spread;
    double most = up->known[at].games;
    bool more = !is_own(graph, at) && most > 0 && games > most;
    return (struct expected){score, more ? most : games};
}

/* Has the value changed? */
static bool renew(const struct backing_up *up, uint32_t at)
{
    struct expected *now = &up->graph->nodes[at];
    struct expected before = *now;
    *now = value_of_node(up, at);
    double change = now->score - before.score;
    double more = now->games / before.games - 1;
    return change > SETTLED || change < -SETTLED || more > SETTLED || more < -SETTLED;
}

static void back_up(const struct backing_up *up)
{
    struct expected_graph *graph = up->graph;
    bool changed = true;
    for (size_t i = 0; i < graph->graph.node_count; i++)
        if (graph->graph.nodes[i].count > 0)
            graph->nodes[i] = nobody_knows;
    for (int round = 0; changed && round < ROUNDS_MAX; round++) {
        changed = false;
        for (size_t i = graph->graph.node_count; i-- > 0;)
            if (graph->graph.nodes[i].count > 0 && renew(up, (uint32_t)i))
                changed = true;
    }
    for (size_t e = 0; e < graph->graph.edge_count; e++)
        if (!is_end(up, &graph->graph.edges[e]))
            graph->moves[e] = graph->nodes[graph->graph.edges[e].to];
}

enum caxton_status expected_graph_create(const struct book *mine,
                                         const struct expected_rules *rules,
                                         struct expected_graph *out, struct diag *diag)
{
    struct expected_graph graph = {.own = rules->own};
    struct backing_up up = {.graph = &graph, .rules = rules};
    enum caxton_status status =
        replies_graph(mine, rules->database, rules->own, &graph.graph, diag);
    if (status != STATUS_OK)
        return status;
    graph.nodes = calloc(graph.graph.node_count + 1, sizeof *graph.nodes);
    graph.moves = calloc(graph.graph.edge_count + 1, sizeof *graph.moves);
    graph.games = calloc(graph.graph.edge_count + 1, sizeof *graph.games);
    up.known = calloc(graph.graph.node_count + 1, sizeof *up.known);
    if (!graph.nodes || !graph.moves || !graph.games || !up.known)
        status = diag_fail(STATUS_NO_MEMORY, diag, "out of memory");
    for (size_t i = 0; i < graph.graph.node_count && status == STATUS_OK; i++)
        status = look_up(&up, (uint32_t)i, diag);
    for (size_t i = 0; i < graph.graph.node_count && status == STATUS_OK; i++)
        status = end_lines(&up, (uint32_t)i, diag);
    if (status == STATUS_OK)
        back_up(&up);
    free(up.known);
    if (status == STATUS_OK)
        *out = graph;
    else
        expected_graph_destroy(&graph);
    return status;
}

void expected_graph_destroy(struct expected_graph *graph)
{
    book_graph_destroy(&graph->graph);
    free(graph->nodes);
    free(graph->moves);
    free(graph->games);
    *graph = (struct expected_graph){.own = 0};
}

enum caxton_status expected_graph_facts(const void *known, uint64_t key, const struct position *pos,
                                        struct book_facts *out, struct diag *diag)
{
    const struct expected_graph *graph = known;
    uint32_t at = book_graph_find(&graph->graph, key);
    (void)pos;
    (void)diag;
    if (at == BOOK_GRAPH_NONE || !is_own(graph, at))
        return STATUS_OK;
    const struct book_node *node = &graph->graph.nodes[at];
    out->unit = EXPECTED_UNIT;
    for (uint32_t e = node->first; e < node->first + node->count; e++) {
        struct book_move_facts *m =
            book_facts_find(out, polyglot_from_move(graph->graph.edges[e].move));
        if (!m)
            continue;
        double units = graph->moves[e].games * EXPECTED_UNIT;
        m->wins = (uint64_t)(graph->moves[e].score * units + 0.5);
        m->losses = (uint64_t)(units + 0.5) - m->wins;
    }
    return STATUS_OK;
}
