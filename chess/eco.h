/* Names of openings: ECO code and name of a position, transpositions included.
 * Source of the table: chess/eco/ (Lichess chess-openings, CC0). */
#ifndef CAXTON_CHESS_ECO_H
#define CAXTON_CHESS_ECO_H

#include "chess/eco_rows.h"

/* The opening that has reached exactly this position key, or NULL. Static storage. */
const struct eco *eco_find(uint64_t key);

/* All names, sorted by key. */
const struct eco *eco_table(size_t *count);

#endif
