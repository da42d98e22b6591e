#include "chess/eco.h"

const struct eco *eco_find(uint64_t key)
{
    size_t low = 0;
    size_t high = eco_row_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (eco_rows[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < eco_row_count && eco_rows[low].key == key ? &eco_rows[low] : NULL;
}
