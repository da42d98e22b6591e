/* Reading a file of lines. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "book/formats/white/lines_reader.h"

/* Offsets of comments are 32 bits. */
enum { TEXT_MAX = 1 << 30 };

enum caxton_status lines_fail(struct lines_reader *reader, enum caxton_status status,
                              const char *at, const char *format, ...)
{
    char what[160];
    va_list args;
    va_start(args, format);
    int size = vsnprintf(what, sizeof what, format, args);
    va_end(args);
    diag_set(&reader->fault, reader->number, (size_t)(at - reader->line) + 1, "line %zu, %s",
             reader->number, size < 0 ? "fault" : what);
    reader->fault.offset = (size_t)(at - reader->lines->text);
    reader->status = status;
    return status;
}

const char *lines_shown(struct span text, char out[LINES_SHOWN_MAX])
{
    text_copy(out, LINES_SHOWN_MAX, text);
    for (size_t i = 0; i < LINES_SHOWN_MAX - 1 && i < text.size; i++)
        if (out[i] < ' ' || out[i] > '~')
            out[i] = '?';
    if (text.size > LINES_SHOWN_MAX - 1)
        memcpy(out + LINES_SHOWN_MAX - 4, "...", 4);
    return out;
}

static enum caxton_status read_content(struct lines_reader *reader, struct span content,
                                       struct lines_item *item, enum lines_kind *kind)
{
    static const struct {
        const char *word;
        enum lines_kind kind;
        enum caxton_status (*read)(struct lines_reader *, struct span);
    } settings[] = {
        {"lines", LINES_ITEM_STYLE, lines_read_style},
        {"start", LINES_ITEM_START, lines_read_start},
        {"prefer", LINES_ITEM_PREFER, lines_read_prefer},
        {"transpose", LINES_ITEM_TRANSPOSE, lines_read_transpose},
        {"otherwise", LINES_ITEM_OTHERWISE, lines_read_otherwise},
    };
    const unsigned lines_seen =
        1u << LINES_ITEM_OTHERWISE | 1u << LINES_ITEM_MOVES | 1u << LINES_ITEM_REWRITE;
    struct span rest = content;
    struct span word = span_token(&rest);
    *kind = LINES_ITEM_NOTE;
    if (!word.size)
        return STATUS_OK;
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        if (!span_equal_nocase(word, settings[i].word))
            continue;
        *kind = settings[i].kind;
        if (reader->seen & 1u << *kind)
            return lines_fail(reader, STATUS_SYNTAX, word.data, "`%s` stands here a second time",
                              settings[i].word);
        if (*kind != LINES_ITEM_OTHERWISE && (reader->seen & lines_seen))
            return lines_fail(reader, STATUS_SYNTAX, word.data, "`%s` must stand before the lines",
                              settings[i].word);
        return settings[i].read(reader, rest);
    }
    return lines_read_orders(reader, content, item, kind);
}

const char *lines_comment(struct span line)
{
    struct span rest = line;
    struct span word = span_token(&rest);
    if (word.size && word.data[0] == '#')
        return word.data;
    return line.size ? memchr(line.data, ';', line.size) : NULL;
}

static enum caxton_status read_line(struct lines_reader *reader, struct span line)
{
    const char *sign = lines_comment(line);
    size_t size = sign ? (size_t)(sign - line.data) : line.size;
    struct span content = span_trim(span_make(line.data, size));
    struct lines_item item = {.node = 0};
    enum lines_kind kind;
    enum caxton_status status = read_content(reader, content, &item, &kind);
    if (kind != LINES_ITEM_NOTE)
        reader->seen |= 1u << kind;
    /* A faulty line keeps its place, so that the numbers of the others stay. */
    item.kind = status == STATUS_OK ? kind : LINES_ITEM_NOTE;
    if (sign) {
        const char *note = content.size ? content.data + content.size : line.data;
        item.note = (uint32_t)(note - reader->lines->text);
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

/* *status is that of a fault. Goes on when there is a `visit` that wants to. */
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
        reader->line = lines->text;
        status = lines_fail(reader, STATUS_SYNTAX, lines->text,
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
    static const char mark[] = "\xEF\xBB\xBF";
    struct span rest = span_make(reader->lines->text, size);
    if (size >= 3 && memcmp(rest.data, mark, 3) == 0)
        rest = span_from(rest, 3);
    enum caxton_status status = STATUS_OK;
    while (rest.size) {
        const char *end = memchr(rest.data, '\n', rest.size);
        size_t length = end ? (size_t)(end - rest.data) : rest.size;
        struct span line = span_make(rest.data, length);
        while (line.size && line.data[line.size - 1] == '\r')
            line.size--;
        reader->line = rest.data;
        reader->number++;
        status = read_line(reader, line);
        if (!goes_on(reader, visit, context, &status))
            return status;
        rest = span_make(rest.data + length + (end ? 1 : 0), rest.size - length - (end ? 1 : 0));
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
