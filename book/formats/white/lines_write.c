#include "book/formats/white/lines_write.h"

#include <stdlib.h>

#include "book/formats/white/lines_word.h"
#include "chess/fen.h"

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
