#include "eval/eval.h"

#include <string.h>

#include "base/memory.h"
#include "eval/bare_king.h"
#include "eval/eval_internal.h"

enum { BOTH = 1 << WHITE | 1 << BLACK };

struct eval *eval_create(void)
{
    const struct network *network = network_builtin();
    struct eval *eval = network ? large_memory(sizeof *eval) : NULL;
    if (!eval)
        return NULL;
    eval_set_watch(eval, NULL, NULL);
    eval_set_network(eval, network);
    return eval;
}

void eval_destroy(struct eval *eval)
{
    large_memory_free(eval);
}

void eval_set_network(struct eval *eval, const struct network *network)
{
    eval->network = network;
    eval->infer = infer_kind(0);
    memset(eval->cache, 0, sizeof eval->cache);
    for (int perspective = WHITE; perspective <= BLACK; perspective++)
        for (int view = 0; view < 2 * network->buckets; view++)
            memcpy(eval->cache[perspective][view].values, network->feature_bias,
                   sizeof network->feature_bias);
    memset(eval->related, 0, sizeof eval->related); /* of an empty board */
    eval_reset(eval);
}

void eval_set_watch(struct eval *eval, eval_watch *watch, void *context)
{
    eval->watch = watch;
    eval->watch_context = context;
}

void eval_reset(struct eval *eval)
{
    eval->top = 0;
    eval->steps[0] = (struct move_changes){.needs_refresh = BOTH};
}

/* Keeping track ----------------------------------------------------------------------------- */

static void note_add(struct move_changes *step, int piece, int square)
{
    step->adds[step->add_count++] = (struct change){(uint8_t)piece, (uint8_t)square};
}

static void note_sub(struct move_changes *step, int piece, int square)
{
    step->subs[step->sub_count++] = (struct change){(uint8_t)piece, (uint8_t)square};
}

static void note_king(struct move_changes *step, const struct network *network, int color, int from,
                      int to)
{
    if (network_view(network, color, from) != network_view(network, color, to))
        step->needs_refresh = (uint8_t)(1 << color);
}

static void note_castling(struct move_changes *step, const struct network *network, int us, move m)
{
    bool is_short = move_to(m) > move_from(m);
    int king_to = castling_king_to(us, is_short);
    note_king(step, network, us, move_from(m), king_to);
    note_sub(step, piece_make(us, KING), move_from(m));
    note_sub(step, piece_make(us, ROOK), move_to(m));
    note_add(step, piece_make(us, KING), king_to);
    note_add(step, piece_make(us, ROOK), castling_rook_to(us, is_short));
}

/* The step that leads away from `pos`. */
static struct move_changes *next_step(struct eval *eval, const struct position *pos)
{
    if (eval->network->relation_weights)
        eval->positions[eval->top] = *pos;
    return &eval->steps[++eval->top];
}

void eval_push(struct eval *eval, const struct position *pos, move m)
{
    struct move_changes *step = next_step(eval, pos);
    int from = move_from(m);
    int to = move_to(m);
    int piece = pos->board[from];
    *step = (struct move_changes){0};
    if (move_kind(m) == MOVE_CASTLING) {
        note_castling(step, eval->network, pos->turn, m);
        return;
    }
    bool promotes = move_kind(m) == MOVE_PROMOTION;
    note_sub(step, piece, from);
    note_add(step, promotes ? piece_make(pos->turn, move_promotion(m)) : piece, to);
    if (move_kind(m) == MOVE_EN_PASSANT)
        note_sub(step, piece_make(!pos->turn, PAWN), to ^ 8);
    else if (pos->board[to] != NO_PIECE)
        note_sub(step, pos->board[to], to);
    if (piece_type(piece) == KING)
        note_king(step, eval->network, pos->turn, from, to);
}

void eval_push_null(struct eval *eval, const struct position *pos)
{
    *next_step(eval, pos) = (struct move_changes){0};
}

void eval_pop(struct eval *eval)
{
    eval->top--;
}

/* Making accumulators ----------------------------------------------------------------------- */

/* Rows that lead from the pieces of `from` to those of `pos`. */
static void collect_difference(const struct network *network, int perspective, int view,
                               const struct refresh *from, const struct position *pos,
                               struct rows *rows)
{
    rows->adds = rows->subs = 0;
    for (int piece = 0; piece < NO_PIECE; piece++) {
        int type = piece_type(piece);
        int color = piece_color(piece);
        uint64_t old = from->types[type] & from->colors[color];
        uint64_t new = position_pieces(pos, color, type);
        for (uint64_t set = new & ~old; set;)
            rows->add[rows->adds++] = network_row(network, perspective, view, piece, bb_pop(&set));
        for (uint64_t set = old & ~new; set;)
            rows->sub[rows->subs++] = network_row(network, perspective, view, piece, bb_pop(&set));
    }
}

static void refresh(struct eval *eval, const struct position *pos, int perspective, int view)
{
    struct refresh *cached = &eval->cache[perspective][view];
    struct rows rows;
    collect_difference(eval->network, perspective, view, cached, pos, &rows);
    eval->infer->rebuild(eval->stack[eval->top].values[perspective], cached->values, cached->values,
                         &rows);
    memcpy(cached->types, pos->types, sizeof cached->types);
    memcpy(cached->colors, pos->colors, sizeof cached->colors);
}

static void apply_step(struct eval *eval, int index, int perspective, int view)
{
    const struct move_changes *step = &eval->steps[index];
    const int16_t *in = eval->stack[index - 1].values[perspective];
    int16_t *out = eval->stack[index].values[perspective];
    if (step->add_count == 0) { /* a null move */
        memcpy(out, in, sizeof eval->stack[index].values[perspective]);
        return;
    }
    struct rows rows;
    for (int i = 0; i < step->add_count; i++)
        rows.add[i] = network_row(eval->network, perspective, view, step->adds[i].piece,
                                  step->adds[i].square);
    for (int i = 0; i < step->sub_count; i++)
        rows.sub[i] = network_row(eval->network, perspective, view, step->subs[i].piece,
                                  step->subs[i].square);
    if (step->sub_count == 1)
        eval->infer->add_sub(out, in, &rows);
    else if (step->add_count == 1)
        eval->infer->add_sub_sub(out, in, &rows);
    else
        eval->infer->add_add_sub_sub(out, in, &rows);
}

static void make_ready(struct eval *eval, const struct position *pos, int perspective)
{
    int bit = 1 << perspective;
    int view = network_view(eval->network, perspective, position_king(pos, perspective));
    int index = eval->top;
    while (!((eval->steps[index].ready | eval->steps[index].needs_refresh) & bit))
        index--;
    if (!(eval->steps[index].ready & bit)) {
        refresh(eval, pos, perspective, view);
        index = eval->top;
    }
    while (index < eval->top) {
        apply_step(eval, ++index, perspective, view);
        eval->steps[index].ready = (uint8_t)(eval->steps[index].ready | bit);
    }
    eval->steps[index].ready = (uint8_t)(eval->steps[index].ready | bit);
}

const struct accumulator *eval_accumulator(struct eval *eval, const struct position *pos)
{
    int ready = eval->steps[eval->top].ready;
    if (!(ready & 1 << WHITE))
        make_ready(eval, pos, WHITE);
    if (!(ready & 1 << BLACK))
        make_ready(eval, pos, BLACK);
    if (eval->network->relation_weights)
        related_follow(eval, pos);
    return &eval->stack[eval->top];
}

void accumulator_make(const struct network *network, const struct infer *infer,
                      const struct position *pos, struct accumulator *out)
{
    static const struct refresh nothing;
    for (int perspective = WHITE; perspective <= BLACK; perspective++) {
        int view = network_view(network, perspective, position_king(pos, perspective));
        int16_t *values = out->values[perspective];
        struct rows rows;
        collect_difference(network, perspective, view, &nothing, pos, &rows);
        infer->rebuild(values, values, network->feature_bias, &rows);
    }
    if (network->relation_weights)
        related_make(network, infer, pos, out);
}

int accumulator_output(const struct network *network, const struct infer *infer,
                       const struct accumulator *accumulator, int turn, int output)
{
    const struct layers *layers = &network->layers[output];
    const int16_t *us = accumulator->values[turn];
    const int16_t *them = accumulator->values[!turn];
    int64_t value = network->relation_weights
                        ? infer->output_related(us, them, accumulator->related[turn],
                                                accumulator->related[!turn], layers)
                        : infer->output(us, them, layers);
    return (int)(value * NETWORK_SCALE / NETWORK_OUTPUT_ONE);
}

int eval_score(struct eval *eval, const struct position *pos)
{
    int score;
    if (eval->watch)
        eval->watch(eval->watch_context, pos);
    if (bare_king_score(pos, &score))
        return score;
    const struct accumulator *accumulator = eval_accumulator(eval, pos);
    int output = network_output(bb_count(position_occupied(pos)));
    score = accumulator_output(eval->network, eval->infer, accumulator, pos->turn, output);
    return score >= EVAL_MAX ? EVAL_MAX - 1 : score <= -EVAL_MAX ? 1 - EVAL_MAX : score;
}
