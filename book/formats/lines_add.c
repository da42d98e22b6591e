/* A move added to lines that a person wrote. */
#include <stdlib.h>
#include <string.h>

#include "book/formats/lines_internal.h"

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

/* On all ways on which lines go on, for there the game's own lines answer alone; if there is none,
 * on the first. */
static enum caxton_status add_move(struct lines *lines, const struct book_addition *addition)
{
    enum caxton_status status = STATUS_OK;
    uint32_t first = LINES_NONE;
    bool added = false;
    size_t count = lines->node_count;
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

enum caxton_status lines_add(const uint8_t *bytes, size_t size,
                             const struct book_addition *addition, FILE *out, struct diag *diag)
{
    struct lines *lines;
    enum caxton_status status = lines_parse((const char *)bytes, size, &lines, diag);
    if (status != STATUS_OK)
        return status;
    bool shares = lines->shares;
    status = add_move(lines, addition);
    if (status == STATUS_OK && shares)
        lines_share(lines);
    if (status == STATUS_OK)
        status = lines_write(lines, out);
    if (status == STATUS_NOT_FOUND)
        diag_set(diag, 0, 0, "no line reaches the position");
    else if (status == STATUS_RANGE)
        diag_set(diag, 0, 0, "the line has %d moves and may not be longer", LINES_PLIES_MAX);
    else if (status != STATUS_OK)
        diag_set(diag, 0, 0, "%s", status_name(status));
    lines_destroy(lines);
    return status;
}
