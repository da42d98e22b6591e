/* The kinds of tree that makebook writes. */
#pragma once

#include "book/format.h"

/* Everything: exact weights, near jumps, non-book moves; the same with styles; small: weights where
 * there is a choice, no non-book moves; pure: Spracklen's, no weights, jumps, non-book moves. */
enum { TREE_WRITERS = 4 };
extern const struct book_writer tree_writers[TREE_WRITERS];
