/* All of a file of sample games, with numbers of files that several such files have in common. */
#pragma once

#include "book/statistics/samples_file.h"

struct samples_map;

/* names: of all files, those of this one among them. Both are borrowed. Errors: STATUS_NO_MEMORY.
 */
MUST_CHECK enum caxton_status samples_map_create(const struct samples_file *file,
                                                 const struct sample_names *names,
                                                 struct samples_map **out);
void samples_map_destroy(struct samples_map *map); /* NULL is allowed */

/* A sample_source. Errors: as samples_cursor_next(). */
MUST_CHECK enum caxton_status samples_map_next(void *map, struct sample_set *out,
                                               struct diag *diag);
