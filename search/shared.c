#include "search/shared.h"

bool signals_init(struct signals *signals)
{
    atomic_init(&signals->stop, false);
    atomic_init(&signals->pondering, false);
    signals->released = false;
    return monitor_init(&signals->monitor) == STATUS_OK;
}

void signals_destroy(struct signals *signals)
{
    monitor_destroy(&signals->monitor);
}

void signals_arm(struct signals *signals, bool ponder)
{
    (void)pthread_mutex_lock(&signals->monitor.mutex);
    signals->released = false;
    (void)pthread_mutex_unlock(&signals->monitor.mutex);
    atomic_store(&signals->stop, false);
    atomic_store(&signals->pondering, ponder);
}

void signals_stop(struct signals *signals)
{
    (void)pthread_mutex_lock(&signals->monitor.mutex);
    signals->released = true;
    atomic_store(&signals->stop, true);
    (void)pthread_cond_broadcast(&signals->monitor.changed);
    (void)pthread_mutex_unlock(&signals->monitor.mutex);
}

void signals_ponderhit(struct signals *signals)
{
    (void)pthread_mutex_lock(&signals->monitor.mutex);
    atomic_store(&signals->pondering, false);
    (void)pthread_cond_broadcast(&signals->monitor.changed);
    (void)pthread_mutex_unlock(&signals->monitor.mutex);
}

void signals_wait(struct signals *signals, bool infinite)
{
    (void)pthread_mutex_lock(&signals->monitor.mutex);
    while (!signals->released && (infinite || atomic_load(&signals->pondering)))
        (void)pthread_cond_wait(&signals->monitor.changed, &signals->monitor.mutex);
    (void)pthread_mutex_unlock(&signals->monitor.mutex);
}
