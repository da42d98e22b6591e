/* Proof-reading a book of lines. */
#pragma once

#include "book/format.h"
#include "book/formats/white/lines.h"

enum { LINES_OFFERS_MAX = 1000 };

/* Reports faults and remarks about lines that parse. At most LINES_OFFERS_MAX rewrites are offered.
 * Errors: STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status lines_check(const struct lines *lines, book_fault_sink sink,
                                          void *context);
