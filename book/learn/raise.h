/* Result learning: what scored is played more often. A part of learn. */
#pragma once

#include "book/learn/learnt.h"

/* Raises the weights of the moves of won and drawn lines, where the book has a choice. Errors:
 * STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status learn_raise(struct learnt *learnt, struct game *board);
