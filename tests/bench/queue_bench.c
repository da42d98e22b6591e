/* What a queue costs, and what workers bring, without any search.
 *   queue_bench URL|- WORKERS WAIT_MS [DEPTH [MIN_DEPTH]]
 * Grows a book for White against all legal moves (--depth 22 --min-depth 16, or as given) with
 * a searcher that waits WAIT_MS and plays some legal move, by WORKERS workers that are threads of
 * this program, each with a connection of its own; "-": by search threads without a queue. Prints
 * one line. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/rng.h"
#include "base/thread.h"
#include "book/grow/grow.h"
#include "book/scoring/queue/queue_backend.h"
#include "book/scoring/queue/queue_worker.h"
#include "chess/attacks.h"

enum { WORKERS_MAX = 256 };

static const struct searcher_identity nobody = {.name = "nobody", .hash_mb = 1};

struct bench_worker {
    struct queue_worker *worker;
    pthread_t thread;
};

static enum caxton_status create(const void *settings, void **out, struct diag *diag)
{
    int64_t *wait_ms = malloc(sizeof *wait_ms);
    diag_set(diag, 0, 0, "out of memory");
    if (!wait_ms)
        return STATUS_NO_MEMORY;
    *wait_ms = *(const int64_t *)settings;
    *out = wait_ms;
    return STATUS_OK;
}

static enum caxton_status search(void *searcher, const struct position *pos,
                                 struct search_limit limit, struct search_answer *out,
                                 struct diag *diag)
{
    move moves[MOVES_MAX];
    int count = movegen_legal(pos, moves);
    uint64_t chance = rng_mix(pos->key ^ limit.value);
    const int64_t *wait_ms = searcher;
    (void)diag;
    if (*wait_ms)
        clock_sleep_ms(*wait_ms);
    *out = (struct search_answer){
        .best = moves[chance % (uint64_t)count], .depth = (int)limit.value, .nodes = 1};
    return STATUS_OK;
}

static void stop(void *searcher)
{
    (void)searcher;
}

static const struct searcher_kind waiting_searcher = {create, free, search, stop};

static enum caxton_status choose(void *context, const struct searcher_identity *wanted,
                                 struct queue_searcher *out, struct diag *diag)
{
    (void)wanted;
    (void)diag;
    *out = (struct queue_searcher){nobody, &waiting_searcher, context};
    return STATUS_OK;
}

static void tell(void *context, const char *line)
{
    (void)context;
    (void)fprintf(stderr, "%s\n", line);
}

static void *work(void *argument)
{
    struct bench_worker *worker = argument;
    struct diag why;
    enum caxton_status status = queue_worker_run(worker->worker, &why);
    if (status != STATUS_OK && status != STATUS_END)
        tell(NULL, why.text);
    return NULL;
}

/* Returns how many were started. */
static int start_workers(struct bench_worker *workers, int count, const struct queue_url *url,
                         int64_t *wait_ms)
{
    const struct queue_worker_options options = {
        .url = *url, .threads = 1, .choose = choose, .tell = tell, .context = wait_ms};
    for (int i = 0; i < count; i++)
        if (queue_worker_create(&options, &workers[i].worker) != STATUS_OK ||
            thread_start(&workers[i].thread, work, &workers[i]) != STATUS_OK)
            return i;
    return count;
}

static uint64_t end_workers(struct bench_worker *workers, int count)
{
    uint64_t commands = 0;
    for (int i = 0; i < count; i++)
        queue_worker_stop(workers[i].worker);
    for (int i = 0; i < count; i++) {
        (void)pthread_join(workers[i].thread, NULL);
        commands += queue_worker_counts(workers[i].worker).commands;
        queue_worker_destroy(workers[i].worker);
    }
    return commands;
}

/* Returns the seconds, or less than 0. */
static double grow_all(struct scorer *scorer, int depth, int min_depth, size_t *searches)
{
    struct grow_options options = {
        .side = WHITE, .root_depth = depth, .min_depth = min_depth, .branch = 3};
    struct grow *grow;
    struct diag why = {.text = ""};
    position_start(&options.root);
    int64_t start = clock_ns();
    if (grow_create(&options, scorer, &grow) != STATUS_OK)
        return -1;
    enum caxton_status status = grow_run(grow, &why);
    double seconds = (double)(clock_ns() - start) / 1e9;
    *searches = grow_counts(grow)->searches;
    grow_destroy(grow);
    if (status != STATUS_OK)
        tell(NULL, why.text);
    return status == STATUS_OK ? seconds : -1;
}

static int run(const char *address, int count, int64_t wait_ms, int depth, int min_depth)
{
    struct bench_worker workers[WORKERS_MAX];
    struct score_store *store;
    struct scorer *scorer;
    struct diag why = {.text = ""};
    struct queue_settings queue = {.identity = nobody, .lost_ms = QUEUE_LOST_MS};
    bool local = strcmp(address, "-") == 0;
    size_t searches = 0;
    if (!local && queue_url_parse(span_of(address), &queue.url, &why) != STATUS_OK)
        return tell(NULL, why.text), 2;
    if (score_store_open(NULL, &nobody, &store, &why) != STATUS_OK)
        return 1;
    enum caxton_status status =
        local ? scorer_create(&waiting_searcher, &wait_ms, count, store, &scorer, &why)
              : scorer_create_on(&queue_backend, &queue, store, &scorer, &why);
    if (status != STATUS_OK)
        return tell(NULL, why.text), 1;
    int started = local ? 0 : start_workers(workers, count, &queue.url, &wait_ms);
    while (!local && scorer_counts(scorer).threads < (size_t)started)
        clock_sleep_ms(1); /* until the run has seen them all */
    double seconds = grow_all(scorer, depth, min_depth, &searches);
    size_t searched = scorer_counts(scorer).searched;
    scorer_destroy(scorer);
    uint64_t commands = end_workers(workers, started);
    if (score_store_close(store, NULL) != STATUS_OK || seconds < 0)
        return 1;
    (void)printf("%d workers, %" PRId64 " ms: %zu searches of the book, %zu done, %.2f s, %.0f "
                 "microseconds each",
                 count, wait_ms, searches, searched, seconds, seconds * 1e6 / (double)searched);
    if (!local)
        (void)printf(", %.2f commands each by workers", (double)commands / (double)searched);
    (void)printf("\n");
    return 0;
}

int main(int argc, char **argv)
{
    long numbers[4] = {1, 0, 22, 16};
    if (argc < 4 || argc > 6) {
        (void)fprintf(stderr, "usage: queue_bench URL|- WORKERS WAIT_MS [DEPTH [MIN_DEPTH]]\n");
        return 2;
    }
    for (int i = 2; i < argc; i++)
        numbers[i - 2] = strtol(argv[i], NULL, 10);
    if (numbers[0] < 1 || numbers[0] > WORKERS_MAX || numbers[1] < 0)
        return 2;
    chess_init();
    return run(argv[1], (int)numbers[0], numbers[1], (int)numbers[2], (int)numbers[3]);
}
