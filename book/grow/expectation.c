#include "book/grow/expectation.h"

#include "eval/eval.h"
#include "search/score.h"

/* ln 2 in two parts: the first has 32 bits, so that its multiples are exact. */
#define LN2_HIGH 6.93147180369123816490e-01
#define LN2_LOW  1.90821492927058770002e-10
#define LN_10    2.30258509299404568402

enum { TERMS = 18, CENTIPAWNS_TENFOLD = 400 };

#define EXPONENT_LEAST (-700.0) /* e^-708 is the last that is a normal number */

double exponential(double x)
{
    if (!(x > EXPONENT_LEAST))
        return 0;
    int halves = (int)(-x / (LN2_HIGH + LN2_LOW) + 0.5);
    double rest = (x + halves * LN2_HIGH) + halves * LN2_LOW; /* at most ln 2 / 2 either way */
    double sum = 1;
    for (int i = TERMS; i > 0; i--)
        sum = 1 + rest / i * sum;
    for (; halves > 0; halves--)
        sum /= 2;
    return sum;
}

double expected_points(int score)
{
    if (score_is_mate(score))
        return score > 0;
    double size = (score < 0 ? -score : score) * (100.0 / EVAL_HALF);
    double odds = exponential(-size * (LN_10 / CENTIPAWNS_TENFOLD));
    return score < 0 ? odds / (1 + odds) : 1 / (1 + odds);
}
