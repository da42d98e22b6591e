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

#include "book/book.h"

#define BOOK_GRAPH_NONE UINT32_MAX

enum {
    BOOK_GRAPH_PLIES_MAX = 1000,    /* longer lines are not followed */
    BOOK_GRAPH_EDGES_MAX = 1 << 25, /* no book has more moves */
};

struct book_edge {
    uint32_t weight;
    uint32_t learn;
    uint32_t to; /* the node behind it, BOOK_GRAPH_NONE: the book knows nothing there */
    move move;
};

struct book_node {
    uint64_t key;
    uint32_t first; /* its moves, heaviest first: edges[first .. first + count) */
    uint32_t count;
    uint32_t parent; /* BOOK_GRAPH_NONE: a root */
    uint32_t root;   /* of its line: index of roots[] */
    uint32_t ply;    /* moves from the root */
    uint32_t child;  /* the first node that a non-book move from here leads to */
    uint32_t next;   /* the next node that a non-book move of the parent leads to */
    move via;        /* from the parent */
    bool known;      /* the book has entries here; else lines only pass through */
    bool non_book;   /* via is no move of the book */
};

struct book_graph {
    const struct book *book;
    struct book_node *nodes; /* parents before children */
    size_t node_count;
    struct book_edge *edges;
    size_t edge_count;
    struct position *roots; /* roots[0] is the start */
    size_t root_count;
    size_t known;           /* nodes that are */
    size_t positions;       /* of a book of positions, reached or not; else the same as known */
    size_t unreached_moves; /* that the book knows in positions that are not reached */
    uint32_t deepest;       /* the most plies to a known node */
    bool cut;               /* lines were longer than BOOK_GRAPH_PLIES_MAX */
    uint8_t *reached;       /* of a book of positions: a bit for the first entry of each that is */
    /* private */
    uint32_t *table;
    size_t table_size;
    size_t node_capacity;
    size_t edge_capacity;
};

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
void book_graph_destroy(struct book_graph *graph); /* of {0}, too */

/* The most memory in bytes that the graph of a book of so many moves takes, for who has a limit. */
uint64_t book_graph_memory(size_t moves);

/* The position of a node. line: room for its plies, filled with the moves from its root; or NULL.
 */
void book_graph_position(const struct book_graph *graph, uint32_t node, struct position *pos,
                         move *line);

/* The node of a position key, or BOOK_GRAPH_NONE. */
uint32_t book_graph_find(const struct book_graph *graph, uint64_t key);

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
