#include "book/formats/thompson/tree_style.h"

#include <stdlib.h>
#include <string.h>

#include "chess/eco.h"

enum { ROUNDS_MAX = 64 };

static const struct {
    const char *first; /* code */
    const char *last;
    uint8_t style;
} volumes[] = {
    {"A00", "A39", BOOK_FLANK}, {"A40", "A99", BOOK_HALF_CLOSED}, {"B00", "C19", BOOK_HALF_OPEN},
    {"C20", "C99", BOOK_OPEN},  {"D00", "D69", BOOK_CLOSED},      {"D70", "E99", BOOK_HALF_CLOSED},
};

static uint8_t styles_of_key(uint64_t key)
{
    const struct eco *eco = eco_find(key);
    uint8_t styles = eco && strstr(eco->name, "Gambit") ? BOOK_GAMBIT : 0;
    for (size_t i = 0; eco && i < sizeof volumes / sizeof *volumes; i++)
        if (strcmp(eco->code, volumes[i].first) >= 0 && strcmp(eco->code, volumes[i].last) <= 0)
            styles |= volumes[i].style;
    return styles;
}

/* Those of the node itself and of the positions where lines end behind it. */
static void find_own_styles(const struct book_graph *graph, uint32_t at, uint8_t *nodes,
                            uint8_t *edges)
{
    const struct book_node *node = &graph->nodes[at];
    struct position pos;
    nodes[at] = styles_of_key(node->key);
    book_graph_position(graph, at, &pos, NULL);
    for (uint32_t i = node->first; i < node->first + node->count; i++) {
        struct undo undo;
        edges[i] = 0;
        if (graph->edges[i].to != BOOK_GRAPH_NONE)
            continue;
        position_make(&pos, graph->edges[i].move, &undo);
        edges[i] = styles_of_key(pos.key);
        position_unmake(&pos, graph->edges[i].move, &undo);
    }
}

/* Adds what the moves from a node lead to; true when that is more than before. */
static bool add_styles_behind(const struct book_graph *graph, uint32_t at, uint8_t *nodes,
                              uint8_t *edges)
{
    const struct book_node *node = &graph->nodes[at];
    uint8_t before = nodes[at];
    for (uint32_t i = node->first; i < node->first + node->count; i++) {
        if (graph->edges[i].to != BOOK_GRAPH_NONE)
            edges[i] = nodes[graph->edges[i].to];
        nodes[at] |= edges[i];
    }
    for (uint32_t to = node->child; to != BOOK_GRAPH_NONE; to = graph->nodes[to].next)
        nodes[at] |= nodes[to];
    return nodes[at] != before;
}

/* Most nodes come after the one they were found from: going from the end, few rounds are needed. */
enum caxton_status tree_find_styles(const struct book_graph *graph, uint8_t *edges)
{
    uint8_t *nodes = malloc(graph->node_count + 1);
    bool changed = true;
    if (!nodes)
        return STATUS_NO_MEMORY;
    for (uint32_t i = 0; i < graph->node_count; i++)
        find_own_styles(graph, i, nodes, edges);
    for (int round = 0; changed && round < ROUNDS_MAX; round++) {
        changed = false;
        for (uint32_t i = (uint32_t)graph->node_count; i-- > 0;)
            changed |= add_styles_behind(graph, i, nodes, edges);
    }
    free(nodes);
    return STATUS_OK;
}
