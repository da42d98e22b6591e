#include "chess/eco.h"

#include <stdlib.h>

static int compare(const void *key, const void *row)
{
    uint64_t wanted = *(const uint64_t *)key;
    uint64_t found = ((const struct eco *)row)->key;
    return wanted < found ? -1 : wanted > found;
}

const struct eco *eco_find(uint64_t key)
{
    return bsearch(&key, eco_rows, eco_row_count, sizeof *eco_rows, compare);
}

const struct eco *eco_find_last(const uint64_t *keys, size_t count)
{
    const struct eco *found = NULL;
    while (!found && count > 0)
        found = eco_find(keys[--count]);
    return found;
}

/* Of lines as the tables write them: the more plies, the more blanks. */
static size_t count_blanks(const char *moves)
{
    size_t count = 0;
    for (; *moves; moves++)
        count += *moves == ' ';
    return count;
}

enum caxton_status eco_named(struct span text, const struct eco **out)
{
    const struct eco *found = NULL;
    size_t least = 0;
    bool alone = true;
    for (size_t i = 0; i < eco_row_count; i++) {
        const struct eco *row = &eco_rows[i];
        if (!span_equal_nocase(text, row->code) && !span_equal_nocase(text, row->name))
            continue;
        size_t blanks = count_blanks(row->moves);
        if (found && blanks > least)
            continue;
        alone = !found || blanks < least;
        found = row;
        least = blanks;
    }
    if (!found)
        return STATUS_NOT_FOUND;
    if (!alone)
        return STATUS_AMBIGUOUS;
    *out = found;
    return STATUS_OK;
}
