#include "book/formats/white/lines_write.h"

#include <stdlib.h>

#include "book/formats/white/lines_word.h"
#include "chess/fen.h"

/* A rewrite has two sides of up to nine characters a move; a line of moves has weights, too. */
enum { LINE_MAX = LINES_PLIES_MAX * 24 + FEN_MAX };

/* Moves to be written. */
struct part {
    const struct lines_path *path;
    int shared;
    uint32_t item;   /* whose line of moves they are, */
    bool with_marks; /* with brackets, and the weights of moves that this item writes first */
};

/* What stands before a move; the first word of a line has no blank before it. */
static const char *blank(const struct lines *lines, bool first)
{
    return first || lines->style == LINES_WHITE ? "" : " ";
}

static void append_moves(const struct lines *lines, struct part part, struct text_buffer *out)
{
    char text[SAN_MAX];
    if (part.shared)
        text_append(out, "*%d", lines->style == LINES_WHITE ? 2 * part.shared : part.shared);
    for (int i = part.shared; i < part.path->plies; i++) {
        const struct lines_node *node = &lines->nodes[part.path->nodes[i + 1]];
        lines_move_text(lines, &part.path->positions[i], node->m, text);
        text_append(out, part.with_marks && !node->played ? "%s(%s)" : "%s%s", blank(lines, i == 0),
                    text);
        if (part.with_marks && node->has_weight && node->first == part.item)
            text_append(out, ":%lu", (unsigned long)node->weight);
    }
}

static void append_rewrite(const struct lines *lines, struct part left, struct part right,
                           struct text_buffer *out)
{
    append_moves(lines, left, out);
    text_append(out, lines->style == LINES_WHITE ? "=" : " = ");
    append_moves(lines, right, out);
}

void lines_rewrite_text(const struct lines *lines, const struct lines_path *path,
                        struct lines_path *right, uint32_t target, struct text_buffer *out)
{
    (void)lines_path_seek(right, lines, target);
    int shared = 0;
    while (shared < path->plies && shared < right->plies &&
           path->nodes[shared + 1] == right->nodes[shared + 1])
        shared++;
    append_rewrite(lines, (struct part){.path = path},
                   (struct part){.path = right, .shared = shared}, out);
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

struct writer {
    const struct lines *lines;
    struct lines_path *path;
    struct lines_path *right; /* of a rewrite */
};

static void append_content(struct writer *writer, uint32_t index, struct text_buffer *out)
{
    const struct lines *lines = writer->lines;
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
        (void)lines_path_seek(writer->path, lines, item->node);
        append_moves(lines, (struct part){writer->path, item->shared, index, true}, out);
        break;
    case LINES_ITEM_REWRITE:
        (void)lines_path_seek(writer->path, lines, item->node);
        (void)lines_path_seek(writer->right, lines, item->target);
        append_rewrite(lines, (struct part){.path = writer->path, .shared = item->shared},
                       (struct part){.path = writer->right, .shared = item->target_shared}, out);
        break;
    }
}

enum caxton_status lines_write(const struct lines *lines, FILE *file)
{
    struct writer writer = {lines, lines_path_create(lines), lines_path_create(lines)};
    size_t capacity = LINE_MAX + (size_t)lines->reply_size; /* which may be of any length */
    char *line = malloc(capacity);
    enum caxton_status status = STATUS_NO_MEMORY;
    if (writer.path && writer.right && line) {
        for (size_t i = 0; i < lines->item_count; i++) {
            struct text_buffer content = text_buffer_on(line, capacity);
            append_content(&writer, (uint32_t)i, &content);
            (void)fwrite(line, 1, content.size, file);
            if (lines->items[i].note_size)
                (void)fwrite(lines->text + lines->items[i].note, 1, lines->items[i].note_size,
                             file);
            (void)fputc('\n', file);
        }
        status = ferror(file) ? STATUS_IO : STATUS_OK;
    }
    free(writer.path);
    free(writer.right);
    free(line);
    return status;
}
