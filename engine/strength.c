#include "engine/strength.h"

#include "engine/options.h"

/* What makes a level: Elo as measured in games (README.md), and the steps of 100 that were tried.
 */
struct level {
    int elo;
    int step;
};

enum { STEP_FIRST = 600, STEP_NOISELESS = 2800 };

static const struct level levels[] = {
    {ELO_MIN, STEP_FIRST}, {1320, 1100}, {1600, 1410},    {2000, 1850},
    {2250, 2250},          {2850, 2900}, {ELO_MAX, 3400},
};

/* Straight lines between the levels. */
static int step_of(int elo)
{
    const struct level *to = levels + 1;
    while (to->elo < elo && to->elo < ELO_MAX)
        to++;
    const struct level *from = to - 1;
    return from->step + (to->step - from->step) * (elo - from->elo) / (to->elo - from->elo);
}

uint64_t strength_nodes(int elo)
{
    /* In steps of 100, and straight lines between them: integers only. */
    uint64_t nodes = 24;
    int above = step_of(elo) - STEP_FIRST;
    for (; above >= 100; above -= 100)
        nodes = nodes * 8 / 5;
    return nodes + nodes * 3 * (uint64_t)above / 500;
}

/* Centipawns. */
static uint64_t noise_max(int elo)
{
    int step = step_of(elo);
    return step < STEP_NOISELESS ? (uint64_t)(STEP_NOISELESS - step) / 10 : 0;
}

void strength_limit(struct search_request *request, int elo)
{
    uint64_t nodes = strength_nodes(elo);
    if (!request->nodes || request->nodes > nodes)
        request->nodes = nodes;
    if (request->multipv < STRENGTH_LINES)
        request->multipv = STRENGTH_LINES;
}

void strength_collect(struct strength_lines *lines, const struct search_info *info)
{
    int i = info->multipv - 1;
    if (i >= STRENGTH_LINES || info->bound != SCORE_EXACT || !info->pv_length)
        return;
    lines->lines[i].best = info->pv[0];
    lines->lines[i].ponder = info->pv_length > 1 ? info->pv[1] : MOVE_NONE;
    lines->lines[i].score = info->score;
    if (lines->count <= i)
        lines->count = i + 1;
}

void strength_choose(const struct strength_lines *lines, int elo, struct rng *rng,
                     struct search_result *result)
{
    if (lines->count < 2 || lines->lines[0].score >= SCORE_TABLE_WIN_IN_MAX)
        return;
    uint64_t noise_max_cp = noise_max(elo);
    int chosen = 0;
    int best = -SCORE_INFINITE;
    for (int i = 0; i < lines->count; i++) {
        int noise = (int)rng_below(rng, noise_max_cp + 1);
        if (lines->lines[i].score + noise > best) {
            best = lines->lines[i].score + noise;
            chosen = i;
        }
    }
    result->best = lines->lines[chosen].best;
    result->ponder = lines->lines[chosen].ponder;
    result->score = lines->lines[chosen].score;
}
