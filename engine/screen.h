/* How `caxton play` shows a game: on a terminal each position replaces the one before; else plain
 * text, one position after the other. */
#pragma once

#include <stdio.h>

#include "chess/game.h"
#include "engine/board.h"

struct screen {
    FILE *out;
    struct board_style style;
    bool redraw; /* a terminal: each position in the place of the one before */
    bool drawn;  /* something has been drawn */
    int failed;  /* errno of what `out` refused; 0: nothing */
};

/* What is shown besides the position itself. */
struct screen_state {
    char thought[160];  /* about the last move: where it came from, evaluation */
    int white_permille; /* what White will score, by the last evaluation: 500 = half */
    char opening[160];  /* "" = none */
    char names[2][32];
    int64_t clock_ms[2];
};

void screen_draw(struct screen *screen, const struct game *game, const struct screen_state *state);
/* Only the clocks, where they stand already; nothing unless positions are redrawn. */
void screen_draw_clocks(struct screen *screen, const struct screen_state *state);
/* One more line below. */
void screen_say(struct screen *screen, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The same without an end of the line: a question. */
void screen_ask(struct screen *screen, const char *question);
