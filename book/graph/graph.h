/* The positions of a book and the moves between them, found by walking: what lines reach.
 *
 * Walking begins at the standard start (or another root), then at each position that the book's
 * file names and no line has reached yet. It follows the moves of the book. A book of positions may
 * know the moves of one side only: where its own moves do not reach all of it, every legal move
 * that leads (back) into the book is followed as well, as a non-book move. A book of lines may say
 * itself what its non-book moves are. Each position is there once,
 * so that transpositions and repetitions end; the line to it is one of the shortest.
 *
 * Of a mirrored book (struct book_format.mirrored) the positions of both colours are in the graph.
 * A position that is reached with one of them is not unreached, whatever the other.
 *
 * A book of lines is asked with the shortest line to a position, and without any. */
#ifndef CAXTON_BOOK_GRAPH_GRAPH_H
#define CAXTON_BOOK_GRAPH_GRAPH_H

#include "book/graph/graph_nodes.h"

/* root: NULL for the standard start. Errors: STATUS_NO_MEMORY, STATUS_RANGE (more than
 * BOOK_GRAPH_EDGES_MAX); `diag` (may be NULL) says which. The caller destroys it. */
MUST_CHECK enum caxton_status book_graph_create(const struct book *book,
                                                const struct position *root, struct book_graph *out,
                                                struct diag *diag);
/* The same along the moves of the book alone and from `root` alone, which is a matter of what lies
 * behind it: `positions` are those that are found. */
MUST_CHECK enum caxton_status book_graph_create_own(const struct book *book,
                                                    const struct position *root,
                                                    struct book_graph *out, struct diag *diag);
/* The entries of a book of positions, NULL of another. *mirrored: as struct book_format says. */
struct entry_table;
const struct entry_table *book_graph_table(const struct book *book, bool *mirrored);

/* All moves of the book as entries, added to `list`: of a book of positions as they are, of another
 * and of a mirrored one what the graph has; *losses (NULL: nobody asks) then says how many
 * positions are left out. Errors: as book_graph_create(). */
struct book_losses;
struct entry_list;
MUST_CHECK enum caxton_status book_graph_entries(const struct book *book, struct entry_list *list,
                                                 struct book_losses *losses, struct diag *diag);

#endif
