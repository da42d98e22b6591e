/* What games say of moves: how many there were and how many points they brought, in memory. */
#pragma once

#include "book/statistics/tally.h"
#include "chess/movegen.h"

/* Games of a move and the points of the side that made it. */
struct result {
    double games;
    double points; /* a win is one, a draw a half */
};

/* Begins as {0}. */
struct results {
    struct result_row *rows; /* private; by key, then move */
    size_t count;
    size_t capacity;
    bool sorted;
};

void results_free(struct results *results);

/* Adds what was counted, of which `unit` make one game (struct wld_info); what is there of the same
 * move is added up. Errors: STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status results_add(struct results *results, const struct tally *tally,
                                          uint64_t unit);

/* Sorts what was added: before results_moves(). */
void results_finish(struct results *results);

/* The legal moves of the position that were played, at most MOVES_MAX, with their results; returns
 * how many. */
int results_moves(const struct results *results, const struct position *pos, move *moves,
                  struct result *out);
