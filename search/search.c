#include "search/search.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "chess/attacks.h"
#include "eval/network.h"
#include "eval/network_builtin.h"
#include "search/pool.h"
#include "search/root.h"

/* HELPERS_MS: how long an answer waits for the helpers' opinions. */
enum { DEFAULT_HASH_MB = 16, HELPERS_MS = 3 };

static bool create_signals(struct search *search)
{
    if (pthread_mutex_init(&search->signal_lock, NULL) != 0)
        return false;
    if (pthread_cond_init(&search->signalled, NULL) == 0)
        return true;
    (void)pthread_mutex_destroy(&search->signal_lock);
    return false;
}

struct search *search_create(void)
{
    struct search *search = calloc(1, sizeof *search);
    if (!search || !create_signals(search)) {
        free(search);
        return NULL;
    }
    search->network = network_builtin();
    atomic_init(&search->stop, false);
    atomic_init(&search->pondering, false);
    atomic_init(&search->stop_on_ponderhit, false);
    if (tt_resize(&search->tt, DEFAULT_HASH_MB) != STATUS_OK ||
        search_set_threads(search, 1) != STATUS_OK) {
        search_destroy(search);
        return NULL;
    }
    return search;
}

void search_destroy(struct search *search)
{
    if (!search)
        return;
    pool_destroy(search->pool);
    tt_free(&search->tt);
    (void)pthread_cond_destroy(&search->signalled);
    (void)pthread_mutex_destroy(&search->signal_lock);
    free(search);
}

enum caxton_status search_set_hash(struct search *search, int megabytes)
{
    if (megabytes < 1 || megabytes > SEARCH_HASH_MB_MAX)
        return STATUS_RANGE;
    pool_join(search->pool);
    return tt_resize(&search->tt, megabytes);
}

enum caxton_status search_set_threads(struct search *search, int count)
{
    if (count < 1 || count > SEARCH_THREADS_MAX)
        return STATUS_RANGE;
    enum caxton_status status;
    struct pool *pool = pool_create(search, count, &status);
    if (!pool)
        return status;
    pool_destroy(search->pool); /* joins its threads */
    search->pool = pool;
    tt_clear(&search->tt);
    return STATUS_OK;
}

void search_set_network(struct search *search, const struct network *network)
{
    pool_join(search->pool);
    search->network = network;
    pool_set_network(search->pool, network);
    search_clear(search); /* the table keeps scores of positions */
}

void search_clear(struct search *search)
{
    pool_join(search->pool);
    tt_clear(&search->tt);
    pool_clear(search->pool);
}

void search_arm(struct search *search, bool ponder)
{
    pool_join(search->pool); /* the stop signal of the last search must not be taken from them */
    search->start_ms = clock_ms();
    (void)pthread_mutex_lock(&search->signal_lock);
    search->released = false;
    (void)pthread_mutex_unlock(&search->signal_lock);
    atomic_store(&search->stop, false);
    atomic_store(&search->stop_on_ponderhit, false);
    atomic_store(&search->pondering, ponder);
}

void search_stop(struct search *search)
{
    (void)pthread_mutex_lock(&search->signal_lock);
    search->released = true;
    atomic_store(&search->stop, true);
    (void)pthread_cond_broadcast(&search->signalled);
    (void)pthread_mutex_unlock(&search->signal_lock);
}

void search_ponderhit(struct search *search)
{
    (void)pthread_mutex_lock(&search->signal_lock);
    atomic_store(&search->pondering, false);
    (void)pthread_cond_broadcast(&search->signalled);
    (void)pthread_mutex_unlock(&search->signal_lock);
}

/* A limit that was reached ends the search, but only the interface ends the waiting. */
static void sleep_until_released(struct search *search, bool infinite)
{
    (void)pthread_mutex_lock(&search->signal_lock);
    while (!search->released && (infinite || atomic_load(&search->pondering)))
        (void)pthread_cond_wait(&search->signalled, &search->signal_lock);
    (void)pthread_mutex_unlock(&search->signal_lock);
}

void search_wait(struct search *search)
{
    sleep_until_released(search, false);
}

void search_request_init(struct search_request *request)
{
    memset(request, 0, sizeof *request);
    position_start(&request->root);
    request->time_ms[WHITE] = request->time_ms[BLACK] = -1;
    request->movetime_ms = -1;
    request->multipv = 1;
}

/* The worker whose answer counts: the deepest finished search, then the better score; a shorter
 * mate goes before everything. */
static struct worker *best_worker(struct search *search)
{
    struct worker *best = pool_worker(search->pool, 0);
    if (search->request.multipv > 1 || search->request.depth > 0)
        return best;
    for (int i = 1; i < pool_threads(search->pool); i++) {
        if (!pool_is_parked(search->pool, i))
            continue;
        struct worker *other = pool_worker(search->pool, i);
        int score = root_score(&best->root_moves[0]);
        int other_score = root_score(&other->root_moves[0]);
        bool deeper = other->completed_depth > best->completed_depth && score < SCORE_MATE_IN_MAX;
        if (other->completed_depth > 0 && other->root_moves[0].bound == SCORE_EXACT &&
            ((deeper && other_score >= score) ||
             (other->completed_depth == best->completed_depth && other_score > score)))
            best = other;
    }
    return best;
}

/* The reply that the table expects after `best`, when the line ends there. */
static move ponder_from_table(struct search *search, move best)
{
    struct position pos = search->request.root;
    struct undo undo;
    struct tt_entry entry;
    position_make(&pos, best, &undo);
    if (tt_probe(&search->tt, pos.key, 0, &entry) && movegen_is_legal(&pos, entry.move))
        return entry.move;
    return MOVE_NONE;
}

static void fill_result(struct search *search, struct search_result *result)
{
    struct worker *worker = best_worker(search);
    const struct root_move *root = &worker->root_moves[0];
    *result = (struct search_result){.best = MOVE_NONE, .ponder = MOVE_NONE};
    result->nodes = pool_nodes(search->pool);
    if (worker->root_count == 0) {
        result->score = position_in_check(&search->request.root) ? -SCORE_MATE : 0;
        return;
    }
    if (worker->index != 0 && root->move != pool_worker(search->pool, 0)->root_moves[0].move)
        root_report(worker);
    result->best = root->move;
    result->ponder = root->pv_length > 1 ? root->pv[1] : ponder_from_table(search, root->move);
    result->score = root_score(root);
    result->depth = worker->completed_depth;
}

void search_run(struct search *search, const struct search_request *request,
                const struct search_reporter *reporter, struct search_result *result)
{
    search->request = *request;
    search->reporter = *reporter;
    if (search->request.multipv < 1)
        search->request.multipv = 1;
    search->budget = timeman_plan(request);
    tt_next_search(&search->tt);
    int threads = pool_threads(search->pool);
    for (int i = 0; i < threads; i++)
        root_prepare(pool_worker(search->pool, i));

    pool_start(search->pool);
    root_iterate(pool_worker(search->pool, 0));
    sleep_until_released(search, request->infinite);
    atomic_store(&search->stop, true);
    pool_join_briefly(search->pool, HELPERS_MS);
    fill_result(search, result);
}
