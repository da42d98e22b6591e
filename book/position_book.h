/* A book of positions: what the kinds that hold positions, not lines, have in common. Each of them
 * brings a reader that fills an entry table; all else is here. */
#ifndef CAXTON_BOOK_POSITION_BOOK_H
#define CAXTON_BOOK_POSITION_BOOK_H

#include "book/book_move.h"
#include "book/entry_table.h"
#include "book/format.h"

/* What a reader fills. */
struct book_input {
    struct entry_list list;
    size_t comments;        /* comments, names and marks that only this kind of file keeps */
    struct position *roots; /* see struct book_format */
    size_t root_count;
    size_t root_capacity;
    book_fault_sink sink;
    void *context;
    size_t faults;
};

/* Reads any bytes. What is faulty goes to book_input_fault() and is stepped over.
 * Errors: STATUS_NO_MEMORY. */
typedef enum caxton_status (*book_reader)(const uint8_t *bytes, size_t size,
                                          struct book_input *input);

/* line, column, offset: 0 = not known. */
void book_input_fault(struct book_input *input, enum book_fault fault, size_t line, size_t column,
                      size_t offset, const char *format, ...) __attribute__((format(printf, 6, 7)));

/* The fault of a move that could not be read: status is what a function of chess/notation.h said.
 */
enum book_fault book_fault_of(enum caxton_status status);
const char *book_fault_text(enum caxton_status status); /* "is illegal in", ... */

MUST_CHECK enum caxton_status book_input_root(struct book_input *input, const struct position *pos);

/* As struct book_format.open, by `reader`. Faults become one warning; a file with nothing but
 * faults, or without a move, is refused: STATUS_FORMAT. */
MUST_CHECK enum caxton_status position_book_open(book_reader reader, const uint8_t *bytes,
                                                 size_t size, const char *name, void **state,
                                                 struct diag *diag);
/* A state of entries and roots that are there already; takes both over. NULL without memory, then
 * they stay the caller's. */
void *position_book_state(struct entry_list *list, struct position *roots, size_t root_count);

/* A format for books that are made in memory, with states of position_book_state(). It recognises
 * nothing. */
extern const struct book_format memory_book_format;

/* As struct book_format.check, by `reader`. */
MUST_CHECK enum caxton_status position_book_check(book_reader reader, const uint8_t *bytes,
                                                  size_t size, book_fault_sink sink, void *context);

/* The other functions of struct book_format. */
void position_book_close(void *state);
const char *position_book_warning(const void *state);
size_t position_book_move_count(const void *state);
size_t position_book_comment_count(const void *state);
int position_book_probe(const void *state, const struct position *pos, const struct game *game,
                        struct book_move *out);
const struct entry_table *position_book_table(const void *state);
size_t position_book_root_count(const void *state);
void position_book_root(const void *state, size_t index, struct position *out);

#define POSITION_BOOK_FUNCTIONS                                                                    \
    .close = position_book_close, .warning = position_book_warning,                                \
    .move_count = position_book_move_count, .probe = position_book_probe,                          \
    .table = position_book_table, .root_count = position_book_root_count,                          \
    .root = position_book_root, .comment_count = position_book_comment_count

#endif
