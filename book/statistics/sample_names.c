#include "book/statistics/sample_names.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

void sample_names_free(struct sample_names *names)
{
    for (size_t i = 0; i < names->count; i++)
        free(names->list[i]);
    free(names->list);
    *names = (struct sample_names){.list = NULL};
}

/* How many names come before this one. */
static size_t rank(const struct sample_names *names, const char *name)
{
    size_t low = 0;
    for (size_t high = names->count; low < high;) {
        size_t middle = low + (high - low) / 2;
        if (strcmp(names->list[middle], name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

size_t sample_names_find(const struct sample_names *names, const char *name)
{
    size_t at = rank(names, name);
    return at < names->count && strcmp(names->list[at], name) == 0 ? at : names->count;
}

enum caxton_status sample_names_add(struct sample_names *names, const char *name)
{
    size_t at = rank(names, name);
    if (at < names->count && strcmp(names->list[at], name) == 0)
        return STATUS_OK;
    if (names->count == SAMPLE_FILES_MAX)
        return STATUS_RANGE;
    char *copy = strdup(name);
    if (!copy || !ARRAY_GROW(names->list, names->capacity, names->count + 1)) {
        free(copy);
        return STATUS_NO_MEMORY;
    }
    memmove(names->list + at + 1, names->list + at, (names->count - at) * sizeof *names->list);
    names->list[at] = copy;
    names->count++;
    return STATUS_OK;
}
