#include "book/grow/preferences.h"

int practical_candidates(const struct practical *practical, const struct position *pos, move *out)
{
    move moves[MOVES_MAX];
    struct result found[MOVES_MAX];
    int count = results_moves(practical->results, pos, moves, found);
    int given = 0;
    for (int i = 0; i < count; i++)
        if (found[i].games >= practical->least)
            out[given++] = moves[i];
    return given;
}

double practical_value(const struct practical *practical, const struct position *pos, move m,
                       int score)
{
    move moves[MOVES_MAX];
    struct result found[MOVES_MAX];
    struct result played = {.games = 0};
    double engine = expected_points(score);
    int count = results_moves(practical->results, pos, moves, found);
    for (int i = 0; i < count; i++)
        if (moves[i] == m)
            played = found[i];
    double weight = played.games + practical->prior;
    double people = weight > 0 ? (played.points + practical->prior * engine) / weight : engine;
    return (1 - practical->share) * engine + practical->share * people;
}

static int name_candidates(const void *context, const struct position *pos, move *out)
{
    return practical_candidates(context, pos, out);
}

static double value_practical(const void *context, const struct position *pos, move m, int score)
{
    return practical_value(context, pos, m, score);
}

struct own_preference preference_practical(const struct practical *practical)
{
    return (struct own_preference){
        .candidates = name_candidates, .value = value_practical, .context = practical};
}

static double value_leave(const void *context, const struct position *pos, move m, int score)
{
    const struct position behind = position_after(pos, m);
    (void)score;
    return -opponent_knows(context, &behind);
}

struct own_preference preference_leave(const struct opponent *opponent)
{
    return (struct own_preference){.value = value_leave, .context = opponent};
}
