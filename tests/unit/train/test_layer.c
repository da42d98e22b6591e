/* The trainer's gradients against differences of its sums and outputs, or their definition. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "eval/train/layer.h"

enum {
    POSITIONS = 40,
    ROWS = 2 * LAYER_INPUTS,
    TILES = 2,
    RELATED_TILE = TILES - 1, /* the one that sees relations */
    RELATION_WEIGHTS = LAYER_RELATIONS * LAYER_TILE,
    HIDDEN = TILES * LAYER_TILE,
    FIRST = LAYER_FIRST,
    SECOND = LAYER_SECOND,
    FIRST_WEIGHTS = TILES * LAYER_BUCKETS * 2 * LAYER_PAIRS * FIRST,
    RELATIONS_USED = 60,
    HEAD_NUMBERS = LAYER_BUCKETS * (FIRST + SECOND * SECOND + 2 * SECOND + 1),
};

#define PAIR_SLOPE 0.3f

struct numbers {
    float features[TILES * ROWS * LAYER_TILE];
    float shared[TILES * LAYER_INPUTS * LAYER_TILE];
    float bias[HIDDEN];
    float first[FIRST_WEIGHTS];
    float relations[RELATION_WEIGHTS];
};

static struct {
    int16_t features[TILES * ROWS * LAYER_TILE];
    int16_t bias[HIDDEN];
    float first[FIRST_WEIGHTS];
    float turned[FIRST_WEIGHTS];
    int8_t relations[RELATION_WEIGHTS];
} values;
static struct numbers slopes;
static uint16_t features[POSITIONS][2][LAYER_PIECES];
static uint8_t pieces[POSITIONS];
static uint16_t relations[POSITIONS][2][LAYER_RELATED];
static uint8_t related[POSITIONS][2];
static int16_t hidden[TILES * POSITIONS * 2 * LAYER_TILE];
static float partial[TILES * POSITIONS * FIRST];
static float sums[POSITIONS * FIRST];
static float weight_of[POSITIONS * FIRST];

static const struct layer_weights weights = {values.features, values.bias, values.first,
                                             values.turned, values.relations};
static const struct layer_gradient gradient = {slopes.features, slopes.bias, slopes.first,
                                               slopes.relations};

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

static const struct layer_batch batch = {POSITIONS, features[0][0], pieces, relations[0][0],
                                         related[0]};

static struct layer_shape make_shape(int threads)
{
    return (struct layer_shape){threads, TILES, ROWS, TILES - RELATED_TILE};
}

static void fill_integers(int16_t *numbers, size_t count, float size)
{
    for (size_t i = 0; i < count; i++)
        numbers[i] = (int16_t)(size * dice());
}

/* What layer_update() does when it rounds. */
static void turn(void)
{
    for (int i = 0; i < FIRST_WEIGHTS; i++) {
        int sum = i % FIRST;
        int pair = i / FIRST % LAYER_PAIRS;
        values.turned[(i / FIRST / LAYER_PAIRS * FIRST + sum) * LAYER_PAIRS + pair] =
            values.first[i];
    }
}

/* Relations that occur, up to the last one. */
static uint16_t relation_number(int i)
{
    return (uint16_t)(LAYER_RELATIONS - 1 - i * 1000);
}

static int setup(void **state)
{
    (void)state;
    fill_integers(values.features, sizeof values.features / sizeof(int16_t), 20);
    fill_integers(values.bias, HIDDEN, 75);
    for (int i = 0; i < RELATION_WEIGHTS; i++)
        values.relations[i] = (int8_t)(10 * dice());
    fill(values.first, FIRST_WEIGHTS, 0.5f);
    turn();
    fill(weight_of, POSITIONS * FIRST, 1);
    for (int i = 0; i < POSITIONS; i++) {
        pieces[i] = (uint8_t)(2 + i % 31);
        for (int j = 0; j < LAYER_PIECES; j++) {
            features[i][0][j] = (uint16_t)((i * 7 + j * 5) % 24 + j % 2 * LAYER_INPUTS);
            features[i][1][j] = (uint16_t)((i * 3 + j * 11) % 24);
        }
        for (int side = 0; side < 2; side++) {
            related[i][side] = (uint8_t)(i * (side + 2) % 50);
            for (int j = 0; j < related[i][side]; j++)
                relations[i][side][j] = relation_number((i + j * (3 - side)) % RELATIONS_USED);
        }
    }
    return 0;
}

/* The function whose slopes are looked for: the sums, each times a weight. */
static double total(int threads)
{
    struct layer_shape shape = make_shape(threads);
    double sum = 0;
    assert_int_equal(layer_forward(&shape, &batch, &weights, hidden, partial, sums), 0);
    for (int i = 0; i < POSITIONS * FIRST; i++)
        sum += (double)sums[i] * (double)weight_of[i];
    return sum;
}

/* A hidden value of a position by its definition, with tiles in the order of layer.h. */
static int hidden_of(int position, int side, int tile, int column)
{
    int sum = values.bias[tile * LAYER_TILE + column];
    for (int j = 0; j < pieces[position]; j++)
        sum += values.features[(tile * ROWS + features[position][side][j]) * LAYER_TILE + column];
    for (int j = 0; tile == RELATED_TILE && j < related[position][side]; j++)
        sum += values.relations[relations[position][side][j] * LAYER_TILE + column];
    return sum;
}

static int clamped(int value)
{
    return value < 0 ? 0 : value > LAYER_QA ? LAYER_QA : value;
}

static const float *first_of(int position, int side, int tile, int pair)
{
    int bucket = (pieces[position] - 2) / 4;
    return values.first +
           (((tile * LAYER_BUCKETS + bucket) * 2 + side) * LAYER_PAIRS + pair) * FIRST;
}

static void test_sums_are_of_products_of_pairs(void **state)
{
    (void)state;
    (void)total(1);
    for (int p = 0; p < POSITIONS; p++) {
        double wanted[FIRST] = {0};
        for (int i = 0; i < 2 * TILES * LAYER_PAIRS; i++) {
            int side = i / (TILES * LAYER_PAIRS);
            int tile = i / LAYER_PAIRS % TILES;
            int pair = i % LAYER_PAIRS;
            int product = clamped(hidden_of(p, side, tile, pair)) *
                          clamped(hidden_of(p, side, tile, LAYER_PAIRS + pair)) / 128;
            for (int sum = 0; sum < FIRST; sum++)
                wanted[sum] += product * (double)first_of(p, side, tile, pair)[sum];
        }
        for (int sum = 0; sum < FIRST; sum++)
            assert_true(fabs((double)sums[p * FIRST + sum] - wanted[sum] * 128 / (127 * 127)) <
                        1e-4);
    }
}

/* A hidden value's slope in one position: the pair's, times the other value of the pair. Rounding
 * of the product does not count. */
static double slope_of_hidden(int position, int side, int tile, int column)
{
    int value = hidden_of(position, side, tile, column);
    int pair = column % LAYER_PAIRS;
    int other = hidden_of(position, side, tile, column ^ LAYER_PAIRS);
    double slope = (double)PAIR_SLOPE;
    for (int sum = 0; sum < FIRST; sum++)
        slope += (double)first_of(position, side, tile, pair)[sum] *
                 (double)weight_of[position * FIRST + sum];
    return value >= 0 && value <= LAYER_QA ? slope * clamped(other) / LAYER_QA : 0;
}

/* Summed over the places where the feature, or without one the bias, counts. */
static double slope_of_weight(int tile, int row, int column)
{
    double slope = 0;
    for (int p = 0; p < POSITIONS; p++)
        for (int side = 0; side < 2; side++) {
            int count = row < 0;
            for (int j = 0; j < pieces[p]; j++)
                count += features[p][side][j] == row;
            if (count > 0)
                slope += count * slope_of_hidden(p, side, tile, column);
        }
    return slope;
}

static double slope_of_relation(int relation, int column)
{
    double slope = 0;
    for (int p = 0; p < POSITIONS; p++)
        for (int side = 0; side < 2; side++)
            for (int j = 0; j < related[p][side]; j++)
                if (relations[p][side][j] == relation)
                    slope += slope_of_hidden(p, side, RELATED_TILE, column);
    return slope;
}

static void make_slopes(int threads)
{
    struct layer_shape shape = make_shape(threads);
    (void)total(threads);
    assert_int_equal(
        layer_backward(&shape, &batch, &weights, hidden, weight_of, PAIR_SLOPE, &gradient), 0);
}

/* A position's slopes are rounded to 8 bits. */
static void test_gradient_of_the_hidden_layer(void **state)
{
    (void)state;
    make_slopes(1);
    int seen = 0;
    for (int i = 0; i < TILES * ROWS * LAYER_TILE; i += 7) {
        int row = i / LAYER_TILE % ROWS;
        double wanted = slope_of_weight(i / LAYER_TILE / ROWS, row, i % LAYER_TILE);
        seen += wanted != 0;
        assert_true(fabs((double)slopes.features[i] - wanted) < 0.02 + 0.01 * fabs(wanted));
    }
    assert_true(seen > 500);
    for (int i = 0; i < HIDDEN; i++)
        assert_true(fabs((double)slopes.bias[i] -
                         slope_of_weight(i / LAYER_TILE, -1, i % LAYER_TILE)) < 0.001);
}

static void test_gradient_of_relations(void **state)
{
    (void)state;
    make_slopes(1);
    int seen = 0;
    for (int i = 0; i < RELATIONS_USED; i++)
        for (int column = 0; column < LAYER_TILE; column++) {
            double wanted = slope_of_relation(relation_number(i), column);
            double found = (double)slopes.relations[relation_number(i) * LAYER_TILE + column];
            seen += wanted != 0;
            assert_true(fabs(found - wanted) < 0.02 + 0.01 * fabs(wanted));
            assert_true(slopes.relations[(relation_number(i) - 1) * LAYER_TILE + column] == 0);
        }
    assert_true(seen > 500);
}

static void test_gradient_of_the_first_layer(void **state)
{
    (void)state;
    make_slopes(1);
    for (int i = 0; i < FIRST_WEIGHTS; i += 97) {
        float kept = values.first[i];
        values.first[i] = kept + 1;
        double above = total(1);
        values.first[i] = kept - 1;
        double below = total(1);
        values.first[i] = kept;
        assert_true(fabs((above - below) / 2 - (double)slopes.first[i]) < 0.001);
    }
}

/* The parts of struct layer_head one behind the other. */
static struct layer_head head_in(float *numbers)
{
    struct layer_head head = {.first_bias = numbers};
    head.second = head.first_bias + LAYER_BUCKETS * FIRST;
    head.second_bias = head.second + LAYER_BUCKETS * SECOND * SECOND;
    head.third = head.second_bias + LAYER_BUCKETS * SECOND;
    head.third_bias = head.third + LAYER_BUCKETS * SECOND;
    return head;
}

/* The outputs, each times a weight. */
static double head_total(const float *numbers, const float *in)
{
    float copy[HEAD_NUMBERS];
    float outputs[POSITIONS];
    memcpy(copy, numbers, sizeof copy);
    struct layer_head head = head_in(copy);
    struct layer_shape shape = make_shape(1);
    double sum = 0;
    assert_int_equal(layer_head_forward(&shape, &batch, &head, in, outputs), 0);
    for (int i = 0; i < POSITIONS; i++)
        sum += (double)outputs[i] * (double)weight_of[i];
    return sum;
}

static void check_difference(float *numbers, float *in, float *changed, float found)
{
    const float step = 0.01f;
    float kept = *changed;
    *changed = kept + step;
    double above = head_total(numbers, in);
    *changed = kept - step;
    double below = head_total(numbers, in);
    *changed = kept;
    double slope = (above - below) / (2 * (double)step);
    assert_true(fabs(slope - (double)found) < 0.005 + 0.02 * fabs(slope));
}

/* Sums of both signs and beyond 1, none so near to a bend that the step passes it. */
static void test_gradient_of_the_layers_behind(void **state)
{
    (void)state;
    static float numbers[HEAD_NUMBERS];
    static float found[HEAD_NUMBERS];
    static float in[POSITIONS * FIRST];
    static float in_slopes[POSITIONS * FIRST];
    fill(numbers, HEAD_NUMBERS, 0.1f);
    struct layer_head head = head_in(numbers);
    struct layer_head head_slopes = head_in(found);
    for (int i = 0; i < LAYER_BUCKETS * SECOND; i++)
        head.second_bias[i] = i % 5 == 0 ? -2 : i % 7 == 0 ? 3 : 0.5f;
    for (int i = 0; i < POSITIONS * FIRST; i++)
        in[i] = (i % 2 ? 0.5f : -0.5f) * (i % 3 ? 1.0f : 3.0f) + 0.2f * dice();
    struct layer_shape shape = make_shape(1);
    assert_int_equal(
        layer_head_backward(&shape, &batch, &head, in, weight_of, &head_slopes, in_slopes), 0);
    for (int i = 0; i < HEAD_NUMBERS; i++)
        check_difference(numbers, in, &numbers[i], found[i]);
    for (int i = 0; i < POSITIONS * FIRST; i++)
        check_difference(numbers, in, &in[i], in_slopes[i]);
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
        {trained.first, first.first, second.first},
        {trained.relations, first.relations, second.relations},
    };
    struct layer_step step = {
        .rate = rate / 0.1f, .second_scale = 1000, .feature_limit = 1.5f * rate, .first_limit = 1};
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
        for (int i = 0; i < RELATION_WEIGHTS; i++) {
            float slope = slopes.relations[i];
            if (slope == 0 || fabsf(slope) > 1e-3f)
                assert_int_equal(values.relations[i], slope == 0 ? 0 : slope > 0 ? -10 : 10);
        }
        for (int i = 0; i < FIRST_WEIGHTS; i++)
            assert_true(fabsf(values.first[i] - trained.first[i]) <= 0.5f / LAYER_QB);
        float kept[8];
        memcpy(kept, values.turned + 5 * LAYER_PAIRS, sizeof kept);
        turn();
        assert_memory_equal(kept, values.turned + 5 * LAYER_PAIRS, sizeof kept);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sums_are_of_products_of_pairs),
        cmocka_unit_test(test_gradient_of_the_hidden_layer),
        cmocka_unit_test(test_gradient_of_relations),
        cmocka_unit_test(test_gradient_of_the_first_layer),
        cmocka_unit_test(test_gradient_of_the_layers_behind),
        cmocka_unit_test(test_threads_change_nothing),
        cmocka_unit_test(test_a_step_moves_values_and_rounds_them),
    };
    return cmocka_run_group_tests(tests, setup, NULL);
}
