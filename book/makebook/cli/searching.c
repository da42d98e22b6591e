#include "book/makebook/cli/searching.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/interrupt.h"
#include "base/program.h"
#include "base/terminal.h"
#include "base/text.h"
#include "base/thread.h"
#include "book/makebook/cli/outputs.h"
#include "book/makebook/cli/save.h"
#include "book/scoring/queue/redis_link.h"

enum { PASSWORD_FILE_MAX = 4096 };

static enum exit_status read_password(const struct command_line *line, const char *path,
                                      struct queue_url *url)
{
    uint8_t *bytes = NULL;
    size_t size = 0;
    struct diag diag;
    enum caxton_status status = file_read(path, PASSWORD_FILE_MAX, &bytes, &size, &diag);
    if (status != STATUS_OK)
        return command_misuse(line, "%s", diag.text);
    status = queue_url_set_password(url, span_make((const char *)bytes, size), &diag);
    free(bytes);
    return status == STATUS_OK ? EXIT_DONE : command_misuse(line, "%s: %s", path, diag.text);
}

enum exit_status queueing_read(const struct command_line *line, const struct queueing *queueing,
                               struct queue_url *out)
{
    struct diag diag;
    const char *given = getenv("CAXTON_QUEUE_PASSWORD");
    if (!redis_link_is_built())
        return command_misuse(line, "this build has no queue: the library hiredis was not found "
                                    "when it was made");
    if (queue_url_parse(span_of(queueing->url), out, &diag) != STATUS_OK)
        return command_misuse(line, "--queue: %s", diag.text);
    enum caxton_status status = STATUS_OK;
    if (!queueing->password_file && !*out->password && given && *given)
        status = queue_url_set_password(out, span_of(given), &diag);
    program_forget_variable("CAXTON_QUEUE_PASSWORD"); /* engines that we start would see it */
    if (status != STATUS_OK)
        return command_misuse(line, "CAXTON_QUEUE_PASSWORD: %s", diag.text);
    return queueing->password_file ? read_password(line, queueing->password_file, out) : EXIT_DONE;
}

/* What an engine may take to answer "uci", and then to load its tables. */
enum { ENGINE_START_MS = 60000, ENGINE_READY_MS = 60000 };

_Static_assert((int)OPTION_TEXTS_MAX <= (int)UCI_OPTIONS_MAX, "an engine takes a full list");

/* Returns EXIT_DONE or EXIT_USAGE. */
static enum exit_status find_store(const struct command_line *line, struct searching *searching)
{
    const char *output = searching->output;
    const char *name = searching->store_name;
    struct text_buffer path = text_buffer_on(searching->store_path, sizeof searching->store_path);
    if (name && strcmp(name, "-") == 0)
        return command_misuse(line, "the store is a file that is read and written: not -");
    if (name && !*name)
        return command_misuse(line, "the name of the store is empty");
    if (name)
        text_append(&path, "%s", name);
    else if (output && !outputs_is_standard(output))
        text_append(&path, "%s.store", output);
    if (path.cut)
        return command_misuse(line, "the path of the store is too long");
    if (!searching->queueing.url)
        return EXIT_DONE;
    return queueing_read(line, &searching->queueing, &searching->queue);
}

/* Returns EXIT_DONE or EXIT_USAGE. */
static enum exit_status spare(const struct command_line *line, const char *input,
                              const struct searching *searching)
{
    enum exit_status answer = outputs_protect(line, input, searching->output);
    return answer == EXIT_DONE ? outputs_protect(line, input, searching->store_path) : answer;
}

enum exit_status searching_find_files(const struct command_line *line, struct searching *searching,
                                      const char *const *inputs, size_t input_count)
{
    enum exit_status answer = EXIT_DONE;
    if (searching->output)
        answer = save_find_writer(line, searching->output, &searching->writer);
    if (answer == EXIT_DONE)
        answer = find_store(line, searching);
    for (size_t i = 0; i < input_count && answer == EXIT_DONE; i++)
        answer = spare(line, inputs[i], searching);
    for (int i = 0; i < line->operand_count && answer == EXIT_DONE; i++)
        answer = spare(line, line->operands[i], searching);
    if (answer == EXIT_DONE && outputs_are_one(searching->output, searching->store_path))
        answer =
            command_misuse(line, "%s is the book: the store needs another name", searching->output);
    return answer;
}

static const char *store_path(const struct searching *searching)
{
    return *searching->store_path ? searching->store_path : NULL;
}

enum caxton_status searching_choose(const struct searching *searching, struct searching_choice *out,
                                    struct diag *diag)
{
    int64_t search_ms = searching->engine_timeout_s * 1000;
    diag_set(diag, 0, 0, "out of memory");
    out->builtin = (struct builtin_settings){.hash_mb = (int)searching->hash_mb};
    out->uci = (struct uci_settings){.command = searching->engine,
                                     .options = searching->engine_options.items,
                                     .option_count = searching->engine_options.count,
                                     .hash_mb = (int)searching->hash_mb,
                                     .start_timeout_ms =
                                         search_ms < ENGINE_START_MS ? search_ms : ENGINE_START_MS,
                                     .ready_timeout_ms = ENGINE_READY_MS,
                                     .search_timeout_ms = search_ms};
    if (searching->engine) {
        out->kind = &uci_searcher;
        out->settings = &out->uci;
        return uci_searcher_identity(&out->uci, &out->identity, diag);
    }
    out->kind = &builtin_searcher;
    out->settings = &out->builtin;
    return builtin_searcher_identity(&out->builtin, &out->identity);
}

static void stop(void *context)
{
    scorer_stop(context);
}

/* For scorer_on_tell(). */
static void tell(void *context, const char *text)
{
    const struct searching *searching = context;
    (void)command_fail(searching->line, "%s", text);
}

static enum caxton_status start(struct searching *searching, const struct searching_choice *choice,
                                struct diag *diag)
{
    if (searching->queueing.url) {
        const struct queue_settings queue = {.url = searching->queue,
                                             .identity = choice->identity,
                                             .lost_ms = searching->lost_s * 1000};
        return scorer_create_on(&queue_backend, &queue, searching->store, &searching->scorer, diag);
    }
    int threads =
        searching->threads ? (int)searching->threads : thread_processors(SCORER_THREADS_MAX);
    return scorer_create(choice->kind, choice->settings, threads, searching->store,
                         &searching->scorer, diag);
}

static enum caxton_status open_all(const struct command_line *line, struct searching *searching,
                                   struct diag *diag)
{
    struct searching_choice choice;
    diag_set(diag, 0, 0, "out of memory");
    enum caxton_status status = searching_choose(searching, &choice, diag);
    if (status == STATUS_OK)
        status = score_store_open(store_path(searching), &choice.identity, &searching->store, diag);
    if (status == STATUS_OK && *score_store_remark(searching->store))
        (void)command_fail(line, "warning: %s: %s", searching->store_path,
                           score_store_remark(searching->store));
    if (status == STATUS_OK)
        status = start(searching, &choice, diag);
    return status;
}

/* The work from the first search to the last. */
static enum caxton_status search(const struct command_line *line, struct searching *searching,
                                 const struct searching_work *work, void *context,
                                 struct diag *diag)
{
    enum caxton_status status = open_all(line, searching, diag);
    if (status != STATUS_OK)
        return status;
    struct scorer *scorer = searching->scorer;
    struct progress *progress = &searching->progress;
    searching->line = line;
    scorer_on_tell(scorer, tell, searching);
    struct interrupt *interrupt = interrupt_catch(stop, scorer);
    progress_start(progress, searching->quiet, 0);
    if (progress->shown)
        scorer_on_wait(scorer, work->show, context);
    diag_set(diag, 0, 0, "out of memory");
    status = work->run(context, diag);
    progress_end(progress);
    searching->seconds = (double)progress_elapsed_ms(progress) / 1000;
    interrupt_release(interrupt);
    searching->counts = scorer_counts(scorer);
    scorer_destroy(scorer);
    searching->scorer = NULL;
    return status;
}

/* One line about searches that ended with `status`, and how to go on. */
static enum exit_status give_up(const struct command_line *line, const struct searching *searching,
                                enum caxton_status status, const struct diag *diag)
{
    bool kept = searching->store && store_path(searching);
    if (status == STATUS_END && kept)
        return command_fail(line, "stopped; %zu scores are kept in %s: the same command goes on",
                            score_store_count(searching->store), searching->store_path);
    if (status == STATUS_END)
        return command_fail(line, "stopped; without --store nothing is kept");
    return command_fail(line, "%s", diag->text);
}

enum exit_status searching_run(const struct command_line *line, struct searching *searching,
                               const struct searching_work *work, void *context)
{
    struct diag diag = {.text = ""};
    enum caxton_status status = search(line, searching, work, context, &diag);
    if (status == STATUS_END && work->stopped)
        work->stopped(context);
    enum exit_status answer =
        status == STATUS_OK ? work->finish(context) : give_up(line, searching, status, &diag);
    if (score_store_close(searching->store, &diag) != STATUS_OK)
        answer = command_fail(line, "%s", diag.text);
    searching->store = NULL;
    return answer;
}

double searching_rate(const struct searching *searching)
{
    double seconds = (double)progress_elapsed_ms(&searching->progress) / 1000;
    return seconds > 0 ? (double)scorer_counts(searching->scorer).searched / seconds : 0;
}

void searching_put_time(struct text_buffer *out, double seconds)
{
    text_append(out, "%.0f:%02.0f", (double)(int64_t)(seconds / 60),
                (double)((int64_t)seconds % 60));
}

void searching_report(FILE *out, const struct searching *searching)
{
    char searched[THOUSANDS_MAX];
    char nodes[THOUSANDS_MAX];
    const struct scorer_counts *counts = &searching->counts;
    (void)fprintf(out, "searches made now: %s, %s nodes, in %.1f seconds",
                  terminal_thousands(counts->searched, searched),
                  terminal_thousands(counts->nodes, nodes), searching->seconds);
    if (counts->threads > 0) /* workers of a queue have not told of themselves yet, or no longer */
        (void)fprintf(out, ", %zu thread%s", counts->threads, text_plural(counts->threads));
    (void)fputc('\n', out);
    if (store_path(searching))
        (void)fprintf(out, "%s: %zu scores, %zu of them new\n",
                      text_safe(searching->store_path).text, score_store_count(searching->store),
                      counts->searched);
}
