/* What `makebook verify` says of a tree: illegal moves, repeated choices, wrong jumps. */
#pragma once

#include "book/format.h"

/* As struct book_format.check. */
MUST_CHECK enum caxton_status tree_check(const struct book_format *format, const uint8_t *bytes,
                                         size_t size, book_fault_sink sink, void *context);
