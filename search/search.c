#include "search/search.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/thread_pool.h"
#include "eval/network.h"
#include "search/root.h"
#include "search/tb_search.h"

/* HELPERS_MS: how long an answer waits for the helpers' results: where threads outnumber
 * processors, one that is not running cannot see that it should stop. */
enum { DEFAULT_HASH_MB = 16, HELPERS_MS = 3 };

/* Lazy SMP: every worker searches the same root, and they share the transposition table. Worker 0
 * is for the caller's thread. Source: https://www.chessprogramming.org/Lazy_SMP */
struct search {
    struct shared shared;
    struct thread_pool *helpers; /* thread i runs worker i + 1 */
    struct worker **made;        /* the helpers make these; written while they are parked */
    bool is_clear;               /* nothing was searched since the TT was made or cleared */
    bool is_fresh;               /* nothing was written to the TT since it was made */
    bool is_clearing;            /* the helpers clear the TT; written while they are parked */
};

struct search *search_create(void)
{
    struct search *search = calloc(1, sizeof *search);
    if (!search || !signals_init(&search->shared.signals)) {
        free(search);
        return NULL;
    }
    search->is_clear = search->is_fresh = true;
    search->shared.network = network_builtin();
    search_request_init(&search->shared.request);
    atomic_init(&search->shared.stop_on_ponderhit, false);
    if (tt_resize(&search->shared.tt, DEFAULT_HASH_MB) != STATUS_OK ||
        search_set_threads(search, 1) != STATUS_OK) {
        search_destroy(search);
        return NULL;
    }
    return search;
}

static void destroy_workers(struct worker **workers, int count)
{
    for (int i = 0; i < count; i++)
        worker_destroy(workers[i]);
    free(workers);
}

void search_destroy(struct search *search)
{
    if (!search)
        return;
    thread_pool_destroy(search->helpers);
    destroy_workers(search->shared.workers, search->shared.worker_count);
    tt_free(&search->shared.tt);
    signals_destroy(&search->shared.signals);
    free(search);
}

/* By all threads: a large TT takes long, and each page should lie near a thread that uses it. */
static void clear_tt(struct search *search)
{
    thread_pool_wait(search->helpers);
    search->is_clearing = true;
    thread_pool_start(search->helpers);
    tt_clear_part(&search->shared.tt, 0, search->shared.worker_count, search->is_fresh);
    thread_pool_wait(search->helpers);
    search->is_clearing = false;
    search->is_clear = true;
    search->is_fresh = false;
}

/* The same where it is needed: a new TT is empty. */
static void empty_tt(struct search *search)
{
    if (!search->is_clear)
        clear_tt(search);
}

enum caxton_status search_set_hash(struct search *search, int megabytes)
{
    if (megabytes < 1 || megabytes > SEARCH_HASH_MB_MAX)
        return STATUS_RANGE;
    thread_pool_wait(search->helpers);
    enum caxton_status status = tt_resize(&search->shared.tt, megabytes);
    if (status == STATUS_OK)
        search->is_clear = search->is_fresh = true;
    return status;
}

static void run_helper(void *context, int index)
{
    struct search *search = context;
    if (search->made)
        search->made[index + 1] = worker_create(&search->shared, index + 1);
    else if (search->is_clearing)
        tt_clear_part(&search->shared.tt, index + 1, search->shared.worker_count, search->is_fresh);
    else
        root_iterate(search->shared.workers[index + 1]);
}

/* Each by its thread: they are large, and their memory should lie near it. */
static bool make_workers(struct search *search, struct worker **workers,
                         struct thread_pool *helpers, int count)
{
    search->made = workers;
    thread_pool_start(helpers);
    workers[0] = worker_create(&search->shared, 0);
    thread_pool_wait(helpers);
    search->made = NULL;
    for (int i = 0; i < count; i++)
        if (!workers[i])
            return false;
    return true;
}

enum caxton_status search_set_threads(struct search *search, int count)
{
    if (count < 1 || count > SEARCH_THREADS_MAX)
        return STATUS_RANGE;
    /* A helper of the last search may not have run yet: what it reads must not change. */
    if (search->helpers)
        thread_pool_wait(search->helpers);
    struct worker **workers = calloc((size_t)count, sizeof *workers);
    struct thread_pool *helpers;
    enum caxton_status status = STATUS_NO_MEMORY;
    if (workers)
        status = thread_pool_create(count - 1, run_helper, search, &helpers);
    if (status != STATUS_OK) {
        free(workers);
        return status;
    }
    if (!make_workers(search, workers, helpers, count)) {
        thread_pool_destroy(helpers);
        destroy_workers(workers, count);
        return STATUS_NO_MEMORY;
    }
    thread_pool_destroy(search->helpers);
    destroy_workers(search->shared.workers, search->shared.worker_count);
    search->helpers = helpers;
    search->shared.workers = workers;
    search->shared.worker_count = count;
    empty_tt(search);
    return STATUS_OK;
}

/* What was learnt, but for the TT. */
static void forget(struct search *search)
{
    search->shared.has_last = false;
    for (int i = 0; i < search->shared.worker_count; i++)
        history_clear(&search->shared.workers[i]->history);
}

/* Also writes a new TT, whose pages come now and not on the clock of the first move. */
void search_clear(struct search *search)
{
    if (!search->is_clear || search->is_fresh)
        clear_tt(search);
    forget(search);
}

void search_set_network(struct search *search, const struct network *network)
{
    thread_pool_wait(search->helpers);
    search->shared.network = network;
    for (int i = 0; i < search->shared.worker_count; i++)
        eval_set_network(search->shared.workers[i]->eval, network);
    empty_tt(search); /* it keeps scores of positions */
    forget(search);
}

void search_set_tb(struct search *search, const struct tb *tb)
{
    thread_pool_wait(search->helpers);
    search->shared.tb = tb;
    empty_tt(search); /* it keeps scores that other endgame tables gave */
    forget(search);
}

void search_set_watch(struct search *search, eval_watch *watch, void *context)
{
    eval_set_watch(search->shared.workers[0]->eval, watch, context);
}

void search_request_set_game(struct search_request *request, const struct game *game)
{
    size_t plies = game_plies(game);
    size_t count = plies < SEARCH_KEYS_MAX ? plies : SEARCH_KEYS_MAX;
    request->root = *game_position(game);
    memcpy(request->keys, game_keys(game) + plies - count, count * sizeof *request->keys);
    request->key_count = (int)count;
}

void search_arm(struct search *search, bool ponder, int64_t start_ms)
{
    thread_pool_wait(
        search->helpers); /* helpers may still need the stop signal of the last search */
    search->shared.start_ms = start_ms;
    atomic_store(&search->shared.stop_on_ponderhit, false);
    signals_arm(&search->shared.signals, ponder);
}

void search_stop(struct search *search)
{
    signals_stop(&search->shared.signals);
}

void search_ponderhit(struct search *search)
{
    signals_ponderhit(&search->shared.signals);
}

void search_wait(struct search *search)
{
    signals_wait(&search->shared.signals, false);
}

/* Does what `other` found count more than what `best` found? The deepest finished search counts
 * most, then the better score; a shorter mate goes before everything.
 * Source: https://www.chessprogramming.org/Lazy_SMP, the choice among threads as in Stockfish 9 */
static bool worker_is_better(const struct worker *other, const struct worker *best)
{
    int score = root_move_score(&best->root_moves[0]);
    int other_score = root_move_score(&other->root_moves[0]);
    if (other->completed_depth == 0 || other->root_moves[0].bound != SCORE_EXACT)
        return false;
    if (other->completed_depth == best->completed_depth || other_score >= SCORE_MATE_IN_MAX)
        return other_score > score;
    return other->completed_depth > best->completed_depth && score < SCORE_MATE_IN_MAX &&
           other_score >= score;
}

/* The worker whose answer is given. Helpers that still run are left out. */
static struct worker *best_worker(struct search *search)
{
    struct worker *best = search->shared.workers[0];
    if (search->shared.request.multipv > 1 || search->shared.request.depth > 0)
        return best;
    for (int i = 1; i < search->shared.worker_count; i++)
        if (thread_pool_is_parked(search->helpers, i - 1) &&
            worker_is_better(search->shared.workers[i], best))
            best = search->shared.workers[i];
    return best;
}

/* The reply that the TT expects after `best`, when the line ends there. */
static move ponder_from_tt(struct search *search, move best)
{
    struct position pos = search->shared.request.root;
    struct tt_entry entry;
    position_play(&pos, best);
    if (tt_probe(&search->shared.tt, pos.key, 0, pos.rule50, &entry) &&
        movegen_is_legal(&pos, entry.move))
        return entry.move;
    return MOVE_NONE;
}

/* Chess programs show and record what comes after the ponderhit only: the lines are said once more
 * when there was no time for new ones. */
static bool is_unheard(const struct shared *shared)
{
    return shared->reported_pondering && !signals_pondering(&shared->signals);
}

static void fill_result(struct search *search, struct search_result *result)
{
    const struct shared *shared = &search->shared;
    const struct worker *worker = best_worker(search);
    const struct root_move *root = &worker->root_moves[0];
    *result = (struct search_result){.best = MOVE_NONE, .ponder = MOVE_NONE};
    result->nodes = shared_nodes(shared);
    if (worker->root_count == 0) {
        result->score = position_in_check(&shared->request.root) ? score_mated_in(0) : 0;
        return;
    }
    if (is_unheard(shared) || worker->index != 0 || shared->request.minimal)
        worker_report(worker, 0, worker_report_lines(worker));
    result->best = root->move;
    result->ponder = root->pv_length > 1 ? root->pv[1] : ponder_from_tt(search, root->move);
    enum score_bound bound;
    result->score = root_move_shown_score(root, &bound);
    result->depth = worker->completed_depth;
}

/* Does nothing but a signal end the search? */
static bool is_unlimited(const struct search_request *request, const struct time_budget *budget)
{
    return !budget->timed && request->depth == 0 && request->nodes == 0 && request->mate == 0;
}

/* What White dislikes a draw by. */
static int white_contempt(const struct search_request *request)
{
    return request->root.turn == WHITE ? request->contempt : -request->contempt;
}

/* Searches whose scores mean the same have the same: 0 for most. */
static uint64_t scores_salt(const struct search_request *request)
{
    uint64_t rule50 = request->tb_rule50 ? 0 : UINT64_C(0xC2B2AE3D27D4EB4F);
    return rule50 ^ (uint64_t)white_contempt(request) * UINT64_C(0x9E3779B97F4A7C15);
}

void search_run(struct search *search, const struct search_request *request,
                const struct search_reporter *reporter, struct search_result *result)
{
    struct shared *shared = &search->shared;
    /* A search for a mate takes no score of a search with pruning for a proof. */
    if (request->mate > 0)
        empty_tt(search);
    search->is_clear = search->is_fresh = false;
    shared->tt.salt = scores_salt(request);
    shared->request = *request;
    shared->reporter = *reporter;
    if (shared->request.multipv < 1)
        shared->request.multipv = 1;
    shared->budget = timeman_plan(request);
    shared->reported_pondering = false;
    if (request->ponder && !request->infinite && is_unlimited(request, &shared->budget))
        atomic_store(&shared->stop_on_ponderhit, true);
    tt_next_search(&shared->tt);
    tb_prepare(shared);
    for (int i = 0; i < shared->worker_count; i++) {
        worker_prepare(shared->workers[i]);
        tb_rank_root_moves(shared->workers[i]);
    }

    thread_pool_start(search->helpers);
    root_iterate(shared->workers[0]);
    signals_wait(&shared->signals, request->infinite);
    signals_end_search(&shared->signals);
    thread_pool_wait_until(search->helpers, clock_ms() + HELPERS_MS);
    fill_result(search, result);
    result->missed = signals_pondering(&shared->signals);
    const struct time_signals *signals = &shared->workers[0]->time_signals;
    if (signals->best == MOVE_NONE || request->infinite || result->missed)
        return;
    shared->has_last = true;
    shared->last_turn = request->root.turn;
    shared->last_score = signals->score;
}
