/* The legal moves of a position in the order of the format, which gives each its place. */
#pragma once

#include "chess/movegen.h"

/* All of them; returns how many. */
int tree_order(const struct position *pos, move out[MOVES_MAX]);

/* The place of a legal move, from 0. */
int tree_place(const struct position *pos, move m);
