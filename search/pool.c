#include "search/pool.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

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

/* A lock fails only in a broken program: its result is not looked at. */
static void set_action(struct helper *helper, enum action action)
{
    (void)pthread_mutex_lock(&helper->pool->mutex);
    helper->action = action;
    (void)pthread_cond_broadcast(&helper->pool->changed);
    (void)pthread_mutex_unlock(&helper->pool->mutex);
}

static enum action wait_while(struct helper *helper, enum action action)
{
    (void)pthread_mutex_lock(&helper->pool->mutex);
    while (helper->action == action)
        (void)pthread_cond_wait(&helper->pool->changed, &helper->pool->mutex);
    enum action now = helper->action;
    (void)pthread_mutex_unlock(&helper->pool->mutex);
    return now;
}

static void *helper_main(void *argument)
{
    struct helper *helper = argument;
    while (wait_while(helper, PARKED) == SEARCHING) {
        helper->pool->run(helper->worker);
        set_action(helper, PARKED);
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

static bool init_condition(pthread_cond_t *condition)
{
    pthread_condattr_t attributes;
    if (pthread_condattr_init(&attributes) != 0)
        return false;
    bool good = pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC) == 0 &&
                pthread_cond_init(condition, &attributes) == 0;
    (void)pthread_condattr_destroy(&attributes);
    return good;
}

static bool init_lock(struct pool *pool)
{
    if (pthread_mutex_init(&pool->mutex, NULL) != 0)
        return false;
    if (init_condition(&pool->changed))
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
        free(pool);
        return NULL;
    }
    if (!create_workers(pool, shared, count)) {
        pool_destroy(pool);
        return NULL;
    }
    for (; pool->running < count - 1; pool->running++) {
        struct helper *helper = &pool->helpers[pool->running];
        *helper = (struct helper){.pool = pool, .worker = pool->workers[pool->running + 1]};
        if (pthread_create(&helper->thread, NULL, helper_main, helper) != 0) {
            *status = STATUS_THREAD;
            pool_destroy(pool);
            return NULL;
        }
    }
    *status = STATUS_OK;
    return pool;
}

void pool_destroy(struct pool *pool)
{
    if (!pool)
        return;
    pool_join(pool);
    for (int i = 0; i < pool->running; i++)
        set_action(&pool->helpers[i], LEAVING);
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
    for (int i = 0; i < pool->running; i++)
        set_action(&pool->helpers[i], SEARCHING);
}

void pool_join(struct pool *pool)
{
    for (int i = 0; i < pool->running; i++)
        (void)wait_while(&pool->helpers[i], SEARCHING);
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

void pool_join_briefly(struct pool *pool, int milliseconds)
{
    struct timespec until;
    if (pool->running == 0 || clock_gettime(CLOCK_MONOTONIC, &until) != 0)
        return;
    until.tv_nsec += milliseconds * 1000000L;
    until.tv_sec += until.tv_nsec / 1000000000L;
    until.tv_nsec %= 1000000000L;
    (void)pthread_mutex_lock(&pool->mutex);
    int result = 0;
    for (int i = 0; i < pool->running; i++)
        while (pool->helpers[i].action == SEARCHING && result == 0)
            result = pthread_cond_timedwait(&pool->changed, &pool->mutex, &until);
    (void)pthread_mutex_unlock(&pool->mutex);
}
