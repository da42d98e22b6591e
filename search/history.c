#include "search/history.h"

#include <string.h>

#include "search/params.h"

/* Fills with what moves are worth of which nothing is known (QUIET_START ..): less than the mean of
 * those that were tried. */
static void fill(int16_t *entries, size_t bytes, int value)
{
    for (size_t i = 0; i < bytes / sizeof *entries; i++)
        entries[i] = (int16_t)value;
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
