/* The run's side of a queue: a thread that posts questions and looks after the queue, and one that
 * receives answers. */
#pragma once

#include "base/thread.h"
#include "book/grow/job_table.h"
#include "book/grow/scorer_backend.h"
#include "book/queue/queue_backend.h"
#include "book/queue/queue_keys.h"
#include "book/queue/queue_message.h"
#include "book/queue/redis_link.h"

enum {
    RUN_TTL_MS = 5000, /* the run's key outlives the run so long */
    TICK_MS = 1000,
    RETRY_MS = 500,
    FAILED_MAX = 3, /* a search that fails with so many workers ends the run */
    LOST_MAX = 5,   /* so does one that is lost with its worker so often */
    REFUSED_MAX = 64,
    QUEUE_ENTRY_MAX = 48, /* the id of an entry of a stream */
};

/* What is left of a run's streams goes after a day. */
#define QUEUE_KEEP "86400000"

struct queue {
    struct queue_settings settings;
    struct queue_keys keys;
    struct scorer *scorer;
    struct queue_run run;
    char message[QUEUE_MESSAGE_MAX]; /* of `run` */
    size_t message_size;
    pthread_t poster;
    pthread_t receiver;

    /* The poster's. */
    struct diag away; /* why the server cannot be used, as the user was told; "": it can */
    size_t workers;   /* threads of workers that live */
    int64_t tick;     /* how many there were */
    int64_t tick_ms;  /* when the next one is */
    /* Where the search for lost questions goes on, in urgent ones and others: the server looks at
     * some of them at a time. "": at the oldest. */
    char lost_from[2][QUEUE_ENTRY_MAX];

    struct monitor monitor;  /* guards all that follows; never held while the scorer is called */
    struct job_table posted; /* and not answered yet */
    size_t again;            /* entries of it that are to be posted again */
    bool is_up;              /* the queue was set up once, */
    enum caxton_status fault;
    struct diag why; /* or why not */
    bool stopped;
    char refused[REFUSED_MAX][QUEUE_WHO_MAX]; /* the receiver's */
    size_t refused_count;
};

/* Marks a posted question to be posted again. False: it is not posted. With the monitor. */
bool queue_post_again(struct queue *queue, struct job_entry *entry);

/* Waits, or until somebody says stop. Returns whether to go on. */
bool queue_pause(struct queue *queue, int64_t ms);

/* Takes the queue and empties it; all that was posted is to be posted again. Errors: as
 * redis_link.h, STATUS_AMBIGUOUS (another run has it). */
MUST_CHECK enum caxton_status queue_set_up(struct queue *queue, struct redis_link *link,
                                           struct diag *diag);

/* Once a second: says that the run is there, posts again what lost workers had, counts workers.
 * Errors: as redis_link.h, STATUS_AMBIGUOUS (another run has it), STATUS_NOT_FOUND (data was
 * lost). */
MUST_CHECK enum caxton_status queue_tick(struct queue *queue, struct redis_link *link,
                                         struct diag *diag);

/* Posts what there is to post, after a wait of some time for it. Errors: as redis_link.h. */
MUST_CHECK enum caxton_status queue_post(struct queue *queue, struct redis_link *link,
                                         struct diag *diag);

/* Clears up at the end. */
void queue_leave(struct queue *queue, struct redis_link *link);

/* Receives answers for some time. Errors: as redis_link.h. */
MUST_CHECK enum caxton_status queue_receive(struct queue *queue, struct redis_link *link,
                                            struct diag *diag);
