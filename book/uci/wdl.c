#include "book/uci/wdl.h"

#include "search/score.h"

int wdl_material(const struct position *pos)
{
    static const int values[] = {[PAWN] = 1, [KNIGHT] = 3, [BISHOP] = 3, [ROOK] = 5, [QUEEN] = 9};
    int sum = 0;
    if (position_insufficient_material(pos))
        return WDL_INSUFFICIENT;
    for (int type = PAWN; type <= QUEEN; type++)
        sum += values[type] * bb_count(pos->types[type]);
    return sum;
}

/* 10000 / (1 + exp(-i / 8)) */
static const int logistic_table[] = {
    5000, 5312, 5622, 5927, 6225, 6514, 6792, 7058, 7311, 7549, 7773, 7982, 8176, 8355, 8520,
    8670, 8808, 8933, 9047, 9149, 9241, 9325, 9399, 9466, 9526, 9579, 9627, 9669, 9707, 9740,
    9770, 9797, 9820, 9841, 9859, 9876, 9890, 9903, 9914, 9924, 9933, 9941, 9948, 9954, 9959,
    9964, 9968, 9972, 9975, 9978, 9981, 9983, 9985, 9987, 9988, 9990, 9991, 9992, 9993, 9994,
    9994, 9995, 9996, 9996, 9997, 9997, 9997, 9998, 9998, 9998, 9998, 9999, 9999,
};

enum { LOGIT_BITS = 24, STEP_BITS = LOGIT_BITS - 3, MATERIAL_MIDDLE = 40 };

/* In permille; x in units of 2^-24. */
static int logistic(int64_t x)
{
    if (x < 0)
        return 1000 - logistic(-x);
    int64_t i = x >> STEP_BITS;
    int64_t last = (int64_t)(sizeof logistic_table / sizeof *logistic_table) - 1;
    if (i >= last)
        return 1000;
    int64_t part = x & ((INT64_C(1) << STEP_BITS) - 1);
    int64_t from = logistic_table[i];
    int64_t value = from + (((logistic_table[i + 1] - from) * part) >> STEP_BITS);
    return (int)((value + 5) / 10);
}

/* numbers[0] + numbers[1] m + numbers[2] m^2 */
static int64_t polynomial(const int64_t numbers[3], int m)
{
    return numbers[0] + (numbers[1] + numbers[2] * m) * m;
}

struct wdl wdl_estimate(int score, int material)
{
    /* eval/train/wdl.py prints these rows; README.md names the games. */
    static const int64_t slope[] = {296229, -4765, 56};
    static const int64_t shift[] = {39106668, -1244077, 21790};
    enum { MATERIAL_LEAST = 10, MATERIAL_MOST = 78 };
    if (material == WDL_INSUFFICIENT)
        return (struct wdl){0, 1000, 0};
    if (score >= SCORE_MATE_IN_MAX)
        return (struct wdl){1000, 0, 0};
    if (score <= -SCORE_MATE_IN_MAX)
        return (struct wdl){0, 0, 1000};
    int m = material < MATERIAL_LEAST ? MATERIAL_LEAST : material;
    m = (m > MATERIAL_MOST ? MATERIAL_MOST : m) - MATERIAL_MIDDLE;
    int64_t rise = polynomial(slope, m) * score;
    int win = logistic(rise - polynomial(shift, m));
    int loss = logistic(-rise - polynomial(shift, m));
    return (struct wdl){win, 1000 - win - loss, loss};
}
