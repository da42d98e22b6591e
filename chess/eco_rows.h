/* The table that chess/eco/generate.c writes at build time: sorted by key, each key once. */
#ifndef CAXTON_CHESS_ECO_ROWS_H
#define CAXTON_CHESS_ECO_ROWS_H

#include <stddef.h>
#include <stdint.h>

/* An opening name of the position with this key. */
struct eco {
    uint64_t key;
    char code[4];
    const char *name;
};

extern const struct eco eco_rows[];
extern const size_t eco_row_count;

#endif
