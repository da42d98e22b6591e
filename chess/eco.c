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
