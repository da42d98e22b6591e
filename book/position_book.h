/* A book of positions: what the kinds that hold positions, not lines, have in common. Each of them
 * brings a reader that fills an entry table; all else is here. */
#pragma once

#include "book/book_move.h"
#include "book/entry_table.h"
#include "book/format.h"

/* What a reader fills. */
struct book_input {
    struct entry_list list;
    size_t comments;        /* comments, names and marks that only this kind of file keeps */
    struct position *roots; /* see struct book */
    size_t root_count;
    size_t root_capacity;
    const char *text;       /* what readers of text are at: the file, */
    const char *line_start; /* where its line begins, */
    size_t line;            /* and its number, from 1 */
    book_fault_sink sink;
    void *context;
    size_t faults;
    void *extra; /* the format's own, of position_book_open_with() */
};

/* line, column, offset: 0 = not known. */
void book_input_fault(struct book_input *input, enum book_fault fault, size_t line, size_t column,
                      size_t offset, const char *format, ...) __attribute__((format(printf, 6, 7)));

/* Of text: at `at` in the line of the input. */
void book_input_fault_at(struct book_input *input, enum book_fault fault, const char *at,
                         const char *what);
/* The same of the word of a move that could not be read in `pos`; status: see below. */
void book_input_fault_move(struct book_input *input, const struct position *pos, struct span word,
                           enum caxton_status status);

/* The fault of a move that could not be read: status is what a function of chess/notation.h said.
 */
enum book_fault book_fault_of(enum caxton_status status);
const char *book_fault_text(enum caxton_status status); /* "is illegal in", ... */

/* A book_fault_sink. context: a struct diag, its text "" before; it gets the first fault. */
void book_fault_take_first(void *context, enum book_fault fault, const struct diag *diag,
                           const char *offer);

MUST_CHECK enum caxton_status book_input_root(struct book_input *input, const struct position *pos);

/* A book of entries and roots that are there already; takes both over. NULL without memory, then
 * they stay the caller's. */
struct book *position_book_create(struct entry_list *list, struct position *roots,
                                  size_t root_count, const char *name);

/* Functions of struct book_format. Such a format has a `read`, which fills the input out of any
 * bytes. What is faulty goes to book_input_fault() and is stepped over; its errors:
 * STATUS_NO_MEMORY. Opening makes one warning of the faults, and refuses a file with nothing but
 * faults, or without a move: STATUS_FORMAT. */
MUST_CHECK enum caxton_status position_book_open(struct book *book, const uint8_t *bytes,
                                                 size_t size, struct diag *diag);
/* The same with something for `read` to fill beside the entries. */
MUST_CHECK enum caxton_status position_book_open_with(struct book *book, const uint8_t *bytes,
                                                      size_t size, void *extra, struct diag *diag);
MUST_CHECK enum caxton_status position_book_check(const struct book_format *format,
                                                  const uint8_t *bytes, size_t size,
                                                  const struct position *root, book_fault_sink sink,
                                                  void *context);
void position_book_close(void *state);

#define POSITION_BOOK_FUNCTIONS                                                                    \
    .open = position_book_open, .check = position_book_check, .close = position_book_close
