/* Reading the moves of a file of lines: lines of moves, and rewrites. */
#pragma once

#include "book/formats/white/lines_reader.h"

/* A line of moves or a rewrite; fills `item` but for its kind, which is *kind. */
MUST_CHECK enum caxton_status lines_read_orders(struct lines_reader *reader, struct span content,
                                                struct lines_item *item, enum lines_kind *kind);
