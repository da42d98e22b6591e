#include "book/formats/white/lines_write.h"

#include <stdlib.h>
#include <string.h>

#include "book/formats/white/lines_word.h"
#include "chess/fen.h"

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
struct line_block {
    uint32_t rank;
    uint32_t first;
    uint32_t count;
};

static int by_rank(const void *left, const void *right)
{
    const struct line_block *a = left;
    const struct line_block *b = right;
    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    return a->first < b->first ? -1 : a->first > b->first;
}

/* Is the item a comment that belongs to the line below it? */
static bool is_comment(const struct lines_item *item)
{
    return item->kind == LINES_ITEM_NOTE && (item->note_size > 0 || item->faulty);
}

static size_t list_blocks(const struct lines *lines, const uint32_t *ranks, struct line_block *out)
{
    size_t count = 0;
    size_t first = 0; /* of the comments that stand right above */
    for (size_t i = 0; i < lines->item_count; i++) {
        const struct lines_item *item = &lines->items[i];
        if (is_comment(item))
            continue;
        if (item->kind == LINES_ITEM_MOVES)
            out[count++] =
                (struct line_block){ranks[item->node], (uint32_t)first, (uint32_t)(i - first + 1)};
        first = i + 1;
    }
    return count;
}

/* Puts the blocks of `sorted` into the places where those of `blocks` stand. */
static void move_items(struct lines *lines, const struct line_block *blocks,
                       const struct line_block *sorted, size_t count, struct lines_item *items)
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
    struct line_block *blocks = malloc(2 * lines->item_count * sizeof *blocks);
    struct lines_item *items = malloc(lines->item_count * sizeof *items);
    enum caxton_status status = STATUS_NO_MEMORY;
    if (ranks && blocks && items) {
        uint32_t rank = 0;
        for (uint32_t n = 0; n != LINES_NONE; n = lines_next_node(lines, n))
            ranks[n] = rank++;
        size_t count = list_blocks(lines, ranks, blocks);
        struct line_block *sorted = blocks + lines->item_count;
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

/* A rewrite has two sides of up to nine characters a move; a line of moves has weights, too. */
enum { LINE_MAX = LINES_PLIES_MAX * 24 + FEN_MAX };

/* What stands before a move; the first word of a line has no blank before it. */
static const char *blank(const struct lines *lines, bool first)
{
    return first || lines->style == LINES_WHITE ? "" : " ";
}

/* The moves of `path` behind the shared ones. item: whose line of moves they are, with brackets and
 * the weights of moves that this item writes first; LINES_NONE: a rewrite. */
static void append_moves(const struct lines *lines, const struct lines_path *path, int shared,
                         uint32_t item, struct text_buffer *out)
{
    bool marked = item != LINES_NONE;
    char text[SAN_MAX];
    if (shared)
        text_append(out, "*%d", lines->style == LINES_WHITE ? 2 * shared : shared);
    for (int i = shared; i < path->plies; i++) {
        const struct lines_node *node = &lines->nodes[path->nodes[i + 1]];
        lines_move_text(lines, &path->positions[i], node->m, text);
        text_append(out, marked && !node->played ? "%s(%s)" : "%s%s", blank(lines, i == 0), text);
        if (marked && node->has_weight && node->first == item)
            text_append(out, ":%lu", (unsigned long)node->weight);
    }
}

void lines_rewrite_text(const struct lines *lines, const struct lines_item *rewrite,
                        struct lines_path *left, struct lines_path *right, struct text_buffer *out)
{
    lines_path_seek(left, lines, rewrite->node);
    lines_path_seek(right, lines, rewrite->target);
    append_moves(lines, left, rewrite->shared, LINES_NONE, out);
    text_append(out, lines->style == LINES_WHITE ? "=" : " = ");
    append_moves(lines, right, rewrite->target_shared, LINES_NONE, out);
}

static void append_otherwise(const struct lines *lines, struct text_buffer *out)
{
    char text[SAN_MAX];
    /* As it stands: the shortest form may differ from one first move to another. */
    text_append(out, "otherwise %.*s", (int)lines->reply_size, lines->text + lines->reply_text);
    for (int i = 0; i < lines->except_count; i++) {
        lines_move_text(lines, &lines->start, lines->except[i], text);
        text_append(out, "%s %s", i ? "" : " except", text);
    }
}

static void append_content(const struct lines *lines, uint32_t index, struct lines_path *path,
                           struct lines_path *right, struct text_buffer *out)
{
    const struct lines_item *item = &lines->items[index];
    char fen[FEN_MAX];
    switch (item->kind) {
    case LINES_ITEM_NOTE:
        break;
    case LINES_ITEM_STYLE:
        text_append(out, "lines %s", lines_style_names[lines->style]);
        break;
    case LINES_ITEM_START:
        fen_format(&lines->start, fen);
        text_append(out, "start %s", fen);
        break;
    case LINES_ITEM_PREFER:
        text_append(out, "prefer %s %d%%", lines->prefer_later ? "later" : "earlier",
                    lines->prefer_percent);
        break;
    case LINES_ITEM_TRANSPOSE:
        text_append(out, "transpose %s", lines->listed ? "listed" : "any");
        break;
    case LINES_ITEM_OTHERWISE:
        append_otherwise(lines, out);
        break;
    case LINES_ITEM_MOVES:
        lines_path_seek(path, lines, item->node);
        append_moves(lines, path, item->shared, index, out);
        break;
    case LINES_ITEM_REWRITE:
        lines_rewrite_text(lines, item, path, right, out);
        break;
    }
}

/* A line at fault as a comment, so that nothing a person typed is lost. */
static void write_faulty(const struct lines *lines, const struct lines_item *item, FILE *file)
{
    const char *end = lines->text + lines->text_size;
    (void)fputs("; ", file);
    for (const char *c = lines->text + item->line; c < end && *c != '\n'; c++)
        (void)fputc((unsigned char)*c < ' ' && *c != '\t' ? ' ' : *c, file);
}

enum caxton_status lines_write(const struct lines *lines, FILE *file)
{
    size_t capacity = LINE_MAX + (size_t)lines->reply_size; /* which may be of any length */
    char *line = malloc(capacity);
    struct lines_path *paths = malloc(2 * sizeof *paths);
    enum caxton_status status = STATUS_NO_MEMORY;
    if (line && paths) {
        lines_path_begin(&paths[0], lines);
        lines_path_begin(&paths[1], lines);
        for (uint32_t i = 0; i < lines->item_count; i++) {
            const struct lines_item *item = &lines->items[i];
            struct text_buffer content = text_buffer_on(line, capacity);
            append_content(lines, i, &paths[0], &paths[1], &content);
            (void)fwrite(line, 1, content.size, file);
            if (item->kind == LINES_ITEM_NOTE && item->faulty)
                write_faulty(lines, item, file);
            else if (item->note_size)
                (void)fwrite(lines->text + item->note, 1, item->note_size, file);
            (void)fputc('\n', file);
        }
        status = ferror(file) ? STATUS_IO : STATUS_OK;
    }
    free(paths);
    free(line);
    return status;
}
