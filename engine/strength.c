#include "engine/strength.h"

#include <string.h>

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

int strength_elo(const struct options *options)
{
    /* 1346.6 + 143.4 level^0.806: what Stockfish 15.1 takes its levels for. */
    static const int skills[] = {1347, 1490, 1597, 1694, 1785, 1871, 1954, 2035, 2113, 2189,
                                 2264, 2337, 2409, 2480, 2550, 2619, 2686, 2754, 2820, 2886};
    const int count = sizeof skills / sizeof *skills;
    if (options->limit_strength)
        return options->elo;
    return options->skill < count ? skills[options->skill] : 0;
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
    lines->lines[i].info = *info;
    memcpy(lines->lines[i].pv, info->pv, (size_t)info->pv_length * sizeof *info->pv);
    if (lines->count <= i)
        lines->count = i + 1;
}

int strength_choose(const struct strength_lines *lines, int elo, struct rng *rng,
                    struct search_result *result)
{
    if (lines->count < 2 || lines->lines[0].info.score >= SCORE_TABLE_WIN_IN_MAX)
        return 0;
    uint64_t noise_max_cp = noise_max(elo);
    int chosen = 0;
    int best = -SCORE_INFINITE;
    for (int i = 0; i < lines->count; i++) {
        int noise = (int)rng_below(rng, noise_max_cp + 1);
        if (lines->lines[i].info.score + noise > best) {
            best = lines->lines[i].info.score + noise;
            chosen = i;
        }
    }
    const struct search_info *info = &lines->lines[chosen].info;
    result->best = lines->lines[chosen].pv[0];
    result->ponder = info->pv_length > 1 ? lines->lines[chosen].pv[1] : MOVE_NONE;
    result->score = info->score;
    return chosen;
}

void strength_report(const struct strength_lines *lines, int chosen, int multipv,
                     const struct search_reporter *reporter)
{
    if (chosen == 0 || !reporter->info)
        return;
    for (int i = 0; i < multipv && i < lines->count; i++) {
        int shown = i == 0 ? chosen : i == chosen ? 0 : i;
        struct search_info info = lines->lines[shown].info;
        info.multipv = i + 1;
        info.pv = lines->lines[shown].pv;
        reporter->info(reporter->context, &info);
    }
}

int strength_book_plies(int elo)
{
    return (elo - 400) / 100;
}
