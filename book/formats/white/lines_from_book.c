/* The lines of any book: its graph, written out. */
#include <stdlib.h>

#include "book/book.h"
#include "book/format.h"
#include "book/formats/white/lines_internal.h"
#include "book/graph/graph.h"
#include "book/losses.h"

struct making {
    struct lines *lines;
    struct book_graph graph;
    uint32_t *made;  /* by node of the graph: its node in the tree, LINES_NONE for none */
    uint64_t *reach; /* by node of the graph: the weights there and behind its passages */
};

/* A passage from the node at hand. */
struct passage {
    uint64_t reach;
    uint32_t node; /* of the graph */
};

static bool is_held(const struct making *making, uint32_t at)
{
    return making->graph.nodes[at].root == 0;
}

/* Passages are ranked by what the book has to say behind them: the likelier reply of two. Children
 * stand behind their parents in nodes[]. */
static void weigh_passages(struct making *making)
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
    const struct passage *a = left;
    const struct passage *b = right;
    if (a->reach != b->reach)
        return a->reach > b->reach ? -1 : 1;
    return a->node < b->node ? -1 : a->node > b->node;
}

static enum caxton_status add_move(struct making *making, uint32_t at, const struct position *pos,
                                   move m, uint32_t *child)
{
    struct position next = *pos;
    struct undo undo;
    position_make(&next, m, &undo);
    return lines_grow(making->lines, making->made[at], m, next.key, child);
}

static enum caxton_status add_moves(struct making *making, uint32_t at, const struct position *pos)
{
    const struct book_graph *graph = &making->graph;
    const struct book_node *node = &graph->nodes[at];
    enum caxton_status status = STATUS_OK;
    for (uint32_t i = 0; i < node->count && status == STATUS_OK; i++) {
        const struct book_edge *edge = &graph->edges[node->first + i];
        uint32_t child;
        status = add_move(making, at, pos, edge->move, &child);
        if (status != STATUS_OK)
            break;
        struct lines_node *made = &making->lines->nodes[child];
        made->weight = edge->weight;
        made->has_weight = true;
        made->played = true;
        /* Other ways into a position end here, as another order of moves. */
        if (edge->to != BOOK_GRAPH_NONE && graph->nodes[edge->to].parent == at &&
            graph->nodes[edge->to].via == edge->move)
            making->made[edge->to] = child;
    }
    return status;
}

static enum caxton_status add_passages(struct making *making, uint32_t at,
                                       const struct position *pos)
{
    const struct book_graph *graph = &making->graph;
    struct passage passages[MOVES_MAX];
    size_t count = 0;
    for (uint32_t n = graph->nodes[at].child; n != BOOK_GRAPH_NONE; n = graph->nodes[n].next)
        if (making->reach[n] > 0)
            passages[count++] = (struct passage){making->reach[n], n};
    qsort(passages, count, sizeof *passages, by_reach);
    enum caxton_status status = STATUS_OK;
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        uint32_t to = passages[i].node;
        status = add_move(making, at, pos, graph->nodes[to].via, &making->made[to]);
    }
    return status;
}

static enum caxton_status add_tree(struct making *making)
{
    const struct book_graph *graph = &making->graph;
    enum caxton_status status = STATUS_OK;
    for (uint32_t i = 0; i < graph->node_count; i++)
        making->made[i] = LINES_NONE;
    making->made[0] = 0;
    for (uint32_t i = 0; i < graph->node_count && status == STATUS_OK; i++) {
        struct position pos;
        if (making->made[i] == LINES_NONE || graph->nodes[i].ply >= LINES_PLIES_MAX)
            continue;
        book_graph_position(graph, i, &pos, NULL);
        status = add_moves(making, i, &pos);
        if (status == STATUS_OK)
            status = add_passages(making, i, &pos);
    }
    return status;
}

/* The next node depth first, children in the order in which they were made; LINES_NONE at the end.
 */
static uint32_t next_node(const struct lines *lines, uint32_t node)
{
    if (lines->nodes[node].child != LINES_NONE)
        return lines->nodes[node].child;
    while (node && lines->nodes[node].next == LINES_NONE)
        node = lines->nodes[node].parent;
    return node ? lines->nodes[node].next : LINES_NONE;
}

static enum caxton_status add_kind(struct lines *lines, enum lines_kind kind)
{
    return lines_add_item(lines, &(struct lines_item){.kind = kind});
}

/* A line for each leaf. */
static enum caxton_status add_lines(struct lines *lines)
{
    enum caxton_status status = STATUS_OK;
    for (uint32_t node = 0; status == STATUS_OK && node != LINES_NONE;
         node = next_node(lines, node))
        if (node && lines->nodes[node].child == LINES_NONE)
            status =
                lines_add_item(lines, &(struct lines_item){.kind = LINES_ITEM_MOVES, .node = node});
    return status;
}

/* The node from which the lines go on that reach the position of `node`. */
static uint32_t find_target(const struct making *making, uint32_t node)
{
    uint32_t at = book_graph_find(&making->graph, making->lines->nodes[node].key);
    return at == BOOK_GRAPH_NONE ? LINES_NONE : making->made[at];
}

/* A rewrite for each leaf whose position goes on elsewhere. The start has no order of moves to be
 * named by; lines that lead back to it are found by its position. */
static enum caxton_status add_rewrites(struct making *making)
{
    struct lines *lines = making->lines;
    enum caxton_status status = STATUS_OK;
    bool first = true;
    for (uint32_t node = 0; status == STATUS_OK && node != LINES_NONE;
         node = next_node(lines, node)) {
        uint32_t target = find_target(making, node);
        if (target == LINES_NONE || target == node || target == 0 ||
            lines->nodes[target].child == LINES_NONE)
            continue;
        if (first)
            status = add_kind(lines, LINES_ITEM_NOTE);
        first = false;
        lines->nodes[node].jump = target;
        if (status == STATUS_OK)
            status = lines_add_item(
                lines,
                &(struct lines_item){.kind = LINES_ITEM_REWRITE, .node = node, .target = target});
    }
    return status;
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
    weigh_passages(making);
    enum caxton_status status = add_kind(lines, LINES_ITEM_STYLE);
    if (status == STATUS_OK && start->key != standard.key) {
        status = lines_set_start(lines, start);
        if (status == STATUS_OK)
            status = add_kind(lines, LINES_ITEM_START);
    }
    if (status == STATUS_OK)
        status = add_kind(lines, LINES_ITEM_NOTE);
    if (status == STATUS_OK)
        status = add_tree(making);
    if (status == STATUS_OK)
        status = add_lines(lines);
    if (status == STATUS_OK)
        status = add_rewrites(making);
    lines_share(lines);
    return status == STATUS_OK ? lines_index(lines) : status;
}

static void count_losses(const struct making *making, struct book_losses *losses)
{
    const struct book_graph *graph = &making->graph;
    losses->positions = graph->positions;
    losses->unreached = graph->positions - graph->known;
    for (uint32_t i = 0; i < graph->node_count; i++)
        losses->other_starts += graph->nodes[i].known && !is_held(making, i);
}

/* Does the book have moves on lines from the first root? */
static bool begins(const struct book_graph *graph)
{
    for (uint32_t i = 0; i < graph->node_count; i++)
        if (graph->nodes[i].root == 0 && graph->nodes[i].count > 0)
            return true;
    return false;
}

/* The graph from the start, or where no line leaves it, from the first other one of the book. */
static enum caxton_status make_graph(const struct book *book, const struct position *start,
                                     struct book_graph *graph, struct diag *diag)
{
    enum caxton_status status = book_graph_create(book, start, graph, diag);
    if (status != STATUS_OK || start || graph->root_count < 2 || begins(graph))
        return status;
    struct position other = graph->roots[1];
    book_graph_destroy(graph);
    return book_graph_create(book, &other, graph, diag);
}

static enum caxton_status make(const struct book *book, const struct position *start,
                               enum lines_style style, struct lines **out,
                               struct book_losses *losses, struct diag *diag)
{
    struct making making = {.lines = lines_create()};
    enum caxton_status status =
        making.lines ? make_graph(book, start, &making.graph, diag) : STATUS_NO_MEMORY;
    if (status == STATUS_OK) {
        making.lines->style = style;
        if (style == LINES_WHITE) {
            making.lines->prefer_later = true;
            making.lines->prefer_percent = 75;
        }
        status = fill(&making);
    }
    if (status == STATUS_OK) {
        if (losses)
            count_losses(&making, losses);
        *out = making.lines;
    } else {
        diag_set(diag, 0, 0, "%s: %s", book_name(book), status_name(status));
        lines_destroy(making.lines);
    }
    free(making.made);
    free(making.reach);
    book_graph_destroy(&making.graph);
    return status;
}

enum caxton_status lines_from_book(const struct book *book, const struct position *start,
                                   enum lines_style style, struct lines **out)
{
    return make(book, start, style, out, NULL, NULL);
}

enum caxton_status lines_write_book(const struct book *book, const struct position *start,
                                    enum lines_style style, FILE *file, struct book_losses *losses,
                                    struct diag *diag)
{
    struct lines *lines;
    enum caxton_status status = make(book, start, style, &lines, losses, diag);
    if (status != STATUS_OK)
        return status;
    if (lines_size(lines).lines == 0) {
        lines_destroy(lines);
        diag_set(diag, 0, 0, "no line from the start reaches a move of the book");
        return STATUS_ILLEGAL;
    }
    status = lines_write(lines, file);
    lines_destroy(lines);
    if (status != STATUS_OK)
        diag_set(diag, 0, 0, "%s: %s", book_name(book), status_name(status));
    return status;
}
