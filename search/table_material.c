#include "search/table_material.h"

#include <string.h>

/* The strongest pieces again: the first in the order of the names. */
static void fill(uint8_t *pieces, int count)
{
    memset(pieces, QUEEN, (size_t)count);
}

/* The next weaker set of so many pieces; false when all are pawns. */
static bool weaken(uint8_t *pieces, int count)
{
    int i = count - 1;
    while (i >= 0 && pieces[i] == PAWN)
        i--;
    if (i < 0)
        return false;
    memset(pieces + i, pieces[i] - 1, (size_t)(count - i));
    return true;
}

void table_material_first(struct table_material *material)
{
    material->count[WHITE] = 1;
    material->count[BLACK] = 0;
    fill(material->pieces[WHITE], 1);
}

bool table_material_next(struct table_material *material)
{
    uint8_t(*pieces)[TABLE_MEN_MAX - 2] = material->pieces;
    int *count = material->count;
    if (weaken(pieces[BLACK], count[BLACK]))
        return true;
    if (weaken(pieces[WHITE], count[WHITE])) {
        /* With as many pieces White has the stronger set. */
        if (count[WHITE] == count[BLACK])
            memcpy(pieces[BLACK], pieces[WHITE], sizeof pieces[BLACK]);
        else
            fill(pieces[BLACK], count[BLACK]);
        return true;
    }
    if (count[WHITE] - count[BLACK] >= 2) {
        count[WHITE]--;
        count[BLACK]++;
    } else {
        count[WHITE] += count[BLACK] + 1;
        count[BLACK] = 0;
        if (table_material_men(material) > TABLE_MEN_MAX)
            return false;
    }
    fill(pieces[WHITE], count[WHITE]);
    fill(pieces[BLACK], count[BLACK]);
    return true;
}

int table_material_men(const struct table_material *material)
{
    return 2 + material->count[WHITE] + material->count[BLACK];
}

void table_material_name(const struct table_material *material, char out[TABLE_NAME_MAX])
{
    static const char letters[] = "PNBRQ";
    for (int color = WHITE; color <= BLACK; color++) {
        if (color == BLACK)
            *out++ = 'v';
        *out++ = 'K';
        for (int i = 0; i < material->count[color]; i++)
            *out++ = letters[material->pieces[color][i]];
    }
    *out = '\0';
}
