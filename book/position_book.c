#include "book/position_book.h"
#include "book/book_move.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "chess/fen.h"

enum { WARNING_MAX = 400 };

struct position_book {
    struct entry_table table;
    size_t comments;
    struct position *roots;
    size_t root_count;
    char warning[WARNING_MAX];
};

void book_input_fault(struct book_input *input, enum book_fault fault, size_t line, size_t column,
                      size_t offset, const char *format, ...)
{
    struct diag diag = {.line = line, .column = column, .offset = offset};
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(diag.text, sizeof diag.text, format, arguments);
    va_end(arguments);
    /* Words of the file may hold what a terminal minds. */
    for (char *c = diag.text; *c; c++)
        if (*c < ' ' || *c > '~')
            *c = '?';
    input->faults++;
    input->sink(input->context, fault, &diag, NULL);
}

void book_input_fault_at(struct book_input *input, enum book_fault fault, const char *at,
                         const char *what)
{
    book_input_fault(input, fault, input->line, (size_t)(at - input->line_start) + 1,
                     (size_t)(at - input->text), "%s", what);
}

void book_input_fault_move(struct book_input *input, const struct position *pos, struct span word,
                           enum caxton_status status)
{
    char fen[FEN_MAX];
    char what[200];
    fen_format(pos, fen);
    (void)snprintf(what, sizeof what, "%.*s %s %s", word.size < 20 ? (int)word.size : 20, word.data,
                   book_fault_text(status), fen);
    book_input_fault_at(input, book_fault_of(status), word.data, what);
}

enum book_fault book_fault_of(enum caxton_status status)
{
    return status == STATUS_ILLEGAL     ? BOOK_FAULT_ILLEGAL
           : status == STATUS_AMBIGUOUS ? BOOK_FAULT_AMBIGUOUS
                                        : BOOK_FAULT_SYNTAX;
}

const char *book_fault_text(enum caxton_status status)
{
    return status == STATUS_ILLEGAL     ? "is illegal in"
           : status == STATUS_AMBIGUOUS ? "can be more than one move in"
                                        : "is no move:";
}

enum caxton_status book_input_root(struct book_input *input, const struct position *pos)
{
    if (input->root_count > 0 && input->roots[input->root_count - 1].key == pos->key)
        return STATUS_OK;
    if (!ARRAY_GROW(input->roots, input->root_capacity, input->root_count + 1))
        return STATUS_NO_MEMORY;
    input->roots[input->root_count++] = *pos;
    return STATUS_OK;
}

/* Remembers the first fault. */
static void take_first(void *context, enum book_fault fault, const struct diag *diag,
                       const char *offer)
{
    (void)offer;
    struct diag *first = context;
    (void)fault;
    if (!*first->text)
        *first = *diag;
}

/* "NAME:LINE:COLUMN: TEXT", as far as they are known. */
static void place_text(char out[WARNING_MAX], const char *name, const struct diag *diag)
{
    struct text_buffer text = text_buffer_on(out, WARNING_MAX);
    text_append(&text, "%.120s", name);
    if (diag->line)
        text_append(&text, ":%zu", diag->line);
    if (diag->line && diag->column)
        text_append(&text, ":%zu", diag->column);
    text_append(&text, ": %s", diag->text);
}

static void input_free(struct book_input *input)
{
    entry_list_free(&input->list);
    free(input->roots);
}

void *position_book_state(struct entry_list *list, struct position *roots, size_t root_count)
{
    struct position_book *book = calloc(1, sizeof *book);
    if (!book)
        return NULL;
    book->table = entry_table_from_list(list);
    book->roots = roots;
    book->root_count = root_count;
    return book;
}

/* What the file had to say, into `diag`; the same that a warning would be. */
static enum caxton_status refuse(const char *name, const struct diag *first, struct diag *diag)
{
    char text[WARNING_MAX];
    struct diag nothing = {.text = "no move in it"};
    const struct diag *why = *first->text ? first : &nothing;
    place_text(text, name, why);
    diag_set(diag, why->line, why->column, "%s", text);
    if (diag)
        diag->offset = why->offset;
    return STATUS_FORMAT;
}

enum caxton_status position_book_open(const struct book_format *format, const uint8_t *bytes,
                                      size_t size, const char *name, void **state,
                                      struct diag *diag)
{
    struct diag first = {.text = ""};
    struct book_input input = {.sink = take_first, .context = &first};
    enum caxton_status status = format->read(bytes, size, &input);
    if (status == STATUS_OK && input.list.count == 0) {
        input_free(&input);
        return refuse(name, &first, diag);
    }
    struct position_book *book = NULL;
    if (status == STATUS_OK)
        book = position_book_state(&input.list, input.roots, input.root_count);
    if (!book) {
        input_free(&input);
        diag_set(diag, 0, 0, "%s: out of memory", name);
        return STATUS_NO_MEMORY;
    }
    book->comments = input.comments;
    if (input.faults) {
        char text[WARNING_MAX];
        place_text(text, name, &first);
        (void)snprintf(book->warning, sizeof book->warning, "%.340s (faults: %zu)", text,
                       input.faults);
    }
    *state = book;
    return STATUS_OK;
}

enum caxton_status position_book_check(const struct book_format *format, const uint8_t *bytes,
                                       size_t size, book_fault_sink sink, void *context)
{
    struct book_input input = {.list = {.separate = true}, .sink = sink, .context = context};
    enum caxton_status status = format->read(bytes, size, &input);
    input_free(&input);
    return status;
}

void position_book_close(void *state)
{
    struct position_book *book = state;
    entry_table_free(&book->table);
    free(book->roots);
    free(book);
}

const char *position_book_warning(const void *state)
{
    const struct position_book *book = state;
    return book->warning;
}

size_t position_book_comment_count(const void *state)
{
    const struct position_book *book = state;
    return book->comments;
}

const struct entry_table *position_book_table(const void *state)
{
    const struct position_book *book = state;
    return &book->table;
}

size_t position_book_root_count(const void *state)
{
    const struct position_book *book = state;
    return book->root_count;
}

void position_book_root(const void *state, size_t index, struct position *out)
{
    const struct position_book *book = state;
    *out = book->roots[index];
}

const struct book_format memory_book_format = {
    .name = "memory", .extension = "", POSITION_BOOK_FUNCTIONS};
