/* What the walk that makes a graph asks the book: of a book of positions whether it has one, of a
 * book of lines what it says in the position of a game. */
#pragma once

#include "book/entry_table.h"
#include "chess/game.h"

struct graph_source {
    const struct book *book;
    const struct entry_table *table; /* NULL: a book of lines */
    bool mirrored;                   /* its keys are of positions with White to move */
    uint8_t *marks;                  /* of its keys: a bit for each, by their last bits */
    uint64_t mark_mask;
    struct game *game; /* the line to the node at hand, for a book of lines */
};

/* book: NULL for a table without a book. Errors: STATUS_NO_MEMORY; close it then, too. */
MUST_CHECK enum caxton_status graph_source_open(struct graph_source *source,
                                                const struct book *book,
                                                const struct entry_table *table);
void graph_source_close(struct graph_source *source); /* of {0}, too */

/* How many positions a book of positions has. */
size_t graph_source_positions(const struct graph_source *source);

/* May the book of positions have this one? False is certain, and soon found. */
bool graph_source_may_have(const struct graph_source *source, const struct position *pos);

/* From now on only the positions are there that `reached` has no bit for, by their first entries:
 * few of them are told from others much sooner than all. Not for a mirrored book. */
void graph_source_forget(struct graph_source *source, const uint8_t *reached);

/* Does the book of positions have this one? *at is its first entry then. */
bool graph_source_find(const struct graph_source *source, const struct position *pos, size_t *at);

/* How many moves the positions have that `reached` has no bit for. */
size_t graph_source_unreached_moves(const struct graph_source *source, const uint8_t *reached);

/* What a book of lines knows in the position of source->game, with that game and without. Returns
 * how many; moves: MOVES_MAX of them. */
int graph_source_probe(const struct graph_source *source, struct book_move *moves);

/* The same of its non-book moves. */
int graph_source_non_book_moves(const struct graph_source *source, move *moves);

/* Does a book of lines have non-book moves after `m`? Errors: STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status graph_source_goes_on(const struct graph_source *source, move m,
                                                   bool *out);
