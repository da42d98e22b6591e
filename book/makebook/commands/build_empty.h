/* Why makebook build was left without a move. */
#pragma once

#include "book/build/builder.h"

/* Writes the one reason that cost most, with the option that would change it: "12 of 12 games had
 * no result (--unfinished counts them)". `report` is that of a book without a move, or of
 * statistics without one; min_games: that a move needed. */
void build_empty_reason(const struct build_report *report, uint64_t min_games,
                        struct text_buffer *out);
