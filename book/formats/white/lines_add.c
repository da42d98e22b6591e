#include "book/formats/white/lines_format.h"

#include <stdlib.h>
#include <string.h>

#include "base/line_end.h"
#include "base/memory_stream.h"
#include "book/formats/white/lines_order.h"
#include "book/formats/white/lines_probe.h"
#include "book/formats/white/lines_read.h"
#include "book/formats/white/lines_write.h"

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
        status = add_move(lines, addition);
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
