#include "eval/train/datagen/quiet.h"

#include "chess/movegen.h"
#include "search/see.h"

bool position_is_quiet(const struct position *pos)
{
    move noisy[MOVES_MAX];
    if (position_in_check(pos) || movegen_count(pos) == 0)
        return false;
    int count = movegen_noisy(pos, noisy);
    for (int i = 0; i < count; i++)
        if (see_at_least(pos, noisy[i], 1))
            return false;
    return true;
}
