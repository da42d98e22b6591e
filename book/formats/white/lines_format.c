#include "book/formats/white/lines_format.h"

#include <stdlib.h>
#include <string.h>

#include "base/line_end.h"
#include "base/memory_stream.h"
#include "book/book.h"
#include "book/formats/white/lines.h"
#include "book/formats/white/lines_read.h"
#include "book/formats/white/lines_verify.h"
#include "book/formats/white/lines_word.h"
#include "book/formats/white/lines_write.h"
#include "book/graph/graph.h"

/* Puts a line before item `at`, or at the end. */
static enum caxton_status insert_line(struct lines *lines, size_t at, uint32_t node)
{
    struct lines_item item = {.kind = LINES_ITEM_MOVES, .node = node, .line = LINES_NONE};
    enum caxton_status status = lines_add_item(lines, &item);
    if (status != STATUS_OK)
        return status;
    struct lines_item *items = lines->items;
    memmove(items + at + 1, items + at, (lines->item_count - 1 - at) * sizeof *items);
    items[at] = item;
    return STATUS_OK;
}

/* Does the line of an item go through `node`? Parents stand before their children. */
static bool goes_through(const struct lines *lines, const struct lines_item *item, uint32_t node)
{
    uint32_t at = item->node;
    while (at != LINES_NONE && at > node)
        at = lines->nodes[at].parent;
    return item->kind == LINES_ITEM_MOVES && at == node;
}

/* Lets the last line that ends in `parent` go on to `node`, or puts a new one behind the last that
 * goes through `parent`. */
static enum caxton_status lead_to(struct lines *lines, uint32_t parent, uint32_t node)
{
    size_t behind = 0;
    for (size_t i = lines->item_count; i > 0; i--) {
        struct lines_item *item = &lines->items[i - 1];
        if (item->kind == LINES_ITEM_MOVES && item->node == parent) {
            item->node = node;
            return STATUS_OK;
        }
        if (!behind && goes_through(lines, item, parent))
            behind = i;
    }
    return insert_line(lines, behind ? behind : lines->item_count, node);
}

static enum caxton_status add_after(struct lines *lines, uint32_t parent,
                                    const struct book_addition *addition)
{
    struct position pos = addition->pos;
    uint32_t node;
    if (lines->nodes[parent].plies == LINES_PLIES_MAX)
        return STATUS_RANGE;
    position_play(&pos, addition->m);
    enum caxton_status status = lines_grow(lines, parent, addition->m, pos.key, &node);
    if (status != STATUS_OK)
        return status;
    lines->nodes[node].played = true;
    lines->nodes[node].has_weight = true;
    lines->nodes[node].weight = addition->weight;
    if (lines->nodes[node].first != LINES_NONE)
        return STATUS_OK; /* some line has it */
    status = lead_to(lines, parent, node);
    return status == STATUS_OK ? lines_index(lines) : status;
}

/* Does a line lead to the position here, and no rewrite away from it? The start counts even when
 * there is no line yet. */
static bool leads(const struct lines *lines, uint32_t node, const struct book_addition *addition)
{
    const struct lines_node *at = &lines->nodes[node];
    return at->key == addition->pos.key && at->jump == LINES_NONE &&
           (node == 0 || at->first != LINES_NONE);
}

/* A stated weight changes the others: without one, moves share by merit; beside one, they weigh 1.
 * So the moves that are there get the weights stated that they have by merit. */
static void state_weights(struct lines *lines, const struct book_addition *addition)
{
    struct book_move moves[MOVES_MAX];
    size_t first;
    bool known = lines_find_choices(lines, addition->pos.key, &first) > 0;
    int count = known ? lines_probe(lines, &addition->pos, NULL, moves) : 0;
    for (size_t i = 1; i < lines->node_count; i++) {
        struct lines_node *node = &lines->nodes[i];
        if (lines->nodes[node->parent].key != addition->pos.key || !lines_is_choice(node) ||
            node->has_weight)
            continue;
        for (int k = 0; k < count; k++)
            if (moves[k].move == node->m) {
                node->has_weight = true;
                node->weight = moves[k].weight;
            }
    }
}

/* Adds the move in every place where lines go on, because a game is answered by its own lines
 * alone. When there is no such place, in the first where a line ends. */
static enum caxton_status add_add_move(struct lines *lines, const struct book_addition *addition)
{
    enum caxton_status status = STATUS_OK;
    uint32_t first = LINES_NONE;
    bool added = false;
    size_t count = lines->node_count;
    state_weights(lines, addition);
    for (uint32_t i = 0; i < count && status == STATUS_OK; i++) {
        if (!leads(lines, i, addition))
            continue;
        if (first == LINES_NONE || lines->nodes[i].first < lines->nodes[first].first)
            first = i;
        if (lines_first_beyond(lines, i) == LINES_NONE)
            continue;
        added = true;
        status = add_after(lines, i, addition);
    }
    if (added || status != STATUS_OK)
        return status;
    return first == LINES_NONE ? STATUS_NOT_FOUND : add_after(lines, first, addition);
}

/* Writing ---------------------------------------------------------------------------------- */

/* The items, whose tidy lines are `after`. Those that are in `before`, the tidy lines of the file,
 * too, as they were typed. New ones end as the first line of the file does. */
static void write_items(const struct lines *lines, struct span before, struct span after, FILE *out)
{
    struct span file = span_make(lines->text, lines->text_size);
    struct span typed = span_skip_bom(file);
    struct span line;
    struct span tidy;
    struct span made;
    const char *end = line_end_of(file);
    (void)fwrite(file.data, 1, file.size - typed.size, out);
    for (size_t i = 0; i < lines->item_count && span_line(&after, &made); i++) {
        const char *from = typed.data;
        bool is_typed = lines->items[i].line != LINES_NONE && span_line(&typed, &line) &&
                        span_line(&before, &tidy);
        if (is_typed && made.size == tidy.size && memcmp(made.data, tidy.data, made.size) == 0) {
            (void)fwrite(from, 1, (size_t)(typed.data - from), out);
            (void)fputs(typed.data[-1] == '\n' ? "" : end, out);
        } else {
            (void)fwrite(made.data, 1, made.size, out);
            (void)fputs(end, out);
        }
    }
}

static enum caxton_status text_of(const struct lines *lines, struct memory_stream *text)
{
    enum caxton_status status =
        memory_stream_open(text) ? lines_write(lines, text->file) : STATUS_NO_MEMORY;
    return memory_stream_close(text) ? status : STATUS_NO_MEMORY;
}

static enum caxton_status add_and_write(struct lines *lines, const struct book_addition *addition,
                                        FILE *out)
{
    struct memory_stream before = {.bytes = NULL};
    struct memory_stream after = {.bytes = NULL};
    bool shares = lines->shares;
    enum caxton_status status = text_of(lines, &before);
    if (status == STATUS_OK)
        status = add_add_move(lines, addition);
    if (status == STATUS_OK && shares)
        lines_share(lines);
    if (status == STATUS_OK)
        status = text_of(lines, &after);
    if (status == STATUS_OK)
        write_items(lines, span_make(before.bytes, before.size), span_make(after.bytes, after.size),
                    out);
    free(before.bytes);
    free(after.bytes);
    return status;
}

enum caxton_status lines_add(const uint8_t *bytes, size_t size,
                             const struct book_addition *addition, FILE *out, struct diag *diag)
{
    struct lines *lines;
    enum caxton_status status = lines_parse((const char *)bytes, size, NULL, NULL, &lines);
    if (status != STATUS_OK) {
        diag_set(diag, 0, 0, "%s", status_name(status));
        return status;
    }
    status = lines->faults ? lines->fault_status : add_and_write(lines, addition, out);
    if (lines->faults && diag)
        *diag = lines->fault;
    else if (status == STATUS_NOT_FOUND)
        diag_set(diag, 0, 0, "no line reaches the position");
    else if (status == STATUS_RANGE)
        diag_set(diag, 0, 0, "the line has %d moves and may not be longer", LINES_PLIES_MAX);
    else if (status != STATUS_OK)
        diag_set(diag, 0, 0, "%s", status_name(status));
    lines_destroy(lines);
    return status;
}

struct lines_making {
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
static void weigh_non_book(struct lines_making *making)
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
static uint32_t add_move(struct lines_making *making, uint32_t at, const struct position *pos,
                         move m)
{
    struct position next = *pos;
    uint32_t child = 0;
    position_play(&next, m);
    if (making->status == STATUS_OK)
        making->status = lines_grow(making->lines, making->made[at], m, next.key, &child);
    return child;
}

static void add_moves(struct lines_making *making, uint32_t at, const struct position *pos)
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

static void add_non_book(struct lines_making *making, uint32_t at, const struct position *pos)
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

static void add_tree(struct lines_making *making)
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

static void add_item(struct lines_making *making, struct lines_item item)
{
    if (making->status == STATUS_OK)
        making->status = lines_add_item(making->lines, &item);
}

/* A line for each leaf. */
static void add_lines(struct lines_making *making)
{
    const struct lines *lines = making->lines;
    for (uint32_t node = 0; node != LINES_NONE; node = lines_next_node(lines, node))
        if (node && lines->nodes[node].child == LINES_NONE)
            add_item(making, (struct lines_item){.kind = LINES_ITEM_MOVES, .node = node});
}

/* A rewrite for each leaf whose position goes on elsewhere. The start has no order of moves to be
 * named by; lines that lead back to it are found by its position. */
static void add_rewrites(struct lines_making *making)
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

static enum caxton_status from_book_fill(struct lines_making *making)
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

static void count_losses(const struct lines_making *making, struct book_losses *losses)
{
    const struct book_graph *graph = &making->graph;
    losses->positions = graph->positions;
    losses->unreached = graph->positions - graph->known;
    losses->illegal = book_graph_illegal_moves(graph);
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
    struct lines_making making = {.lines = lines_create()};
    enum caxton_status status =
        making.lines ? make_graph(book, &making.graph, diag) : STATUS_NO_MEMORY;
    if (status == STATUS_OK)
        status = from_book_fill(&making);
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

/* Four characters that name two squares, or SAN. */
static bool looks_like_a_move(struct span word)
{
    struct position start;
    move m;
    if (word.size > 2 && word.data[0] == '(')
        word = span_make(word.data + 1, word.size - 1 - (word.data[word.size - 1] == ')'));
    struct span whole = word;
    const char *colon = word.size ? memchr(word.data, ':', word.size) : NULL;
    if (colon)
        word.size = (size_t)(colon - word.data);
    position_start(&start);
    return lines_has_coordinates(whole) || move_from_san(&start, word, &m) != STATUS_SYNTAX;
}

/* A line whose second word is no FEN (some other text begins "Nf3 rnbqkbnr/..."). */
static bool looks_like_a_line(struct span content)
{
    static const char *const settings[] = {"start", "prefer", "transpose", "otherwise"};
    content = lines_after_number(content);
    struct span word = span_token(&content);
    struct span second = span_token(&content);
    if (span_equal_nocase(word, "lines"))
        for (int i = 0; i < LINES_STYLES; i++)
            if (span_equal_nocase(second, lines_style_names[i]))
                return true;
    for (int i = 0; i < 4; i++)
        if (span_equal_nocase(word, settings[i]))
            return second.size > 0;
    if (second.size && memchr(second.data, '/', second.size))
        return false;
    return looks_like_a_move(word);
}

/* By the first line that is not empty or a comment. */
static bool recognises(const uint8_t *bytes, size_t size)
{
    struct span rest = span_skip_bom(span_make((const char *)bytes, size));
    for (struct span line; span_line(&rest, &line);) {
        const char *sign = lines_comment(line);
        if (sign)
            line.size = (size_t)(sign - line.data); /* a comment may hold anything */
        if (!span_is_text(line))
            return false;
        line = span_trim(line);
        if (line.size)
            return looks_like_a_line(line);
    }
    return false;
}

static void fill(struct book *book, struct lines *lines)
{
    struct lines_size size = lines_size(lines);
    struct position standard;
    position_start(&standard);
    book->state = lines;
    book->move_count = size.moves_written - size.non_book_moves;
    for (size_t i = 0; i < lines->item_count; i++)
        book->comment_count += lines->items[i].note_size > 0;
    book->roots = &lines->start;
    book->root_count = lines->start.key != standard.key;
}

/* Takes what is sound. */
static enum caxton_status open_text(struct book *book, const uint8_t *bytes, size_t size,
                                    struct diag *diag)
{
    struct lines *lines;
    enum caxton_status status = lines_parse((const char *)bytes, size, NULL, NULL, &lines);
    if (status != STATUS_OK) {
        diag_set(diag, 0, 0, "%.60s: out of memory", book->name);
        return status;
    }
    const struct diag *fault = &lines->fault;
    bool is_empty = lines_size(lines).lines == 0 && lines->reply == MOVE_NONE;
    if (lines->faults && is_empty) {
        diag_set(diag, fault->line, fault->column, "%.60s: %s", book->name, fault->text);
        if (diag)
            diag->offset = fault->offset;
        lines_destroy(lines);
        return STATUS_FORMAT;
    }
    struct text_buffer warning = text_buffer_on(book->warning, sizeof book->warning);
    if (lines->faults)
        text_append(&warning, "%.60s: %s", book->name, fault->text);
    if (lines->faults > 1)
        text_append(&warning, " (and %zu more)", lines->faults - 1);
    fill(book, lines);
    return STATUS_OK;
}

static void close_text(void *state)
{
    lines_destroy(state);
}

static enum caxton_status check(const struct book_format *format, const uint8_t *bytes, size_t size,
                                const struct position *root, book_fault_sink sink, void *context)
{
    (void)format;
    (void)root;
    struct lines *lines;
    enum caxton_status status = lines_parse((const char *)bytes, size, sink, context, &lines);
    if (status != STATUS_OK)
        return status;
    status = lines_check(lines, sink, context);
    lines_destroy(lines);
    return status;
}

static void mark_fault(void *context, enum book_fault fault, const struct diag *diag,
                       const char *offer)
{
    struct lines *lines = context;
    (void)offer;
    lines->items[diag->line - 1].faulty |= fault < BOOK_REMARKS;
}

/* The file as it is, comments and all, with similar lines together. Lines at fault become comments.
 * share: front parts, even if the file does not. */
static enum caxton_status copy(const struct book *book, bool share, FILE *out, struct diag *diag)
{
    const struct lines *from = book->state;
    struct lines *lines = NULL;
    enum caxton_status status = lines_parse(from->text, from->text_size, NULL, NULL, &lines);
    if (status == STATUS_OK)
        status = lines_check(lines, mark_fault, lines);
    if (status == STATUS_OK) {
        for (size_t i = 0; i < lines->item_count; i++)
            if (lines->items[i].faulty)
                lines->items[i].kind = LINES_ITEM_NOTE;
        lines->shares |= share;
        status = lines_sort(lines);
    }
    if (status == STATUS_OK)
        status = lines_write(lines, out);
    if (status != STATUS_OK)
        diag_set(diag, 0, 0, "%s: %s", book->name, status_name(status));
    lines_destroy(lines);
    return status;
}

static enum caxton_status repair(const struct book *book, FILE *out, struct book_losses *losses,
                                 struct diag *diag)
{
    (void)losses;
    return copy(book, false, out, diag);
}

static enum caxton_status write_book(const struct book *book, const struct book_writer *self,
                                     FILE *out, struct book_losses *losses, struct diag *diag)
{
    (void)self;
    if (book->format == &lines_format)
        return copy(book, true, out, diag);
    return lines_write_book(book, out, losses, diag);
}

static const struct book_writer writer = {.name = "lines",
                                          .about = "White's lines: text that a person edits",
                                          .keeps = BOOK_WEIGHTS | BOOK_UNPLAYED,
                                          .weight_max = UINT32_MAX,
                                          .write = write_book};

const struct book_format lines_format = {
    .name = "White's lines",
    .extension = "lines",
    .is_text = true,
    .is_lines = true,
    .writers = &writer,
    .writer_count = 1,
    .repair = repair,
    .recognises = recognises,
    .open = open_text,
    .close = close_text,
    .probe = lines_probe,
    .non_book_moves = lines_non_book_moves,
    .hint = lines_hint,
    .check = check,
    .add = lines_add,
};
