/* What the formats that read positions into a keyed array have in common: everything but reading.
 */
#ifndef CAXTON_BOOK_KEYED_BOOK_H
#define CAXTON_BOOK_KEYED_BOOK_H

#include "book/book_move.h"
#include "book/format.h"
#include "book/keyed.h"

/* What a reader fills. */
struct keyed_input {
    struct keyed_list list;
    size_t moves;           /* read, each as often as it is there */
    struct position *roots; /* see struct book_format */
    size_t root_count;
    size_t root_capacity;
    book_fault_sink sink;
    void *context;
    size_t faults;
};

/* Reads any bytes. What is faulty goes to keyed_input_fault() and is stepped over.
 * Errors: STATUS_NO_MEMORY. */
typedef enum caxton_status (*keyed_reader)(const uint8_t *bytes, size_t size,
                                           struct keyed_input *input);

/* line, column, offset: 0 = not known. */
void keyed_input_fault(struct keyed_input *input, enum book_fault fault, size_t line, size_t column,
                       size_t offset, const char *format, ...)
    __attribute__((format(printf, 6, 7)));

/* The fault of a move that could not be read: status is what a function of chess/notation.h said.
 */
enum book_fault keyed_fault_of(enum caxton_status status);
const char *keyed_fault_text(enum caxton_status status); /* "is illegal in", ... */

MUST_CHECK enum caxton_status keyed_input_root(struct keyed_input *input,
                                               const struct position *pos);

/* As struct book_format.open, by `reader`. Faults become one warning; a file with nothing but
 * faults, or without a move, is refused: STATUS_FORMAT. */
MUST_CHECK enum caxton_status keyed_book_open(keyed_reader reader, const uint8_t *bytes,
                                              size_t size, const char *name, void **state,
                                              struct diag *diag);
/* A state of entries and roots that are there already; takes both over. NULL without memory, then
 * they stay the caller's. */
void *keyed_book_state(struct keyed_list *list, struct position *roots, size_t root_count);

/* A format for books that are made in memory, with states of keyed_book_state(). It recognises
 * nothing. */
extern const struct book_format keyed_memory_format;

/* As struct book_format.check, by `reader`. */
MUST_CHECK enum caxton_status keyed_book_check(keyed_reader reader, const uint8_t *bytes,
                                               size_t size, book_fault_sink sink, void *context);

/* The other functions of struct book_format. */
void keyed_book_close(void *state);
const char *keyed_book_warning(const void *state);
size_t keyed_book_move_count(const void *state);
int keyed_book_probe(const void *state, const struct position *pos, const struct game *game,
                     struct book_move *out);
const struct keyed *keyed_book_keyed(const void *state);
size_t keyed_book_root_count(const void *state);
void keyed_book_root(const void *state, size_t index, struct position *out);

#define KEYED_BOOK_FUNCTIONS                                                                       \
    .close = keyed_book_close, .warning = keyed_book_warning, .move_count = keyed_book_move_count, \
    .probe = keyed_book_probe, .keyed = keyed_book_keyed, .root_count = keyed_book_root_count,     \
    .root = keyed_book_root

#endif
