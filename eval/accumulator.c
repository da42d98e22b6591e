#include "eval/accumulator.h"

#include <string.h>

enum { BOTH = 1 << WHITE | 1 << BLACK };

void accumulators_init(struct accumulators *all, const struct network *network,
                       const struct infer *infer)
{
    all->network = network;
    all->infer = infer;
    for (int perspective = WHITE; perspective <= BLACK; perspective++)
        for (int view = 0; view < 2 * network->buckets; view++) {
            struct refresh *refresh = &all->cache[perspective][view];
            memset(refresh, 0, sizeof *refresh);
            memcpy(refresh->values, network->feature_bias, sizeof refresh->values);
        }
    accumulators_reset(all);
}

void accumulators_reset(struct accumulators *all)
{
    all->top = 0;
    all->steps[0] = (struct step){.turned = BOTH};
}

/* Keeping track ----------------------------------------------------------------------------- */

static void note_add(struct step *step, int piece, int square)
{
    step->adds[step->add_count++] = (struct change){(uint8_t)piece, (uint8_t)square};
}

static void note_sub(struct step *step, int piece, int square)
{
    step->subs[step->sub_count++] = (struct change){(uint8_t)piece, (uint8_t)square};
}

static void note_king(struct step *step, const struct network *network, int color, int from, int to)
{
    if (network_view(network, color, from) != network_view(network, color, to))
        step->turned = (uint8_t)(1 << color);
}

static void note_castling(struct step *step, const struct network *network, int us, move m)
{
    bool is_short = move_to(m) > move_from(m);
    int king_to = castling_king_to(us, is_short);
    note_king(step, network, us, move_from(m), king_to);
    note_sub(step, piece_make(us, KING), move_from(m));
    note_sub(step, piece_make(us, ROOK), move_to(m));
    note_add(step, piece_make(us, KING), king_to);
    note_add(step, piece_make(us, ROOK), castling_rook_to(us, is_short));
}

void accumulators_push(struct accumulators *all, const struct position *pos, move m)
{
    struct step *step = &all->steps[++all->top];
    int from = move_from(m);
    int to = move_to(m);
    int piece = pos->board[from];
    *step = (struct step){0};
    if (move_kind(m) == MOVE_CASTLING) {
        note_castling(step, all->network, pos->turn, m);
        return;
    }
    note_sub(step, piece, from);
    if (move_kind(m) == MOVE_PROMOTION)
        note_add(step, piece_make(pos->turn, move_promotion(m)), to);
    else
        note_add(step, piece, to);
    if (move_kind(m) == MOVE_EN_PASSANT)
        note_sub(step, piece_make(!pos->turn, PAWN), to ^ 8);
    else if (pos->board[to] != NO_PIECE)
        note_sub(step, pos->board[to], to);
    if (piece_type(piece) == KING)
        note_king(step, all->network, pos->turn, from, to);
}

void accumulators_push_null(struct accumulators *all)
{
    all->steps[++all->top] = (struct step){0};
}

void accumulators_pop(struct accumulators *all)
{
    all->top--;
}

/* Making them ------------------------------------------------------------------------------- */

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

static void refresh(struct accumulators *all, const struct position *pos, int perspective, int view)
{
    struct refresh *cached = &all->cache[perspective][view];
    struct rows rows;
    collect_difference(all->network, perspective, view, cached, pos, &rows);
    all->infer->rebuild(all->stack[all->top].values[perspective], cached->values, cached->values,
                        &rows);
    memcpy(cached->types, pos->types, sizeof cached->types);
    memcpy(cached->colors, pos->colors, sizeof cached->colors);
}

static void apply_step(struct accumulators *all, int index, int perspective, int view)
{
    const struct step *step = &all->steps[index];
    const int16_t *in = all->stack[index - 1].values[perspective];
    int16_t *out = all->stack[index].values[perspective];
    if (step->add_count == 0) { /* a null move */
        memcpy(out, in, sizeof all->stack[index].values[perspective]);
        return;
    }
    struct rows rows;
    for (int i = 0; i < step->add_count; i++)
        rows.add[i] =
            network_row(all->network, perspective, view, step->adds[i].piece, step->adds[i].square);
    for (int i = 0; i < step->sub_count; i++)
        rows.sub[i] =
            network_row(all->network, perspective, view, step->subs[i].piece, step->subs[i].square);
    if (step->sub_count == 1)
        all->infer->add_sub(out, in, &rows);
    else if (step->add_count == 1)
        all->infer->add_sub_sub(out, in, &rows);
    else
        all->infer->add_add_sub_sub(out, in, &rows);
}

static void make_ready(struct accumulators *all, const struct position *pos, int perspective)
{
    int bit = 1 << perspective;
    int view = network_view(all->network, perspective, position_king(pos, perspective));
    int index = all->top;
    while (!((all->steps[index].ready | all->steps[index].turned) & bit))
        index--;
    if (!(all->steps[index].ready & bit)) {
        refresh(all, pos, perspective, view);
        index = all->top;
    }
    while (index < all->top) {
        apply_step(all, ++index, perspective, view);
        all->steps[index].ready = (uint8_t)(all->steps[index].ready | bit);
    }
    all->steps[index].ready = (uint8_t)(all->steps[index].ready | bit);
}

const struct accumulator *accumulators_top(struct accumulators *all, const struct position *pos)
{
    int ready = all->steps[all->top].ready;
    if (!(ready & 1 << WHITE))
        make_ready(all, pos, WHITE);
    if (!(ready & 1 << BLACK))
        make_ready(all, pos, BLACK);
    return &all->stack[all->top];
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
}

int accumulator_output(const struct network *network, const struct infer *infer,
                       const struct accumulator *accumulator, int turn, int output)
{
    int64_t sum = infer->dot(accumulator->values[turn], accumulator->values[!turn],
                             network->output_weights[output]);
    return network_scale(network, output, sum);
}
