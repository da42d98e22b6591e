#include "book/vet/vet_cut.h"

#include <stdlib.h>

#include "book/entry_table.h"
#include "book/polyglot_entry.h"

struct walk {
    const struct vet_cut *cut;
    uint32_t *stack;
    size_t depth;
};

/* fallen[] is true until a walk comes to the node. */
static void come_to(struct walk *walk, uint32_t node)
{
    if (node == BOOK_GRAPH_NONE || !walk->cut->fallen[node])
        return;
    walk->cut->fallen[node] = false;
    walk->stack[walk->depth++] = node;
}

/* Where the book has no moves any legal one leads on. */
static void come_to_replies(struct walk *walk, const struct position *pos)
{
    move moves[MOVES_MAX];
    int count = movegen_legal(pos, moves);
    for (int i = 0; i < count; i++)
        come_to(walk, book_graph_find(walk->cut->graph, position_after(pos, moves[i]).key));
}

static void go_on(struct walk *walk, uint32_t at)
{
    const struct book_graph *graph = walk->cut->graph;
    const struct book_node *node = &graph->nodes[at];
    struct position pos;
    book_graph_position(graph, at, &pos, NULL);
    for (uint32_t e = node->first; e < node->first + node->count; e++) {
        const struct book_edge *edge = &graph->edges[e];
        if (walk->cut->named[e])
            continue;
        if (edge->to != BOOK_GRAPH_NONE) {
            come_to(walk, edge->to);
        } else {
            const struct position after = position_after(&pos, edge->move);
            come_to_replies(walk, &after);
        }
    }
    for (uint32_t to = node->child; to != BOOK_GRAPH_NONE; to = graph->nodes[to].next)
        come_to(walk, to);
    if (node->count == 0)
        come_to_replies(walk, &pos);
}

static enum caxton_status find_fallen(struct vet_cut *cut)
{
    size_t count = cut->graph->node_count;
    struct walk walk = {.cut = cut, .stack = calloc(count + 1, sizeof *walk.stack)};
    if (!walk.stack)
        return STATUS_NO_MEMORY;
    for (uint32_t i = 0; i < count; i++)
        cut->fallen[i] = true;
    for (uint32_t i = 0; i < count; i++)
        if (cut->graph->nodes[i].parent == BOOK_GRAPH_NONE)
            come_to(&walk, i);
    while (walk.depth > 0)
        go_on(&walk, walk.stack[--walk.depth]);
    for (uint32_t i = 0; i < count; i++)
        cut->fallen_count += cut->fallen[i];
    free(walk.stack);
    return STATUS_OK;
}

enum caxton_status vet_cut_create(const struct book_graph *graph,
                                  const struct vet_finding *findings, size_t count,
                                  struct vet_cut *out)
{
    struct vet_cut cut = {.graph = graph,
                          .named = calloc(graph->edge_count + 1, sizeof *cut.named),
                          .fallen = calloc(graph->node_count + 1, sizeof *cut.fallen)};
    enum caxton_status status = cut.named && cut.fallen ? STATUS_OK : STATUS_NO_MEMORY;
    for (size_t i = 0; i < count && status == STATUS_OK; i++)
        if (findings[i].kind != VET_DRIFT) {
            cut.named[findings[i].edge] = true;
            cut.named_count++;
        }
    if (status == STATUS_OK)
        status = find_fallen(&cut);
    if (status == STATUS_OK)
        *out = cut;
    else
        vet_cut_destroy(&cut);
    return status;
}

void vet_cut_destroy(struct vet_cut *cut)
{
    free(cut->named);
    free(cut->fallen);
    *cut = (struct vet_cut){.graph = NULL};
}

static bool has_named(const struct vet_cut *cut, const struct book_node *node)
{
    for (uint32_t e = node->first; e < node->first + node->count; e++)
        if (cut->named[e])
            return true;
    return false;
}

/* Entries may write castling in two ways, so that the move is looked at, not how it is stored. */
static bool is_named(const struct vet_cut *cut, uint32_t at, const struct book_entry *entry)
{
    const struct book_node *node = &cut->graph->nodes[at];
    struct position pos;
    if (!has_named(cut, node))
        return false;
    book_graph_position(cut->graph, at, &pos, NULL);
    move m = polyglot_to_move(&pos, entry->move);
    for (uint32_t e = node->first; e < node->first + node->count; e++)
        if (cut->named[e] && cut->graph->edges[e].move == m)
            return true;
    return false;
}

size_t vet_cut_drop(const struct vet_cut *cut, struct entry_list *list)
{
    size_t kept = 0;
    size_t count = list->count;
    for (size_t i = 0; i < count; i++) {
        const struct book_entry *entry = &list->entries[i];
        uint32_t at = book_graph_find(cut->graph, entry->key);
        if (at == BOOK_GRAPH_NONE || !(cut->fallen[at] || is_named(cut, at, entry)))
            list->entries[kept++] = *entry;
    }
    list->count = kept;
    return count - kept;
}

size_t vet_cut_down_weight(const struct vet_cut *cut, struct entry_list *list, uint32_t divisor)
{
    size_t changed = 0;
    for (size_t i = 0; i < list->count; i++) {
        struct book_entry *entry = &list->entries[i];
        uint32_t at = book_graph_find(cut->graph, entry->key);
        if (at == BOOK_GRAPH_NONE || entry->weight <= 1 || !is_named(cut, at, entry))
            continue;
        entry->weight = entry->weight > divisor ? entry->weight / divisor : 1;
        changed++;
    }
    return changed;
}
