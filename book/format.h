/* What a kind of book file can do. Private to book/: users open books by open/open.h, which takes
 * the first of the kinds in open/formats.c that recognises the bytes. */
#ifndef CAXTON_BOOK_FORMAT_H
#define CAXTON_BOOK_FORMAT_H

#include <stdio.h>

#include "base/text.h"
#include "book/book_move.h"
#include "book/fault.h"
#include "chess/game.h"

struct book;
struct entry_table;

/* A legal move of a position, and the weight that a book is to give it. */
struct book_addition {
    struct position pos;
    move m;
    uint32_t weight;
};

struct book_format {
    const char *name;      /* as a person says it: "Polyglot", "Thompson tree" */
    const char *extension; /* of the files that are written, without the point: "bin", "tree" */

    /* Are the bytes such a book, whole or damaged? By a magic number or by the first lines. */
    bool (*recognises)(const uint8_t *bytes, size_t size);

    /* *state is what the functions below get. The bytes stay as they are until close(); they are
     * any bytes at all, so that open() works in time and memory that its size bounds. `name` is
     * for messages and stays, too.
     * Errors: STATUS_FORMAT, STATUS_NO_MEMORY; `diag` (may be NULL) says "NAME: what and where". */
    enum caxton_status (*open)(const uint8_t *bytes, size_t size, const char *name, void **state,
                               struct diag *diag);
    void (*close)(void *state);

    /* A one-line remark about the file, "" for none. */
    const char *(*warning)(const void *state);

    /* How many moves the file holds, each as often as it is written there. */
    size_t (*move_count)(const void *state);

    /* The legal moves that the book knows in `pos`, each once, in any order, never more than
     * MOVES_MAX; returns how many. game: how the position came about, NULL when nobody knows;
     * books that keep lines follow it, those that keep positions need not look. Any thread may
     * ask at any time. */
    int (*probe)(const void *state, const struct position *pos, const struct game *game,
                 struct book_move *out);

    /* What follows may be NULL. */

    /* Its entries by position. A format without it keeps lines only. */
    const struct entry_table *(*table)(const void *state);

    /* As table, of a book that has each position as if White were to move: one with Black to move
     * is found by position_mirror_key(), and its moves are mirrored. Such a book has no table. */
    const struct entry_table *(*mirrored)(const void *state);

    /* Moves in `pos` that lines of the file lead through and that the book itself does not play;
     * they are written and counted like those of probe(). */
    int (*non_book_moves)(const void *state, const struct position *pos, const struct game *game,
                          move *out);

    /* The reply that the file expects to the legal move `m`, MOVE_NONE for none. Without it, that
     * is the heaviest that probe() has there. */
    move (*hint)(const void *state, const struct position *pos, const struct game *game, move m);

    /* Positions that the file names beside the standard start: root(index), index < root_count().
     * What the book knows is reached from them. */
    size_t (*root_count)(const void *state);
    void (*root)(const void *state, size_t index, struct position *out);

    /* Names every fault of the bytes, those that open() steps over included. Without it open() says
     * all that can be said. Errors: STATUS_NO_MEMORY. */
    enum caxton_status (*check)(const uint8_t *bytes, size_t size, book_fault_sink sink,
                                void *context);

    /* For books that people write: the file again with that move of that weight, all else as it
     * was, comments and faults included. Other books are written anew from what they know.
     * Errors: STATUS_NO_MEMORY, and what `diag` tells of: STATUS_NOT_FOUND (no place for the
     * position), STATUS_RANGE (or for the weight), others for a file that is at fault. */
    enum caxton_status (*add)(const uint8_t *bytes, size_t size,
                              const struct book_addition *addition, FILE *out, struct diag *diag);
};

#endif
