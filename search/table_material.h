/* The tables that there can be: one for each set of pieces, and the name of its files. */
#pragma once

#include "chess/types.h"

enum { TABLE_MEN_MAX = 7, TABLE_NAME_MAX = 12 };

/* The pieces of one table. The side with more pieces is White. */
struct table_material {
    uint8_t pieces[2][TABLE_MEN_MAX - 2]; /* types but for the kings, the strongest first */
    int count[2];
};

/* The first material in *material, KQvK, and the next: fewer men first. False: that was the last
 * one. */
void table_material_first(struct table_material *material);
bool table_material_next(struct table_material *material);

/* Men on the board, kings included. */
int table_material_men(const struct table_material *material);

/* Writes the name, as "KQvKR", terminated. */
void table_material_name(const struct table_material *material, char out[TABLE_NAME_MAX]);
