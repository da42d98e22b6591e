/* What the two parts of the filter share: filter_read.c reads options, filter.c judges games. */
#ifndef CAXTON_BOOK_BUILD_FILTER_FILTER_INTERNAL_H
#define CAXTON_BOOK_BUILD_FILTER_FILTER_INTERNAL_H

#include "book/build/filter/filter.h"

/* The first and the last day, as YYYYMMDD, that a date can mean: what is missing behind the year or
 * has question marks is any. False when it is no date. In a game (`as_tag`) question marks may
 * stand in the year too. */
bool filter_date_range(struct span text, bool as_tag, int64_t *first, int64_t *last);

/* "A00".. = 0.., -1 for what does not begin with a code. */
int filter_eco_code(struct span text);

#endif
