/* A board of characters. */
#pragma once

#include "base/text.h"
#include "chess/position.h"

struct board_style {
    bool unicode; /* chess symbols instead of letters */
    bool color;   /* escape codes of a terminal */
    bool flipped; /* Black sits below */
};

/* Nine lines, the last one the file letters. `last`: the move to mark, or MOVE_NONE; it is marked
 * by colour, or by brackets without colours. */
void board_draw(struct text_buffer *text, const struct position *pos, move last,
                struct board_style style);
