/* Numbers for people: commas between thousands, bars on a terminal. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* How a stream shows bars. */
enum terminal_bars {
    BARS_NONE,  /* it is no terminal */
    BARS_ASCII, /* '#' */
    BARS_BLOCKS /* eighths of a block, where the locale says UTF-8 */
};

/* Is text shown as UTF-8? By the first of LC_ALL, LC_CTYPE and LANG that is set; on Windows it is,
 * once program_start() (base/program.h) was called. */
bool terminal_is_utf8(void);

/* Is it a terminal that obeys escape sequences? By TERM; on Windows a console does, once
 * program_start() was called. */
bool terminal_obeys(FILE *out);

/* By file_is_terminal() and terminal_is_utf8(). */
enum terminal_bars terminal_bars_of(FILE *out);

enum { BAR_CELLS_MAX = 40, BAR_TEXT_MAX = 3 * BAR_CELLS_MAX + 1, THOUSANDS_MAX = 28 };

/* A bar for `part` of `whole` that fills at most `cells`; every part but 0 shows something.
 * "" for BARS_NONE. Returns `out`. */
const char *terminal_bar(enum terminal_bars bars, uint64_t part, uint64_t whole, int cells,
                         char out[BAR_TEXT_MAX]);

/* "1,114,224". Returns `out`. */
const char *terminal_thousands(uint64_t number, char out[THOUSANDS_MAX]);

/* Part of whole in permille, rounded; 0 of 0 is 0. */
int terminal_permille(uint64_t part, uint64_t whole);
