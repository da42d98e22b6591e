/* Principal variation search. The order of business at a node:
 *
 * 1. draws, mate distance, the transposition table;
 * 2. the static evaluation;
 * 3. pruning of the whole node: reverse futility, razoring, null move;
 * 4. the moves, each perhaps pruned, extended or reduced, with a zero window first;
 * 5. what was learnt: histories, correction, the table.
 *
 * Source: https://www.chessprogramming.org/Principal_Variation_Search and the pages it links for
 * each heuristic. */
#include "search/learn.h"
#include "search/movepick.h"
#include "search/params.h"
#include "search/root.h"
#include "search/see.h"

#include "chess/attacks.h"

/* ln(n) * 1024, n = 1..63: the shape of late move reductions, in integers so that every compiler
 * agrees. */
static const int log_table[64] = {
    0,    0,    710,  1125, 1420, 1648, 1835, 1993, 2129, 2250, 2358, 2455, 2545, 2627, 2702, 2773,
    2839, 2901, 2960, 3015, 3068, 3118, 3165, 3211, 3254, 3296, 3336, 3375, 3412, 3448, 3483, 3516,
    3549, 3580, 3611, 3641, 3670, 3698, 3725, 3751, 3777, 3803, 3827, 3851, 3875, 3898, 3921, 3943,
    3964, 3985, 4006, 4026, 4046, 4066, 4085, 4104, 4122, 4140, 4158, 4175, 4193, 4210, 4226, 4243,
};

/* What the parts of one node's search hand to each other. */
struct node {
    int alpha;
    int beta;
    int depth;
    bool pv;
    bool cut;
    bool root;
    bool in_check;
    bool improving;
    bool hit;
    struct tt_entry entry; /* valid when hit */
    move table_move;
    bool table_noisy;
    int raw_eval;
    int eval; /* best estimate: static evaluation bettered by the table */
    move excluded;
    int move_count;
    int best;
    move best_move;
    struct tried quiets;
    struct tried noisies;
};

static bool is_mate_score(int score)
{
    return score >= SCORE_MATE_IN_MAX || score <= -SCORE_MATE_IN_MAX;
}

/* A draw, give or take: never the same twice, so that no line of draws looks finished. */
static int draw_score(const struct worker *worker)
{
    return 1 - (int)(worker_nodes(worker) & 2);
}

static uint64_t pawn_threats(const struct position *pos)
{
    int them = !pos->turn;
    uint64_t occupied = position_occupied(pos);
    uint64_t set = attacks_pawns(them, position_pieces(pos, them, PAWN));
    for (uint64_t knights = position_pieces(pos, them, KNIGHT); knights;)
        set |= attacks_knight(bb_pop(&knights));
    for (uint64_t bishops = position_pieces(pos, them, BISHOP); bishops;)
        set |= attacks_bishop(bb_pop(&bishops), occupied);
    return set;
}

/* 1 ---------------------------------------------------------------------------------------- */

static bool table_cuts(const struct node *node, const struct worker *worker)
{
    const struct tt_entry *entry = &node->entry;
    if (!node->hit || node->pv || node->excluded != MOVE_NONE || entry->depth < node->depth ||
        worker->pos.rule50 >= TT_CUT_RULE50)
        return false;
    return entry->bound == TT_EXACT || (entry->bound == TT_LOWER && entry->score >= node->beta) ||
           (entry->bound == TT_UPPER && entry->score <= node->alpha);
}

/* 2 ---------------------------------------------------------------------------------------- */

static void evaluate_node(struct worker *worker, struct node *node, struct frame *frame)
{
    node->raw_eval = SCORE_NONE;
    node->improving = false;
    if (node->in_check) {
        frame->static_eval = node->eval = SCORE_NONE;
        return;
    }
    if (node->excluded != MOVE_NONE) {
        node->eval = frame->static_eval;
    } else {
        node->raw_eval = node->hit && node->entry.eval != SCORE_NONE
                             ? node->entry.eval
                             : eval_score(worker->eval, &worker->pos);
        frame->static_eval = node->eval = worker_corrected_eval(worker, node->raw_eval);
        const struct tt_entry *entry = &node->entry;
        if (node->hit && !is_mate_score(entry->score) &&
            (entry->bound == TT_EXACT || (entry->bound == TT_LOWER && entry->score > node->eval) ||
             (entry->bound == TT_UPPER && entry->score < node->eval)))
            node->eval = entry->score;
    }
    if (frame[-2].static_eval != SCORE_NONE)
        node->improving = frame->static_eval > frame[-2].static_eval;
    else if (frame[-4].static_eval != SCORE_NONE)
        node->improving = frame->static_eval > frame[-4].static_eval;
    else
        node->improving = true;
}

/* 3 ---------------------------------------------------------------------------------------- */

static bool has_pieces(const struct position *pos, int color)
{
    return (pos->colors[color] & ~(pos->types[PAWN] | pos->types[KING])) != 0;
}

/* Passing must not help: if even then the score stays above beta, so will a real move.
 * Source: https://www.chessprogramming.org/Null_Move_Pruning, with verification. */
static bool null_move_cuts(struct worker *worker, const struct node *node, struct frame *frame,
                           int *score)
{
    if (node->depth < NULL_DEPTH || node->eval < node->beta ||
        frame->static_eval < node->beta - NULL_STATIC_SLOPE * node->depth + NULL_STATIC_MARGIN ||
        frame[-1].played == MOVE_NULL || worker->ply < worker->null_floor ||
        !has_pieces(&worker->pos, worker->pos.turn) || node->beta <= -SCORE_MATE_IN_MAX)
        return false;
    int surplus = (node->eval - node->beta) / NULL_EVAL_DIVISOR;
    int reduction = NULL_BASE + node->depth / NULL_DIVISOR +
                    (surplus < NULL_EVAL_MAX ? surplus : NULL_EVAL_MAX);
    worker_make_null(worker);
    int found =
        -node_search(worker, -node->beta, -node->beta + 1, node->depth - reduction, !node->cut);
    worker_unmake_null(worker);
    if (worker_stopped(worker) || found < node->beta)
        return false;
    if (found >= SCORE_MATE_IN_MAX)
        found = node->beta; /* not proven */
    *score = found;
    if (worker->null_floor > 0 || node->depth < NULL_VERIFY_DEPTH)
        return true;

    /* Deep in the tree a wrong cut costs much: make sure without null moves on our side. */
    worker->null_floor = worker->ply + 3 * (node->depth - reduction) / 4;
    int verified = node_search(worker, node->beta - 1, node->beta, node->depth - reduction, false);
    worker->null_floor = 0;
    return verified >= node->beta;
}

/* Can the node be left without looking at its moves? */
static bool node_is_pruned(struct worker *worker, const struct node *node, struct frame *frame,
                           int *score)
{
    if (node->pv || node->in_check || node->excluded != MOVE_NONE || worker->full_width)
        return false;
    int margin = RFP_MARGIN * node->depth - (node->improving ? RFP_IMPROVING : 0);
    if (node->depth <= RFP_DEPTH && node->eval - margin >= node->beta &&
        !is_mate_score(node->eval) && !is_mate_score(node->beta)) {
        *score = (node->eval + node->beta) / 2;
        return true;
    }
    if (node->depth <= RAZOR_DEPTH && node->eval + RAZOR_MARGIN * node->depth <= node->alpha) {
        *score = quiesce(worker, node->alpha, node->alpha + 1, 0);
        if (*score <= node->alpha)
            return true;
    }
    return null_move_cuts(worker, node, frame, score);
}

/* 4 ---------------------------------------------------------------------------------------- */

/* Late move reduction in plies for the move_count-th move. */
static int base_reduction(int depth, int move_count, bool quiet)
{
    int d = log_table[depth < 63 ? depth : 63];
    int n = log_table[move_count < 63 ? move_count : 63];
    int product = (int)((int64_t)d * n >> 10);
    return quiet ? LMR_BASE + product * LMR_SCALE / 1024
                 : LMR_NOISY_BASE + product * LMR_NOISY_SCALE / 1024;
}

/* May the move be skipped unseen? *skip_quiets is set when no later quiet move matters either. */
static bool move_is_pruned(struct worker *worker, const struct node *node, move m, bool quiet,
                           int history, bool *skip_quiets)
{
    const struct position *pos = &worker->pos;
    if (node->root || node->best <= -SCORE_MATE_IN_MAX || !has_pieces(pos, pos->turn) ||
        worker->full_width)
        return false;
    int reduced = node->depth - base_reduction(node->depth, node->move_count, true) / 1024;
    if (reduced < 0)
        reduced = 0;
    if (quiet) {
        int limit = (LMP_BASE + node->depth * node->depth) / (node->improving ? 1 : 2);
        if (node->move_count >= limit)
            *skip_quiets = true;
        if (reduced <= HISTORY_PRUNE_DEPTH && history < -HISTORY_PRUNE_MARGIN * (reduced + 1))
            return true;
        /* A check may mate, however poor the evaluation. */
        if (!node->in_check && reduced <= FUTILITY_DEPTH &&
            node->eval + FUTILITY_BASE + FUTILITY_MARGIN * reduced +
                    history / FUTILITY_HISTORY_DIVISOR <=
                node->alpha &&
            !movegen_gives_check(pos, m))
            return true;
        return !see_at_least(pos, m, -SEE_QUIET_MARGIN * reduced * reduced);
    }
    return !see_at_least(pos, m, -SEE_NOISY_MARGIN * node->depth);
}

/* Is the table's move so much better than all others that it deserves a ply more? A score returned
 * through *cut means that several moves beat beta and the node can be left.
 * Source: https://www.chessprogramming.org/Singular_Extensions */
static int singular_extension(struct worker *worker, const struct node *node, struct frame *frame,
                              move m, int *cut)
{
    const struct tt_entry *entry = &node->entry;
    *cut = SCORE_NONE;
    if (node->root || node->excluded != MOVE_NONE || m != node->table_move ||
        node->depth < SINGULAR_DEPTH || !node->hit || entry->bound == TT_UPPER ||
        entry->depth < node->depth - SINGULAR_TT_PLIES || is_mate_score(entry->score) ||
        worker->ply >= 2 * worker->root_depth)
        return 0;
    int goal = entry->score - SINGULAR_MARGIN * node->depth / 16;
    frame->excluded = m;
    int score = node_search(worker, goal - 1, goal, (node->depth - 1) / 2, node->cut);
    frame->excluded = MOVE_NONE;
    if (worker_stopped(worker))
        return 0;
    if (score < goal)
        return !node->pv && score < goal - DOUBLE_MARGIN ? 2 : 1;
    if (goal >= node->beta)
        *cut = goal;
    else if (entry->score >= node->beta)
        return -2 + node->pv;
    else if (node->cut)
        return -1;
    return 0;
}

/* The reduction of a late move in plies, after all that is known of it. */
static int late_reduction(const struct node *node, const struct frame *frame, bool quiet,
                          bool killer, int history, bool checks)
{
    int r = base_reduction(node->depth, node->move_count, quiet);
    if (node->pv)
        r -= LMR_PV;
    if (node->hit && node->entry.pv)
        r -= LMR_TT_PV;
    if (node->cut)
        r += LMR_CUT;
    if (!node->improving)
        r += LMR_NOT_IMPROVING;
    if (killer)
        r -= LMR_KILLER;
    if (checks)
        r -= LMR_CHECK;
    if (node->table_noisy && quiet)
        r += LMR_TT_NOISY;
    if (frame[1].cutoffs > LMR_CUTOFF_COUNT)
        r += LMR_CUTOFFS;
    r -= (int)((int64_t)history * 1024 / LMR_HISTORY_DIVISOR);
    return r / 1024;
}

/* Searches the position after a move with the windows that PVS asks for. */
static int search_child(struct worker *worker, const struct node *node, int new_depth,
                        int reduction)
{
    int score = -SCORE_INFINITE;
    bool full = !node->pv || node->move_count > 1;
    if (reduction > 0) {
        int depth = new_depth - reduction;
        if (depth < 1)
            depth = 1;
        score = -node_search(worker, -node->alpha - 1, -node->alpha, depth, true);
        full = score > node->alpha && depth < new_depth;
        if (full) {
            new_depth += score > node->best + DEEPER_MARGIN + DEEPER_SLOPE * new_depth;
            new_depth -= score < node->best + new_depth;
            full = depth < new_depth;
        }
    }
    if (full)
        score = -node_search(worker, -node->alpha - 1, -node->alpha, new_depth, !node->cut);
    if (node->pv && (node->move_count == 1 || score > node->alpha))
        score = -node_search(worker, -node->beta, -node->alpha, new_depth, false);
    return score;
}

static void keep_line(struct frame *frame, move m)
{
    int length = frame[1].pv_length;
    if (length > SEARCH_PLY_MAX - 1)
        length = SEARCH_PLY_MAX - 1;
    frame->pv[0] = m;
    for (int i = 0; i < length; i++)
        frame->pv[i + 1] = frame[1].pv[i];
    frame->pv_length = length + 1;
}

/* Tries one move; false when the node is finished (a cut, or the search was stopped). */
static bool try_move(struct worker *worker, struct node *node, struct frame *frame, move m,
                     bool *skip_quiets, bool killer)
{
    struct position *pos = &worker->pos;
    bool quiet = move_is_quiet(pos, m);
    int history = quiet ? quiet_score(worker, m) : *history_noisy(&worker->history, pos, m);
    if (move_is_pruned(worker, node, m, quiet, history, skip_quiets))
        return true;

    int cut;
    int extension = singular_extension(worker, node, frame, m, &cut);
    if (worker_stopped(worker))
        return false;
    if (cut != SCORE_NONE) {
        node->best = cut;
        return false;
    }
    node->move_count++;
    if (node->root)
        root_report_current(worker, node->depth, m, node->move_count);

    uint64_t before = worker_nodes(worker);
    tt_prefetch(&worker->search->tt, position_key_after(pos, m));
    worker_make(worker, m);
    bool checks = position_in_check(pos);
    int new_depth = node->depth - 1 + extension;
    int reduction = 0;
    if (node->depth >= LMR_DEPTH && node->move_count > 1 + node->pv + node->root &&
        !worker->full_width)
        reduction = late_reduction(node, frame, quiet, killer, history, checks);
    if (reduction > new_depth - 1)
        reduction = new_depth - 1;
    frame[1].pv_length = 0;
    int score = search_child(worker, node, new_depth, reduction);
    worker_unmake(worker, m);
    if (worker_stopped(worker))
        return false;

    if (node->root)
        root_record(worker, m, node->move_count, score, node->alpha, node->beta,
                    worker_nodes(worker) - before);
    if (score > node->best)
        node->best = score;
    if (score > node->alpha) {
        node->best_move = m;
        if (node->pv)
            keep_line(frame, m);
        if (score >= node->beta) {
            frame->cutoffs++;
            return false;
        }
        node->alpha = score;
        /* A best move found: the rest must beat it, and seldom does. */
        if (node->depth >= ALPHA_RAISED_DEPTH_MIN && node->depth <= ALPHA_RAISED_DEPTH_MAX &&
            !is_mate_score(score))
            node->depth--;
    }
    struct tried *tried = quiet ? &node->quiets : &node->noisies;
    if (m != node->best_move && tried->count < TRIED_MAX)
        tried->moves[tried->count++] = m;
    return true;
}

/* 5 ---------------------------------------------------------------------------------------- */

static void finish_node(struct worker *worker, const struct node *node, struct frame *frame,
                        int first_alpha, int depth)
{
    struct position *pos = &worker->pos;
    if (node->best >= node->beta && node->best_move != MOVE_NONE)
        learn_from_cut(worker, frame, node->depth, node->best_move, &node->quiets, &node->noisies);
    if (node->excluded != MOVE_NONE || (node->root && worker->line > 0))
        return;
    enum tt_bound bound = node->best >= node->beta   ? TT_LOWER
                          : node->best > first_alpha ? TT_EXACT
                                                     : TT_UPPER;
    struct tt_entry store = {node->best_move, node->best,
                             node->raw_eval,  depth,
                             bound,           node->pv || (node->hit && node->entry.pv)};
    tt_store(&worker->search->tt, pos->key, worker->ply, &store);

    if (!node->in_check && (node->best_move == MOVE_NONE || move_is_quiet(pos, node->best_move)) &&
        !is_mate_score(node->best) && !(bound == TT_LOWER && node->best <= frame->static_eval) &&
        !(bound == TT_UPPER && node->best >= frame->static_eval))
        history_correct(&worker->history, pos, depth, node->best - frame->static_eval);
}

static void try_moves(struct worker *worker, struct node *node, struct frame *frame)
{
    bool skip_quiets = false;
    struct picker picker;
    picker_init(&picker, worker, node->table_move, true, 0);
    for (move m; (m = picker_next(&picker, skip_quiets)) != MOVE_NONE;) {
        if (m == node->excluded || (node->root && !root_is_wanted(worker, m)))
            continue;
        bool killer = m == frame->killers[0] || m == frame->killers[1];
        if (!try_move(worker, node, frame, m, &skip_quiets, killer))
            return;
    }
}

/* The part of a node after the cheap exits. */
static int search_moves(struct worker *worker, struct node *node, struct frame *frame)
{
    int first_alpha = node->alpha;
    int depth = node->depth;
    node->best = -SCORE_INFINITE;
    node->best_move = MOVE_NONE;
    try_moves(worker, node, frame);
    if (worker_stopped(worker))
        return 0;
    if (node->best == -SCORE_INFINITE) {
        if (node->excluded != MOVE_NONE)
            return node->alpha;
        return node->in_check ? -SCORE_MATE + worker->ply : 0;
    }
    finish_node(worker, node, frame, first_alpha, depth);
    return node->best;
}

static void init_node(struct worker *worker, struct node *node, struct frame *frame)
{
    struct position *pos = &worker->pos;
    node->root = worker->ply == 0;
    node->excluded = frame->excluded;
    node->in_check = position_in_check(pos);
    node->move_count = 0;
    node->quiets.count = node->noisies.count = 0;
    node->hit = node->excluded == MOVE_NONE &&
                tt_probe(&worker->search->tt, pos->key, worker->ply, &node->entry);
    node->table_move = node->hit ? node->entry.move : MOVE_NONE;
    if (node->root && worker->root_depth > 1)
        node->table_move = worker->root_moves[worker->line].move;
    node->table_noisy = node->table_move != MOVE_NONE && !move_is_quiet(pos, node->table_move);
    if (node->excluded == MOVE_NONE)
        frame->threats = pawn_threats(pos);
    frame[1].killers[0] = frame[1].killers[1] = MOVE_NONE;
    frame[2].cutoffs = 0;
    frame[1].excluded = MOVE_NONE;
}

int node_search(struct worker *worker, int alpha, int beta, int depth, bool cut_node)
{
    if (depth <= 0)
        return quiesce(worker, alpha, beta, 0);
    struct frame *frame = worker_frame(worker);
    frame->pv_length = 0;
    if (worker_must_stop(worker))
        return 0;
    if (worker->ply > worker->seldepth)
        worker->seldepth = worker->ply;
    if (worker->ply > 0) {
        if (worker_is_draw(worker))
            return draw_score(worker);
        if (worker->ply >= SEARCH_PLY_MAX - 1)
            return position_in_check(&worker->pos) ? 0 : eval_score(worker->eval, &worker->pos);
        /* No line from here can beat a mate already found nearer to the root. */
        int lowest = -SCORE_MATE + worker->ply;
        int highest = SCORE_MATE - worker->ply - 1;
        alpha = alpha > lowest ? alpha : lowest;
        beta = beta < highest ? beta : highest;
        if (alpha >= beta)
            return alpha;
    }
    struct node node = {
        .alpha = alpha, .beta = beta, .depth = depth, .pv = beta - alpha > 1, .cut = cut_node};
    init_node(worker, &node, frame);
    if (table_cuts(&node, worker)) {
        if (node.entry.score >= beta && node.table_move != MOVE_NONE && !node.table_noisy &&
            movegen_is_legal(&worker->pos, node.table_move))
            learn_quiet(worker, frame, node.table_move, depth);
        return node.entry.score;
    }
    evaluate_node(worker, &node, frame);
    int score;
    if (node_is_pruned(worker, &node, frame, &score))
        return worker_stopped(worker) ? 0 : score;
    if (worker_stopped(worker))
        return 0;
    /* Without a move to start with a shallower search will find one soon enough. */
    if (node.depth >= IIR_DEPTH && node.table_move == MOVE_NONE && (node.pv || node.cut) &&
        node.excluded == MOVE_NONE)
        node.depth--;
    return search_moves(worker, &node, frame);
}
