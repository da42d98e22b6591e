/* Names of openings: ECO code and name of a position, transpositions included.
 * Source of the table: chess/eco/ (Lichess chess-openings, CC0). */
#pragma once

#include "base/text.h"

/* An opening name of the position with this key. */
struct eco {
    uint64_t key;
    char code[4];
    const char *name;
    const char *moves; /* the line that defines it, SAN with move numbers */
};

/* All names, sorted by key, each key once: chess/eco/generate.c writes them at build time. */
extern const struct eco eco_rows[];
extern const size_t eco_row_count;

/* The opening that has reached exactly this position key, or NULL. Static storage. */
const struct eco *eco_find(uint64_t key);

/* The opening that a game with these `count` position keys, first to last, has reached last; or
 * NULL. Static storage. */
const struct eco *eco_find_last(const uint64_t *keys, size_t count);

/* The opening with this ECO code ("B90") or this whole name, letters of either case; of several
 * with it the one of the fewest moves. Errors: STATUS_NOT_FOUND; STATUS_AMBIGUOUS (several have as
 * few). *out: static storage. */
MUST_CHECK enum caxton_status eco_named(struct span text, const struct eco **out);
