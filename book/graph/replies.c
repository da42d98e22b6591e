#include "book/graph/replies.h"

#include "book/format.h"

/* What the book that is walked through knows: a view of both books. */
struct replies_view {
    const struct book *mine;
    const struct book *database;
    int own;
};

static bool plays(const struct book *book, const struct position *pos)
{
    struct book_move heaviest;
    return book_probe(book, pos, &heaviest, 1) == 1 && heaviest.weight > 0;
}

/* A struct book_format.probe: moves that are never played lead nowhere. */
static int probe(const void *state, const struct position *pos, const struct game *game,
                 struct book_move *out)
{
    const struct replies_view *view = state;
    const struct book *book = pos->turn == view->own ? view->mine : view->database;
    int count =
        game ? book_probe_game(book, game, out, MOVES_MAX) : book_probe(book, pos, out, MOVES_MAX);
    while (count > 0 && out[count - 1].weight == 0) /* the heaviest come first */
        count--;
    return count;
}

int replies_answered(const struct book *mine, const struct position *pos, move *out)
{
    move moves[MOVES_MAX];
    int found = 0;
    int count = movegen_legal(pos, moves);
    for (int i = 0; i < count; i++) {
        struct position after = position_after(pos, moves[i]);
        if (plays(mine, &after))
            out[found++] = moves[i];
    }
    return found;
}

/* A struct book_format.non_book_moves: replies that the database may not know, and `mine` does. */
static int other_replies(const void *state, const struct position *pos, const struct game *game,
                         move *out)
{
    const struct replies_view *view = state;
    (void)game;
    return pos->turn == view->own ? 0 : replies_answered(view->mine, pos, out);
}

static void keep_state(void *state)
{
    (void)state; /* it is on a stack */
}

static const struct book_format view_format = {.name = "repertoire",
                                               .is_lines = true,
                                               .probe = probe,
                                               .non_book_moves = other_replies,
                                               .close = keep_state};

static bool node_plays(const struct book_graph *graph, const struct book_node *node)
{
    return node->count > 0 && graph->edges[node->first].weight > 0;
}

enum caxton_status replies_sides(const struct book *mine, bool sides[2], struct diag *diag)
{
    struct book_graph graph = {0};
    enum caxton_status status = book_graph_create(mine, NULL, &graph, diag);
    if (status != STATUS_OK)
        return status;
    sides[WHITE] = sides[BLACK] = false;
    for (size_t i = 0; i < graph.node_count; i++)
        if (node_plays(&graph, &graph.nodes[i]))
            sides[book_graph_turn(&graph, (uint32_t)i)] = true;
    book_graph_destroy(&graph);
    return STATUS_OK;
}

static enum caxton_status add_move(struct entry_list *list, const struct position *pos, move m,
                                   uint32_t weight, uint32_t learn)
{
    return entry_list_add(list, pos, m, (struct book_entry){.weight = weight, .learn = learn});
}

/* Moves of `mine` that are never played are kept, too. */
static enum caxton_status add_unplayed(const struct replies_view *view, const struct position *pos,
                                       struct entry_list *list, size_t *count)
{
    struct book_move moves[MOVES_MAX];
    enum caxton_status status = STATUS_OK;
    int known = book_probe(view->mine, pos, moves, MOVES_MAX);
    for (int i = 0; i < known && status == STATUS_OK; i++) {
        if (moves[i].weight > 0)
            continue;
        status = add_move(list, pos, moves[i].move, 0, moves[i].learn);
        ++*count;
    }
    return status;
}

static enum caxton_status add_node(const struct replies_view *view, const struct book_graph *graph,
                                   uint32_t at, struct entry_list *list,
                                   struct replies_report *report)
{
    const struct book_node *node = &graph->nodes[at];
    struct position pos;
    enum caxton_status status = STATUS_OK;
    book_graph_position(graph, at, &pos, NULL);
    bool is_own = pos.turn == view->own;
    for (uint32_t i = 0; i < node->count && status == STATUS_OK; i++) {
        const struct book_edge *edge = &graph->edges[node->first + i];
        status = add_move(list, &pos, edge->move, edge->weight, edge->learn);
        report->unanswered += !is_own && edge->to == BOOK_GRAPH_NONE;
    }
    *(is_own ? &report->own : &report->replies) += node->count;
    return status == STATUS_OK && is_own ? add_unplayed(view, &pos, list, &report->own) : status;
}

/* Counts the positions of the repertoire that are not in the graph. */
static enum caxton_status count_left_out(const struct replies_view *view,
                                         const struct book_graph *graph, size_t *count,
                                         struct diag *diag)
{
    struct book_graph all = {0};
    enum caxton_status status = book_graph_create(view->mine, NULL, &all, diag);
    for (size_t i = 0; status == STATUS_OK && i < all.node_count; i++) {
        const struct book_node *node = &all.nodes[i];
        *count += node_plays(&all, node) && book_graph_turn(&all, (uint32_t)i) == view->own &&
                  book_graph_find(graph, node->key) == BOOK_GRAPH_NONE;
    }
    book_graph_destroy(&all);
    return status;
}

/* The graph of both books; nobody asks for graph->book later. */
static enum caxton_status view_graph(struct replies_view *view, struct book_graph *graph,
                                     struct diag *diag)
{
    struct book *book = book_new(&view_format, book_name(view->mine));
    if (!book)
        return diag_fail(STATUS_NO_MEMORY, diag, "out of memory");
    book->state = view;
    book->roots = view->mine->roots;
    book->root_count = view->mine->root_count;
    enum caxton_status status = book_graph_create(book, NULL, graph, diag);
    graph->book = NULL;
    book_close(book);
    return status;
}

enum caxton_status replies_graph(const struct book *mine, const struct book *database, int own,
                                 struct book_graph *out, struct diag *diag)
{
    struct replies_view view = {.mine = mine, .database = database, .own = own};
    return view_graph(&view, out, diag);
}

enum caxton_status replies_join(const struct book *mine, const struct book *database, int own,
                                struct entry_list *list, struct replies_report *report,
                                struct diag *diag)
{
    struct replies_view view = {.mine = mine, .database = database, .own = own};
    struct book_graph graph = {0};
    *report = (struct replies_report){0};
    enum caxton_status status = view_graph(&view, &graph, diag);
    if (status != STATUS_OK)
        return status;
    for (size_t i = 0; i < graph.node_count && status == STATUS_OK; i++)
        status = add_node(&view, &graph, (uint32_t)i, list, report);
    if (status != STATUS_OK)
        diag_set(diag, 0, 0, "%s", status_name(status));
    else
        status = count_left_out(&view, &graph, &report->left_out, diag);
    book_graph_destroy(&graph);
    return status;
}
