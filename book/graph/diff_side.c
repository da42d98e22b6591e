#include "book/graph/diff_side.h"

__extension__ typedef unsigned __int128 wide;

bool book_diff_differs(const struct comparison *comparison, uint32_t a, uint64_t sum_a, uint32_t b,
                       uint64_t sum_b)
{
    wide x = (wide)a * (sum_b ? sum_b : 1);
    wide y = (wide)b * (sum_a ? sum_a : 1);
    wide all = (wide)(sum_a ? sum_a : 1) * (sum_b ? sum_b : 1);
    return (x > y ? x - y : y - x) * BOOK_DIFF_ALL > all * comparison->threshold_ppm;
}
