#include "book/graph/stats.h"

#include <stdlib.h>

#include "chess/eco.h"

/* What a line tells of a node, handed on from its parent. */
struct trait {
    uint8_t volume;
    bool own;      /* no non-book move on the line */
    int16_t first; /* index into stats.first, -1 = none */
};

struct survey {
    const struct book_graph *graph;
    struct trait *traits;
    struct book_stats stats;
};

static bool is_known(const struct book_graph *graph, uint32_t node)
{
    return node != BOOK_GRAPH_NONE && graph->nodes[node].known;
}

/* Does the book know a position behind any reply to `m`? */
static bool answers(const struct book_graph *graph, const struct position *pos, move m)
{
    struct position after = position_after(pos, m);
    move replies[MOVES_MAX];
    int count = movegen_legal(&after, replies);
    for (int i = 0; i < count; i++) {
        struct position reply = position_after(&after, replies[i]);
        if (is_known(graph, book_graph_find(graph, reply.key)))
            return true;
    }
    return false;
}

static void count_leaves(struct survey *survey, uint32_t at, bool own)
{
    const struct book_graph *graph = survey->graph;
    const struct book_node *node = &graph->nodes[at];
    struct position pos;
    if (survey->stats.one_side)
        book_graph_position(graph, at, &pos, NULL);
    for (uint32_t i = 0; i < node->count; i++) {
        const struct book_edge *edge = &graph->edges[node->first + i];
        bool goes_on =
            survey->stats.one_side ? answers(graph, &pos, edge->move) : is_known(graph, edge->to);
        survey->stats.leaves += !goes_on;
        survey->stats.own_leaves += own && !goes_on;
    }
}

static struct trait trait_of(const struct survey *survey, uint32_t at)
{
    const struct book_node *node = &survey->graph->nodes[at];
    struct trait trait = {.volume = BOOK_VOLUME_NONE, .own = true, .first = -1};
    if (node->parent != BOOK_GRAPH_NONE) {
        trait = survey->traits[node->parent];
        trait.own &= !node->non_book;
        for (int i = 0; node->parent == 0 && i < survey->stats.first_count; i++)
            if (survey->stats.first[i].move == node->via)
                trait.first = (int16_t)i;
    }
    const struct eco *eco = eco_find(node->key);
    if (eco && eco->code[0] >= 'A' && eco->code[0] <= 'E')
        trait.volume = (uint8_t)(eco->code[0] - 'A');
    return trait;
}

static void count_node(struct survey *survey, uint32_t at)
{
    const struct book_graph *graph = survey->graph;
    const struct book_node *node = &graph->nodes[at];
    struct book_stats *stats = &survey->stats;
    struct trait trait = trait_of(survey, at);
    survey->traits[at] = trait;
    if (!node->known)
        return;
    stats->own += trait.own;
    stats->passed += !trait.own;
    stats->depths[node->ply]++;
    if (stats->longest == BOOK_GRAPH_NONE || node->ply > stats->deepest) {
        stats->longest = at;
        stats->deepest = node->ply;
    }
    stats->moves += node->count;
    stats->volume_positions[trait.volume]++;
    stats->volume_moves[trait.volume] += node->count;
    if (trait.first >= 0) {
        stats->first[trait.first].positions++;
        stats->first[trait.first].moves += node->count;
    }
    for (uint32_t i = 0; i < node->count; i++) {
        const struct book_edge *edge = &graph->edges[node->first + i];
        bool is_line = is_known(graph, edge->to) && graph->nodes[edge->to].parent == at &&
                       graph->nodes[edge->to].via == edge->move;
        stats->never += edge->weight == 0;
        stats->transpositions += is_known(graph, edge->to) && !is_line;
    }
    count_leaves(survey, at, trait.own);
}

enum caxton_status book_stats_take(const struct book_graph *graph, struct book_stats *out)
{
    struct survey survey = {
        .graph = graph,
        .stats = {.positions = graph->positions,
                  .unreached = graph->positions - graph->known,
                  .unreached_moves = graph->unreached_moves,
                  .longest = BOOK_GRAPH_NONE},
    };
    survey.traits = calloc(graph->node_count ? graph->node_count : 1, sizeof *survey.traits);
    if (!survey.traits)
        return STATUS_NO_MEMORY;
    survey.stats.one_side = book_graph_is_one_sided(graph);
    for (uint32_t i = 0; graph->node_count > 0 && i < graph->nodes[0].count; i++) {
        const struct book_edge *edge = &graph->edges[graph->nodes[0].first + i];
        survey.stats.first[survey.stats.first_count++] =
            (struct book_first_move){.move = edge->move, .weight = edge->weight, .moves = 1};
    }
    for (size_t i = 0; i < graph->node_count; i++)
        count_node(&survey, (uint32_t)i);
    free(survey.traits);
    *out = survey.stats;
    return STATUS_OK;
}
