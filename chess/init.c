#include "chess/attacks.h"
#include "chess/cycle.h"

void chess_init(void)
{
    if (attacks_empty_table[KING][0])
        return;
    attacks_init();
    cycle_init();
}
