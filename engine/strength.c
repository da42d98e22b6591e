#include "engine/strength.h"

#include <string.h>

#include "engine/options.h"

/* What makes a level: Elo as measured in games (README.md), the nodes, in steps of 100 that
 * multiply them by 1.6, and the noise in units of the search. */
struct strength_level {
    int elo;
    int step;
    int noise;
};

enum { STEP_FIRST = 600 };

static const struct strength_level levels[] = {
    {ELO_MIN, STEP_FIRST, 500}, {1320, 691, 335},  {1590, 1350, 144},
    {1850, 1455, 134},          {2120, 1532, 127}, {2390, 1720, 108},
    {2650, 1982, 82},           {2920, 2128, 67},  {ELO_MAX, 3400, 34},
};

/* Straight lines between the levels. */
static struct strength_level level_of(int elo)
{
    const struct strength_level *to = levels + 1;
    while (to->elo < elo && to->elo < ELO_MAX)
        to++;
    const struct strength_level *from = to - 1;
    int part = elo - from->elo;
    int whole = to->elo - from->elo;
    return (struct strength_level){.elo = elo,
                                   .step = from->step + (to->step - from->step) * part / whole,
                                   .noise = from->noise + (to->noise - from->noise) * part / whole};
}

int strength_elo(const struct options *options)
{
    /* What Stockfish 16 takes its levels for. */
    static const int skills[] = {1347, 1444, 1566, 1729, 1953, 2197, 2383, 2518, 2624, 2711,
                                 2786, 2851, 2910, 2963, 3012, 3057, 3099, 3139, 3176, 3190};
    const int count = sizeof skills / sizeof *skills;
    if (options->limit_strength)
        return options->elo;
    return options->skill < count ? skills[options->skill] : 0;
}

uint64_t strength_nodes(int elo)
{
    /* In steps of 100, and straight lines between them: integers only. */
    uint64_t nodes = 24;
    int above = level_of(elo).step - STEP_FIRST;
    for (; above >= 100; above -= 100)
        nodes = nodes * 8 / 5;
    return nodes + nodes * 3 * (uint64_t)above / 500;
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
    if (lines->count < 2 || lines->lines[0].info.score >= SCORE_TB_WIN_IN_MAX)
        return 0;
    uint64_t noise_max = (uint64_t)level_of(elo).noise;
    int chosen = 0;
    int best = -SCORE_INFINITE;
    for (int i = 0; i < lines->count; i++) {
        int noise = (int)rng_below(rng, noise_max + 1);
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
    if (!reporter->info)
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
