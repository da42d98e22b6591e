/* Writing a file of lines, canonically. */
#include <stdlib.h>
#include <string.h>

#include "book/formats/white/lines_internal.h"
#include "chess/fen.h"

struct writer {
    const struct lines *lines;
    FILE *file;
    struct lines_path *path;
    struct lines_path *right; /* of a rewrite */
};

/* *n and moves; each is `first` at the front of a line, else it may want a blank before it. */
static const char *blank(const struct lines *lines, bool first)
{
    return first || lines->style == LINES_WHITE ? "" : " ";
}

void lines_move_text(const struct lines *lines, const struct position *pos, move m,
                     char out[SAN_MAX])
{
    if (lines->style == LINES_SAN)
        move_to_san(pos, m, out);
    else
        move_to_uci(m, lines->chess960, out);
}

/* n as the style counts it. */
static int shared_number(const struct lines *lines, int plies)
{
    return lines->style == LINES_WHITE ? 2 * plies : plies;
}

/* The moves of `path` behind the first `shared`; weights: with brackets, and with the weights that
 * are stated for moves that the line of this item writes first. */
static void write_moves(struct writer *writer, const struct lines_path *path, int shared,
                        uint32_t item, bool weights)
{
    const struct lines *lines = writer->lines;
    char text[SAN_MAX];
    if (shared)
        (void)fprintf(writer->file, "*%d", shared_number(lines, shared));
    for (int i = shared; i < path->plies; i++) {
        const struct lines_node *node = &lines->nodes[path->nodes[i + 1]];
        lines_move_text(lines, &path->positions[i], node->m, text);
        (void)fprintf(writer->file, weights && !node->played ? "%s(%s)" : "%s%s",
                      blank(lines, i == 0), text);
        if (weights && node->has_weight && node->first == item)
            (void)fprintf(writer->file, ":%lu", (unsigned long)node->weight);
    }
}

static void write_rewrite(struct writer *writer, const struct lines_item *item)
{
    const char *sign = writer->lines->style == LINES_WHITE ? "=" : " = ";
    (void)lines_path_seek(writer->path, writer->lines, item->node);
    (void)lines_path_seek(writer->right, writer->lines, item->target);
    write_moves(writer, writer->path, item->shared, 0, false);
    (void)fputs(sign, writer->file);
    write_moves(writer, writer->right, item->target_shared, 0, false);
}

static void write_otherwise(struct writer *writer)
{
    const struct lines *lines = writer->lines;
    char text[SAN_MAX];
    (void)fputs("otherwise ", writer->file);
    /* As it stands: the shortest form may differ from one first move to another. */
    (void)fwrite(lines->text + lines->reply_text, 1, lines->reply_size, writer->file);
    for (int i = 0; i < lines->except_count; i++) {
        lines_move_text(lines, &lines->start, lines->except[i], text);
        (void)fprintf(writer->file, "%s %s", i ? "" : " except", text);
    }
}

static void write_content(struct writer *writer, uint32_t index)
{
    static const char *const styles[] = {"san", "coordinate", "white"};
    const struct lines *lines = writer->lines;
    const struct lines_item *item = &lines->items[index];
    char fen[FEN_MAX];
    switch (item->kind) {
    case LINES_ITEM_NOTE:
        break;
    case LINES_ITEM_STYLE:
        (void)fprintf(writer->file, "lines %s", styles[lines->style]);
        break;
    case LINES_ITEM_START:
        fen_format(&lines->start, fen);
        (void)fprintf(writer->file, "start %s", fen);
        break;
    case LINES_ITEM_PREFER:
        (void)fprintf(writer->file, "prefer %s %d%%", lines->prefer_later ? "later" : "earlier",
                      lines->prefer_percent);
        break;
    case LINES_ITEM_TRANSPOSE:
        (void)fprintf(writer->file, "transpose %s", lines->listed ? "listed" : "any");
        break;
    case LINES_ITEM_OTHERWISE:
        write_otherwise(writer);
        break;
    case LINES_ITEM_MOVES:
        (void)lines_path_seek(writer->path, lines, item->node);
        write_moves(writer, writer->path, item->shared, index, true);
        break;
    case LINES_ITEM_REWRITE:
        write_rewrite(writer, item);
        break;
    }
}

enum caxton_status lines_write(const struct lines *lines, FILE *file)
{
    struct writer writer = {lines, file, lines_path_create(lines), lines_path_create(lines)};
    enum caxton_status status = STATUS_NO_MEMORY;
    if (writer.path && writer.right) {
        for (size_t i = 0; i < lines->item_count; i++) {
            write_content(&writer, (uint32_t)i);
            if (lines->items[i].note_size)
                (void)fwrite(lines->text + lines->items[i].note, 1, lines->items[i].note_size,
                             file);
            (void)fputc('\n', file);
        }
        status = ferror(file) ? STATUS_IO : STATUS_OK;
    }
    free(writer.path);
    free(writer.right);
    return status;
}

static void append_moves(const struct lines *lines, const struct lines_path *path, int shared,
                         struct text_buffer *out)
{
    char text[SAN_MAX];
    if (shared)
        text_append(out, "*%d", shared_number(lines, shared));
    for (int i = shared; i < path->plies; i++) {
        lines_move_text(lines, &path->positions[i], lines->nodes[path->nodes[i + 1]].m, text);
        text_append(out, "%s%s", blank(lines, i == 0), text);
    }
}

void lines_rewrite_text(const struct lines *lines, const struct lines_path *path,
                        struct lines_path *right, uint32_t target, struct text_buffer *out)
{
    (void)lines_path_seek(right, lines, target);
    int shared = 0;
    while (shared < path->plies && shared < right->plies &&
           path->nodes[shared + 1] == right->nodes[shared + 1])
        shared++;
    append_moves(lines, path, 0, out);
    text_append(out, lines->style == LINES_WHITE ? "=" : " = ");
    append_moves(lines, right, shared, out);
}

static void count_line(const struct lines_node *nodes, const struct lines_item *item,
                       struct lines_size *size)
{
    size_t written = nodes[item->node].plies - (size_t)item->shared;
    size->lines++;
    size->moves += nodes[item->node].plies;
    size->moves_written += written;
    size->shared_bytes += 2 * written + (item->shared > 0);
    uint32_t node = item->node;
    for (size_t i = 0; i < written; i++, node = nodes[node].parent)
        size->passages += !nodes[node].played;
}

struct lines_size lines_size(const struct lines *lines)
{
    struct lines_size size = {.lines = 0};
    for (size_t i = 0; i < lines->item_count; i++)
        if (lines->items[i].kind == LINES_ITEM_MOVES)
            count_line(lines->nodes, &lines->items[i], &size);
    size.plain_bytes = 2 * size.moves;
    return size;
}

struct position lines_start(const struct lines *lines)
{
    return lines->start;
}

enum lines_style lines_style(const struct lines *lines)
{
    return lines->style;
}
