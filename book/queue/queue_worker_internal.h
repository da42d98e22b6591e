/* A worker: a thread that looks after the connection, and threads that search. */
#pragma once

#include "base/program_id.h"
#include "base/thread.h"
#include "book/queue/queue_keys.h"
#include "book/queue/queue_message.h"
#include "book/queue/queue_worker.h"
#include "book/queue/redis_link.h"

enum { WORKER_RETRY_MS = 500, HELD_MAX = 2, ENTRY_ID_MAX = 32 };

/* A question that was taken from a stream. */
struct held_job {
    bool urgent;
    char id[ENTRY_ID_MAX];
    char text[QUEUE_MESSAGE_MAX];
    size_t size;
};

struct worker_thread {
    struct queue_worker *worker;
    pthread_t thread;
    void *searcher;
    struct redis_link *link;        /* the thread's */
    char name[QUEUE_WHO_MAX];       /* of the consumer */
    unsigned failed;                /* searches, one after the other */
    uint64_t commands;              /* of connections that are closed */
    struct held_job held[HELD_MAX]; /* the thread's; the ids are read by others with the monitor */
    size_t held_count;              /* monitor, as the ids */
    bool searching;                 /* monitor */
};

struct queue_worker {
    struct queue_worker_options options;
    struct queue_keys keys;
    char id[PROGRAM_ID_MAX];
    struct worker_thread *threads;
    pthread_t keeper;

    struct monitor monitor; /* guards all that follows */
    bool chosen;            /* then `searcher` does not change any more */
    struct queue_searcher searcher;
    size_t started;  /* threads that have a searcher */
    int64_t lost_ms; /* as the run says it */
    int64_t seen_ms; /* when there was a run, or a search ended */
    bool stopped;
    bool finished;
    enum caxton_status fault;
    struct diag why;
    struct queue_worker_counts counts;
};

/* Is it the end? */
bool worker_is_over(struct queue_worker *worker);
/* Ends it with that fault; the first one counts. */
void worker_fail(struct queue_worker *worker, enum caxton_status status, const struct diag *why);
/* Waits, or until the end. Returns whether to go on. */
bool worker_pause(struct queue_worker *worker, int64_t ms);

/* Is that what we are? If not, the worker ends. */
bool worker_is_wanted(struct queue_worker *worker, const struct searcher_identity *wanted);

/* The threads: argument is a struct queue_worker, or a struct worker_thread. */
void *worker_keeper_run(void *argument);
void *worker_thread_run(void *argument);
