#include "book/formats/white/lines_add.h"

#include <stdlib.h>
#include <string.h>

#include "book/formats/white/lines_order.h"
#include "book/formats/white/lines_probe.h"
#include "book/formats/white/lines_read.h"
#include "book/formats/white/lines_write.h"

/* Puts a line behind item `after`. */
static enum caxton_status insert_line(struct lines *lines, size_t after, uint32_t node)
{
    struct lines_item item = {.kind = LINES_ITEM_MOVES, .node = node};
    enum caxton_status status = lines_add_item(lines, &item);
    if (status != STATUS_OK)
        return status;
    struct lines_item *items = lines->items;
    memmove(items + after + 2, items + after + 1, (lines->item_count - after - 2) * sizeof *items);
    items[after + 1] = item;
    lines->reply_item += lines->reply_item > after;
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
    size_t last = SIZE_MAX;
    for (size_t i = lines->item_count; i-- > 0;) {
        struct lines_item *item = &lines->items[i];
        if (item->kind == LINES_ITEM_MOVES && item->node == parent) {
            item->node = node;
            return STATUS_OK;
        }
        if (last == SIZE_MAX && goes_through(lines, item, parent))
            last = i;
    }
    if (last != SIZE_MAX)
        return insert_line(lines, last, node);
    return lines_add_item(lines, &(struct lines_item){.kind = LINES_ITEM_MOVES, .node = node});
}

static enum caxton_status add_after(struct lines *lines, uint32_t parent,
                                    const struct book_addition *addition)
{
    struct position pos = addition->pos;
    struct undo undo;
    uint32_t node;
    if (lines->nodes[parent].plies == LINES_PLIES_MAX)
        return STATUS_RANGE;
    position_make(&pos, addition->m, &undo);
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
static enum caxton_status add_move(struct lines *lines, const struct book_addition *addition)
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
        if (!lines_goes_on(lines, i))
            continue;
        added = true;
        status = add_after(lines, i, addition);
    }
    if (added || status != STATUS_OK)
        return status;
    return first == LINES_NONE ? STATUS_NOT_FOUND : add_after(lines, first, addition);
}

/* Writing ---------------------------------------------------------------------------------- */

/* A text, line by line. */
struct cursor {
    struct span rest;
    struct span line;  /* without its end */
    struct span typed; /* with its end */
    bool has_line;
};

static void step(struct cursor *cursor)
{
    const char *from = cursor->rest.data;
    cursor->has_line = span_line(&cursor->rest, &cursor->line);
    cursor->typed = span_make(from, (size_t)(cursor->rest.data - from));
}

static struct cursor cursor_on(struct span text)
{
    struct cursor cursor = {.rest = text};
    step(&cursor);
    return cursor;
}

static bool same(struct span a, struct span b)
{
    return a.size == b.size && memcmp(a.data, b.data, a.size) == 0;
}

/* The lines of `after`; those that are in `before`, too, as they stand in `typed`, of which
 * `before` is the tidy copy, line by line. New ones end as the first line of `typed` does. */
static void write_lines(struct span typed, struct span before, struct span after, FILE *out)
{
    struct cursor old = cursor_on(span_skip_bom(typed));
    struct cursor tidy = cursor_on(before);
    struct cursor made = cursor_on(after);
    bool has_return = old.typed.size > old.line.size && old.typed.data[old.line.size] == '\r';
    (void)fwrite(typed.data, 1, typed.size - span_skip_bom(typed).size, out);
    while (made.has_line) {
        struct cursor next = made;
        step(&next);
        bool kept = tidy.has_line && same(made.line, tidy.line);
        bool inserted = !kept && tidy.has_line && next.has_line && same(next.line, tidy.line);
        if (kept) {
            (void)fwrite(old.typed.data, 1, old.typed.size, out);
            bool has_feed = old.typed.data[old.typed.size - 1] == '\n';
            (void)fputs(has_feed ? "" : "\n", out);
        } else {
            (void)fwrite(made.line.data, 1, made.line.size, out);
            (void)fputs(has_return ? "\r\n" : "\n", out);
        }
        if (!inserted && tidy.has_line) {
            step(&old);
            step(&tidy);
        }
        made = next;
    }
}

static enum caxton_status text_of(const struct lines *lines, char **text, size_t *size)
{
    FILE *file = open_memstream(text, size);
    if (!file)
        return STATUS_NO_MEMORY;
    enum caxton_status status = lines_write(lines, file);
    return fclose(file) == 0 ? status : STATUS_NO_MEMORY;
}

static enum caxton_status add_and_write(struct lines *lines, const struct book_addition *addition,
                                        FILE *out)
{
    char *before = NULL;
    char *after = NULL;
    size_t before_size = 0;
    size_t after_size = 0;
    bool shares = lines->shares;
    enum caxton_status status = text_of(lines, &before, &before_size);
    if (status == STATUS_OK)
        status = add_move(lines, addition);
    if (status == STATUS_OK && shares)
        lines_share(lines);
    if (status == STATUS_OK)
        status = text_of(lines, &after, &after_size);
    if (status == STATUS_OK)
        write_lines(span_make(lines->text, lines->text_size), span_make(before, before_size),
                    span_make(after, after_size), out);
    free(before);
    free(after);
    return status;
}

enum caxton_status lines_add(const uint8_t *bytes, size_t size,
                             const struct book_addition *addition, FILE *out, struct diag *diag)
{
    struct lines *lines;
    enum caxton_status status = lines_parse((const char *)bytes, size, &lines, diag);
    if (status != STATUS_OK)
        return status;
    status = add_and_write(lines, addition, out);
    if (status == STATUS_NOT_FOUND)
        diag_set(diag, 0, 0, "no line reaches the position");
    else if (status == STATUS_RANGE)
        diag_set(diag, 0, 0, "the line has %d moves and may not be longer", LINES_PLIES_MAX);
    else if (status != STATUS_OK)
        diag_set(diag, 0, 0, "%s", status_name(status));
    lines_destroy(lines);
    return status;
}
