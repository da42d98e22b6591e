/* Lists of all entries of Polyglot books: by position, to look at each of them; added up and
 * written as a book. */
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

struct combine_report {
    size_t positions;
    size_t scaled; /* positions whose weights were scaled down */
};

/* One entry for each (key, move), in the order of a book. Weights are added, to 2^32 - 1 at most.
 * Where the largest sum of a position does not fit 16 bits, all weights of the position are scaled
 * down in proportion and rounded; a positive weight never becomes 0. Of different learn values the
 * larger is kept. The result depends on the entries alone, not on their order. */
void entries_combine(struct entry_list *list, struct combine_report *report);

/* Writes the entries, as entries_combine() leaves them, to `path`, whole or not at all. Errors: as
 * atomic_file. */
MUST_CHECK enum caxton_status entries_save(const struct entry_list *list, const char *path,
                                           struct diag *diag);
