/* Iterative deepening with aspiration windows.
 * Source: https://www.chessprogramming.org/Iterative_Deepening, .../Aspiration_Windows */
#include "search/root.h"

#include <string.h>

#include "base/clock.h"
#include "search/params.h"
#include "search/pool.h"

enum { SLOW_MS = 3000 };

static int64_t elapsed_ms(const struct worker *worker)
{
    return clock_ms() - worker->search->start_ms;
}

static bool is_slow(const struct worker *worker)
{
    return elapsed_ms(worker) >= SLOW_MS;
}

static void prepare_frames(struct worker *worker)
{
    int count = (int)(sizeof worker->frames / sizeof *worker->frames);
    for (int i = 0; i < count; i++) {
        struct frame *frame = &worker->frames[i];
        frame->continuation = &worker->history.none;
        frame->played = frame->excluded = MOVE_NONE;
        frame->killers[0] = frame->killers[1] = MOVE_NONE;
        frame->static_eval = SCORE_NONE;
        frame->reach = 0;
        frame->cutoffs = 0;
        frame->pv_length = 0;
    }
}

void root_prepare(struct worker *worker)
{
    const struct search_request *request = &worker->search->request;
    worker->pos = request->root;
    eval_reset(worker->eval);
    worker->key_count = worker->root_key_count = request->key_count;
    memcpy(worker->keys, request->keys, (size_t)request->key_count * sizeof *request->keys);
    worker->ply = 0;
    worker->seldepth = 0;
    worker->root_depth = worker->completed_depth = 0;
    worker->null_floor = 0;
    worker->full_width = request->mate > 0;
    worker->line = 0;
    worker->next_poll = 0;
    atomic_store_explicit(&worker->nodes, 0, memory_order_relaxed);
    prepare_frames(worker);
    struct frame *frame = worker_frame(worker);
    frame->reach =
        request->root.rule50 < request->key_count ? request->root.rule50 : request->key_count;

    move legal[MOVES_MAX];
    const move *moves = request->moves;
    worker->root_count = request->move_count;
    if (request->move_count == 0) {
        moves = legal;
        worker->root_count = movegen_legal(&request->root, legal);
    }
    for (int i = 0; i < worker->root_count; i++) {
        struct root_move *root = &worker->root_moves[i];
        root->move = root->pv[0] = moves[i];
        root->pv_length = 1;
        root->score = root->previous_score = -SCORE_INFINITE;
        root->bound = SCORE_EXACT;
        root->seldepth = 0;
        root->nodes = 0;
    }
}

int root_score(const struct root_move *root)
{
    return root->score != -SCORE_INFINITE ? root->score : root->previous_score;
}

static struct root_move *find_move(struct worker *worker, move m)
{
    for (int i = worker->line; i < worker->root_count; i++)
        if (worker->root_moves[i].move == m)
            return &worker->root_moves[i];
    return NULL;
}

bool root_is_wanted(struct worker *worker, move m)
{
    return find_move(worker, m) != NULL;
}

void root_record(struct worker *worker, move m, int number, int score, int alpha, int beta,
                 uint64_t nodes)
{
    struct root_move *root = find_move(worker, m);
    root->nodes += nodes;
    if (number > 1 && score <= alpha) {
        root->score = -SCORE_INFINITE; /* only the order of the others is known */
        return;
    }
    root->score = score;
    root->seldepth = worker->seldepth;
    root->bound = score <= alpha ? SCORE_UPPER : score >= beta ? SCORE_LOWER : SCORE_EXACT;
    const struct frame *child = worker_frame(worker) + 1;
    root->pv[0] = m;
    root->pv_length = 1;
    for (int i = 0; i < child->pv_length && root->pv_length < SEARCH_PLY_MAX; i++)
        root->pv[root->pv_length++] = child->pv[i];
}

void root_report_current(const struct worker *worker, int depth, move m, int number)
{
    const struct search *search = worker->search;
    if (worker->index == 0 && search->reporter.current && worker_nodes(worker) > 100000 &&
        is_slow(worker))
        search->reporter.current(search->reporter.context, depth, m, number + worker->line);
}

static int multipv_of(const struct worker *worker)
{
    int wanted = worker->search->request.multipv;
    return wanted < worker->root_count ? wanted : worker->root_count;
}

static void report_line(struct worker *worker, int line)
{
    struct search *search = worker->search;
    const struct root_move *root = &worker->root_moves[line];
    int score = root_score(root);
    if (score == -SCORE_INFINITE)
        return;
    int64_t time = elapsed_ms(worker);
    uint64_t nodes = pool_nodes(search->pool);
    struct search_info info = {
        .depth = root->score != -SCORE_INFINITE || worker->root_depth <= 1 ? worker->root_depth
                                                                           : worker->root_depth - 1,
        .seldepth = root->seldepth,
        .multipv = line + 1,
        .score = score,
        .bound = root->bound,
        .nodes = nodes,
        .nps = nodes * 1000 / (uint64_t)(time > 0 ? time : 1),
        .time_ms = time,
        .hashfull = tt_hashfull(&search->tt),
        .pv = root->pv,
        .pv_length = root->pv_length,
    };
    search->reporter.info(search->reporter.context, &info);
}

void root_report(struct worker *worker)
{
    if (!worker->search->reporter.info)
        return;
    int lines = multipv_of(worker);
    for (int line = 0; line < lines; line++)
        report_line(worker, line);
}

/* Best first; equals keep their order, so that moves that failed low stay as the last iteration
 * ranked them. */
static void sort_root_moves(struct worker *worker, int first, int last)
{
    for (int i = first + 1; i < last; i++) {
        struct root_move current = worker->root_moves[i];
        int j = i;
        for (; j > first && worker->root_moves[j - 1].score < current.score; j--)
            worker->root_moves[j] = worker->root_moves[j - 1];
        if (j != i)
            worker->root_moves[j] = current;
    }
}

/* Searches the best move of the current line at root_depth, widening the window until it fits. */
static void search_line(struct worker *worker)
{
    int alpha = -SCORE_INFINITE;
    int beta = SCORE_INFINITE;
    int window = ASPIRATION_WINDOW;
    int expected = worker->root_moves[worker->line].previous_score;
    int depth = worker->root_depth;
    if (depth >= ASPIRATION_DEPTH && expected > -SCORE_MATE_IN_MAX &&
        expected < SCORE_MATE_IN_MAX) {
        window += expected * expected / ASPIRATION_SCORE_DIVISOR;
        alpha = expected - window;
        beta = expected + window;
    }
    for (;;) {
        alpha = alpha > -SCORE_INFINITE ? alpha : -SCORE_INFINITE;
        beta = beta < SCORE_INFINITE ? beta : SCORE_INFINITE;
        int score = node_search(worker, alpha, beta, depth > 1 ? depth : 1, false);
        sort_root_moves(worker, worker->line, worker->root_count);
        if (worker_stopped(worker) || (score > alpha && score < beta))
            return;
        if (worker->index == 0 && is_slow(worker) && worker->search->request.multipv == 1 &&
            worker->search->reporter.info)
            report_line(worker, worker->line);
        if (score <= alpha) {
            beta = (alpha + beta) / 2;
            alpha = score - window;
            depth = worker->root_depth;
        } else {
            beta = score + window;
            if (depth > worker->root_depth - 3 && score < SCORE_MATE_IN_MAX)
                depth--;
        }
        window += window / 2;
        if (window > ASPIRATION_MAX) {
            alpha = -SCORE_INFINITE;
            beta = SCORE_INFINITE;
        }
    }
}

static void search_depth(struct worker *worker)
{
    for (int i = 0; i < worker->root_count; i++) {
        struct root_move *root = &worker->root_moves[i];
        root->previous_score = root_score(root);
        root->score = -SCORE_INFINITE;
    }
    int lines = multipv_of(worker);
    for (worker->line = 0; worker->line < lines; worker->line++) {
        worker->seldepth = 0;
        search_line(worker);
        if (worker_stopped(worker))
            break;
    }
    worker->line = 0;
    sort_root_moves(worker, 0, lines);
}

/* Says `go mate N` that it is done: it has found a mate within N moves, or seen all of them. */
static bool mate_is_decided(const struct worker *worker)
{
    int moves = worker->search->request.mate;
    int score = root_score(&worker->root_moves[0]);
    return moves > 0 && (score >= SCORE_MATE - 2 * moves || worker->completed_depth >= 2 * moves);
}

static bool time_is_up(struct worker *worker, const struct time_signals *signals)
{
    struct search *search = worker->search;
    const struct root_move *best = &worker->root_moves[0];
    if (!search->budget.timed || search->budget.fixed)
        return false;
    if (worker->root_count == 1 && worker->completed_depth >= 5)
        return true;
    /* A mate that deeper iterations will not shorten. */
    int score = best->score < 0 ? -best->score : best->score;
    if (score >= SCORE_MATE_IN_MAX && worker->completed_depth >= 2 * (SCORE_MATE - score) + 4)
        return true;
    return elapsed_ms(worker) >= timeman_soft_limit(&search->budget, signals);
}

static void end_or_wait_for_ponderhit(struct worker *worker)
{
    struct search *search = worker->search;
    if (atomic_load_explicit(&search->pondering, memory_order_relaxed))
        atomic_store_explicit(&search->stop_on_ponderhit, true, memory_order_relaxed);
    else
        atomic_store_explicit(&search->stop, true, memory_order_relaxed);
}

/* After an iteration of worker 0: report, and decide whether to go on. */
static void conclude_depth(struct worker *worker, struct time_signals *signals, move *last_best)
{
    const struct root_move *best = &worker->root_moves[0];
    root_report(worker);
    signals->stable = best->move == *last_best ? signals->stable + 1 : 0;
    *last_best = best->move;
    signals->score_drop_cp =
        best->previous_score == -SCORE_INFINITE ? 0 : best->previous_score - best->score;
    uint64_t nodes = worker_nodes(worker);
    signals->best_node_permille = nodes ? (int)(best->nodes * 1000 / nodes) : 1000;
    if (mate_is_decided(worker))
        atomic_store_explicit(&worker->search->stop, true, memory_order_relaxed);
    else if (time_is_up(worker, signals))
        end_or_wait_for_ponderhit(worker);
}

void root_iterate(struct worker *worker)
{
    const struct search_request *request = &worker->search->request;
    int depth_limit =
        request->depth > 0 && request->depth < SEARCH_DEPTH_MAX ? request->depth : SEARCH_DEPTH_MAX;
    struct time_signals signals = {0};
    move last_best = MOVE_NONE;
    for (int depth = 1; depth <= depth_limit && worker->root_count > 0; depth++) {
        worker->root_depth = depth;
        search_depth(worker);
        if (worker_stopped(worker)) {
            /* Half an iteration may have found a better move: show the line that will be played. */
            if (worker->index == 0 && worker->root_moves[0].move != last_best)
                root_report(worker);
            return;
        }
        worker->completed_depth = depth;
        if (worker->index == 0)
            conclude_depth(worker, &signals, &last_best);
        if (worker_stopped(worker))
            return;
    }
}
