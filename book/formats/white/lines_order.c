#include "book/formats/white/lines_order.h"

#include <stdlib.h>
#include <string.h>

/* How many moves the ways to two nodes have in common. Walks up from both no further than it
 * must: over all lines of a file that is less than their text. */
static int common_plies(const struct lines *lines, uint32_t a, uint32_t b)
{
    const struct lines_node *nodes = lines->nodes;
    while (nodes[a].plies > nodes[b].plies)
        a = nodes[a].parent;
    while (nodes[b].plies > nodes[a].plies)
        b = nodes[b].parent;
    while (a != b) {
        a = nodes[a].parent;
        b = nodes[b].parent;
    }
    return nodes[a].plies;
}

void lines_share(struct lines *lines)
{
    uint32_t moves = 0;
    uint32_t rewrite = 0;
    for (size_t i = 0; i < lines->item_count; i++) {
        struct lines_item *item = &lines->items[i];
        if (item->kind == LINES_ITEM_MOVES) {
            item->shared = (uint16_t)common_plies(lines, moves, item->node);
            moves = item->node;
        } else if (item->kind == LINES_ITEM_REWRITE) {
            item->shared = (uint16_t)common_plies(lines, rewrite, item->node);
            item->target_shared = (uint16_t)common_plies(lines, item->node, item->target);
            rewrite = item->node;
        }
        lines->shares |= item->shared || item->target_shared;
    }
}

/* Sorting ----------------------------------------------------------------------------------- */

/* A line of moves with the comment lines right above it: items first..first + count - 1, of which
 * the last has the moves. */
struct block {
    uint32_t rank;
    uint32_t first;
    uint32_t count;
};

static int by_rank(const void *left, const void *right)
{
    const struct block *a = left;
    const struct block *b = right;
    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    return a->first < b->first ? -1 : a->first > b->first;
}

/* An edge of the tree, for going through siblings in the order in which lines first write them. */
struct sibling {
    uint32_t parent;
    uint32_t order;
    uint32_t node;
};

static int by_order(const void *left, const void *right)
{
    const struct sibling *a = left;
    const struct sibling *b = right;
    if (a->parent != b->parent)
        return a->parent < b->parent ? -1 : 1;
    if (a->order != b->order)
        return a->order < b->order ? -1 : 1;
    return a->node < b->node ? -1 : a->node > b->node;
}

static size_t list_siblings(const struct lines *lines, struct sibling *out)
{
    size_t count = 0;
    for (size_t i = 1; i < lines->node_count; i++)
        if (lines->nodes[i].first != LINES_NONE)
            out[count++] =
                (struct sibling){lines->nodes[i].parent, lines->nodes[i].first, (uint32_t)i};
    qsort(out, count, sizeof *out, by_order);
    return count;
}

/* Numbers the nodes depth first. places: room for a node each. The subtrees of siblings take up
 * ranges behind their parent's number, so that sizes, summed from the last node to the first,
 * give the numbers without a walk. */
static void rank_nodes(const struct lines *lines, const struct sibling *siblings, size_t count,
                       uint32_t *sizes, uint32_t *ranks)
{
    for (size_t i = 0; i < lines->node_count; i++)
        sizes[i] = 1;
    for (size_t i = lines->node_count; i-- > 1;)
        if (lines->nodes[i].first != LINES_NONE)
            sizes[lines->nodes[i].parent] += sizes[i];
    ranks[0] = 0;
    uint32_t next = 0;
    for (size_t i = 0; i < count; i++) {
        /* Parents stand before children in nodes[], and so do their runs of siblings here. */
        if (i == 0 || siblings[i].parent != siblings[i - 1].parent)
            next = ranks[siblings[i].parent] + 1;
        ranks[siblings[i].node] = next;
        next += sizes[siblings[i].node];
    }
}

/* Is the item a comment that belongs to the line below it? */
static bool is_comment(const struct lines_item *item)
{
    return item->kind == LINES_ITEM_NOTE && item->note_size > 0;
}

static size_t list_blocks(const struct lines *lines, const uint32_t *ranks, struct block *out)
{
    size_t count = 0;
    size_t first = 0; /* of the comments that stand right above */
    for (size_t i = 0; i < lines->item_count; i++) {
        const struct lines_item *item = &lines->items[i];
        if (is_comment(item))
            continue;
        if (item->kind == LINES_ITEM_MOVES)
            out[count++] =
                (struct block){ranks[item->node], (uint32_t)first, (uint32_t)(i - first + 1)};
        first = i + 1;
    }
    return count;
}

/* Puts the blocks of `sorted` into the places where those of `blocks` stand. */
static void move_items(struct lines *lines, const struct block *blocks, const struct block *sorted,
                       size_t count, struct lines_item *items)
{
    size_t at = 0;
    size_t from = 0;
    for (size_t i = 0; i < count; i++) {
        while (from < blocks[i].first)
            items[at++] = lines->items[from++];
        for (uint32_t k = 0; k < sorted[i].count; k++)
            items[at++] = lines->items[sorted[i].first + k];
        from = blocks[i].first + blocks[i].count;
    }
    while (from < lines->item_count)
        items[at++] = lines->items[from++];
    memcpy(lines->items, items, at * sizeof *items);
    for (size_t i = 0; i < lines->item_count; i++)
        if (lines->items[i].kind == LINES_ITEM_OTHERWISE)
            lines->reply_item = i;
}

enum caxton_status lines_sort(struct lines *lines)
{
    if (!lines->item_count)
        return STATUS_OK;
    struct sibling *siblings = malloc(lines->node_count * sizeof *siblings);
    uint32_t *sizes = malloc(2 * lines->node_count * sizeof *sizes);
    struct block *blocks = malloc(2 * lines->item_count * sizeof *blocks);
    struct lines_item *items = malloc(lines->item_count * sizeof *items);
    enum caxton_status status = STATUS_NO_MEMORY;
    if (siblings && sizes && blocks && items) {
        uint32_t *ranks = sizes + lines->node_count;
        rank_nodes(lines, siblings, list_siblings(lines, siblings), sizes, ranks);
        size_t count = list_blocks(lines, ranks, blocks);
        struct block *sorted = blocks + lines->item_count;
        memcpy(sorted, blocks, count * sizeof *blocks);
        qsort(sorted, count, sizeof *sorted, by_rank);
        move_items(lines, blocks, sorted, count, items);
        if (lines->shares)
            lines_share(lines);
        status = lines_index(lines);
    }
    free(siblings);
    free(sizes);
    free(blocks);
    free(items);
    return status;
}
