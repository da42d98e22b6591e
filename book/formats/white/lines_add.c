/* A move added to lines that a person wrote. */
#include <stdlib.h>
#include <string.h>

#include "book/book_move.h"
#include "book/formats/white/lines_internal.h"

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

/* Lets the last line that ends in `parent` go on to `node`, or puts a new one behind those that go
 * through `parent`. */
static enum caxton_status lead_to(struct lines *lines, uint32_t parent, uint32_t node)
{
    for (size_t i = lines->item_count; i-- > 0;)
        if (lines->items[i].kind == LINES_ITEM_MOVES && lines->items[i].node == parent) {
            lines->items[i].node = node;
            return STATUS_OK;
        }
    uint32_t last = lines->nodes[parent].last;
    if (last != LINES_NONE)
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

/* Is it a way that games take to the position, and lines, too? The start is one before there is any
 * line. */
static bool leads(const struct lines *lines, uint32_t node, const struct book_addition *addition)
{
    const struct lines_node *at = &lines->nodes[node];
    return at->key == addition->pos.key && at->jump == LINES_NONE &&
           (node == 0 || at->first != LINES_NONE);
}

/* Without a stated weight the moves of a position share by merit, with one they weigh 1: those that
 * are there get the weights that they have had. */
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

/* On all ways on which lines go on, for there the game's own lines answer alone; if there is none,
 * on the first. */
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
    struct span line; /* without its end */
    bool has_line;
};

static struct span line_of(struct span text)
{
    const char *end = text.size ? memchr(text.data, '\n', text.size) : NULL;
    return span_make(text.data, end ? (size_t)(end - text.data) : text.size);
}

static void step(struct cursor *cursor)
{
    cursor->has_line = cursor->rest.size > 0;
    cursor->line = line_of(cursor->rest);
    size_t taken = cursor->line.size + (cursor->line.size < cursor->rest.size);
    cursor->rest = span_from(cursor->rest, taken);
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
 * `before` is the tidy copy, line by line. */
static void write_lines(struct span typed, struct span before, struct span after, FILE *out)
{
    static const char mark[] = "\xEF\xBB\xBF";
    struct cursor old = cursor_on(typed);
    struct cursor tidy = cursor_on(before);
    bool marked = typed.size >= 3 && memcmp(typed.data, mark, 3) == 0;
    bool feeds = old.line.size && old.line.data[old.line.size - 1] == '\r';
    bool first = true;
    for (struct cursor made = cursor_on(after); made.has_line; step(&made), first = false) {
        bool kept = tidy.has_line && same(made.line, tidy.line);
        bool inserted = !kept && tidy.has_line && same(line_of(made.rest), tidy.line);
        if (kept) {
            (void)fwrite(old.line.data, 1, old.line.size, out);
        } else {
            (void)fputs(first && marked ? mark : "", out);
            (void)fwrite(made.line.data, 1, made.line.size, out);
            (void)fputs(feeds ? "\r" : "", out);
        }
        (void)fputc('\n', out);
        if (!inserted && tidy.has_line) {
            step(&old);
            step(&tidy);
        }
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
