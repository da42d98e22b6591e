#include "search/history.h"

#include <string.h>

#include "search/params.h"

/* Fills with what moves are worth of which nothing is known (QUIET_START ..): less than the mean of
 * those that were tried. */
static void fill(int16_t *entries, size_t bytes, int value)
{
    /* Block by block: sanitizers look at each write, and short searches begin with this. */
    int16_t block[256];
    size_t count = bytes / sizeof *entries;
    size_t size = sizeof block / sizeof *block;
    for (size_t i = 0; i < size; i++)
        block[i] = (int16_t)value;
    for (size_t i = 0; i < count; i += size)
        memcpy(entries + i, block, (count - i < size ? count - i : size) * sizeof *block);
}

void history_clear(struct history *history)
{
    memset(history, 0, sizeof *history);
    fill(&history->quiet[0][0][0], sizeof history->quiet, QUIET_START);
    fill(&history->noisy[0][0][0], sizeof history->noisy, NOISY_START);
    fill(&history->pawn[0].value[0][0], sizeof history->pawn, PAWN_START);
    fill(&history->continuation[0][0].value[0][0], sizeof history->continuation,
         CONTINUATION_START);
    fill(&history->none.value[0][0], sizeof history->none, CONTINUATION_START);
}

void history_age(struct history *history)
{
    int16_t *quiet = &history->quiet[0][0][0];
    for (size_t i = 0; i < sizeof history->quiet / sizeof *quiet; i++)
        quiet[i] = (int16_t)(quiet[i] * QUIET_AGE_SCALE / 1024);
    fill(&history->low_ply[0][0][0], sizeof history->low_ply, LOW_PLY_START);
}
