/* The faults of a store by the place of their record. */
#pragma once

#include "book/format.h"

/* As struct book_format.check: damage, and moves or positions that are against the rules. */
MUST_CHECK enum caxton_status store_check(const struct book_format *format, const uint8_t *bytes,
                                          size_t size, book_fault_sink sink, void *context);
