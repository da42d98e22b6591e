/* Polyglot books: entries of sixteen bytes (book/polyglot.h), sorted by key, and nothing else.
 *
 * The format has no mark to know a book by. Opening wants whole entries, at least half of which
 * hold a move that some piece could make on an empty board. Unsorted entries are sorted in memory.
 * What it cannot hold: weights above 65535 (a position's are scaled in proportion), the positions
 * themselves (keys only), comments. */
#ifndef CAXTON_BOOK_FORMATS_POLYGLOT_POLYGLOT_H
#define CAXTON_BOOK_FORMATS_POLYGLOT_POLYGLOT_H

#include <stdio.h>

#include "book/format.h"
#include "book/polyglot_entry.h"

extern const struct book_format polyglot_format;

/* The index-th entry in the order of the file. */
struct polyglot_entry polyglot_format_entry(const void *state, size_t index);

/* As struct book_writer.write: every entry, reached by lines or not, sorted, each move once. Where
 * a position's largest weight does not fit 16 bits all of it are scaled down in proportion,
 * rounded, and never to 0 but from 0. */
MUST_CHECK enum caxton_status polyglot_format_write(const struct book *book, FILE *out,
                                                    struct book_losses *losses, struct diag *diag);

/* Says of bytes that no other kind has recognised why they are no Polyglot book, not even one that
 * is cut or spoilt: they are empty, text, or more than half of the entries hold no possible move.
 * Opening and repair both ask. Errors: STATUS_FORMAT, `diag` (may be NULL) names what the file is
 * where that is known. */
MUST_CHECK enum caxton_status polyglot_refuse_others(const uint8_t *bytes, size_t size,
                                                     const char *name, struct diag *diag);

#endif
