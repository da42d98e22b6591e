/* What a file lacks of the book that it was written from, by cause. */
#pragma once

#include <stddef.h>

struct book_losses {
    size_t positions;    /* of the book */
    size_t unreached;    /* left out: no line leads to them, */
    size_t other_starts; /* only lines from another start do, */
    size_t non_book;     /* only lines with moves that are not the book's do */
    size_t weights;      /* moves whose weight is not kept */
    size_t large;        /* moves whose weight is too large: scaled down or cut */
    size_t unplayed;     /* moves of weight 0 left out */
    size_t learn;        /* learn values other than 0 that are not kept */
    size_t comments;     /* comments, names and marks that are not kept */
};

enum { BOOK_LOSSES_TEXT_MAX = 500 };

/* All of it in one line without a name, "" when nothing is lost. Returns `out`. */
const char *book_losses_text(const struct book_losses *losses, char out[BOOK_LOSSES_TEXT_MAX]);
