#include "eval/train/model.h"

#include <math.h>
#include <string.h>

#include "eval/endgame.h"
#include "eval/terms_king.h"

void weights_from_table(struct weights *weights)
{
    for (int i = 0; i < WEIGHT_COUNT; i++) {
        weights->value[i][MG] = pair_mg(eval_weights[i]);
        weights->value[i][EG] = pair_eg(eval_weights[i]);
    }
}

static void add_up(const struct feature *features, size_t count, const struct weights *weights,
                   double sum[2])
{
    for (size_t i = 0; i < count; i++) {
        sum[MG] += features[i].count * weights->value[features[i].weight][MG];
        sum[EG] += features[i].count * weights->value[features[i].weight][EG];
    }
}

static void add_gradient(const struct feature *features, size_t count, double mg, double eg,
                         struct weights *gradient)
{
    for (size_t i = 0; i < count; i++) {
        gradient->value[features[i].weight][MG] += features[i].count * mg;
        gradient->value[features[i].weight][EG] += features[i].count * eg;
    }
}

static double clamp_danger(double danger)
{
    return danger < 0 ? 0 : danger > DANGER_MAX ? DANGER_MAX : danger;
}

static bool is_clamped(double danger)
{
    return danger < 0 || danger > DANGER_MAX;
}

double model_backward(const struct data *data, const struct sample *sample,
                      const struct weights *weights, model_factor *factor, void *context,
                      struct weights *gradient)
{
    const struct feature *linear = data->features + sample->first;
    const struct feature *danger[2] = {linear + sample->linear,
                                       linear + sample->linear + sample->danger[WHITE]};
    double sum[2] = {0, sample->extra};
    double unsafe[2][2] = {{0}};
    add_up(linear, sample->linear, weights, sum);
    for (int color = WHITE; color <= BLACK; color++) {
        double sign = color == WHITE ? -1 : 1;
        add_up(danger[color], sample->danger[color], weights, unsafe[color]);
        double mg = clamp_danger(unsafe[color][MG]);
        sum[MG] += sign * mg * mg / DANGER_SQUARE_DIVISOR;
        sum[EG] += sign * clamp_danger(unsafe[color][EG]) / DANGER_LINEAR_DIVISOR;
    }
    double mg_share = sample->phase / (double)PHASE_MAX;
    double eg_share = (1 - mg_share) * sample->scale / (double)SCALE_ONE;
    double score = sum[MG] * mg_share + sum[EG] * eg_share;
    if (!gradient)
        return score;

    double d_mg = factor(score, sample, context) * mg_share;
    double d_eg = factor(score, sample, context) * eg_share;
    add_gradient(linear, sample->linear, d_mg, d_eg, gradient);
    for (int color = WHITE; color <= BLACK; color++) {
        double sign = color == WHITE ? -1 : 1;
        double mg = unsafe[color][MG];
        double mg_slope = is_clamped(mg) ? 0 : 2 * mg / DANGER_SQUARE_DIVISOR;
        double eg_slope = is_clamped(unsafe[color][EG]) ? 0 : 1.0 / DANGER_LINEAR_DIVISOR;
        add_gradient(danger[color], sample->danger[color], sign * mg_slope * d_mg,
                     sign * eg_slope * d_eg, gradient);
    }
    return score;
}

double model_score(const struct data *data, const struct sample *sample,
                   const struct weights *weights)
{
    return model_backward(data, sample, weights, NULL, NULL, NULL);
}

static double unit_factor(double score, const struct sample *sample, void *context)
{
    (void)score, (void)sample, (void)context;
    return 1;
}

double model_check(const struct data *data, size_t samples, const struct weights *weights)
{
    const double step = 1e-3;
    double worst = 0;
    /* Whole weights put many kings exactly on the kink at no danger. */
    struct weights base = *weights;
    base.value[W_DANGER_BASE][MG] += 0.37;
    base.value[W_DANGER_BASE][EG] += 0.37;
    for (size_t s = 0; s < samples && s < data->count; s++) {
        const struct sample *sample = &data->samples[s];
        struct weights gradient = {0};
        struct weights moved = base;
        model_backward(data, sample, &base, unit_factor, NULL, &gradient);
        size_t count =
            (size_t)sample->linear + sample->danger[WHITE] + (size_t)sample->danger[BLACK];
        for (size_t i = 0; i < count; i++) {
            int weight = data->features[sample->first + i].weight;
            for (int half = MG; half <= EG; half++) {
                double kept = moved.value[weight][half];
                moved.value[weight][half] = kept + step;
                double above = model_score(data, sample, &moved);
                moved.value[weight][half] = kept - step;
                double below = model_score(data, sample, &moved);
                moved.value[weight][half] = kept;
                double wanted = gradient.value[weight][half];
                double error = fabs((above - below) / (2 * step) - wanted) / (1 + fabs(wanted));
                worst = error > worst ? error : worst;
            }
        }
    }
    return worst;
}
