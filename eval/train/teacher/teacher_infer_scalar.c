/* Plain C: tests compare the other kinds with it. */
#include "eval/train/teacher/teacher_infer.h"

static void update(const struct teacher_net *net, int16_t *out, const int16_t *in,
                   const struct teacher_rows *rows)
{
    for (int i = 0; i < net->shape->hidden; i++) {
        int sum = in[i];
        for (int row = 0; row < rows->adds; row++)
            sum += teacher_weights(net, rows->add[row])[i];
        for (int row = 0; row < rows->subs; row++)
            sum -= teacher_weights(net, rows->sub[row])[i];
        out[i] = (int16_t)sum;
    }
}

static void relate(const struct teacher_net *net, int16_t *values,
                   const struct teacher_related *related)
{
    for (int i = 0; i < net->shape->hidden; i++) {
        int sum = values[i];
        for (int row = 0; row < related->adds; row++)
            sum += teacher_relation_weights(net, related->add[row])[i];
        for (int row = 0; row < related->subs; row++)
            sum -= teacher_relation_weights(net, related->sub[row])[i];
        values[i] = (int16_t)sum;
    }
}

static int clamp(int value, int most)
{
    return value < 0 ? 0 : value > most ? most : value;
}

static void pair(const struct teacher_shape *shape, const int16_t *values, uint8_t *out)
{
    const int pairs = shape->hidden / 2;
    for (int i = 0; i < pairs; i++)
        out[i] = (uint8_t)(clamp(values[i], shape->pair_most) *
                               clamp(values[pairs + i], shape->pair_most) >>
                           shape->pair_shift);
}

static void dense(int32_t *sums, const uint8_t *in, int chunks, const int8_t *weights)
{
    for (int chunk = 0; chunk < chunks; chunk++)
        for (int output = 0; output < TEACHER_GROUP; output++)
            for (int i = 0; i < 4; i++)
                sums[output] += in[4 * chunk + i] * *weights++;
}

const struct teacher_infer teacher_infer_scalar = {"plain C", update, relate, pair, dense};
