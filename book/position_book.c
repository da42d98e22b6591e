#include "book/position_book.h"
#include "book/book.h"
#include "book/book_move.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "chess/fen.h"

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

void book_fault_take_first(void *context, enum book_fault fault, const struct diag *diag,
                           const char *offer)
{
    (void)offer;
    struct diag *first = context;
    (void)fault;
    if (!*first->text)
        *first = *diag;
}

/* "NAME:LINE:COLUMN: TEXT", as far as they are known. */
static void place_text(char out[BOOK_WARNING_MAX], const char *name, const struct diag *diag)
{
    struct text_buffer text = text_buffer_on(out, BOOK_WARNING_MAX);
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

/* The state of such a book are its roots. */
static void fill(struct book *book, struct entry_list *list, struct position *roots,
                 size_t root_count)
{
    book->table = entry_table_from_list(list);
    book->move_count = book->table.count;
    book->state = roots;
    book->roots = roots;
    book->root_count = root_count;
}

/* What the file had to say, into `diag`; the same that a warning would be. */
static enum caxton_status refuse(const char *name, const struct diag *first, struct diag *diag)
{
    char text[BOOK_WARNING_MAX];
    struct diag nothing = {.text = "no move in it"};
    const struct diag *why = *first->text ? first : &nothing;
    place_text(text, name, why);
    diag_set(diag, why->line, why->column, "%s", text);
    if (diag)
        diag->offset = why->offset;
    return STATUS_FORMAT;
}

enum caxton_status position_book_open(struct book *book, const uint8_t *bytes, size_t size,
                                      struct diag *diag)
{
    return position_book_open_with(book, bytes, size, NULL, diag);
}

enum caxton_status position_book_open_with(struct book *book, const uint8_t *bytes, size_t size,
                                           void *extra, struct diag *diag)
{
    struct diag first = {.text = ""};
    struct book_input input = {.sink = book_fault_take_first, .context = &first, .extra = extra};
    enum caxton_status status = book->format->read(bytes, size, &input);
    if (status == STATUS_OK && input.list.count == 0)
        status = refuse(book->name, &first, diag);
    else if (status != STATUS_OK)
        diag_set(diag, 0, 0, "%s: out of memory", book->name);
    if (status != STATUS_OK) {
        input_free(&input);
        return status;
    }
    fill(book, &input.list, input.roots, input.root_count);
    book->comment_count = input.comments;
    if (input.faults) {
        char text[BOOK_WARNING_MAX];
        place_text(text, book->name, &first);
        (void)snprintf(book->warning, sizeof book->warning, "%.340s (faults: %zu)", text,
                       input.faults);
    }
    return STATUS_OK;
}

enum caxton_status position_book_check(const struct book_format *format, const uint8_t *bytes,
                                       size_t size, const struct position *root,
                                       book_fault_sink sink, void *context)
{
    (void)root;
    struct book_input input = {.list = {.separate = true}, .sink = sink, .context = context};
    enum caxton_status status = format->read(bytes, size, &input);
    input_free(&input);
    return status;
}

void position_book_close(void *state)
{
    free(state);
}

/* Books that are made in memory: no file is one. */
static const struct book_format memory_format = {
    .name = "memory", .extension = "", .close = position_book_close};

struct book *position_book_create(struct entry_list *list, struct position *roots,
                                  size_t root_count, const char *name)
{
    struct book *book = book_new(&memory_format, name);
    if (book)
        fill(book, list, roots, root_count);
    return book;
}
