#include "book/queue/queue_backend.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/program_id.h"
#include "base/text.h"
#include "book/queue/queue_backend_internal.h"

enum { SUGGESTIONS = 2048 };

bool queue_post_again(struct queue *queue, struct job_entry *entry)
{
    if (!entry)
        return false;
    queue->again += !entry->again;
    entry->again = true;
    return true;
}

bool queue_pause(struct queue *queue, int64_t ms)
{
    int64_t deadline = clock_ms() + ms;
    (void)pthread_mutex_lock(&queue->monitor.mutex);
    while (!queue->stopped && monitor_wait_until(&queue->monitor, deadline))
        ;
    bool stopped = queue->stopped;
    (void)pthread_mutex_unlock(&queue->monitor.mutex);
    return !stopped && !scorer_is_over(queue->scorer);
}

/* The poster. --------------------------------------------------------------------------------- */

/* The first set-up has succeeded, or failed for `why`. */
static void say_up(struct queue *queue, enum caxton_status status, const struct diag *why)
{
    (void)pthread_mutex_lock(&queue->monitor.mutex);
    queue->is_up = status == STATUS_OK;
    queue->fault = status;
    queue->why = *why;
    (void)pthread_cond_broadcast(&queue->monitor.changed);
    (void)pthread_mutex_unlock(&queue->monitor.mutex);
}

static enum caxton_status connect(struct queue *queue, struct redis_link **link, struct diag *diag)
{
    enum caxton_status status = redis_link_open(&queue->settings.url, link, diag);
    if (status == STATUS_OK)
        status = queue_set_up(queue, *link, diag);
    if (status == STATUS_OK)
        return STATUS_OK;
    redis_link_close(*link);
    *link = NULL;
    return status;
}

/* Connects at the start: another run may have ended a moment ago without a word. */
static enum caxton_status connect_first(struct queue *queue, struct redis_link **link)
{
    struct diag why = {.text = ""};
    int64_t deadline = clock_ms() + 2 * RUN_TTL_MS;
    enum caxton_status status;
    do
        status = connect(queue, link, &why);
    while (status == STATUS_AMBIGUOUS && clock_ms() < deadline && queue_pause(queue, RETRY_MS));
    say_up(queue, status, &why);
    return status;
}

/* Is it one to wait for? Tells the user, each reason once. */
static bool is_passing(struct queue *queue, enum caxton_status status, const struct diag *why)
{
    struct diag line = *why;
    if (status != STATUS_IO && status != STATUS_NOT_FOUND)
        return false;
    if (status == STATUS_NOT_FOUND)
        diag_set(&line, 0, 0, "%s: the queue was emptied", queue->settings.url.shown);
    if (strcmp(line.text, queue->away.text) != 0)
        scorer_tell(queue->scorer, "%s; trying again", line.text);
    queue->away = line;
    return true;
}

static enum caxton_status work(struct queue *queue, struct redis_link *link, struct diag *diag)
{
    enum caxton_status status = STATUS_OK;
    if (clock_ms() >= queue->tick_ms) {
        status = queue_tick(queue, link, diag);
        queue->tick_ms = clock_ms() + TICK_MS;
    }
    return status == STATUS_OK ? queue_post(queue, link, diag) : status;
}

static void *poster_run(void *argument)
{
    struct queue *queue = argument;
    struct redis_link *link = NULL;
    enum caxton_status status = connect_first(queue, &link);
    while (status == STATUS_OK && !scorer_is_over(queue->scorer)) {
        struct diag why = {.text = ""};
        status = link ? work(queue, link, &why) : connect(queue, &link, &why);
        if (status == STATUS_OK && *queue->away.text) {
            scorer_tell(queue->scorer, "%s: the run goes on", queue->settings.url.shown);
            queue->away.text[0] = '\0';
        }
        if (status == STATUS_OK)
            continue;
        redis_link_close(link);
        link = NULL;
        if (!is_passing(queue, status, &why))
            scorer_fail(queue->scorer, status, &why);
        else if (queue_pause(queue, RETRY_MS))
            status = STATUS_OK;
    }
    if (link)
        queue_leave(queue, link);
    redis_link_close(link);
    return NULL;
}

/* The receiver. ------------------------------------------------------------------------------- */

/* The poster tells the user what is wrong with the server. */
static void *receiver_run(void *argument)
{
    struct queue *queue = argument;
    struct redis_link *link = NULL;
    while (!scorer_is_over(queue->scorer)) {
        struct diag why = {.text = ""};
        enum caxton_status status = link ? queue_receive(queue, link, &why)
                                         : redis_link_open(&queue->settings.url, &link, &why);
        if (status == STATUS_OK)
            continue;
        redis_link_close(link);
        link = NULL;
        if (status != STATUS_IO && status != STATUS_NOT_FOUND)
            scorer_fail(queue->scorer, status, &why);
        else if (!queue_pause(queue, RETRY_MS))
            break;
    }
    redis_link_close(link);
    return NULL;
}

/* The back end. ------------------------------------------------------------------------------- */

static void stop(void *backend)
{
    struct queue *queue = backend;
    (void)pthread_mutex_lock(&queue->monitor.mutex);
    queue->stopped = true;
    (void)pthread_cond_broadcast(&queue->monitor.changed);
    (void)pthread_mutex_unlock(&queue->monitor.mutex);
}

static void queue_free(struct queue *queue)
{
    monitor_destroy(&queue->monitor);
    job_table_free(&queue->posted);
    free(queue);
}

static void destroy(void *backend)
{
    struct queue *queue = backend;
    (void)pthread_join(queue->poster, NULL);
    (void)pthread_join(queue->receiver, NULL);
    queue_free(queue);
}

static enum caxton_status wait_until_up(struct queue *queue, struct diag *diag)
{
    (void)pthread_mutex_lock(&queue->monitor.mutex);
    while (!queue->is_up && queue->fault == STATUS_OK)
        (void)pthread_cond_wait(&queue->monitor.changed, &queue->monitor.mutex);
    enum caxton_status status = queue->fault;
    if (status != STATUS_OK && diag)
        *diag = queue->why;
    (void)pthread_mutex_unlock(&queue->monitor.mutex);
    return status;
}

static enum caxton_status start_threads(struct queue *queue, struct diag *diag)
{
    enum caxton_status status = thread_start(&queue->poster, poster_run, queue);
    if (status != STATUS_OK)
        return diag_fail(status, diag, "cannot start a thread");
    status = wait_until_up(queue, diag);
    if (status == STATUS_OK) {
        status = thread_start(&queue->receiver, receiver_run, queue);
        diag_set(diag, 0, 0, "cannot start a thread");
    }
    if (status != STATUS_OK) {
        scorer_fail(queue->scorer, STATUS_END, NULL);
        (void)pthread_join(queue->poster, NULL);
    }
    return status;
}

static enum caxton_status start(const void *settings, struct scorer *scorer, void **out,
                                struct diag *diag)
{
    struct queue *queue = calloc(1, sizeof *queue);
    diag_set(diag, 0, 0, "out of memory");
    if (!queue)
        return STATUS_NO_MEMORY;
    enum caxton_status status = monitor_init(&queue->monitor);
    if (status != STATUS_OK) {
        free(queue);
        return status;
    }
    queue->settings = *(const struct queue_settings *)settings;
    queue->keys = queue_keys_of(&queue->settings.url);
    queue->scorer = scorer;
    queue->run.identity = queue->settings.identity;
    queue->run.lost_ms = queue->settings.lost_ms;
    char owner[PROGRAM_ID_MAX];
    program_id(owner);
    text_copy(queue->run.owner, sizeof queue->run.owner, span_of(owner));
    queue->message_size = queue_run_put(&queue->run, queue->message);
    status = start_threads(queue, diag);
    if (status == STATUS_OK)
        *out = queue;
    else
        queue_free(queue);
    return status;
}

static size_t ahead(const void *backend)
{
    (void)backend;
    return SUGGESTIONS;
}

const struct scorer_backend queue_backend = {start, stop, destroy, ahead};
