/* Lists of all entries of Polyglot books: by position, to look at each of them; written as
 * a book. */
#pragma once

#include "base/status.h"
#include "book/entry_table.h"

/* Appends all entries of the table; `place` of each is its number there, from 0. The caller frees
 * the list. Errors: STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status entries_list(const struct entry_table *table, struct entry_list *out);
/* By key, the heaviest first, then by move and place. */
void entries_sort_by_weight(struct entry_list *list);

/* A list that is sorted by key, as a table; borrowed. */
struct entry_table entries_table(const struct entry_list *list);

/* How many entries, from the one at `first` on, belong to the same position. */
size_t entries_of_position(const struct entry_table *table, size_t first);

/* Saves the entries by polyglot_write(). Prints what goes wrong and what is lost; false: it
 * failed. report: begins as {0}. */
struct command_line;
struct polyglot_report;
struct position;
bool entries_save(const struct command_line *line, struct entry_list *list,
                  const struct position *root, bool keep, const char *path,
                  struct polyglot_report *report);
