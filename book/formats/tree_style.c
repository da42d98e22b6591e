#include <string.h>

#include "book/formats/tree.h"
#include "book/formats/tree_body.h"
#include "chess/eco.h"

enum { ROUNDS_MAX = 64 };

static const struct {
    const char *first; /* code */
    const char *last;
    uint8_t style;
} volumes[] = {
    {"A00", "A39", TREE_FLANK}, {"A40", "A99", TREE_HALF_CLOSED}, {"B00", "C19", TREE_HALF_OPEN},
    {"C20", "C99", TREE_OPEN},  {"D00", "D69", TREE_CLOSED},      {"D70", "E99", TREE_HALF_CLOSED},
};

uint8_t tree_style_of(const char *eco_code, const char *name)
{
    uint8_t styles = strstr(name, "Gambit") ? TREE_GAMBIT : 0;
    for (size_t i = 0; i < sizeof volumes / sizeof *volumes; i++)
        if (strcmp(eco_code, volumes[i].first) >= 0 && strcmp(eco_code, volumes[i].last) <= 0)
            styles |= volumes[i].style;
    return styles;
}

uint8_t tree_style_named(const char *name)
{
    static const char *const names[] = {"open",        "half-open", "closed",
                                        "half-closed", "flank",     "gambit"};
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (span_equal_nocase(span_of(name), names[i]))
            return (uint8_t)(1u << i);
    return 0;
}

/* What the moves from a node lead to. */
static uint8_t styles_behind(const struct book_graph *graph, const uint8_t *styles,
                             const struct book_node *node)
{
    uint8_t all = 0;
    for (uint32_t i = node->first; i < node->first + node->count; i++)
        if (graph->edges[i].to != BOOK_GRAPH_NONE)
            all |= styles[graph->edges[i].to];
    for (uint32_t to = node->child; to != BOOK_GRAPH_NONE; to = graph->nodes[to].next)
        all |= styles[to];
    return all;
}

/* Nodes come after the one they were found from, so that few rounds are needed from the end. */
void tree_find_styles(const struct book_graph *graph, uint8_t *styles)
{
    bool changed = true;
    for (size_t i = 0; i < graph->node_count; i++) {
        const struct eco *eco = eco_find(graph->nodes[i].key);
        styles[i] = eco ? tree_style_of(eco->code, eco->name) : 0;
    }
    for (int round = 0; changed && round < ROUNDS_MAX; round++) {
        changed = false;
        for (size_t i = graph->node_count; i-- > 0;) {
            uint8_t all = styles[i] | styles_behind(graph, styles, &graph->nodes[i]);
            changed |= all != styles[i];
            styles[i] = all;
        }
    }
}
