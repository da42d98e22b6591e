/* Where the games of a book begin: at positions, or at the ends of lines, which are then part of
 * the book. Each start is as likely as the others. On the way to them both sides play the moves of
 * the lines, where these part each in proportion to the starts that it leads to. */
#pragma once

#include "book/grow/dag.h"
#include "book/grow/opponent.h"

enum { STARTS_MAX = 64 };

struct start {
    struct position root; /* where the line begins */
    const move *line;     /* borrowed */
    size_t plies;         /* of it; 0: the root is the start */
};

struct grow_starts;

/* *fault: the index of the start that is wrong, when one is. Errors: STATUS_ILLEGAL: a line comes
 * to a position twice, is too long or has another start on its way; `diag` says which;
 * STATUS_NO_MEMORY. The caller destroys it. */
MUST_CHECK enum caxton_status starts_create(const struct start *list, size_t count,
                                            struct grow_starts **out, size_t *fault,
                                            struct diag *diag);
void starts_destroy(struct grow_starts *starts); /* NULL is allowed */

/* The roots of the lines, each position once, with the probability that a game begins there. Fills
 * out[0 .. STARTS_MAX), returns how many. */
size_t starts_roots(const struct grow_starts *starts, struct dag_root *out);

/* What is played in a position on the way to a start; returns how many moves: 0 behind the starts
 * and elsewhere. `starts` may be NULL. */
int starts_play(const struct grow_starts *starts, const struct position *pos,
                struct played_move *out);
