#include "book/formats/white/lines_format.h"

#include <string.h>

#include "book/book.h"
#include "book/formats/white/lines_add.h"
#include "book/formats/white/lines_copy.h"
#include "book/formats/white/lines_from_book.h"
#include "book/formats/white/lines_probe.h"
#include "book/formats/white/lines_read.h"
#include "book/formats/white/lines_verify.h"
#include "book/formats/white/lines_word.h"

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

/* The first fault, and how many there are. */
struct faults {
    struct diag first;
    size_t count;
};

static bool count_fault(void *context, const struct lines_finding *finding)
{
    struct faults *faults = context;
    if (faults->count++ == 0)
        lines_finding_diag(finding, &faults->first);
    return true;
}

static bool is_empty(const struct lines *lines)
{
    return lines_size(lines).lines == 0 && lines->reply == MOVE_NONE;
}

/* Reads what is sound. */
static enum caxton_status open_damaged(struct book *book, const char *text, size_t size,
                                       struct lines **out)
{
    enum { WARNING_MAX = 200 };
    struct faults faults = {.count = 0};
    struct lines *lines;
    enum caxton_status status = lines_parse_all(text, size, count_fault, &faults, &lines);
    if (status != STATUS_OK)
        return status;
    if (is_empty(lines)) {
        lines_destroy(lines);
        return STATUS_FORMAT;
    }
    struct text_buffer warning = text_buffer_on(book->warning, WARNING_MAX);
    text_append(&warning, "%.60s: line %zu, %s", book->name, faults.first.line, faults.first.text);
    if (faults.count > 1)
        text_append(&warning, " (and %zu more)", faults.count - 1);
    *out = lines;
    return STATUS_OK;
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

static enum caxton_status open_text(struct book *book, const uint8_t *bytes, size_t size,
                                    struct diag *diag)
{
    const char *text = (const char *)bytes;
    struct lines *lines;
    struct diag fault;
    enum caxton_status status = lines_parse(text, size, &lines, &fault);
    if (status != STATUS_OK && status != STATUS_NO_MEMORY)
        status = open_damaged(book, text, size, &lines);
    if (status == STATUS_OK) {
        fill(book, lines);
        return STATUS_OK;
    }
    diag_set(diag, fault.line, fault.column, "%.60s: %s", book->name, fault.text);
    if (diag)
        diag->offset = fault.offset;
    return status == STATUS_NO_MEMORY ? status : STATUS_FORMAT;
}

static void close_text(void *state)
{
    lines_destroy(state);
}

struct sink {
    book_fault_sink sink;
    void *context;
};

static bool pass_on(void *context, const struct lines_finding *finding)
{
    const struct sink *sink = context;
    struct diag diag;
    lines_finding_diag(finding, &diag);
    sink->sink(sink->context, lines_finding_kind(finding), &diag, finding->offer);
    return true;
}

static enum caxton_status check(const struct book_format *format, const uint8_t *bytes, size_t size,
                                book_fault_sink sink, void *context)
{
    (void)format;
    struct sink all = {sink, context};
    enum caxton_status status = lines_verify((const char *)bytes, size, pass_on, &all);
    return status == STATUS_NO_MEMORY ? status : STATUS_OK; /* too long: open() says so */
}

static enum caxton_status write_book(const struct book *book, FILE *out, struct book_losses *losses,
                                     struct diag *diag)
{
    if (book->format == &lines_format)
        return lines_copy(book, out, losses, diag);
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
    .repair = lines_repair,
    .recognises = recognises,
    .open = open_text,
    .close = close_text,
    .probe = lines_probe,
    .non_book_moves = lines_non_book_moves,
    .hint = lines_hint,
    .check = check,
    .add = lines_add,
};
