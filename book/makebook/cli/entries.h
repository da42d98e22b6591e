/* Lists of entries saved as a Polyglot book. */
#pragma once

#include "base/status.h"
#include "book/entry_table.h"

struct command_line;
struct polyglot_report;
struct position;

/* Saves the entries by polyglot_write(). Prints what goes wrong and what is lost; false: it
 * failed. report: begins as {0}. */
bool entries_save(const struct command_line *line, struct entry_list *list,
                  const struct position *root, bool keep, const char *path,
                  struct polyglot_report *report);
