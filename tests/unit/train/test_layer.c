/* The trainer's gradients against differences of its outputs. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "eval/train/layer.h"

enum { POSITIONS = 40, ROWS = 24, TILES = 2, HIDDEN = TILES * LAYER_TILE };

struct numbers {
    float features[TILES * ROWS * LAYER_TILE];
    float bias[HIDDEN];
    float output[TILES * LAYER_BUCKETS * 2 * LAYER_TILE];
};

static struct numbers values, slopes;
static uint16_t features[POSITIONS][2][LAYER_PIECES];
static uint8_t pieces[POSITIONS];
static float hidden[TILES * POSITIONS * 2 * LAYER_TILE];
static float partial[TILES * POSITIONS];
static float weight_of[POSITIONS];

static const struct layer_weights weights = {values.features, values.bias, values.output};
static const struct layer_weights gradient = {slopes.features, slopes.bias, slopes.output};

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

static struct layer_batch make_batch(int threads)
{
    return (struct layer_batch){threads, POSITIONS, ROWS, TILES, features[0][0], pieces};
}

static int setup(void **state)
{
    (void)state;
    fill(values.features, sizeof values.features / sizeof(float), 0.2f);
    fill(values.bias, HIDDEN, 0.5f);
    fill(values.output, sizeof values.output / sizeof(float), 0.5f);
    fill(weight_of, POSITIONS, 1);
    for (int i = 0; i < POSITIONS; i++) {
        pieces[i] = (uint8_t)(2 + i % 31);
        for (int j = 0; j < LAYER_PIECES; j++) {
            features[i][0][j] = (uint16_t)((i * 7 + j * 5) % ROWS);
            features[i][1][j] = (uint16_t)((i * 3 + j * 11) % ROWS);
        }
    }
    return 0;
}

/* The function whose slopes are looked for: the outputs, each times a weight. */
static double total(int threads)
{
    struct layer_batch batch = make_batch(threads);
    double sum = 0;
    assert_int_equal(layer_forward(&batch, &weights, hidden, partial), 0);
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
        sum = fmin(fmax(sum, 0), 1);
        wanted += sum * sum *
                  (double)values.output[(tile * LAYER_BUCKETS * 2 + side) * LAYER_TILE + column];
    }
    (void)total(1);
    double got = 0;
    for (int tile = 0; tile < TILES; tile++)
        got += (double)partial[tile * POSITIONS];
    assert_true(fabs(got - wanted) < 1e-4);
}

static void check_slopes(float *numbers, const float *found, size_t count)
{
    for (size_t i = 0; i < count; i += 1 + count / 97) {
        float kept = numbers[i];
        float step = 0.0005f; /* small: the slope jumps where an accumulator passes 1 */
        numbers[i] = kept + step;
        double above = total(1);
        numbers[i] = kept - step;
        double below = total(1);
        numbers[i] = kept;
        double slope = (above - below) / (2 * (double)step);
        assert_true(fabs(slope - (double)found[i]) < 0.01 + 0.01 * fabs(slope));
    }
}

static void test_gradient_is_the_slope_of_the_outputs(void **state)
{
    (void)state;
    struct layer_batch batch = make_batch(1);
    (void)total(1);
    assert_int_equal(layer_backward(&batch, &weights, hidden, weight_of, &gradient), 0);
    check_slopes(values.features, slopes.features, sizeof values.features / sizeof(float));
    check_slopes(values.bias, slopes.bias, HIDDEN);
    check_slopes(values.output, slopes.output, sizeof values.output / sizeof(float));
}

static void test_threads_change_nothing(void **state)
{
    (void)state;
    static struct numbers alone;
    struct layer_batch batch = make_batch(3);
    double sum = total(1);
    assert_int_equal(layer_backward(&batch, &weights, hidden, weight_of, &gradient), 0);
    alone = slopes;
    batch = make_batch(1);
    assert_true(total(3) == sum);
    assert_int_equal(layer_backward(&batch, &weights, hidden, weight_of, &gradient), 0);
    assert_memory_equal(&alone, &slopes, sizeof slopes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_output_is_the_sum_of_squared_clamped_accumulators),
        cmocka_unit_test(test_gradient_is_the_slope_of_the_outputs),
        cmocka_unit_test(test_threads_change_nothing),
    };
    return cmocka_run_group_tests(tests, setup, NULL);
}
