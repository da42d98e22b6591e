/* Reasons to play another move than the best one, for own_choice.h. */
#pragma once

#include "book/grow/opponent.h"
#include "book/grow/own_choice.h"
#include "book/grow/practical.h"

/* By what the engine thinks and people score: practical.h. Borrowed. */
struct own_preference preference_practical(const struct practical *practical);

/* By leaving the opponent's book early: the less probable it is that he still knows the position
 * behind the move (opponent_knows()), the better; for moves within the margin. Borrowed. */
struct own_preference preference_leave(const struct opponent *opponent);
