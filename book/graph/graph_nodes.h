/* The nodes and edges of a graph: positions of a book and the moves between them. graph.h finds
 * them; here they are kept, looked up and added. */
#pragma once

#include "base/key_table.h"
#include "book/book.h"

#define BOOK_GRAPH_NONE UINT32_MAX

enum {
    BOOK_GRAPH_PLIES_MAX = 1000,    /* longer lines are not followed */
    BOOK_GRAPH_EDGES_MAX = 1 << 25, /* no book has more moves */
};

/* What is said of a move, where the file has a place for it. */
enum book_mark { BOOK_UNMARKED, BOOK_MISTAKE /* ? */, BOOK_BLUNDER /* ?? */ };

struct book_edge {
    uint32_t weight;
    uint32_t learn;
    uint32_t to; /* the node behind it, BOOK_GRAPH_NONE: the book knows nothing there */
    move move;
    uint8_t mark; /* enum book_mark; none, when the graph is made */
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
    size_t start_count;     /* of them, the first: starts of games; others are named by the file */
    size_t known;           /* nodes that are */
    size_t positions;       /* where the book can tell, reached or not; else the same as known */
    size_t unreached_moves; /* that the book knows in positions that are not reached */
    uint32_t deepest;       /* the most plies to a known node */
    bool cut;               /* lines were longer than BOOK_GRAPH_PLIES_MAX */
    uint8_t *reached;       /* of a book of positions: a bit for the first entry of each that is */
    /* private */
    struct key_table table; /* of nodes */
    size_t node_capacity;
    size_t edge_capacity;
    size_t root_capacity;
};

void book_graph_destroy(struct book_graph *graph); /* of {0}, too */

/* The most memory in bytes that the graph of a book of so many moves takes, for who has a limit. */
uint64_t book_graph_memory(size_t moves);

/* The position of a node. line: room for its plies, filled with the moves from its root; or NULL.
 */
void book_graph_position(const struct book_graph *graph, uint32_t node, struct position *pos,
                         move *line);

/* The node of a position key, or BOOK_GRAPH_NONE. */
uint32_t book_graph_find(const struct book_graph *graph, uint64_t key);

/* An entry's move as the Polyglot format wants it, castling as king takes rook; 0: it is illegal in
 * the position of the node. */
uint16_t book_graph_stored_move(const struct book_graph *graph, uint32_t node, uint16_t stored);

/* How many entries of the book are illegal in the positions that are reached. */
size_t book_graph_illegal_moves(const struct book_graph *graph);

/* The edge of a move of the book in that node, or BOOK_GRAPH_NONE. */
uint32_t book_graph_edge(const struct book_graph *graph, uint32_t node, move m);

/* The side to move in a node. */
int book_graph_turn(const struct book_graph *graph, uint32_t node);

/* Does no move lead from a position of the book to another one? Then it knows the moves of one
 * player only. False without a move. */
bool book_graph_is_one_sided(const struct book_graph *graph);

/* For those who make a graph. ---------------------------------------------------------------- */

/* *index: of the new node. Errors: STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status graph_add_node(struct book_graph *graph, struct book_node node,
                                             uint32_t *index);

/* A node behind the move `via` of `parent`. Errors: STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status graph_add_child(struct book_graph *graph, uint32_t parent, move via,
                                              uint64_t key, bool known, uint32_t *index);

/* Errors: STATUS_NO_MEMORY, STATUS_RANGE. */
MUST_CHECK enum caxton_status graph_add_edges(struct book_graph *graph,
                                              const struct book_move *moves, int count);

/* Room for the first nodes, or for twice as many. Errors: STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status graph_grow(struct book_graph *graph);
