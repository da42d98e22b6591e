/* Which positions a network is trained on: where nothing is to be won at once. */
#pragma once

#include "chess/position.h"

/* Not in check, not stalemate, and no capture or promotion that wins material. */
bool position_is_quiet(const struct position *pos);
