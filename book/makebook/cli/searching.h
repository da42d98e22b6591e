/* What commands that search share: the options, the files, the store of scores, the threads, the
 * progress, Ctrl-C. */
#pragma once

#include <stdio.h>

#include "base/progress.h"
#include "base/text.h"
#include "book/makebook/cli/command.h"
#include "book/scoring/builtin_searcher.h"
#include "book/scoring/queue/queue_backend.h"
#include "book/scoring/queue/queue_url.h"
#include "book/scoring/scorer.h"
#include "book/scoring/uci_searcher.h"

/* What commands that use a queue have in common: its address and its password. */

struct queueing {
    const char *url;           /* of --queue, or NULL */
    const char *password_file; /* of --queue-password, or NULL */
};

/* clang-format off */
/* Rows for a command's table; `q` is a struct queueing. Other columns of --queue may follow. */
#define QUEUEING_ROWS(q, about, ...) \
    TEXT_ROW("queue", 0, "URL", about, &(q).url, __VA_ARGS__), \
    TEXT_ROW("queue-password", 0, "FILE", "its password, if it is not in $CAXTON_QUEUE_PASSWORD", \
             &(q).password_file)
/* clang-format on */

/* Reads the address; the password comes from the file, from the address, or from the environment
 * variable CAXTON_QUEUE_PASSWORD. Returns EXIT_DONE, or EXIT_USAGE after one line.
 */
enum exit_status queueing_read(const struct command_line *line, const struct queueing *queueing,
                               struct queue_url *out);

struct book_writer;

struct interrupt;

enum { SEARCHING_PATH_MAX = 4096, SEARCHING_TIMEOUT_MAX = 10000000, SEARCHING_LOST_MAX = 86400 };

struct searching {
    int64_t threads; /* 0: as many as processors */
    int64_t hash_mb;
    const char *store_name; /* of --store, or NULL */
    const char *engine;     /* a command; NULL: the search of this program */
    struct option_texts engine_options;
    int64_t engine_timeout_s;
    struct queueing queueing;
    int64_t lost_s;
    const char *output; /* the book to be written, or NULL */
    bool quiet;

    /* After searching_find_files(). */
    const struct book_writer *writer;    /* of `output` */
    struct queue_url queue;              /* when queueing.url is there */
    char store_path[SEARCHING_PATH_MAX]; /* "": without a file */

    /* In searching_run(). */
    struct score_store *store;
    struct scorer *scorer; /* for run() and show() */
    struct progress progress;
    const struct command_line *line; /* for lines from afar */
    struct scorer_counts counts;     /* after run(), as the next */
    double seconds;
};

/* clang-format off */
/* Rows for a command's table; `s` is a struct searching: the engine; and all. store_about: where the
 * store is without --store. */
#define SEARCHING_ENGINE_ROWS(s) \
    TEXT_ROW("engine", 0, "COMMAND", "a UCI engine that searches instead of this program", \
             &(s).engine), \
    TEXTS_ROW("engine-option", 0, "NAME=VALUE", "set an option of the engine; may be repeated", \
              &(s).engine_options, .needs = "engine"), \
    NUMBER_ROW("engine-timeout", 0, "SECONDS", "the longest search of the engine", \
               &(s).engine_timeout_s, 1, SEARCHING_TIMEOUT_MAX, USUAL(1800))
#define SEARCHING_ROWS(s, store_about) \
    NUMBER_ROW("threads", 0, "N", "searches at a time (as many as processors)", \
               &(s).threads, 1, SCORER_THREADS_MAX, .without = "queue", \
               .why = "with --queue the workers search: --threads is theirs"), \
    NUMBER_ROW("hash", 0, "MB", "of each search; another one may find other moves", \
               &(s).hash_mb, 1, SEARCH_HASH_MB_MAX, USUAL(16)), \
    TEXT_ROW("store", 0, "FILE", "where searches are kept (" store_about ")", &(s).store_name), \
    SEARCHING_ENGINE_ROWS(s), \
    QUEUEING_ROWS((s).queueing, "have makebook worker search: redis://host[:port]/name", \
                  .required = NULL), \
    NUMBER_ROW("queue-lost", 0, "SECONDS", "a worker that is silent for so long is lost", \
               &(s).lost_s, 1, SEARCHING_LOST_MAX, USUAL(QUEUE_LOST_MS / 1000))
/* clang-format on */

/* Who searches. Not to be copied: `settings` points into it. */
struct searching_choice {
    const struct searcher_kind *kind;
    const void *settings; /* for kind->create() */
    struct builtin_settings builtin;
    struct uci_settings uci;
    struct searcher_identity identity;
};

/* Chooses the searcher by the options, and finds out who it is; an engine is started for that.
 * Borrows from `searching`. Errors: those of builtin_searcher_identity() and
 * uci_searcher_identity(); `diag` says why. */
MUST_CHECK enum caxton_status searching_choose(const struct searching *searching,
                                               struct searching_choice *out, struct diag *diag);

/* Finds out where the book and the store go: the store to --store, or else to the output with
 * ".store" behind it; no output or "-": no file. Refuses files that are read, `inputs` (NULL among
 * them: none) and the operands, and options that do not fit together; reads the address of the
 * queue, too. Returns EXIT_DONE or EXIT_USAGE. */
enum exit_status searching_find_files(const struct command_line *line, struct searching *searching,
                                      const char *const *inputs, size_t input_count);

/* The work of a command, by functions that get its `context`. */
struct searching_work {
    /* Asks the scorer. `diag` says why it failed: "out of memory" unless it is set. */
    enum caxton_status (*run)(void *context, struct diag *diag);
    /* Shows how far it is, when progress_is_due(); also called during long waits for a search. */
    void (*show)(void *context);
    /* It was stopped. May be NULL. */
    void (*stopped)(void *context);
    /* Saves what was found, and reports it; the store is still open. Returns the exit status. */
    enum exit_status (*finish)(void *context);
};

/* Opens the store, starts the threads or the queue, and does the work; Ctrl-C stops the searches
 * meanwhile. What a store lost is a warning. Returns the exit status; one line says what failed, or
 * how to go on. */
enum exit_status searching_run(const struct command_line *line, struct searching *searching,
                               const struct searching_work *work, void *context);

/* Searches a second since the work began. */
double searching_rate(const struct searching *searching);

/* Appends "1:05" for so many seconds. */
void searching_put_time(struct text_buffer *out, double seconds);

/* What was searched, as lines of a closing report. */
void searching_report(FILE *out, const struct searching *searching);
