#include "base/thread_pool.h"

#include <stdlib.h>

#include "base/thread.h"

enum action { PARKED, RUNNING, LEAVING };

struct pool_thread {
    struct thread_pool *pool;
    pthread_t thread;
    enum action action; /* guarded by the monitor */
};

struct thread_pool {
    void (*run)(void *context, int index);
    void *context;
    struct monitor monitor; /* some thread's action */
    int count;
    struct pool_thread threads[];
};

static void *thread_main(void *argument)
{
    struct pool_thread *self = argument;
    struct thread_pool *pool = self->pool;
    (void)pthread_mutex_lock(&pool->monitor.mutex);
    while (self->action != LEAVING) {
        if (self->action == PARKED) {
            (void)pthread_cond_wait(&pool->monitor.changed, &pool->monitor.mutex);
            continue;
        }
        (void)pthread_mutex_unlock(&pool->monitor.mutex);
        pool->run(pool->context, (int)(self - pool->threads));
        (void)pthread_mutex_lock(&pool->monitor.mutex);
        self->action = PARKED;
        (void)pthread_cond_broadcast(&pool->monitor.changed);
    }
    (void)pthread_mutex_unlock(&pool->monitor.mutex);
    return NULL;
}

/* Tells all threads by one broadcast. */
static void command(struct thread_pool *pool, enum action action)
{
    (void)pthread_mutex_lock(&pool->monitor.mutex);
    for (int i = 0; i < pool->count; i++)
        pool->threads[i].action = action;
    (void)pthread_cond_broadcast(&pool->monitor.changed);
    (void)pthread_mutex_unlock(&pool->monitor.mutex);
}

enum caxton_status thread_pool_create(int count, void (*run)(void *context, int index),
                                      void *context, struct thread_pool **out)
{
    struct thread_pool *pool = calloc(1, sizeof *pool + (size_t)count * sizeof *pool->threads);
    if (!pool)
        return STATUS_NO_MEMORY;
    if (monitor_init(&pool->monitor) != STATUS_OK) {
        free(pool);
        return STATUS_THREAD;
    }
    pool->run = run;
    pool->context = context;
    for (; pool->count < count; pool->count++) {
        struct pool_thread *made = &pool->threads[pool->count];
        made->pool = pool;
        if (thread_start(&made->thread, thread_main, made) != STATUS_OK) {
            thread_pool_destroy(pool);
            return STATUS_THREAD;
        }
    }
    *out = pool;
    return STATUS_OK;
}

void thread_pool_destroy(struct thread_pool *pool)
{
    if (!pool)
        return;
    thread_pool_wait(pool);
    command(pool, LEAVING);
    for (int i = 0; i < pool->count; i++)
        (void)pthread_join(pool->threads[i].thread, NULL);
    monitor_destroy(&pool->monitor);
    free(pool);
}

void thread_pool_start(struct thread_pool *pool)
{
    command(pool, RUNNING);
}

/* With the mutex locked. */
static bool all_parked(const struct thread_pool *pool)
{
    for (int i = 0; i < pool->count; i++)
        if (pool->threads[i].action != PARKED)
            return false;
    return true;
}

void thread_pool_wait(struct thread_pool *pool)
{
    (void)pthread_mutex_lock(&pool->monitor.mutex);
    while (!all_parked(pool))
        (void)pthread_cond_wait(&pool->monitor.changed, &pool->monitor.mutex);
    (void)pthread_mutex_unlock(&pool->monitor.mutex);
}

void thread_pool_wait_until(struct thread_pool *pool, int64_t deadline_ms)
{
    (void)pthread_mutex_lock(&pool->monitor.mutex);
    while (!all_parked(pool) && monitor_wait_until(&pool->monitor, deadline_ms)) {
    }
    (void)pthread_mutex_unlock(&pool->monitor.mutex);
}

bool thread_pool_is_parked(struct thread_pool *pool, int index)
{
    (void)pthread_mutex_lock(&pool->monitor.mutex);
    bool parked = pool->threads[index].action == PARKED;
    (void)pthread_mutex_unlock(&pool->monitor.mutex);
    return parked;
}
