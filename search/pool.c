#include "search/pool.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/thread.h"

enum action { PARKED, SEARCHING, LEAVING };

struct helper {
    struct pool *pool;
    struct worker *worker;
    pthread_t thread;
    enum action action; /* guarded by pool->mutex */
};

struct pool {
    void (*run)(struct worker *worker);
    struct worker **workers;
    struct helper *helpers; /* helpers[i] runs workers[i + 1] */
    int count;              /* workers */
    int running;            /* helper threads that exist */
    pthread_mutex_t mutex;
    pthread_cond_t changed; /* some helper's action */
};

/* Wakes all helpers by one broadcast. */
static void command_helpers(struct pool *pool, enum action action)
{
    (void)pthread_mutex_lock(&pool->mutex);
    for (int i = 0; i < pool->running; i++)
        pool->helpers[i].action = action;
    (void)pthread_cond_broadcast(&pool->changed);
    (void)pthread_mutex_unlock(&pool->mutex);
}

static enum action wait_for_command(struct helper *helper)
{
    struct pool *pool = helper->pool;
    (void)pthread_mutex_lock(&pool->mutex);
    while (helper->action == PARKED)
        (void)pthread_cond_wait(&pool->changed, &pool->mutex);
    enum action action = helper->action;
    (void)pthread_mutex_unlock(&pool->mutex);
    return action;
}

static void park(struct helper *helper)
{
    struct pool *pool = helper->pool;
    (void)pthread_mutex_lock(&pool->mutex);
    helper->action = PARKED;
    (void)pthread_cond_broadcast(&pool->changed);
    (void)pthread_mutex_unlock(&pool->mutex);
}

static void *helper_main(void *argument)
{
    struct helper *helper = argument;
    while (wait_for_command(helper) == SEARCHING) {
        helper->pool->run(helper->worker);
        park(helper);
    }
    return NULL;
}

static bool create_workers(struct pool *pool, struct shared *shared, int count)
{
    pool->workers = calloc((size_t)count, sizeof(struct worker *));
    pool->helpers = calloc((size_t)count, sizeof *pool->helpers);
    if (!pool->workers || !pool->helpers)
        return false;
    for (; pool->count < count; pool->count++) {
        struct worker *worker = worker_create(shared, pool->count);
        if (!worker)
            return false;
        pool->workers[pool->count] = worker;
    }
    return true;
}

static enum caxton_status start_helpers(struct pool *pool)
{
    for (; pool->running < pool->count - 1; pool->running++) {
        struct helper *helper = &pool->helpers[pool->running];
        *helper = (struct helper){.pool = pool, .worker = pool->workers[pool->running + 1]};
        enum caxton_status status = thread_start(&helper->thread, helper_main, helper);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

static bool init_lock(struct pool *pool)
{
    if (pthread_mutex_init(&pool->mutex, NULL) != 0)
        return false;
    if (condition_init(&pool->changed) == STATUS_OK)
        return true;
    (void)pthread_mutex_destroy(&pool->mutex);
    return false;
}

struct pool *pool_create(struct shared *shared, int count, void (*run)(struct worker *worker),
                         enum caxton_status *status)
{
    struct pool *pool = calloc(1, sizeof *pool);
    *status = STATUS_NO_MEMORY;
    if (!pool)
        return NULL;
    pool->run = run;
    if (!init_lock(pool)) {
        *status = STATUS_THREAD;
        free(pool);
        return NULL;
    }
    if (create_workers(pool, shared, count))
        *status = start_helpers(pool);
    if (*status != STATUS_OK) {
        pool_destroy(pool);
        return NULL;
    }
    return pool;
}

void pool_destroy(struct pool *pool)
{
    if (!pool)
        return;
    pool_join(pool);
    command_helpers(pool, LEAVING);
    for (int i = 0; i < pool->running; i++)
        (void)pthread_join(pool->helpers[i].thread, NULL);
    for (int i = 0; i < pool->count; i++)
        worker_destroy(pool->workers[i]);
    free(pool->workers);
    free(pool->helpers);
    (void)pthread_cond_destroy(&pool->changed);
    (void)pthread_mutex_destroy(&pool->mutex);
    free(pool);
}

struct worker **pool_workers(struct pool *pool)
{
    return pool->workers;
}

void pool_start(struct pool *pool)
{
    command_helpers(pool, SEARCHING);
}

/* With the mutex held. */
static bool all_parked(const struct pool *pool)
{
    for (int i = 0; i < pool->running; i++)
        if (pool->helpers[i].action != PARKED)
            return false;
    return true;
}

void pool_join(struct pool *pool)
{
    (void)pthread_mutex_lock(&pool->mutex);
    while (!all_parked(pool))
        (void)pthread_cond_wait(&pool->changed, &pool->mutex);
    (void)pthread_mutex_unlock(&pool->mutex);
}

void pool_join_briefly(struct pool *pool, int milliseconds)
{
    if (pool->running == 0)
        return;
    int64_t deadline_ms = clock_ms() + milliseconds;
    (void)pthread_mutex_lock(&pool->mutex);
    while (!all_parked(pool) && condition_wait_until(&pool->changed, &pool->mutex, deadline_ms)) {
    }
    (void)pthread_mutex_unlock(&pool->mutex);
}

bool pool_is_parked(struct pool *pool, int index)
{
    if (index == 0)
        return true;
    (void)pthread_mutex_lock(&pool->mutex);
    bool parked = pool->helpers[index - 1].action == PARKED;
    (void)pthread_mutex_unlock(&pool->mutex);
    return parked;
}
