#include "eval/train/teacher/teacher_eval.h"

#include <string.h>

#include "base/memory.h"

enum {
    ONE = 127,       /* the largest value between layers */
    WEIGHT_BITS = 6, /* 64 stands for 1.0 in 8-bit weights */
    OUTPUT_SCALE = 16,
    DIRECT_SCALE = 600, /* of the output of the first layer that goes to the end directly */
};

/* The last accumulator made with a king on a square, and the pieces that it sums. */
struct refresh {
    alignas(64) int16_t values[TEACHER_HIDDEN_MAX];
    int32_t material[TEACHER_STACKS];
    uint64_t types[PIECE_TYPES];
    uint64_t colors[2];
};

struct teacher {
    struct refresh cache[2][64]; /* by perspective and square of its king */
    const struct teacher_net *net;
    const struct teacher_infer *infer;
};

static size_t values_size(const struct teacher_net *net)
{
    return (size_t)net->hidden * sizeof(int16_t);
}

struct teacher *teacher_create(const struct teacher_net *net, const struct teacher_infer *infer)
{
    struct teacher *teacher = large_memory(sizeof *teacher);
    if (!teacher)
        return NULL;
    memset(teacher, 0, sizeof *teacher);
    teacher->net = net;
    teacher->infer = infer ? infer : teacher_infer_kind(0);
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
struct view {
    int perspective;
    int turn; /* a square of the board XOR this: the square as it is seen */
    int base; /* the inputs of the king's square begin here */
};

static struct view view_of(int perspective, int king)
{
    int turn = perspective == WHITE ? 0 : 56;
    int seen = king ^ turn;
    int mirror = square_file(seen) < 4 ? 7 : 0;
    int place = (7 - square_rank(seen)) * 4 + (7 - square_file(seen ^ mirror));
    return (struct view){perspective, turn ^ mirror, place * TEACHER_KINDS * 64};
}

static uint16_t input_of(const struct view *view, int type, int color, int square)
{
    int kind = type == KING ? TEACHER_KINDS - 1 : 2 * type + (color != view->perspective);
    return (uint16_t)(view->base + kind * 64 + (square ^ view->turn));
}

/* Inputs that lead from the pieces given by type and colour to those of `pos`. */
static void collect_difference(const struct view *view, const uint64_t types[PIECE_TYPES],
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

static void update_material(const struct teacher_net *net, const struct teacher_rows *rows,
                            const int32_t in[TEACHER_STACKS], int32_t out[TEACHER_STACKS])
{
    for (int i = 0; i < TEACHER_STACKS; i++)
        out[i] = in[i];
    for (int row = 0; row < rows->adds; row++)
        for (int i = 0; i < TEACHER_STACKS; i++)
            out[i] += net->material[rows->add[row]][i];
    for (int row = 0; row < rows->subs; row++)
        for (int i = 0; i < TEACHER_STACKS; i++)
            out[i] -= net->material[rows->sub[row]][i];
}

static void refresh(struct teacher *teacher, int perspective, const struct position *pos,
                    struct teacher_accumulator *out)
{
    int king = position_king(pos, perspective);
    struct refresh *cached = &teacher->cache[perspective][king];
    struct view view = view_of(perspective, king);
    struct teacher_rows rows;
    collect_difference(&view, cached->types, cached->colors, pos, &rows);
    teacher->infer->update(teacher->net, cached->values, cached->values, &rows);
    update_material(teacher->net, &rows, cached->material, cached->material);
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
        struct view view = view_of(perspective, king);
        struct teacher_rows rows;
        collect_difference(&view, before->types, before->colors, pos, &rows);
        teacher->infer->update(teacher->net, out->values[perspective], in->values[perspective],
                               &rows);
        update_material(teacher->net, &rows, in->material[perspective], out->material[perspective]);
    }
}

/* Layers ----------------------------------------------------------------------------------- */

static uint8_t clamp(int32_t value)
{
    return (uint8_t)(value < 0 ? 0 : value > ONE ? ONE : value);
}

/* What the second layer gets of the first: squares, then values. The last output is not for it. */
static void activate_first(const int32_t sums[TEACHER_FIRST], uint8_t out[TEACHER_SECOND_INPUTS])
{
    enum { USED = TEACHER_FIRST - 1, SQUARE_BITS = 2 * WEIGHT_BITS + 7 };
    memset(out, 0, TEACHER_SECOND_INPUTS);
    for (int i = 0; i < USED; i++) {
        int64_t square = (int64_t)sums[i] * sums[i] >> SQUARE_BITS;
        out[i] = (uint8_t)(square > ONE ? ONE : square);
        out[USED + i] = clamp(sums[i] >> WEIGHT_BITS);
    }
}

static int32_t propagate(const struct teacher_infer *infer, const struct teacher_stack *stack,
                         const uint8_t *in, int inputs)
{
    alignas(64) int32_t first[TEACHER_FIRST];
    alignas(64) int32_t second[TEACHER_SECOND];
    alignas(64) uint8_t between[TEACHER_SECOND_INPUTS];
    memcpy(first, stack->first_bias, sizeof first);
    infer->dense(first, in, inputs / 4, stack->first);
    activate_first(first, between);
    memcpy(second, stack->second_bias, sizeof second);
    for (int group = 0; group < TEACHER_SECOND / TEACHER_GROUP; group++)
        infer->dense(second + group * TEACHER_GROUP, between, TEACHER_SECOND_INPUTS / 4,
                     stack->second[group]);
    int32_t sum = stack->output_bias;
    for (int i = 0; i < TEACHER_SECOND; i++)
        sum += clamp(second[i] >> WEIGHT_BITS) * stack->output[i];
    int64_t direct = (int64_t)first[TEACHER_FIRST - 1] * (DIRECT_SCALE * OUTPUT_SCALE);
    return sum + (int32_t)(direct / (ONE << WEIGHT_BITS));
}

struct teacher_output teacher_output(const struct teacher *teacher,
                                     const struct teacher_accumulator *accumulator, int turn,
                                     int stack)
{
    alignas(64) uint8_t pairs[TEACHER_HIDDEN_MAX];
    const int hidden = teacher->net->hidden;
    teacher->infer->pair(accumulator->values[turn], hidden / 2, pairs);
    teacher->infer->pair(accumulator->values[!turn], hidden / 2, pairs + hidden / 2);
    return (struct teacher_output){
        .material = (accumulator->material[turn][stack] - accumulator->material[!turn][stack]) / 2,
        .positional = propagate(teacher->infer, &teacher->net->stacks[stack], pairs, hidden),
    };
}

int teacher_value(const struct teacher *teacher, const struct position *pos,
                  const struct teacher_accumulator *accumulator)
{
    int stack = teacher_stack(bb_count(position_occupied(pos)));
    struct teacher_output output = teacher_output(teacher, accumulator, pos->turn, stack);
    return (output.material + output.positional) / OUTPUT_SCALE;
}
