/* The trainer's gradients against differences of its outputs. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "eval/train/layer.h"

enum { POSITIONS = 40, ROWS = 2 * LAYER_INPUTS, TILES = 2, HIDDEN = TILES * LAYER_TILE };

struct numbers {
    float features[TILES * ROWS * LAYER_TILE];
    float shared[TILES * LAYER_INPUTS * LAYER_TILE];
    float bias[HIDDEN];
    float output[TILES * LAYER_BUCKETS * 2 * LAYER_TILE];
};

static struct {
    int16_t features[TILES * ROWS * LAYER_TILE];
    int16_t bias[HIDDEN];
    float output[TILES * LAYER_BUCKETS * 2 * LAYER_TILE];
} values;
static struct numbers slopes;
static uint16_t features[POSITIONS][2][LAYER_PIECES];
static uint8_t pieces[POSITIONS];
static int16_t hidden[TILES * POSITIONS * 2 * LAYER_TILE];
static float partial[TILES * POSITIONS];
static float weight_of[POSITIONS];

static const struct layer_weights weights = {values.features, values.bias, values.output};
static const struct layer_gradient gradient = {slopes.features, slopes.bias, slopes.output};

/* -1 .. 1, by a linear congruence: the same numbers every time. */
static float dice(void)
{
    static uint32_t state = 1;
    state = state * 1664525u + 1013904223u;
    return (float)(state >> 8) / (1 << 23) - 1;
}

static void fill(float *numbers, size_t count, float size)
{
    for (size_t i = 0; i < count; i++)
        numbers[i] = size * dice();
}

static const struct layer_batch batch = {POSITIONS, features[0][0], pieces};

static struct layer_shape make_shape(int threads)
{
    return (struct layer_shape){threads, TILES, ROWS};
}

static void fill_integers(int16_t *numbers, size_t count, float size)
{
    for (size_t i = 0; i < count; i++)
        numbers[i] = (int16_t)(size * dice());
}

static int setup(void **state)
{
    (void)state;
    /* Accumulators stay below LAYER_QA, where the slope jumps. */
    fill_integers(values.features, sizeof values.features / sizeof(int16_t), 25);
    fill_integers(values.bias, HIDDEN, 60);
    fill(values.output, sizeof values.output / sizeof(float), 0.5f);
    fill(weight_of, POSITIONS, 1);
    for (int i = 0; i < POSITIONS; i++) {
        pieces[i] = (uint8_t)(2 + i % 31);
        for (int j = 0; j < LAYER_PIECES; j++) {
            features[i][0][j] = (uint16_t)((i * 7 + j * 5) % 24 + j % 2 * LAYER_INPUTS);
            features[i][1][j] = (uint16_t)((i * 3 + j * 11) % 24);
        }
    }
    return 0;
}

/* The function whose slopes are looked for: the outputs, each times a weight. */
static double total(int threads)
{
    struct layer_shape shape = make_shape(threads);
    double sum = 0;
    assert_int_equal(layer_forward(&shape, &batch, &weights, hidden, partial), 0);
    for (int i = 0; i < TILES * POSITIONS; i++)
        sum += (double)partial[i] * (double)weight_of[i % POSITIONS];
    return sum;
}

/* One value of position 0 by the definition in layer.h. */
static void test_output_is_the_sum_of_squared_clamped_accumulators(void **state)
{
    (void)state;
    double wanted = 0;
    for (int unit = 0; unit < 2 * HIDDEN; unit++) {
        int side = unit / HIDDEN;
        int tile = unit % HIDDEN / LAYER_TILE;
        int column = unit % LAYER_TILE;
        double sum = (double)values.bias[unit % HIDDEN];
        for (int j = 0; j < pieces[0]; j++)
            sum +=
                (double)values.features[(tile * ROWS + features[0][side][j]) * LAYER_TILE + column];
        sum = fmin(fmax(sum / LAYER_QA, 0), 1);
        wanted += sum * sum *
                  (double)values.output[(tile * LAYER_BUCKETS * 2 + side) * LAYER_TILE + column];
    }
    (void)total(1);
    double got = 0;
    for (int tile = 0; tile < TILES; tile++)
        got += (double)partial[tile * POSITIONS];
    assert_true(fabs(got - wanted) < 1e-4);
}

/* By differences of the outputs between the integers above and below, which are exact for squares;
 * a position's slopes are rounded to 8 bits. */
static void check_integers(int16_t *numbers, const float *found, size_t count)
{
    for (size_t i = 0; i < count; i += 1 + count / 9973) {
        int16_t kept = numbers[i];
        if (found[i] == 0)
            continue;
        numbers[i] = (int16_t)(kept + 1);
        double above = total(1);
        numbers[i] = (int16_t)(kept - 1);
        double below = total(1);
        numbers[i] = kept;
        double slope = (above - below) / 2 * LAYER_QA;
        assert_true(fabs(slope - (double)found[i]) < 0.02 + 0.01 * fabs(slope));
    }
}

static void check_outputs(float *numbers, const float *found, size_t count)
{
    for (size_t i = 0; i < count; i += 1 + count / 97) {
        float kept = numbers[i];
        numbers[i] = kept + 1;
        double above = total(1);
        numbers[i] = kept - 1;
        double below = total(1);
        numbers[i] = kept;
        assert_true(fabs((above - below) / 2 - (double)found[i]) < 0.001);
    }
}

static void make_slopes(int threads)
{
    struct layer_shape shape = make_shape(threads);
    (void)total(threads);
    assert_int_equal(layer_backward(&shape, &batch, &weights, hidden, weight_of, &gradient), 0);
}

static void test_gradient_is_the_slope_of_the_outputs(void **state)
{
    (void)state;
    make_slopes(1);
    check_integers(values.features, slopes.features, sizeof values.features / sizeof(int16_t));
    check_integers(values.bias, slopes.bias, HIDDEN);
    check_outputs(values.output, slopes.output, sizeof values.output / sizeof(float));
}

static void test_threads_change_nothing(void **state)
{
    (void)state;
    static struct numbers alone;
    make_slopes(1);
    double sum = total(1);
    alone = slopes;
    make_slopes(3);
    assert_true(total(3) == sum);
    assert_memory_equal(&alone, &slopes, sizeof slopes);
}

/* The first step of Adam moves every value by the rate, against its slope. */
static void test_a_step_moves_values_and_rounds_them(void **state)
{
    (void)state;
    static struct numbers trained;
    static struct numbers first;
    static struct numbers second;
    struct layer_shape shape = make_shape(2);
    const float rate = 10.0f / LAYER_QA;
    struct layer_parameters parameters = {
        {trained.features, first.features, second.features},
        {trained.shared, first.shared, second.shared},
        {trained.bias, first.bias, second.bias},
        {trained.output, first.output, second.output},
    };
    struct layer_step step = {
        .rate = rate / 0.1f, .second_scale = 1000, .feature_limit = 1.5f * rate, .output_limit = 1};
    make_slopes(1);
    for (int own = 0; own < 2; own++) {
        memset(&trained, 0, sizeof trained);
        memset(&first, 0, sizeof first);
        memset(&second, 0, sizeof second);
        if (own) /* without a shared part */
            parameters.shared = (struct layer_trained){NULL, NULL, NULL};
        assert_int_equal(layer_update(&shape, &parameters, &gradient, &step, &weights), 0);
        for (size_t i = 0; i < TILES * ROWS * LAYER_TILE; i++) {
            float slope = slopes.features[i];
            float other =
                slopes.features[i / LAYER_TILE / LAYER_INPUTS % 2 ? i - LAYER_INPUTS * LAYER_TILE
                                                                  : i + LAYER_INPUTS * LAYER_TILE];
            /* Half of the limit is for the shared part, which sums the slopes of both buckets. */
            double most = own ? 10 : 7.5;
            double wanted = fabsf(slope) < 1e-6f ? 0 : slope > 0 ? -most : most;
            if (!own && fabsf(slope + other) > 1e-6f)
                wanted += slope + other > 0 ? -7.5 : 7.5;
            if ((slope == 0 || fabsf(slope) > 1e-3f) &&
                (slope + other == 0 || fabsf(slope + other) > 1e-3f))
                assert_true(fabs(values.features[i] - wanted) < 0.6);
        }
        assert_true(fabsf(values.output[0] * LAYER_QB) ==
                    roundf(fabsf(trained.output[0]) * LAYER_QB));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_output_is_the_sum_of_squared_clamped_accumulators),
        cmocka_unit_test(test_gradient_is_the_slope_of_the_outputs),
        cmocka_unit_test(test_threads_change_nothing),
        cmocka_unit_test(test_a_step_moves_values_and_rounds_them),
    };
    return cmocka_run_group_tests(tests, setup, NULL);
}
