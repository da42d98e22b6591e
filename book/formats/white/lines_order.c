#include "book/formats/white/lines_order.h"

#include <stdlib.h>
#include <string.h>

void lines_share(struct lines *lines)
{
    uint32_t moves = 0;
    uint32_t rewrite = 0;
    for (size_t i = 0; i < lines->item_count; i++) {
        struct lines_item *item = &lines->items[i];
        if (item->kind == LINES_ITEM_MOVES) {
            item->shared = (uint16_t)lines_common_plies(lines, moves, item->node);
            moves = item->node;
        } else if (item->kind == LINES_ITEM_REWRITE) {
            item->shared = (uint16_t)lines_common_plies(lines, rewrite, item->node);
            item->target_shared = (uint16_t)lines_common_plies(lines, item->node, item->target);
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

/* Is the item a comment that belongs to the line below it? */
static bool is_comment(const struct lines_item *item)
{
    return item->kind == LINES_ITEM_NOTE && (item->note_size > 0 || item->faulty);
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
}

enum caxton_status lines_sort(struct lines *lines)
{
    if (!lines->item_count)
        return STATUS_OK;
    uint32_t *ranks = malloc(lines->node_count * sizeof *ranks); /* of the nodes, depth first */
    struct block *blocks = malloc(2 * lines->item_count * sizeof *blocks);
    struct lines_item *items = malloc(lines->item_count * sizeof *items);
    enum caxton_status status = STATUS_NO_MEMORY;
    if (ranks && blocks && items) {
        uint32_t rank = 0;
        for (uint32_t n = 0; n != LINES_NONE; n = lines_next_node(lines, n))
            ranks[n] = rank++;
        size_t count = list_blocks(lines, ranks, blocks);
        struct block *sorted = blocks + lines->item_count;
        memcpy(sorted, blocks, count * sizeof *blocks);
        qsort(sorted, count, sizeof *sorted, by_rank);
        move_items(lines, blocks, sorted, count, items);
        if (lines->shares)
            lines_share(lines);
        status = lines_index(lines);
    }
    free(ranks);
    free(blocks);
    free(items);
    return status;
}
