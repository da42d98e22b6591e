/* Reading a file of lines. lines_format.h has the grammar. */
#pragma once

#include "book/format.h"
#include "book/formats/white/lines.h"

/* Reads all it can of the text of a file; nothing of the text is kept. `sink` (NULL: nobody) gets
 * each fault, whose line counts no further; out->fault is the first. Time and memory are bounded by
 * `size`. Errors: STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status lines_parse(const char *text, size_t size, book_fault_sink sink,
                                          void *context, struct lines **out);
