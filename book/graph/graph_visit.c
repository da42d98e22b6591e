#include "book/graph/graph_visit.h"

#include <stdlib.h>

#include "book/entry_table.h"
#include "book/format.h"
#include "book/polyglot_entry.h"

enum caxton_status book_graph_visit(const struct book_graph *graph, book_graph_visitor visitor,
                                    void *context)
{
    /* By node: its first child and its next sibling. Children are in the order of their numbers. */
    uint32_t *children = malloc((graph->node_count + 1) * sizeof *children);
    uint32_t *siblings = malloc((graph->node_count + 1) * sizeof *siblings);
    bool enough = children && siblings;
    for (size_t i = 0; enough && i < graph->node_count; i++)
        children[i] = BOOK_GRAPH_NONE;
    uint32_t at = BOOK_GRAPH_NONE; /* the first root */
    for (size_t i = graph->node_count; enough && i-- > 0;) {
        uint32_t parent = graph->nodes[i].parent;
        uint32_t *first = parent == BOOK_GRAPH_NONE ? &at : &children[parent];
        siblings[i] = *first;
        *first = (uint32_t)i;
    }
    while (enough && at != BOOK_GRAPH_NONE) {
        move line[BOOK_GRAPH_PLIES_MAX];
        struct position pos;
        if (graph->nodes[at].known) {
            book_graph_position(graph, at, &pos, line);
            visitor(context, &graph->nodes[at], &pos, line);
        }
        uint32_t to = children[at];
        while (to == BOOK_GRAPH_NONE && at != BOOK_GRAPH_NONE) {
            to = siblings[at];
            at = graph->nodes[at].parent;
        }
        at = to;
    }
    free(children);
    free(siblings);
    return enough ? STATUS_OK : STATUS_NO_MEMORY;
}

static enum caxton_status add_node_entries(const struct book_graph *graph, uint32_t at,
                                           struct entry_list *list)
{
    const struct book_node *node = &graph->nodes[at];
    enum caxton_status status = STATUS_OK;
    for (uint32_t i = 0; i < node->count && status == STATUS_OK; i++) {
        const struct book_edge *edge = &graph->edges[node->first + i];
        status =
            entry_list_append(list, &(struct book_entry){.key = node->key,
                                                         .weight = edge->weight,
                                                         .learn = edge->learn,
                                                         .move = polyglot_from_move(edge->move)});
    }
    return status;
}

enum caxton_status book_graph_entries(const struct book *book, struct entry_list *list,
                                      struct book_losses *losses, struct diag *diag)
{
    const struct entry_table *table = book_table(book);
    enum caxton_status status = STATUS_OK;
    if (table && !book->format->mirrored) {
        list->unchecked |= table->unchecked;
        for (size_t i = 0; status == STATUS_OK && i < table->count; i++) {
            struct book_entry entry = entry_table_at(table, i);
            status = entry_list_append(list, &entry);
        }
    } else {
        struct book_graph graph = {0};
        status = book_graph_create(book, NULL, &graph, diag);
        if (status != STATUS_OK)
            return status;
        for (size_t i = 0; i < graph.node_count && status == STATUS_OK; i++)
            status = add_node_entries(&graph, (uint32_t)i, list);
        if (losses) {
            losses->positions = graph.positions;
            losses->unreached = graph.positions - graph.known;
        }
        book_graph_destroy(&graph);
    }
    if (status != STATUS_OK)
        diag_set(diag, 0, 0, "%s: out of memory", book_name(book));
    return status;
}
