#include "search/worker.h"

#include "base/clock.h"
#include "search/params.h"
#include "search/pool.h"

/* A few dozen microseconds of search; more when the machine is busy, and then it matters. */
enum { POLL_NODES = 256 };

_Static_assert((int)SEARCH_PLY_MAX <= (int)EVAL_PLY_MAX,
               "the evaluation can follow the longest line");

static void request_stop(struct worker *worker)
{
    atomic_store_explicit(&worker->search->stop, true, memory_order_relaxed);
}

static void poll(struct worker *worker)
{
    struct search *search = worker->search;
    uint64_t nodes = worker_nodes(worker);
    worker->next_poll = nodes + POLL_NODES;
    if (search->request.nodes) {
        uint64_t total = pool_nodes(search->pool);
        if (total >= search->request.nodes) {
            request_stop(worker);
            return;
        }
        uint64_t left = (search->request.nodes - total) / (uint64_t)pool_threads(search->pool);
        if (left < POLL_NODES)
            worker->next_poll = nodes + (left ? left : 1);
    }
    if (!search->budget.timed || atomic_load_explicit(&search->pondering, memory_order_relaxed))
        return;
    if (atomic_load_explicit(&search->stop_on_ponderhit, memory_order_relaxed) ||
        clock_ms() - search->start_ms >= search->budget.hard_ms)
        request_stop(worker);
}

bool worker_must_stop(struct worker *worker)
{
    if (worker->index == 0 && worker_nodes(worker) >= worker->next_poll)
        poll(worker);
    return worker_stopped(worker);
}

void worker_make(struct worker *worker, move m)
{
    struct frame *frame = worker_frame(worker);
    struct position *pos = &worker->pos;
    int piece = pos->board[move_from(m)];
    frame->played = m;
    frame->continuation = &worker->history.continuation[piece][move_to(m)];
    worker->keys[worker->key_count++] = pos->key;
    eval_push(worker->eval, pos, m);
    position_make(pos, m, &frame->undo);
    worker->ply++;
    frame[1].reach = pos->rule50 < frame->reach + 1 ? pos->rule50 : frame->reach + 1;
    worker_count_node(worker);
}

void worker_unmake(struct worker *worker, move m)
{
    worker->ply--;
    worker->key_count--;
    eval_pop(worker->eval);
    position_unmake(&worker->pos, m, &worker_frame(worker)->undo);
}

void worker_make_null(struct worker *worker)
{
    struct frame *frame = worker_frame(worker);
    frame->played = MOVE_NULL;
    frame->continuation = &worker->history.none;
    worker->keys[worker->key_count++] = worker->pos.key;
    eval_push_null(worker->eval);
    position_make_null(&worker->pos, &frame->undo);
    worker->ply++;
    frame[1].reach = 0;
    worker_count_node(worker);
}

void worker_unmake_null(struct worker *worker)
{
    worker->ply--;
    worker->key_count--;
    eval_pop(worker->eval);
    position_unmake_null(&worker->pos, &worker_frame(worker)->undo);
}

/* A repetition inside the search is scored as the draw it can be forced to be; of positions before
 * the root two are needed. */
static bool is_repetition(const struct worker *worker, int reach)
{
    uint64_t key = worker->pos.key;
    int seen = 0;
    int limit = worker->key_count - reach;
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
        /* A mate on the hundredth ply goes first. */
        if (!pos->checkers || movegen_count(pos) > 0)
            return true;
    }
    const struct frame *frame = &worker->frames[FRAMES_BEFORE + worker->ply];
    return is_repetition(worker, frame->reach) || position_is_dead(pos);
}

int worker_corrected_eval(struct worker *worker, int raw)
{
    /* Progress gets harder to make the longer nothing happens. */
    int value =
        raw * (RULE50_SCALE - (worker->pos.rule50 < 100 ? worker->pos.rule50 : 100)) / RULE50_SCALE;
    value += history_correction(&worker->history, &worker->pos);
    return value > EVAL_MAX ? EVAL_MAX : value < -EVAL_MAX ? -EVAL_MAX : value;
}
