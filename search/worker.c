#include "search/worker.h"

#include <assert.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "search/moves.h"

/* A few dozen microseconds of search; more when the machine is busy, and then it matters. */
enum { POLL_NODES = 256 };

_Static_assert((int)SEARCH_PLY_MAX <= (int)EVAL_PLY_MAX,
               "the evaluation can follow the longest line");

struct worker *worker_create(struct shared *shared, int index)
{
    struct worker *worker = large_memory(sizeof *worker); /* zeros; it is read all over */
    if (!worker)
        return NULL;
    worker->shared = shared;
    worker->index = index;
    worker->eval = eval_create();
    if (!worker->eval) {
        worker_destroy(worker);
        return NULL;
    }
    eval_set_network(worker->eval, shared->network);
    history_clear(&worker->history);
    return worker;
}

void worker_destroy(struct worker *worker)
{
    if (worker)
        eval_destroy(worker->eval);
    large_memory_free(worker);
}

static void prepare_stack(struct worker *worker)
{
    int count = (int)(sizeof worker->stack / sizeof *worker->stack);
    for (int i = 0; i < count; i++) {
        struct stack *ss = &worker->stack[i];
        ss->continuation = &worker->history.none;
        ss->correction = &worker->history.continuation_correction[0][0]; /* a square of no pawn */
        ss->current_move = ss->excluded = MOVE_NONE;
        ss->static_eval = SCORE_NONE;
        ss->plies_since_irreversible = 0;
        ss->cutoff_count = 0;
        ss->move_count = ss->move_history = ss->reduction = 0;
        ss->was_capture = ss->in_check = ss->tt_hit = ss->tt_pv = ss->follows_pv = false;
        ss->pv_length = 0;
    }
}

static void prepare_root_moves(struct worker *worker)
{
    const struct search_request *request = &worker->shared->request;
    move legal[MOVES_MAX];
    const move *moves = request->moves;
    worker->root_count = request->move_count;
    if (request->move_count == 0) {
        moves = legal;
        worker->root_count = movegen_legal(&request->root, legal);
    }
    for (int i = 0; i < worker->root_count; i++)
        root_move_init(&worker->root_moves[i], moves[i]);
}

void worker_prepare(struct worker *worker)
{
    const struct search_request *request = &worker->shared->request;
    worker->pos = request->root;
    eval_reset(worker->eval);
    worker->key_count = worker->root_key_count = request->key_count;
    memcpy(worker->keys, request->keys, (size_t)request->key_count * sizeof *request->keys);
    worker->ply = 0;
    worker->seldepth = 0;
    worker->root_depth = worker->completed_depth = 0;
    worker->root_window = 2 * SCORE_INFINITE;
    worker->null_min_ply = 0;
    worker->full_width = request->mate > 0;
    worker->analyse = request->analyse;
    worker->draw_scores[request->root.turn] = -request->contempt;
    worker->draw_scores[!request->root.turn] = request->contempt;
    worker->pv_index = 0;
    const struct shared *shared = worker->shared;
    bool follows = shared->has_last && shared->last_turn == request->root.turn;
    timeman_start(&worker->time_signals, follows ? &shared->last_score : NULL);
    worker->next_poll = 0;
    atomic_store_explicit(&worker->nodes, 0, memory_order_relaxed);
    atomic_store_explicit(&worker->tb_hits, 0, memory_order_relaxed);
    worker->last_pv_length = 0;
    history_age(&worker->history);
    prepare_stack(worker);
    worker_stack(worker)->piece_keys = piece_keys_of(&worker->pos);
    worker_stack(worker)->plies_since_irreversible =
        request->root.rule50 < request->key_count ? request->root.rule50 : request->key_count;
    prepare_root_moves(worker);
}

uint64_t shared_nodes(const struct shared *shared)
{
    uint64_t sum = 0;
    for (int i = 0; i < shared->worker_count; i++)
        sum += worker_nodes(shared->workers[i]);
    return sum;
}

/* The positions that all workers found in endgame tables, those after the moves of the root
 * included. */
static uint64_t all_tb_hits(const struct shared *shared)
{
    uint64_t sum = (uint64_t)shared->tb_rank_count;
    for (int i = 0; i < shared->worker_count; i++)
        sum += worker_tb_hits(shared->workers[i]);
    return sum;
}

/* Milliseconds since search_arm(). */
static int64_t elapsed_ms(const struct worker *worker)
{
    return clock_ms() - worker->shared->start_ms;
}

int64_t worker_spent_ms(const struct worker *worker)
{
    int nodes_per_ms = worker->shared->request.nodes_per_ms;
    return nodes_per_ms ? (int64_t)(shared_nodes(worker->shared) / (uint64_t)nodes_per_ms)
                        : elapsed_ms(worker);
}

/* Every worker looks at the clock: where threads outnumber processors, worker 0 may not be running
 * when the time is up. The nodes of all are counted by worker 0. */
static void poll_limits(struct worker *worker)
{
    struct shared *shared = worker->shared;
    uint64_t nodes = worker_nodes(worker);
    worker->next_poll = nodes + POLL_NODES;
    if (shared->request.nodes && worker->index == 0) {
        uint64_t total = shared_nodes(shared);
        if (total >= shared->request.nodes) {
            signals_end_search(&shared->signals);
            return;
        }
        uint64_t left = (shared->request.nodes - total) / (uint64_t)shared->worker_count;
        if (left < POLL_NODES)
            worker->next_poll = nodes + (left ? left : 1);
    }
    if (signals_pondering(&shared->signals))
        return;
    if (atomic_load_explicit(&shared->stop_on_ponderhit, memory_order_relaxed) ||
        (shared->budget.timed && worker_spent_ms(worker) >= shared->budget.hard_ms))
        signals_end_search(&shared->signals);
}

bool worker_must_stop(struct worker *worker)
{
    if (worker_nodes(worker) >= worker->next_poll)
        poll_limits(worker);
    return worker_stopped(worker);
}

/* What playing a move and passing share: the stack, the keys, the counters. */
static inline void step_down(struct worker *worker, struct stack *ss, move m,
                             struct piece_to *continuation)
{
    assert(worker->ply < SEARCH_PLY_MAX && worker->key_count < KEYS_MAX);
    ss->current_move = m;
    ss->continuation = continuation;
    worker->keys[worker->key_count++] = worker->pos.key;
    worker->ply++;
    atomic_store_explicit(&worker->nodes, worker_nodes(worker) + 1, memory_order_relaxed);
}

static inline void step_up(struct worker *worker)
{
    worker->ply--;
    worker->key_count--;
    eval_pop(worker->eval);
    assert(worker->ply >= 0 && worker->pos.key == worker->keys[worker->key_count]);
}

void worker_make(struct worker *worker, move m)
{
    struct stack *ss = worker_stack(worker);
    struct position *pos = &worker->pos;
    int piece = pos->board[move_from(m)];
    ss->was_capture = !move_is_quiet(pos, m);
    ss->correction = &worker->history.continuation_correction[piece][move_to(m)];
    step_down(worker, ss, m, &worker->history.continuation[piece][move_to(m)]);
    eval_push(worker->eval, pos, m);
    ss[1].piece_keys = piece_keys_after(&ss->piece_keys, pos, m);
    position_make(pos, m, &ss->undo);
    ss[1].plies_since_irreversible = pos->rule50 < ss->plies_since_irreversible + 1
                                         ? pos->rule50
                                         : ss->plies_since_irreversible + 1;
    assert(pos->key == position_compute_key(pos));
}

void worker_unmake(struct worker *worker, move m)
{
    position_unmake(&worker->pos, m, &worker_stack(worker)[-1].undo);
    step_up(worker);
}

void worker_make_null(struct worker *worker)
{
    struct stack *ss = worker_stack(worker);
    struct position *pos = &worker->pos;
    ss->was_capture = false;
    ss->move_count = 0;
    ss->correction = &worker->history.continuation_correction[0][0];
    step_down(worker, ss, MOVE_NULL, &worker->history.none);
    eval_push_null(worker->eval, pos);
    ss[1].piece_keys = ss->piece_keys;
    position_make_null(pos, &ss->undo);
    ss[1].plies_since_irreversible = 0;
}

void worker_unmake_null(struct worker *worker)
{
    position_unmake_null(&worker->pos, &worker_stack(worker)[-1].undo);
    step_up(worker);
}

void worker_keep_pv(struct worker *worker, move m)
{
    struct stack *ss = worker_stack(worker);
    ss->pv_length = pv_join(ss->pv, m, ss[1].pv, ss[1].pv_length);
}

/* A position that stood before inside the search counts as a draw at once: what was possible then
 * is possible now. Of positions before the root two are needed. */
static bool is_repetition(const struct worker *worker, int plies_since_irreversible)
{
    uint64_t key = worker->pos.key;
    int seen = 0;
    int limit = worker->key_count - plies_since_irreversible;
    for (int i = worker->key_count - 4; i >= 0 && i >= limit; i -= 2) {
        if (worker->keys[i] != key)
            continue;
        if (i >= worker->root_key_count || ++seen == 2)
            return true;
    }
    return false;
}

bool worker_is_draw(const struct worker *worker)
{
    const struct position *pos = &worker->pos;
    if (pos->rule50 >= 100) {
        /* Mate on the hundredth ply goes before the draw. */
        if (!pos->checkers || movegen_count(pos) > 0)
            return true;
    }
    const struct stack *ss = &worker->stack[STACK_BEFORE + worker->ply];
    return is_repetition(worker, ss->plies_since_irreversible) ||
           position_insufficient_material(pos);
}

bool worker_upcoming_repetition(const struct worker *worker)
{
    const struct stack *ss = &worker->stack[STACK_BEFORE + worker->ply];
    int limit = worker->key_count - ss->plies_since_irreversible;
    if (limit < worker->root_key_count)
        limit = worker->root_key_count;
    for (int i = worker->key_count - 3; i >= limit; i -= 2)
        if (position_upcoming_repetition(&worker->pos, worker->keys[i]))
            return true;
    return false;
}

/* The moves of the root --------------------------------------------------------------------- */

void root_move_init(struct root_move *root, move m)
{
    *root = (struct root_move){.move = m, .bound = SCORE_EXACT, .pv_length = 1, .pv = {m}};
    root->score = root->previous_score = root->average = -SCORE_INFINITE;
}

struct root_move *root_move_find(struct root_move *moves, int first, int last, move m)
{
    for (int i = first; i < last; i++)
        if (moves[i].move == m)
            return &moves[i];
    return NULL;
}

int root_move_score(const struct root_move *root)
{
    return root->score != -SCORE_INFINITE ? root->score : root->previous_score;
}

int root_move_shown_score(const struct root_move *root, enum score_bound *bound)
{
    int score = root_move_score(root);
    bool is_of_tb = root->in_tb && !score_is_mate(score);
    *bound = is_of_tb ? SCORE_EXACT : root->bound;
    return is_of_tb ? root->tb_score : score;
}

/* Does `a` go before `b`? */
static bool is_better(const struct root_move *a, const struct root_move *b)
{
    return a->tb_rank != b->tb_rank ? a->tb_rank > b->tb_rank : a->score > b->score;
}

int pv_join(move pv[SEARCH_PLY_MAX], move m, const move *after, int length)
{
    if (length > SEARCH_PLY_MAX - 1)
        length = SEARCH_PLY_MAX - 1;
    pv[0] = m;
    memcpy(pv + 1, after, (size_t)length * sizeof *pv);
    return length + 1;
}

void root_moves_sort(struct root_move *moves, int first, int last)
{
    for (int i = first + 1; i < last; i++) {
        struct root_move current = moves[i];
        int j = i;
        for (; j > first && is_better(&current, &moves[j - 1]); j--)
            moves[j] = moves[j - 1];
        if (j != i)
            moves[j] = current;
    }
}

/* What worker 0 tells the reporter ------------------------------------------------------------ */

enum { SLOW_MS = 3000, CURRENT_MIN_NODES = 100000 };

bool worker_report_is_slow(const struct worker *worker)
{
    return elapsed_ms(worker) >= SLOW_MS;
}

int worker_report_lines(const struct worker *worker)
{
    int wanted = worker->shared->request.multipv;
    return wanted < worker->root_count ? wanted : worker->root_count;
}

void worker_report(const struct worker *worker, int first, int last)
{
    struct shared *shared = worker->shared;
    if (!shared->reporter.info)
        return;
    int64_t time = elapsed_ms(worker);
    uint64_t nodes = shared_nodes(shared);
    for (int line = first; line < last; line++) {
        const struct root_move *root = &worker->root_moves[line];
        enum score_bound bound;
        int score = root_move_shown_score(root, &bound);
        if (score == -SCORE_INFINITE)
            continue;
        shared->reported_pondering = signals_pondering(&shared->signals);
        bool is_new = root->score != -SCORE_INFINITE || worker->root_depth <= 1;
        struct search_info info = {
            .depth = is_new ? worker->root_depth : worker->root_depth - 1,
            .seldepth = root->seldepth,
            .multipv = line + 1,
            .score = score,
            .bound = bound,
            .nodes = nodes,
            .nps = nodes * 1000 / (uint64_t)(time > 0 ? time : 1),
            .time_ms = time,
            .hashfull = tt_hashfull(&shared->tt),
            .tbhits = all_tb_hits(shared),
            .pv = root->pv,
            .pv_length = root->pv_length,
        };
        shared->reporter.info(shared->reporter.context, &info);
    }
}

void worker_report_current(const struct worker *worker, int depth, move m, int number)
{
    const struct shared *shared = worker->shared;
    if (worker->index == 0 && shared->reporter.current && !shared->request.minimal &&
        worker_nodes(worker) > CURRENT_MIN_NODES && worker_report_is_slow(worker))
        shared->reporter.current(shared->reporter.context, depth, m, number + worker->pv_index);
}
