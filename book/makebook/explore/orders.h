/* Other orders of the moves of a line that the book knows, for the page of explore --serve. */
#pragma once

#include "book/makebook/explore/lookup.h"

enum { ORDERS_MAX = 6, ORDERS_PLIES_MAX = 60 };

struct explore_orders {
    int count;
    move lines[ORDERS_MAX][ORDERS_PLIES_MAX]; /* of as many moves as the line given */
};

/* The line is moves[0..plies) from `start`, legal. An order of these moves is found when each of
 * them is one of the book where it is made. Of the orders that come to the last position from the
 * same position one is given, and none from where the line itself comes. At most 64 positions of a
 * ply are followed, those nearest to the line; longer lines have none. Errors: as
 * explore_lookup_moves(). */
MUST_CHECK enum caxton_status explore_orders_find(const struct explore_lookup *lookup,
                                                  const struct position *start, const move *moves,
                                                  size_t plies, struct explore_orders *out,
                                                  struct diag *diag);
