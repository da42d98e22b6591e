#include "book/formats/white/lines_from_book.h"

#include <stdlib.h>

#include "book/format.h"
#include "book/formats/white/lines_order.h"
#include "book/formats/white/lines_write.h"
#include "book/graph/graph.h"

struct making {
    struct lines *lines;
    enum caxton_status status; /* of what was added; after a failure nothing more is */
    struct book_graph graph;
    uint32_t *made;  /* by node of the graph: its node in the tree, LINES_NONE for none */
    uint64_t *reach; /* by node of the graph: the weights there and behind its non-book moves */
};

/* A non-book move from the node at hand. */
struct non_book {
    uint64_t reach;
    uint32_t node; /* of the graph */
};

/* Non-book moves are ranked by the weights of the book behind them: the likelier reply comes first.
 * Children stand behind their parents in nodes[]. */
static void weigh_non_book(struct making *making)
{
    const struct book_graph *graph = &making->graph;
    for (size_t i = graph->node_count; i-- > 0;) {
        const struct book_node *node = &graph->nodes[i];
        for (uint32_t k = 0; k < node->count; k++)
            making->reach[i] += (uint64_t)graph->edges[node->first + k].weight + 1;
        for (uint32_t n = node->child; n != BOOK_GRAPH_NONE; n = graph->nodes[n].next)
            making->reach[i] += making->reach[n];
    }
}

static int by_reach(const void *left, const void *right)
{
    const struct non_book *a = left;
    const struct non_book *b = right;
    if (a->reach != b->reach)
        return a->reach > b->reach ? -1 : 1;
    return a->node < b->node ? -1 : a->node > b->node;
}

/* Returns the node behind the move; the start when there is no memory for it. */
static uint32_t add_move(struct making *making, uint32_t at, const struct position *pos, move m)
{
    struct position next = *pos;
    uint32_t child = 0;
    position_play(&next, m);
    if (making->status == STATUS_OK)
        making->status = lines_grow(making->lines, making->made[at], m, next.key, &child);
    return child;
}

static void add_moves(struct making *making, uint32_t at, const struct position *pos)
{
    const struct book_graph *graph = &making->graph;
    const struct book_node *node = &graph->nodes[at];
    for (uint32_t i = 0; i < node->count; i++) {
        const struct book_edge *edge = &graph->edges[node->first + i];
        uint32_t child = add_move(making, at, pos, edge->move);
        struct lines_node *made = &making->lines->nodes[child];
        made->weight = edge->weight;
        made->has_weight = true;
        made->played = true;
        /* Other ways into a position end here, as another order of moves. */
        if (edge->to != BOOK_GRAPH_NONE && graph->nodes[edge->to].parent == at &&
            graph->nodes[edge->to].via == edge->move)
            making->made[edge->to] = child;
    }
}

static void add_non_book(struct making *making, uint32_t at, const struct position *pos)
{
    const struct book_graph *graph = &making->graph;
    struct non_book found[MOVES_MAX];
    size_t count = 0;
    for (uint32_t n = graph->nodes[at].child; n != BOOK_GRAPH_NONE; n = graph->nodes[n].next)
        if (making->reach[n] > 0)
            found[count++] = (struct non_book){making->reach[n], n};
    qsort(found, count, sizeof *found, by_reach);
    for (size_t i = 0; i < count; i++) {
        uint32_t to = found[i].node;
        making->made[to] = add_move(making, at, pos, graph->nodes[to].via);
    }
}

static void add_tree(struct making *making)
{
    const struct book_graph *graph = &making->graph;
    for (uint32_t i = 0; i < graph->node_count; i++)
        making->made[i] = LINES_NONE;
    making->made[0] = 0;
    for (uint32_t i = 0; i < graph->node_count && making->status == STATUS_OK; i++) {
        struct position pos;
        if (making->made[i] == LINES_NONE || graph->nodes[i].ply >= LINES_PLIES_MAX)
            continue;
        book_graph_position(graph, i, &pos, NULL);
        add_moves(making, i, &pos);
        add_non_book(making, i, &pos);
    }
}

static void add_item(struct making *making, struct lines_item item)
{
    if (making->status == STATUS_OK)
        making->status = lines_add_item(making->lines, &item);
}

/* A line for each leaf. */
static void add_lines(struct making *making)
{
    const struct lines *lines = making->lines;
    for (uint32_t node = 0; node != LINES_NONE; node = lines_next_node(lines, node))
        if (node && lines->nodes[node].child == LINES_NONE)
            add_item(making, (struct lines_item){.kind = LINES_ITEM_MOVES, .node = node});
}

/* A rewrite for each leaf whose position goes on elsewhere. The start has no order of moves to be
 * named by; lines that lead back to it are found by its position. */
static void add_rewrites(struct making *making)
{
    struct lines *lines = making->lines;
    bool first = true;
    for (uint32_t node = 0; node != LINES_NONE; node = lines_next_node(lines, node)) {
        uint32_t at = book_graph_find(&making->graph, lines->nodes[node].key);
        uint32_t target = at == BOOK_GRAPH_NONE ? LINES_NONE : making->made[at];
        if (target == LINES_NONE || target == node || target == 0 ||
            lines->nodes[target].child == LINES_NONE)
            continue;
        if (first)
            add_item(making, (struct lines_item){.kind = LINES_ITEM_NOTE});
        first = false;
        lines->nodes[node].jump = target;
        add_item(making,
                 (struct lines_item){.kind = LINES_ITEM_REWRITE, .node = node, .target = target});
    }
}

static enum caxton_status fill(struct making *making)
{
    struct lines *lines = making->lines;
    const struct position *start = &making->graph.roots[0];
    struct position standard;
    position_start(&standard);
    making->made = malloc(making->graph.node_count * sizeof *making->made);
    making->reach = calloc(making->graph.node_count, sizeof *making->reach);
    if (!making->made || !making->reach)
        return STATUS_NO_MEMORY;
    weigh_non_book(making);
    making->status = lines_set_start(lines, start);
    add_item(making, (struct lines_item){.kind = LINES_ITEM_STYLE});
    if (start->key != standard.key)
        add_item(making, (struct lines_item){.kind = LINES_ITEM_START});
    add_item(making, (struct lines_item){.kind = LINES_ITEM_NOTE});
    add_tree(making);
    add_lines(making);
    add_rewrites(making);
    lines_share(lines);
    return making->status == STATUS_OK ? lines_index(lines) : making->status;
}

static void count_losses(const struct making *making, struct book_losses *losses)
{
    const struct book_graph *graph = &making->graph;
    losses->positions = graph->positions;
    losses->unreached = graph->positions - graph->known;
    for (uint32_t i = 0; i < graph->node_count; i++)
        losses->other_starts += graph->nodes[i].known && graph->nodes[i].root > 0;
}

/* Does the book have moves on lines from the first root? */
static bool begins(const struct book_graph *graph)
{
    for (uint32_t i = 0; i < graph->node_count; i++)
        if (graph->nodes[i].root == 0 && graph->nodes[i].count > 0)
            return true;
    return false;
}

/* The graph from the standard start; where no line leaves that, from the first other start. */
static enum caxton_status make_graph(const struct book *book, struct book_graph *graph,
                                     struct diag *diag)
{
    enum caxton_status status = book_graph_create(book, NULL, graph, diag);
    if (status != STATUS_OK || graph->root_count < 2 || begins(graph))
        return status;
    struct position other = graph->roots[1];
    book_graph_destroy(graph);
    return book_graph_create(book, &other, graph, diag);
}

enum caxton_status lines_write_book(const struct book *book, FILE *file, struct book_losses *losses,
                                    struct diag *diag)
{
    struct making making = {.lines = lines_create()};
    enum caxton_status status =
        making.lines ? make_graph(book, &making.graph, diag) : STATUS_NO_MEMORY;
    if (status == STATUS_OK)
        status = fill(&making);
    bool is_empty = status == STATUS_OK && lines_size(making.lines).lines == 0;
    if (is_empty)
        status = STATUS_ILLEGAL;
    if (status == STATUS_OK)
        status = lines_write(making.lines, file);
    if (is_empty)
        diag_set(diag, 0, 0, "no line from the start reaches a move of the book");
    else if (status != STATUS_OK)
        diag_set(diag, 0, 0, "%s: %s", book->name, status_name(status));
    else if (losses)
        count_losses(&making, losses);
    lines_destroy(making.lines);
    free(making.made);
    free(making.reach);
    book_graph_destroy(&making.graph);
    return status;
}
