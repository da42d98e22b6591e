/* Statistics (.wld, book/build/wld.h) as a book to play from: the weight of a move is its score,
 * two for each win and one for each draw; where a position's largest does not fit 16 bits its
 * weights are scaled in proportion. makebook convert makes books by other formulas. */
#ifndef CAXTON_BOOK_FORMATS_WLD_FORMAT_H
#define CAXTON_BOOK_FORMATS_WLD_FORMAT_H

#include "book/format.h"

extern const struct book_format wld_format;

#endif
