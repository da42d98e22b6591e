/* What `makebook stats --counts` says of statistics: numbers that one pass over them tells. */
#pragma once

#include "base/command_line.h"
#include "book/makebook/cli/source.h"

/* Prints what is in the statistics of `source`, as text or JSON. Little memory, whatever their
 * size. Returns the exit status. */
int stats_counts(const struct command_line *line, struct source *source, bool json);
