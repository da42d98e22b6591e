#include "eval/train/datagen/teacher_search.h"

#include <stdlib.h>

#include "base/memory.h"
#include "eval/train/datagen/quiet.h"
#include "search/moves.h"
#include "search/see.h"

enum {
    PLIES_MAX = 24,
    PAWN_UNITS = 256, /* of the network; close to what Stockfish 15.1 calls a pawn in middlegames */
    MATED = -LABEL_MATE * PAWN_UNITS / 100,
    INFINITE = 2 * LABEL_MATE * PAWN_UNITS / 100,
    FUTILITY = 150, /* centipawns that a capture may gain beyond its victim */
};

struct teacher_node {
    struct position pos;
    bool has_accumulator;
    struct teacher_accumulator accumulator;
};

struct teacher_search {
    struct teacher_node nodes[PLIES_MAX + 1];
    struct teacher *teacher;
    struct teacher_scores scores;
};

struct teacher_search *teacher_search_create(const struct teacher_net *net)
{
    struct teacher_search *search = large_memory(sizeof *search);
    struct teacher *teacher = search ? teacher_create(net, NULL) : NULL;
    if (!teacher) {
        large_memory_free(search);
        return NULL;
    }
    search->teacher = teacher;
    return search;
}

void teacher_search_destroy(struct teacher_search *search)
{
    if (search)
        teacher_destroy(search->teacher);
    large_memory_free(search);
}

/* The accumulator is updated from the nearest position before that has one; the root has one. */
static int evaluate(struct teacher_search *search, int ply)
{
    struct teacher_node *node = &search->nodes[ply];
    const struct teacher_node *before = node;
    if (!node->has_accumulator) {
        do
            before--;
        while (!before->has_accumulator);
        teacher_update(search->teacher, &before->pos, &before->accumulator, &node->pos,
                       &node->accumulator);
        node->has_accumulator = true;
    }
    return teacher_value(search->teacher, &node->pos, &node->accumulator);
}

static void play(struct teacher_search *search, int ply, move m)
{
    struct teacher_node *node = &search->nodes[ply];
    node[1].pos = node->pos;
    node[1].has_accumulator = false;
    position_play(&node[1].pos, m);
}

/* Hundredths of a pawn. Those of see.h are in other units. */
static const int victim_values[PIECE_TYPES + 1] = {100, 310, 330, 500, 950, 0, 0};

/* Most valuable victim first, by the least valuable piece. */
static move take_next(const struct position *pos, move *moves, int at, int count)
{
    int best_index = at;
    int best = -INFINITE;
    for (int i = at; i < count; i++) {
        move m = moves[i];
        int gain = 8 * victim_values[move_victim(pos, m)] - piece_type(pos->board[move_from(m)]);
        if (move_kind(m) == MOVE_PROMOTION)
            gain += 8 * victim_values[move_promotion(m)];
        if (gain > best) {
            best = gain;
            best_index = i;
        }
    }
    move m = moves[best_index];
    moves[best_index] = moves[at];
    return m;
}

/* Can the capture not lift the score to alpha, even if its victim is won for nothing? */
static bool is_futile(const struct position *pos, move m, int stand, int alpha)
{
    return move_kind(m) == MOVE_NORMAL &&
           stand + (victim_values[move_victim(pos, m)] + FUTILITY) * PAWN_UNITS / 100 <= alpha;
}

/* Captures and queen promotions that lose no material; in check all evasions, but the quiet ones
 * only while every other is mated. Not thrifty with mates: they all count the same. */
static int quiesce(struct teacher_search *search, int ply, int alpha, int beta)
{
    const struct position *pos = &search->nodes[ply].pos;
    bool in_check = position_in_check(pos);
    int stand = MATED;
    if (!in_check || ply == PLIES_MAX) {
        stand = evaluate(search, ply);
        if (stand >= beta || ply == PLIES_MAX)
            return stand;
    }
    int best = stand;
    move moves[MOVES_MAX];
    int count = movegen_noisy(pos, moves);
    int noisy = count;
    if (in_check)
        count += movegen_quiet(pos, moves + count);
    for (int i = 0; i < count && best < beta; i++) {
        if (i >= noisy && best > MATED)
            break;
        move m = i < noisy ? take_next(pos, moves, i, noisy) : moves[i];
        alpha = best > alpha ? best : alpha;
        if (!in_check && (is_futile(pos, m, stand, alpha) || !see_at_least(pos, m, 0)))
            continue;
        play(search, ply, m);
        int score = -quiesce(search, ply + 1, -beta, -alpha);
        best = score > best ? score : best;
    }
    return best;
}

int teacher_centipawns(int value)
{
    int score = value * 100 / PAWN_UNITS;
    return score > LABEL_MATE ? LABEL_MATE : score < -LABEL_MATE ? -LABEL_MATE : score;
}

/* Of a move that is played already. Only quiet positions need more than a bound. */
static int score_move(struct teacher_search *search, int best)
{
    const struct position *pos = &search->nodes[1].pos;
    if (position_insufficient_material(pos) || (!position_in_check(pos) && movegen_count(pos) == 0))
        return 0;
    int beta = position_is_quiet(pos) ? INFINITE : -best;
    return -quiesce(search, 1, -INFINITE, beta);
}

const struct teacher_scores *teacher_search_run(struct teacher_search *search,
                                                const struct game *game)
{
    struct teacher_node *root = &search->nodes[0];
    struct teacher_scores *out = &search->scores;
    int best = -INFINITE;
    root->pos = *game_position(game);
    teacher_refresh(search->teacher, &root->pos, &root->accumulator);
    root->has_accumulator = true;
    out->score = teacher_centipawns(quiesce(search, 0, -INFINITE, INFINITE));
    out->best = MOVE_NONE;
    out->count = movegen_legal(&root->pos, out->moves);
    for (int i = 0; i < out->count; i++) {
        play(search, 0, out->moves[i]);
        int score = score_move(search, best);
        out->scores[i] = (int16_t)teacher_centipawns(score);
        if (score > best && score > 0 && game_would_repeat(game, out->moves[i]))
            score = 0;
        if (score > best) {
            best = score;
            out->best = out->moves[i];
        }
    }
    return out;
}
