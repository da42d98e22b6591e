#include "book/grow/preferences.h"

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
    const struct position behind = position_behind(pos, m);
    (void)score;
    return -opponent_knows(context, &behind);
}

struct own_preference preference_leave(const struct opponent *opponent)
{
    return (struct own_preference){.value = value_leave, .context = opponent};
}
