/* Where the lines of a new book end: a part of makebook build. */
#pragma once

#include "chess/position.h"

struct leaves {
    bool known;
    uint64_t leaves;    /* moves that the book has nothing to say after */
    uint64_t unreached; /* positions of the book on no such line, whose moves were not looked at */
    bool one_side;      /* lines go along the replies, too; else along the book's own moves alone */
};

/* Follows the moves of `path`, a book or statistics, from `root`, or from the starts of games,
 * those of Chess960 included, when it is NULL. A move is a leaf when the position behind it is
 * not in the book. one_side: the moves are those of one side or player; then a move is a leaf
 * when the positions behind all replies are not in the book either, and replies belong to lines.
 * Nothing is known when that takes more than `memory_bytes`, when `path` is no plain file, and
 * after a fault: a report without leaves is better than none. */
struct leaves leaves_count(const char *path, size_t memory_bytes, const struct position *root,
                           bool one_side);
