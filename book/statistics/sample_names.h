/* The names of the files that sample games are in: each once, in the order of their bytes. A number
 * is a place in this list, so that it does not depend on the order in which files were read. */
#pragma once

#include "book/statistics/sample.h"

/* Begins as {0}. */
struct sample_names {
    char **list;
    size_t count;
    size_t capacity;
};

void sample_names_free(struct sample_names *names);

/* Adds a name if it is not there. Numbers of others change. Errors: STATUS_NO_MEMORY, STATUS_RANGE
 * (more than SAMPLE_FILES_MAX). */
MUST_CHECK enum caxton_status sample_names_add(struct sample_names *names, const char *name);

/* The number of a name; the count of all where it is not there. */
size_t sample_names_find(const struct sample_names *names, const char *name);
