/* The table of filters. */
#pragma once

#include "book/build/filter/filter_row.h"

/* All rows, *count <= FILTER_ROWS_MAX of them, in the order in which they judge. The first one is
 * about bad games, the last one about duplicates. Static storage. */
const struct filter_row *filter_table(size_t *count);
