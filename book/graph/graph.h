/* The graph of a book: its positions and the moves between them, found by following lines.
 *
 * The walk begins at the standard start (or another root), then at each start of Chess960 that a
 * book of positions has, then at each position that the file names, those that no line has reached
 * yet. It follows the moves of the book. A book of positions may know the moves of one side only.
 * Where its own moves do not reach all of it, the walk follows every legal move that leads into the
 * book, too: these are non-book moves. A book of lines may say itself what its non-book moves are.
 * Each position is one node, so transpositions and repetitions end. The line to a node is one of
 * the shortest.
 *
 * The graph of a mirrored book (struct book_format.mirrored) has positions of both colours. One is
 * counted as reached when it or its mirror image is.
 *
 * A book of lines is probed with the shortest line to a position, and without a line. */
#pragma once

#include "book/graph/graph_nodes.h"

/* root: NULL for the standard start. Errors: STATUS_NO_MEMORY, STATUS_RANGE (more than
 * BOOK_GRAPH_EDGES_MAX); `diag` (may be NULL) says which. The caller destroys it. */
MUST_CHECK enum caxton_status book_graph_create(const struct book *book,
                                                const struct position *root, struct book_graph *out,
                                                struct diag *diag);

/* The same along the moves of the book alone and without the positions that the file names: from
 * `root` alone, or, with NULL, from the starts of games. */
MUST_CHECK enum caxton_status book_graph_create_own(const struct book *book,
                                                    const struct position *root,
                                                    struct book_graph *out, struct diag *diag);

/* The graph of a table of entries by the shortest lines, for whoever shows a book by its positions:
 * a line follows the moves of the table, the heaviest first, and also every other move that leads
 * into it, for a book of one colour knows no move of the other's. Of several lines to a position
 * the shortest counts; of several as short the one whose moves are heavier, the earlier moves
 * first, and moves of the table go before others. out->book is NULL. The entries may be illegal and
 * there more than once. Errors: STATUS_NO_MEMORY, STATUS_RANGE. The caller destroys it. */
struct entry_table;
MUST_CHECK enum caxton_status book_graph_create_shortest(const struct entry_table *table,
                                                         const struct position *root,
                                                         struct book_graph *out);
