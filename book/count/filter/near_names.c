#include "book/count/filter/near_names.h"

#include <stdlib.h>
#include <string.h>

/* Does `a` come before `b` in the report? */
static int compare(const void *left, const void *right)
{
    const struct near_name *a = left;
    const struct near_name *b = right;
    if (a->distance != b->distance)
        return a->distance - b->distance;
    if (a->games != b->games)
        return a->games > b->games ? -1 : 1;
    return strcmp(a->text, b->text);
}

void near_names_add(struct near_names *names, struct span name, int distance, uint64_t games)
{
    struct near_name added = {.games = games, .distance = distance};
    text_copy_utf8(added.text, sizeof added.text, name);
    for (size_t i = 0; i < names->count; i++) {
        struct near_name *known = &names->list[i];
        if (strcmp(known->text, added.text) != 0)
            continue;
        known->games += games;
        if (distance < known->distance)
            known->distance = distance;
        return;
    }
    if (names->count < NEAR_NAMES_MAX) {
        names->list[names->count++] = added;
        return;
    }
    struct near_name *last = &names->list[0];
    for (size_t i = 1; i < names->count; i++)
        if (compare(&names->list[i], last) > 0)
            last = &names->list[i];
    if (compare(&added, last) < 0)
        *last = added;
}

void near_names_merge(struct near_names *names, const struct near_names *more)
{
    for (size_t i = 0; i < more->count; i++) {
        const struct near_name *name = &more->list[i];
        near_names_add(names, span_of(name->text), name->distance, name->games);
    }
}

void near_names_sort(struct near_names *names)
{
    qsort(names->list, names->count, sizeof *names->list, compare);
}
