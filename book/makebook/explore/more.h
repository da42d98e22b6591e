/* What the page of explore --serve shows below the moves: games, and other orders of moves. */
#pragma once

#include "book/makebook/explore/lookup.h"

/* Writes {"games": [..], "orders": [..]} for the position behind moves[0..plies) from `start`,
 * which are legal. Moves are numbers as chess/types.h has them.
 *
 * games: of lookup->samples, the first that there are: {"about": as show --json lists it, "fen":
 * where it begins, null for the usual start, "moves": all of it, "ply": where it comes to the
 * position, -1: it is mirrored}, or {"fault": why it cannot be read}.
 * orders: other orders of the moves to this position, each a list as long as `moves`.
 *
 * Nothing is written on failure. Errors: STATUS_NO_MEMORY, those of the lookup. */
MUST_CHECK enum caxton_status explore_more_json(const struct explore_lookup *lookup,
                                                const struct position *start, const move *moves,
                                                size_t plies, FILE *out, struct diag *diag);
