/* Polyglot books: entries of 16 bytes (book/polyglot_entry.h), sorted by key, and nothing else.
 *
 * The format has no mark to recognise a book by. A book has entries, at least half of which hold a
 * move that some piece could make on an empty board. Unsorted entries are sorted in memory; of a
 * file that ends within an entry the others are used. Each costs a warning.
 * What it cannot hold: weights above 65535 (those of a position are scaled in proportion), the
 * positions themselves (it has their keys only), comments. */
#pragma once

#include <stdio.h>

#include "book/format.h"
#include "book/polyglot_entry.h"

extern const struct book_format polyglot_format;

/* Says of bytes that no other kind has recognised why they are no Polyglot book, not even one that
 * is cut or spoilt: they are empty, text, or more than half of the entries hold no possible move.
 * Opening and repair both ask. Errors: STATUS_FORMAT, `diag` (may be NULL) names what the file is
 * where that is known. */
MUST_CHECK enum caxton_status polyglot_refuse_others(const uint8_t *bytes, size_t size,
                                                     const char *name, struct diag *diag);

/* As struct book_format.check. reached: begins as {0} and gets what the shortest lines reach, of
 * all entries by key; to be destroyed, also after an error. */
MUST_CHECK enum caxton_status polyglot_check(const uint8_t *bytes, size_t size,
                                             const struct position *root, book_fault_sink sink,
                                             void *context, struct book_graph *reached);

/* Is the move from the king's square to `rook` castling, in a position that is known by its key
 * alone? Only certain signs count: another entry moves the rook, or the table, sorted by key, has
 * the position behind castling. */
bool polyglot_is_castling(const struct entry_table *table, uint64_t key, int from, int rook);

struct polyglot_report {
    size_t positions;
    size_t scaled; /* positions whose weights were scaled down */
    struct book_losses losses;
};

/* Writes entries, each move once, weights added. Where the largest of a position does not fit 16
 * bits, all its weights are scaled down in proportion; a positive one never becomes 0. Of a list
 * that is `unchecked`, lines from the starts of games or from `root` (NULL: none) are followed: in
 * the positions that they reach, illegal moves are left out, and castling written as the king's
 * journey (e1g1), found in some books, becomes king takes rook (e1h1). Elsewhere it does so if the
 * position behind it is in the list, and moves that no piece makes are left out. The bytes depend
 * on the entries alone, not on their order. keep: the list, which is sorted by key, is written as
 * it is if nothing changes. It holds what was written afterwards. report: begins as {0}. Errors:
 * STATUS_NO_MEMORY, STATUS_IO, STATUS_NOT_FOUND (no move is legal); `diag` says which. */
struct entry_list;
MUST_CHECK enum caxton_status polyglot_write(struct entry_list *list, const struct position *root,
                                             bool keep, FILE *out, struct polyglot_report *report,
                                             struct diag *diag);

/* Writes the entries as they are; weights fit 16 bits. Errors: STATUS_IO. */
MUST_CHECK enum caxton_status polyglot_write_entries(const struct book_entry *entries, size_t count,
                                                     FILE *out);
