/* Two books compared where no line leads: by keys. */
#pragma once

#include "book/graph/diff_side.h"

/* Counts the positions of sides[which] that were not touched: no line leads to them, nor do those
 * of the other book. Those that both have are compared for which = 0. */
void book_diff_unreached(struct comparison *comparison, int which);
