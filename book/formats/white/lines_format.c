#include "book/formats/white/lines_format.h"

#include <string.h>

#include "book/book.h"
#include "book/formats/white/lines_from_book.h"
#include "book/formats/white/lines_order.h"
#include "book/formats/white/lines_probe.h"
#include "book/formats/white/lines_read.h"
#include "book/formats/white/lines_verify.h"
#include "book/formats/white/lines_word.h"
#include "book/formats/white/lines_write.h"

/* Four characters that name two squares, or SAN. */
static bool looks_like_a_move(struct span word)
{
    struct position start;
    move m;
    if (word.size > 2 && word.data[0] == '(')
        word = span_make(word.data + 1, word.size - 1 - (word.data[word.size - 1] == ')'));
    struct span whole = word;
    const char *colon = word.size ? memchr(word.data, ':', word.size) : NULL;
    if (colon)
        word.size = (size_t)(colon - word.data);
    position_start(&start);
    return lines_has_coordinates(whole) || move_from_san(&start, word, &m) != STATUS_SYNTAX;
}

/* A line whose second word is no FEN (some other text begins "Nf3 rnbqkbnr/..."). */
static bool looks_like_a_line(struct span content)
{
    static const char *const settings[] = {"start", "prefer", "transpose", "otherwise"};
    content = lines_after_number(content);
    struct span word = span_token(&content);
    struct span second = span_token(&content);
    if (span_equal_nocase(word, "lines"))
        for (int i = 0; i < LINES_STYLES; i++)
            if (span_equal_nocase(second, lines_style_names[i]))
                return true;
    for (int i = 0; i < 4; i++)
        if (span_equal_nocase(word, settings[i]))
            return second.size > 0;
    if (second.size && memchr(second.data, '/', second.size))
        return false;
    return looks_like_a_move(word);
}

/* By the first line that is not empty or a comment. */
static bool recognises(const uint8_t *bytes, size_t size)
{
    struct span rest = span_skip_bom(span_make((const char *)bytes, size));
    for (struct span line; span_line(&rest, &line);) {
        const char *sign = lines_comment(line);
        if (sign)
            line.size = (size_t)(sign - line.data); /* a comment may hold anything */
        if (!span_is_text(line))
            return false;
        line = span_trim(line);
        if (line.size)
            return looks_like_a_line(line);
    }
    return false;
}

static void fill(struct book *book, struct lines *lines)
{
    struct lines_size size = lines_size(lines);
    struct position standard;
    position_start(&standard);
    book->state = lines;
    book->move_count = size.moves_written - size.non_book_moves;
    for (size_t i = 0; i < lines->item_count; i++)
        book->comment_count += lines->items[i].note_size > 0;
    book->roots = &lines->start;
    book->root_count = lines->start.key != standard.key;
}

/* Takes what is sound. */
static enum caxton_status open_text(struct book *book, const uint8_t *bytes, size_t size,
                                    struct diag *diag)
{
    struct lines *lines;
    enum caxton_status status = lines_parse((const char *)bytes, size, NULL, NULL, &lines);
    if (status != STATUS_OK) {
        diag_set(diag, 0, 0, "%.60s: out of memory", book->name);
        return status;
    }
    const struct diag *fault = &lines->fault;
    bool is_empty = lines_size(lines).lines == 0 && lines->reply == MOVE_NONE;
    if (lines->faults && is_empty) {
        diag_set(diag, fault->line, fault->column, "%.60s: %s", book->name, fault->text);
        if (diag)
            diag->offset = fault->offset;
        lines_destroy(lines);
        return STATUS_FORMAT;
    }
    struct text_buffer warning = text_buffer_on(book->warning, sizeof book->warning);
    if (lines->faults)
        text_append(&warning, "%.60s: %s", book->name, fault->text);
    if (lines->faults > 1)
        text_append(&warning, " (and %zu more)", lines->faults - 1);
    fill(book, lines);
    return STATUS_OK;
}

static void close_text(void *state)
{
    lines_destroy(state);
}

static enum caxton_status check(const struct book_format *format, const uint8_t *bytes, size_t size,
                                book_fault_sink sink, void *context)
{
    (void)format;
    struct lines *lines;
    enum caxton_status status = lines_parse((const char *)bytes, size, sink, context, &lines);
    if (status != STATUS_OK)
        return status;
    status = lines_check(lines, sink, context);
    lines_destroy(lines);
    return status;
}

static void mark_fault(void *context, enum book_fault fault, const struct diag *diag,
                       const char *offer)
{
    struct lines *lines = context;
    (void)offer;
    lines->items[diag->line - 1].faulty |= fault < BOOK_REMARKS;
}

/* The file as it is, comments and all, with similar lines together. Lines at fault become comments.
 * share: front parts, even if the file does not. */
static enum caxton_status copy(const struct book *book, bool share, FILE *out, struct diag *diag)
{
    const struct lines *from = book->state;
    struct lines *lines = NULL;
    enum caxton_status status = lines_parse(from->text, from->text_size, NULL, NULL, &lines);
    if (status == STATUS_OK)
        status = lines_check(lines, mark_fault, lines);
    if (status == STATUS_OK) {
        for (size_t i = 0; i < lines->item_count; i++)
            if (lines->items[i].faulty)
                lines->items[i].kind = LINES_ITEM_NOTE;
        lines->shares |= share;
        status = lines_sort(lines);
    }
    if (status == STATUS_OK)
        status = lines_write(lines, out);
    if (status != STATUS_OK)
        diag_set(diag, 0, 0, "%s: %s", book->name, status_name(status));
    lines_destroy(lines);
    return status;
}

static enum caxton_status repair(const struct book *book, FILE *out, struct book_losses *losses,
                                 struct diag *diag)
{
    (void)losses;
    return copy(book, false, out, diag);
}

static enum caxton_status write_book(const struct book *book, FILE *out, struct book_losses *losses,
                                     struct diag *diag)
{
    if (book->format == &lines_format)
        return copy(book, true, out, diag);
    return lines_write_book(book, out, losses, diag);
}

static const struct book_writer writer = {.name = "lines",
                                          .about = "White's lines: text that a person edits",
                                          .keeps = BOOK_WEIGHTS | BOOK_UNPLAYED,
                                          .weight_max = UINT32_MAX,
                                          .write = write_book};

const struct book_format lines_format = {
    .name = "White's lines",
    .extension = "lines",
    .is_text = true,
    .is_lines = true,
    .writers = &writer,
    .writer_count = 1,
    .repair = repair,
    .recognises = recognises,
    .open = open_text,
    .close = close_text,
    .probe = lines_probe,
    .non_book_moves = lines_non_book_moves,
    .hint = lines_hint,
    .check = check,
    .add = lines_add,
};
