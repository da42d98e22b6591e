/* A repertoire with the replies of a database: one side's moves are those of a book, the other
 * side's those of another book, in the positions that arise when the first side keeps to its book.
 */
#pragma once

#include "book/entry_table.h"
#include "book/graph/graph.h"

struct replies_report {
    size_t own;        /* moves of the repertoire */
    size_t replies;    /* moves of the database */
    size_t unanswered; /* replies after which the repertoire knows no move */
    size_t left_out;   /* positions of the repertoire that no line reaches */
};

/* sides[colour]: does the book play moves of that side? Errors: as book_graph_create(). */
MUST_CHECK enum caxton_status replies_sides(const struct book *mine, bool sides[2],
                                            struct diag *diag);

/* The legal moves of `pos` that come to a position where the book plays a move: those that it
 * answers. out: MOVES_MAX of them. Returns how many. */
int replies_answered(const struct book *mine, const struct position *pos, move *out);

/* The graph of the moves of colour `own` from `mine` and of the other's from `database`: lines as
 * for replies_join(); out->book is NULL. Errors: as book_graph_create(). The caller destroys it. */
MUST_CHECK enum caxton_status replies_graph(const struct book *mine, const struct book *database,
                                            int own, struct book_graph *out, struct diag *diag);

/* Adds to `list` the moves of colour `own` from `mine` and the other's from `database`. Lines begin
 * where those of `mine` do. They follow the moves of weight above 0; any legal reply is followed,
 * too, that comes to a position where `mine` plays a move: no preparation is lost because the
 * database is small. Errors: as book_graph_create(). */
MUST_CHECK enum caxton_status replies_join(const struct book *mine, const struct book *database,
                                           int own, struct entry_list *list,
                                           struct replies_report *report, struct diag *diag);
