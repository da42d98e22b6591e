/* The table that chess/eco/generate.c writes at build time: sorted by key, each key once. */
#ifndef CAXTON_CHESS_ECO_ROWS_H
#define CAXTON_CHESS_ECO_ROWS_H

#include "chess/eco.h"

extern const struct eco eco_rows[];
extern const size_t eco_row_count;

#endif
