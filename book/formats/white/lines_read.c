#include "book/formats/white/lines_read.h"

#include <stdlib.h>
#include <string.h>

#include "book/formats/white/lines_moves.h"
#include "book/formats/white/lines_settings.h"
#include "book/formats/white/lines_word.h"

/* Offsets of comments are 32 bits. */
enum { TEXT_MAX = 1 << 30 };

static enum caxton_status read_content(struct lines_reader *reader, struct span content,
                                       struct lines_item *item, enum lines_kind *kind)
{
    enum caxton_status status = lines_read_setting(reader, content, kind);
    if (*kind != LINES_ITEM_NOTE || !content.size)
        return status;
    return lines_read_orders(reader, content, item, kind);
}

static enum caxton_status read_line(struct lines_reader *reader, struct span line)
{
    const char *sign = lines_comment(line);
    size_t size = sign ? (size_t)(sign - line.data) : line.size;
    struct span content = span_trim(span_make(line.data, size));
    const char *text = reader->lines->text;
    struct lines_item item = {.node = 0};
    enum lines_kind kind;
    enum caxton_status status = read_content(reader, content, &item, &kind);
    if (kind != LINES_ITEM_NOTE)
        reader->seen |= 1u << kind;
    /* A faulty line keeps its place, so that the numbers of the others stay. */
    item.kind = status == STATUS_OK ? kind : LINES_ITEM_NOTE;
    item.line = (uint32_t)(line.data - text);
    if (sign) {
        const char *note = content.size ? content.data + content.size : line.data;
        item.note = (uint32_t)(note - text);
        item.note_size = (uint32_t)(line.data + line.size - note);
    }
    reader->lines->shares |= item.shared || item.target_shared;
    enum caxton_status added = lines_add_item(reader->lines, &item);
    return status == STATUS_OK ? added : status;
}

/* Makes every jump lead to the end of its chain. True for one that leads round to itself. */
static bool settle_chain(struct lines *lines, uint32_t node, uint8_t *settled)
{
    enum { UNKNOWN, WAITING, SETTLED };
    uint32_t end = node;
    while (lines->nodes[end].jump != LINES_NONE && settled[end] == UNKNOWN) {
        settled[end] = WAITING;
        end = lines->nodes[end].jump;
    }
    bool circle = settled[end] == WAITING;
    if (settled[end] == SETTLED)
        end = lines->nodes[end].jump;
    while (settled[node] == WAITING) {
        uint32_t next = lines->nodes[node].jump;
        settled[node] = SETTLED;
        lines->nodes[node].jump = circle ? LINES_NONE : end;
        node = next;
    }
    return circle;
}

static bool report(const struct lines_reader *reader, lines_visit *visit, void *context)
{
    struct lines_finding finding = {
        .fault = LINES_FAULTY,
        .line = reader->fault.line,
        .column = reader->fault.column,
        .offset = reader->fault.offset,
        .status = reader->status,
        .text = reader->fault.text,
    };
    return visit(context, &finding);
}

/* *status is that of a fault. Goes on when there is a `visit` and it returns true. */
static bool goes_on(const struct lines_reader *reader, lines_visit *visit, void *context,
                    enum caxton_status *status)
{
    if (*status == STATUS_OK)
        return true;
    if (*status == STATUS_NO_MEMORY || !visit)
        return false;
    *status = STATUS_OK;
    if (report(reader, visit, context))
        return true;
    *status = STATUS_END;
    return false;
}

static enum caxton_status settle_jumps(struct lines_reader *reader, lines_visit *visit,
                                       void *context)
{
    struct lines *lines = reader->lines;
    uint8_t *settled = calloc(lines->node_count, 1);
    if (!settled)
        return STATUS_NO_MEMORY;
    enum caxton_status status = STATUS_OK;
    for (size_t i = 0; i < lines->item_count; i++) {
        if (lines->items[i].kind != LINES_ITEM_REWRITE ||
            !settle_chain(lines, lines->items[i].node, settled))
            continue;
        reader->number = i + 1;
        reader->line = lines->text + lines->items[i].line;
        status = lines_fail(reader, STATUS_SYNTAX, reader->line,
                            "rewrites lead in a circle, this one among them");
        if (!goes_on(reader, visit, context, &status))
            break;
    }
    free(settled);
    return status;
}

static enum caxton_status read_all(struct lines_reader *reader, size_t size, lines_visit *visit,
                                   void *context)
{
    struct span rest = span_skip_bom(span_make(reader->lines->text, size));
    struct span line;
    enum caxton_status status = STATUS_OK;
    while (span_line(&rest, &line)) {
        reader->line = line.data;
        reader->number++;
        status = read_line(reader, line);
        if (!goes_on(reader, visit, context, &status))
            return status;
    }
    status = settle_jumps(reader, visit, context);
    return status == STATUS_OK ? lines_index(reader->lines) : status;
}

/* visit: NULL to end at the first fault, which then is in `diag`. */
static enum caxton_status parse(const char *text, size_t size, lines_visit *visit, void *context,
                                struct lines **out, struct diag *diag)
{
    if (size > TEXT_MAX) {
        diag_set(diag, 0, 0, "a file of lines has no more than %d bytes", TEXT_MAX);
        return STATUS_RANGE;
    }
    struct lines_reader reader = {.lines = lines_create()};
    if (reader.lines) {
        reader.lines->text = malloc(size + 1);
        reader.moves = lines_path_create(reader.lines);
        reader.rewrites = lines_path_create(reader.lines);
    }
    enum caxton_status status = STATUS_NO_MEMORY;
    if (reader.lines && reader.lines->text && reader.moves && reader.rewrites) {
        memcpy(reader.lines->text, text, size);
        reader.lines->text_size = size;
        reader.lines->text[size] = '\0'; /* never read; keeps an empty file's pointer sound */
        status = read_all(&reader, size, visit, context);
    }
    free(reader.moves);
    free(reader.rewrites);
    if (status == STATUS_OK) {
        *out = reader.lines;
        return status;
    }
    if (status == STATUS_NO_MEMORY)
        diag_set(diag, 0, 0, "out of memory");
    else if (diag)
        *diag = reader.fault;
    lines_destroy(reader.lines);
    return status;
}

enum caxton_status lines_parse(const char *text, size_t size, struct lines **out, struct diag *diag)
{
    return parse(text, size, NULL, NULL, out, diag);
}

enum caxton_status lines_parse_all(const char *text, size_t size, lines_visit *visit, void *context,
                                   struct lines **out)
{
    return parse(text, size, visit, context, out, NULL);
}
