/* Names of openings: ECO code and name of a position, transpositions included.
 * Source of the table: chess/eco/ (Lichess chess-openings, CC0). */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* An opening name of the position with this key. */
struct eco {
    uint64_t key;
    char code[4];
    const char *name;
};

/* All names, sorted by key, each key once: chess/eco/generate.c writes them at build time. */
extern const struct eco eco_rows[];
extern const size_t eco_row_count;

/* The opening that has reached exactly this position key, or NULL. Static storage. */
const struct eco *eco_find(uint64_t key);
