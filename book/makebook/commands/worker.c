/* makebook worker: searches for a run on another machine. */
#include "base/interrupt.h"
#include "base/terminal.h"
#include "base/thread.h"
#include "book/makebook/cli/searching.h"
#include "book/makebook/commands/commands.h"
#include "book/scoring/queue/queue_worker.h"
#include "search/limits.h"

enum { WAIT_MAX_S = 1000000, MS = 1000 };

struct worker_command {
    struct searching searching; /* of it: the queue, the engine; hash_mb 0: as the run wants it */
    int64_t wait_s;
    bool quiet;
    struct command_line line;

    struct queue_url url;
    struct searching_choice choice;
};

static void tell(void *context, const char *text)
{
    const struct worker_command *command = context;
    (void)command_fail(&command->line, "%s", text);
}

/* For queue_worker_options: with the table that the run wants. */
static enum caxton_status choose(void *context, const struct searcher_identity *wanted,
                                 struct queue_searcher *out, struct diag *diag)
{
    struct worker_command *command = context;
    struct searching *searching = &command->searching;
    bool is_possible = wanted->hash_mb >= 1 && wanted->hash_mb <= SEARCH_HASH_MB_MAX;
    if (searching->hash_mb == 0)
        searching->hash_mb = is_possible ? (int64_t)wanted->hash_mb : 1;
    enum caxton_status status = searching_choose(searching, &command->choice, diag);
    if (status == STATUS_OK)
        *out = (struct queue_searcher){.identity = command->choice.identity,
                                       .kind = command->choice.kind,
                                       .settings = command->choice.settings};
    return status;
}

static void stop(void *context)
{
    queue_worker_stop(context);
}

static enum exit_status end(const struct worker_command *command, enum caxton_status status,
                            const struct queue_worker_counts *counts, const struct diag *diag)
{
    char searched[THOUSANDS_MAX];
    char nodes[THOUSANDS_MAX];
    if (status != STATUS_OK && status != STATUS_END)
        return command_fail(&command->line, "%s", diag->text);
    if (!command->quiet)
        (void)printf("%s; searches made: %s, %s nodes\n",
                     status == STATUS_END ? "stopped" : "no run is there any more",
                     terminal_thousands(counts->searched, searched),
                     terminal_thousands(counts->nodes, nodes));
    return command_end(&command->line, EXIT_DONE);
}

static enum exit_status run(void *context)
{
    struct worker_command *command = context;
    const struct searching *searching = &command->searching;
    struct queue_worker *worker;
    struct diag diag = {.text = ""};
    enum exit_status answer = queueing_read(&command->line, &searching->queueing, &command->url);
    if (answer != EXIT_DONE)
        return answer;
    const struct queue_worker_options options = {
        .url = command->url,
        .threads =
            searching->threads ? (int)searching->threads : thread_processors(SCORER_THREADS_MAX),
        .wait_ms = command->wait_s * MS,
        .choose = choose,
        .tell = tell,
        .context = command,
    };
    if (queue_worker_create(&options, &worker) != STATUS_OK)
        return command_fail(&command->line, "out of memory");
    struct interrupt *interrupt = interrupt_catch(stop, worker);
    enum caxton_status status = queue_worker_run(worker, &diag);
    interrupt_release(interrupt);
    const struct queue_worker_counts counts = queue_worker_counts(worker);
    queue_worker_destroy(worker);
    return end(command, status, &counts, &diag);
}

static const char about[] =
    "Searches positions for a run of grow, dropout, vet, learn or suite that has the same "
    "--queue,\n"
    "on this or another machine. Any number of workers may join and leave at any time: the result\n"
    "is the same bytes. A worker of another version or network than the run's is refused, by a\n"
    "line that names both. Ctrl-C (SIGTERM) returns the searches at hand to the queue; a worker\n"
    "that is killed is noticed after some seconds, and its searches are given to others. A run\n"
    "with --engine needs workers with the same engine and the same options.";

static enum exit_status command_main(int argc, char **argv)
{
    struct worker_command command = {.quiet = false};
    struct searching *searching = &command.searching;
    const struct option_row rows[] = {
        QUEUEING_ROWS(searching->queueing, "redis://[user:password@]host[:port]/name",
                      .required = "for which queue? --queue says it"),
        NUMBER_ROW("threads", 0, "N", "searches at a time (as many as processors)",
                   &searching->threads, 1, SCORER_THREADS_MAX),
        NUMBER_ROW("hash", 0, "MB", "of each search (what the run says)", &searching->hash_mb, 1,
                   SEARCH_HASH_MB_MAX),
        SEARCHING_ENGINE_ROWS(*searching),
        NUMBER_ROW("wait", 0, "SECONDS", "end when no run was there for so long; 0: never",
                   &command.wait_s, 0, WAIT_MAX_S, USUAL(300)),
        FLAG_ROW("quiet", 'q', "no closing report", &command.quiet),
    };
    command.line =
        COMMAND_LINE("worker", "--queue URL [options]", about, rows, ROW_COUNT(rows), 0, 0);
    return command_run(&command.line, argc, argv, run, &command);
}

const struct command command_worker = {"worker", "search for a run on another machine",
                                       command_main};
