#include "search/signals.h"

#include "base/thread.h"

bool signals_init(struct signals *signals)
{
    atomic_init(&signals->stop, false);
    atomic_init(&signals->pondering, false);
    signals->released = false;
    if (pthread_mutex_init(&signals->lock, NULL) != 0)
        return false;
    if (condition_init(&signals->changed) == STATUS_OK)
        return true;
    (void)pthread_mutex_destroy(&signals->lock);
    return false;
}

void signals_destroy(struct signals *signals)
{
    (void)pthread_cond_destroy(&signals->changed);
    (void)pthread_mutex_destroy(&signals->lock);
}

void signals_arm(struct signals *signals, bool ponder)
{
    (void)pthread_mutex_lock(&signals->lock);
    signals->released = false;
    (void)pthread_mutex_unlock(&signals->lock);
    atomic_store(&signals->stop, false);
    atomic_store(&signals->pondering, ponder);
}

void signals_stop(struct signals *signals)
{
    (void)pthread_mutex_lock(&signals->lock);
    signals->released = true;
    atomic_store(&signals->stop, true);
    (void)pthread_cond_broadcast(&signals->changed);
    (void)pthread_mutex_unlock(&signals->lock);
}

void signals_ponderhit(struct signals *signals)
{
    (void)pthread_mutex_lock(&signals->lock);
    atomic_store(&signals->pondering, false);
    (void)pthread_cond_broadcast(&signals->changed);
    (void)pthread_mutex_unlock(&signals->lock);
}

void signals_wait(struct signals *signals, bool infinite)
{
    (void)pthread_mutex_lock(&signals->lock);
    while (!signals->released && (infinite || atomic_load(&signals->pondering)))
        (void)pthread_cond_wait(&signals->changed, &signals->lock);
    (void)pthread_mutex_unlock(&signals->lock);
}
