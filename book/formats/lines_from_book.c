/* The lines of any book. */
#include <stdlib.h>

#include "book/formats/lines_internal.h"
#include "chess/movegen.h"

/* The node of each position that was found, by key: open addressing, at most half full. */
struct seen {
    uint32_t *nodes;
    size_t mask; /* places - 1, a power of two */
    size_t count;
};

enum { FIRST_PLACES = 1024 };

static size_t find_place(const struct seen *seen, const struct lines *lines, uint64_t key)
{
    size_t at = (size_t)(key & seen->mask);
    while (seen->nodes[at] != LINES_NONE && lines->nodes[seen->nodes[at]].key != key)
        at = (at + 1) & seen->mask;
    return at;
}

static bool seen_resize(struct seen *seen, const struct lines *lines, size_t places)
{
    struct seen grown = {malloc(places * sizeof *grown.nodes), places - 1, seen->count};
    if (!grown.nodes)
        return false;
    for (size_t i = 0; i < places; i++)
        grown.nodes[i] = LINES_NONE;
    for (size_t i = 0; seen->nodes && i <= seen->mask; i++)
        if (seen->nodes[i] != LINES_NONE)
            grown.nodes[find_place(&grown, lines, lines->nodes[seen->nodes[i]].key)] =
                seen->nodes[i];
    free(seen->nodes);
    *seen = grown;
    return true;
}

static uint32_t seen_find(const struct seen *seen, const struct lines *lines, uint64_t key)
{
    return seen->nodes[find_place(seen, lines, key)];
}

/* Keeps `node` as the one of its position, unless there is another. */
static enum caxton_status seen_add(struct seen *seen, const struct lines *lines, uint32_t node)
{
    size_t places = seen->mask + 1;
    if (2 * (seen->count + 1) > places && !seen_resize(seen, lines, 2 * places))
        return STATUS_NO_MEMORY;
    size_t at = find_place(seen, lines, lines->nodes[node].key);
    if (seen->nodes[at] != LINES_NONE)
        return STATUS_OK;
    seen->nodes[at] = node;
    seen->count++;
    return STATUS_OK;
}

static struct position position_at(const struct lines *lines, uint32_t node)
{
    move moves[LINES_PLIES_MAX];
    int plies = lines->nodes[node].plies;
    for (int i = plies; i-- > 0; node = lines->nodes[node].parent)
        moves[i] = lines->nodes[node].m;
    struct position pos = lines->start;
    for (int i = 0; i < plies; i++) {
        struct undo undo;
        position_make(&pos, moves[i], &undo);
    }
    return pos;
}

static enum caxton_status expand(struct lines *lines, const struct book *book, uint32_t node,
                                 struct seen *seen)
{
    struct position pos = position_at(lines, node);
    struct book_move moves[MOVES_MAX];
    int count = book_probe(book, &pos, moves, MOVES_MAX);
    for (int i = 0; i < count; i++) {
        struct position next = pos;
        struct undo undo;
        uint32_t child;
        position_make(&next, moves[i].move, &undo);
        enum caxton_status status = lines_grow(lines, node, moves[i].move, next.key, &child);
        if (status != STATUS_OK)
            return status;
        lines->nodes[child].weight = moves[i].weight;
        lines->nodes[child].has_weight = true;
        status = seen_add(seen, lines, child);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

/* nodes[] is the queue: what stands there first is no deeper than what follows, so the node that is
 * seen first is on a shortest way, and it alone is expanded. */
static enum caxton_status explore(struct lines *lines, const struct book *book, struct seen *seen)
{
    enum caxton_status status =
        seen_resize(seen, lines, FIRST_PLACES) ? seen_add(seen, lines, 0) : STATUS_NO_MEMORY;
    for (size_t i = 0; status == STATUS_OK && i < lines->node_count; i++) {
        uint32_t node = (uint32_t)i;
        if (lines->nodes[node].plies < LINES_PLIES_MAX &&
            seen_find(seen, lines, lines->nodes[node].key) == node)
            status = expand(lines, book, node, seen);
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

/* A rewrite for each leaf whose position goes on elsewhere. The start has no order of moves to be
 * named by; lines that lead back to it are found by its position. */
static enum caxton_status add_rewrites(struct lines *lines, const struct seen *seen)
{
    enum caxton_status status = STATUS_OK;
    bool first = true;
    for (uint32_t node = 0; status == STATUS_OK && node != LINES_NONE;
         node = next_node(lines, node)) {
        uint32_t target = seen_find(seen, lines, lines->nodes[node].key);
        if (target == node || target == 0 || lines->nodes[target].child == LINES_NONE)
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

static enum caxton_status fill(struct lines *lines, const struct book *book,
                               const struct position *start)
{
    struct position standard;
    struct seen seen = {.nodes = NULL};
    position_start(&standard);
    enum caxton_status status = add_kind(lines, LINES_ITEM_STYLE);
    if (status == STATUS_OK && start && start->key != standard.key) {
        status = lines_set_start(lines, start);
        if (status == STATUS_OK)
            status = add_kind(lines, LINES_ITEM_START);
    }
    if (status == STATUS_OK)
        status = add_kind(lines, LINES_ITEM_NOTE);
    if (status == STATUS_OK)
        status = explore(lines, book, &seen);
    if (status == STATUS_OK)
        status = add_lines(lines);
    if (status == STATUS_OK)
        status = add_rewrites(lines, &seen);
    free(seen.nodes);
    lines_share(lines);
    return status == STATUS_OK ? lines_index(lines) : status;
}

enum caxton_status lines_from_book(const struct book *book, const struct position *start,
                                   enum lines_style style, struct lines **out)
{
    struct lines *lines = lines_create();
    if (!lines)
        return STATUS_NO_MEMORY;
    lines->style = style;
    if (style == LINES_WHITE) {
        lines->prefer_later = true;
        lines->prefer_percent = 75;
    }
    enum caxton_status status = fill(lines, book, start);
    if (status == STATUS_OK)
        *out = lines;
    else
        lines_destroy(lines);
    return status;
}

enum caxton_status lines_write_book(const struct book *book, const struct position *start,
                                    enum lines_style style, FILE *file, struct diag *diag)
{
    struct lines *lines;
    enum caxton_status status = lines_from_book(book, start, style, &lines);
    if (status == STATUS_OK) {
        status = lines_write(lines, file);
        lines_destroy(lines);
    }
    if (status != STATUS_OK)
        diag_set(diag, 0, 0, "%s: %s", book_name(book), status_name(status));
    return status;
}
