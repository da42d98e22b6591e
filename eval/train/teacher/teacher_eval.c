#include "eval/train/teacher/teacher_eval.h"

#include <string.h>

#include "base/memory.h"

enum {
    ONE = 127,       /* the largest value between layers */
    WEIGHT_BITS = 6, /* 64 stands for 1.0 in 8-bit weights */
    OUTPUT_SCALE = 16,
    DIRECT_SCALE = 600, /* of the output of the first layer that goes to the end directly */
};

/* The last accumulator made with a king on a square, and the pieces and relations that it sums. */
struct king_cache {
    alignas(64) int16_t values[TEACHER_HIDDEN_MAX];
    int32_t material[TEACHER_STACKS];
    struct relations relations;
    uint64_t types[PIECE_TYPES];
    uint64_t colors[2];
};

struct teacher {
    struct king_cache cache[2][64]; /* by perspective and square of its king */
    struct relation_table table;
    uint64_t marks[RELATIONS / 64 + 1]; /* a bit for each relation, all 0 between calls */
    const struct teacher_net *net;
    const struct teacher_infer *infer;
};

static size_t values_size(const struct teacher_net *net)
{
    return (size_t)net->shape->hidden * sizeof(int16_t);
}

struct teacher *teacher_create(const struct teacher_net *net, const struct teacher_infer *infer)
{
    struct teacher *teacher = large_memory(sizeof *teacher);
    if (!teacher)
        return NULL;
    memset(teacher, 0, sizeof *teacher);
    teacher->net = net;
    teacher->infer = infer ? infer : teacher_infer_kind(0);
    relations_init(&teacher->table);
    for (int perspective = WHITE; perspective <= BLACK; perspective++)
        for (int square = 0; square < 64; square++)
            memcpy(teacher->cache[perspective][square].values, net->bias, values_size(net));
    return teacher;
}

void teacher_destroy(struct teacher *teacher)
{
    large_memory_free(teacher);
}

/* Accumulators ----------------------------------------------------------------------------- */

/* How a perspective sees the board while its king stands on a square. */
struct king_view {
    int perspective;
    int turn; /* a square of the board XOR this: the square as it is seen */
    int base; /* the inputs of the king's square begin here */
};

static struct king_view view_of(int perspective, int king)
{
    int turn = perspective == WHITE ? 0 : 56;
    int seen = king ^ turn;
    int mirror = square_file(seen) < 4 ? 7 : 0;
    int place = (7 - square_rank(seen)) * 4 + (7 - square_file(seen ^ mirror));
    return (struct king_view){perspective, turn ^ mirror, place * TEACHER_KINDS * 64};
}

static uint16_t input_of(const struct king_view *view, int type, int color, int square)
{
    int kind = type == KING ? TEACHER_KINDS - 1 : 2 * type + (color != view->perspective);
    return (uint16_t)(view->base + kind * 64 + (square ^ view->turn));
}

/* Inputs that lead from the pieces given by type and colour to those of `pos`. */
static void collect_difference(const struct king_view *view, const uint64_t types[PIECE_TYPES],
                               const uint64_t colors[2], const struct position *pos,
                               struct teacher_rows *rows)
{
    rows->adds = rows->subs = 0;
    for (int color = WHITE; color <= BLACK; color++) {
        /* For a move, most of the types are equal. */
        for (int type = PAWN; type <= KING; type++) {
            uint64_t old = types[type] & colors[color];
            uint64_t new = position_pieces(pos, color, type);
            for (uint64_t set = new & ~old; set;)
                rows->add[rows->adds++] = input_of(view, type, color, bb_pop(&set));
            for (uint64_t set = old & ~new; set;)
                rows->sub[rows->subs++] = input_of(view, type, color, bb_pop(&set));
        }
    }
}

/* Adds the material of `count` inputs, `sign` times (1 or -1). */
static void add_material(int32_t *sums, const int32_t (*material)[TEACHER_STACKS],
                         const uint16_t *inputs, int count, int sign)
{
    for (int input = 0; input < count; input++)
        for (int i = 0; i < TEACHER_STACKS; i++)
            sums[i] += sign * material[inputs[input]][i];
}

static void update_material(const struct teacher_net *net, const struct teacher_rows *rows,
                            const int32_t in[TEACHER_STACKS], int32_t out[TEACHER_STACKS])
{
    for (int i = 0; i < TEACHER_STACKS; i++)
        out[i] = in[i];
    add_material(out, net->material, rows->add, rows->adds, 1);
    add_material(out, net->material, rows->sub, rows->subs, -1);
}

/* What leads from the relations `old` to `new`. */
static void compare_relations(struct teacher *teacher, const struct relations *old,
                              const struct relations *new, struct teacher_related *out)
{
    uint64_t *marks = teacher->marks;
    out->adds = out->subs = 0;
    for (int i = 0; i < new->count; i++)
        marks[new->numbers[i] / 64] |= bb_square(new->numbers[i] % 64);
    for (int i = 0; i < old->count; i++) {
        uint64_t *mark = &marks[old->numbers[i] / 64];
        if (*mark & bb_square(old->numbers[i] % 64))
            *mark ^= bb_square(old->numbers[i] % 64);
        else
            out->sub[out->subs++] = old->numbers[i];
    }
    for (int i = 0; i < new->count; i++) {
        uint64_t *mark = &marks[new->numbers[i] / 64];
        if (*mark & bb_square(new->numbers[i] % 64)) {
            *mark ^= bb_square(new->numbers[i] % 64);
            out->add[out->adds++] = new->numbers[i];
        }
    }
}

/* Changes an accumulator that sums the relations `old` into one of those of `pos`, which it lists
 * in `new`. Both may be the same. */
static void update_relations(struct teacher *teacher, const struct position *pos, int perspective,
                             const struct relations *old, struct relations *new, int16_t *values,
                             int32_t *material)
{
    const struct teacher_net *net = teacher->net;
    struct relations list;
    struct teacher_related related;
    relations_list(&teacher->table, pos, perspective, &list);
    compare_relations(teacher, old, &list, &related);
    teacher->infer->relate(net, values, &related);
    add_material(material, net->relation_material, related.add, related.adds, 1);
    add_material(material, net->relation_material, related.sub, related.subs, -1);
    new->count = list.count;
    memcpy(new->numbers, list.numbers, (size_t)list.count * sizeof list.numbers[0]);
}

static void refresh(struct teacher *teacher, int perspective, const struct position *pos,
                    struct teacher_accumulator *out)
{
    int king = position_king(pos, perspective);
    struct king_cache *cached = &teacher->cache[perspective][king];
    struct king_view view = view_of(perspective, king);
    struct teacher_rows rows;
    collect_difference(&view, cached->types, cached->colors, pos, &rows);
    teacher->infer->update(teacher->net, cached->values, cached->values, &rows);
    update_material(teacher->net, &rows, cached->material, cached->material);
    if (teacher->net->shape->has_relations) {
        update_relations(teacher, pos, perspective, &cached->relations, &cached->relations,
                         cached->values, cached->material);
        out->relations[perspective] = cached->relations;
    }
    memcpy(cached->types, pos->types, sizeof cached->types);
    memcpy(cached->colors, pos->colors, sizeof cached->colors);
    memcpy(out->values[perspective], cached->values, values_size(teacher->net));
    memcpy(out->material[perspective], cached->material, sizeof cached->material);
}

void teacher_refresh(struct teacher *teacher, const struct position *pos,
                     struct teacher_accumulator *out)
{
    refresh(teacher, WHITE, pos, out);
    refresh(teacher, BLACK, pos, out);
}

void teacher_update(struct teacher *teacher, const struct position *before,
                    const struct teacher_accumulator *in, const struct position *pos,
                    struct teacher_accumulator *out)
{
    for (int perspective = WHITE; perspective <= BLACK; perspective++) {
        int king = position_king(pos, perspective);
        if (king != position_king(before, perspective)) {
            refresh(teacher, perspective, pos, out);
            continue;
        }
        struct king_view view = view_of(perspective, king);
        struct teacher_rows rows;
        collect_difference(&view, before->types, before->colors, pos, &rows);
        teacher->infer->update(teacher->net, out->values[perspective], in->values[perspective],
                               &rows);
        update_material(teacher->net, &rows, in->material[perspective], out->material[perspective]);
        if (teacher->net->shape->has_relations)
            update_relations(teacher, pos, perspective, &in->relations[perspective],
                             &out->relations[perspective], out->values[perspective],
                             out->material[perspective]);
    }
}

/* Layers ----------------------------------------------------------------------------------- */

static uint8_t clamp(int32_t value)
{
    return (uint8_t)(value < 0 ? 0 : value > ONE ? ONE : value);
}

/* What the next layer gets of sums: their squares and their values, clamped. 1.0 of them is ONE
 * shifted by `bits`. */
static void activate(const int32_t *sums, int count, int bits, uint8_t *squares, uint8_t *values)
{
    for (int i = 0; i < count; i++) {
        int64_t square = (int64_t)sums[i] * sums[i] >> (2 * bits + 7);
        squares[i] = (uint8_t)(square > ONE ? ONE : square);
        values[i] = clamp(sums[i] >> bits);
    }
}

static void sum_layer(const struct teacher_infer *infer, const uint8_t *in, int inputs,
                      const int8_t *weights, const int32_t *bias, int32_t *out, int outputs)
{
    memcpy(out, bias, (size_t)outputs * sizeof *out);
    for (int first = 0; first < outputs; first += TEACHER_GROUP)
        infer->dense(out + first, in, inputs / 4, weights + first * inputs);
}

static int32_t sum_last(const struct teacher_stack *stack, const uint8_t *in, int inputs)
{
    int32_t sum = stack->last_bias;
    for (int i = 0; i < inputs; i++)
        sum += in[i] * stack->last[i];
    return sum;
}

/* Up to Stockfish 17.1: of 16 sums of the first layer the last goes to the end directly, the second
 * layer gets the others, and the last one the values of the second. */
static int32_t propagate_16(const struct teacher_infer *infer, const struct teacher_stack *stack,
                            const int32_t *first)
{
    enum { USED = 15 };
    alignas(64) int32_t second[TEACHER_SECOND];
    alignas(64) uint8_t between[TEACHER_SECOND_INPUTS_MAX] = {0};
    uint8_t squares[TEACHER_SECOND]; /* not asked for */
    uint8_t last[TEACHER_SECOND];
    activate(first, USED, WEIGHT_BITS, between, between + USED);
    sum_layer(infer, between, 2 * (USED + 1), stack->second, stack->second_bias, second,
              TEACHER_SECOND);
    activate(second, TEACHER_SECOND, WEIGHT_BITS, squares, last);
    int64_t direct = (int64_t)first[USED] * (DIRECT_SCALE * OUTPUT_SCALE);
    return sum_last(stack, last, TEACHER_SECOND) + (int32_t)(direct / (ONE << WEIGHT_BITS));
}

/* Since Stockfish 19: the last layer gets squares and values of both layers before it, and the
 * difference of the last two sums of the first goes to the end directly. */
static int32_t propagate_32(const struct teacher_infer *infer, const struct teacher_stack *stack,
                            const int32_t *first)
{
    enum { COUNT = TEACHER_FIRST_MAX, FIRST_BITS = WEIGHT_BITS + 1, OUTPUT_ONE = 128 };
    alignas(64) int32_t second[TEACHER_SECOND];
    alignas(64) uint8_t last[TEACHER_LAST_INPUTS_MAX];
    activate(first, COUNT, FIRST_BITS, last, last + COUNT);
    sum_layer(infer, last, 2 * COUNT, stack->second, stack->second_bias, second, TEACHER_SECOND);
    activate(second, TEACHER_SECOND, WEIGHT_BITS, last + 2 * COUNT,
             last + 2 * COUNT + TEACHER_SECOND);
    int64_t sum = sum_last(stack, last, TEACHER_LAST_INPUTS_MAX);
    sum += first[COUNT - 2] - first[COUNT - 1];
    return (int32_t)(sum * (DIRECT_SCALE * OUTPUT_SCALE) / (OUTPUT_ONE << FIRST_BITS));
}

static int32_t propagate(const struct teacher *teacher, const struct teacher_stack *stack,
                         const uint8_t *pairs)
{
    const struct teacher_shape *shape = teacher->net->shape;
    alignas(64) int32_t first[TEACHER_FIRST_MAX];
    sum_layer(teacher->infer, pairs, shape->hidden, stack->first, stack->first_bias, first,
              shape->first);
    return shape->first == TEACHER_FIRST_MAX ? propagate_32(teacher->infer, stack, first)
                                             : propagate_16(teacher->infer, stack, first);
}

struct teacher_output teacher_output(const struct teacher *teacher,
                                     const struct teacher_accumulator *accumulator, int turn,
                                     int stack)
{
    alignas(64) uint8_t pairs[TEACHER_HIDDEN_MAX];
    const struct teacher_shape *shape = teacher->net->shape;
    teacher->infer->pair(shape, accumulator->values[turn], pairs);
    teacher->infer->pair(shape, accumulator->values[!turn], pairs + shape->hidden / 2);
    return (struct teacher_output){
        .material = (accumulator->material[turn][stack] - accumulator->material[!turn][stack]) / 2,
        .positional = propagate(teacher, &teacher->net->stacks[stack], pairs),
    };
}

int teacher_value(const struct teacher *teacher, const struct position *pos,
                  const struct teacher_accumulator *accumulator)
{
    int stack = teacher_stack(bb_count(position_occupied(pos)));
    struct teacher_output output = teacher_output(teacher, accumulator, pos->turn, stack);
    return (output.material + output.positional) / OUTPUT_SCALE;
}
