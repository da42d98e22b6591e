#include "book/makebook/cli/stores.h"

#include <stdio.h>

#include "base/append_file.h"
#include "base/atomic_file.h"
#include "base/file.h"
#include "base/terminal.h"
#include "book/formats/experience/experience.h"
#include "book/formats/store/store_format.h"
#include "book/makebook/cli/command.h"
#include "book/makebook/cli/outputs.h"
#include "book/makebook/cli/source.h"
#include "book/open/formats.h"
#include "book/scoring/score_store.h"

/* A store that is written: what was read for it. */
struct sum {
    const struct command_line *line;
    struct score_store *store; /* NULL: no input yet */
    struct store_merge merge;
    size_t read; /* records */
};

bool stores_is_name(const char *path)
{
    return path && outputs_end_alike(path, "x.store");
}

/* Ends the store of an input: without a file nothing can go wrong. */
static void close_store(struct score_store *store)
{
    struct diag diag;
    if (score_store_close(store, &diag) != STATUS_OK)
        return;
}

/* The searches of an experience file. */
static enum caxton_status convert_experience(const struct command_line *line,
                                             const struct source *source, struct score_store **out,
                                             struct diag *diag)
{
    struct book *book = NULL;
    struct book_losses losses = {0};
    char lost[BOOK_LOSSES_TEXT_MAX];
    enum caxton_status status = book_create(&experience_format, source->bytes, NULL, source->size,
                                            source->name, &book, diag);
    if (status == STATUS_OK && *book_warning(book))
        (void)command_fail(line, "warning: %s", book_warning(book));
    if (status == STATUS_OK)
        status = experience_to_store(book, out, &losses, diag);
    if (status == STATUS_OK && *book_losses_text(&losses, lost))
        (void)command_fail(line, "warning: %s: %s", source->name, lost);
    book_close(book);
    return status;
}

/* The store on the bytes of `source`, or of an experience file. */
static enum caxton_status read_store(const struct command_line *line, const struct source *source,
                                     struct score_store **out, struct diag *diag)
{
    bool is_experience = source->size > 0 && formats_find(source->bytes, source->size,
                                                          source->name) == &experience_format;
    return is_experience ? convert_experience(line, source, out, diag)
                         : score_store_parse(source->bytes, source->size, NULL, out, diag);
}

static bool open_input(const struct command_line *line, const char *name, struct source *source,
                       struct score_store **out)
{
    struct diag diag = {.text = ""};
    if (!source_read_bytes(line, name, "is no store of scores", source))
        return false;
    if (read_store(line, source, out, &diag) != STATUS_OK) {
        (void)command_fail(line, "%s: %s", source->name, diag.text);
        source_close(source);
        return false;
    }
    if (*score_store_remark(*out))
        (void)command_fail(line, "warning: %s: %s", source->name, score_store_remark(*out));
    return true;
}

static bool add_input(struct sum *sum, const char *name)
{
    struct source source;
    struct score_store *input;
    struct searcher_identity identity;
    struct diag diag = {.text = ""};
    enum caxton_status status = STATUS_OK;
    if (!open_input(sum->line, name, &source, &input))
        return false;
    score_store_identity(input, &identity);
    if (!sum->store)
        status = score_store_open(NULL, &identity, &sum->store, &diag);
    if (status == STATUS_OK)
        status = score_store_merge(sum->store, input, &sum->merge, &diag);
    sum->read += score_store_use(input).records;
    if (status != STATUS_OK)
        (void)command_fail(sum->line, "%s: %s", source.name, diag.text);
    close_store(input);
    source_close(&source);
    return status == STATUS_OK;
}

/* Writes it in the place of a file that no other program uses. */
static enum exit_status write_sum(const struct sum *sum, const char *output)
{
    struct append_file *held = NULL;
    struct atomic_file *file = NULL;
    struct diag diag = {.text = ""};
    enum caxton_status status = STATUS_OK;
    if (file_kind_of(output, NULL) == FILE_REGULAR)
        status = append_file_open(output, &held, &diag);
    if (status == STATUS_OK)
        status = atomic_file_create(output, &file, &diag);
    if (status == STATUS_OK)
        status = score_store_write(sum->store, atomic_file_stream(file), &diag);
    if (status == STATUS_OK) {
        status = atomic_file_commit(file, &diag);
    } else if (file) {
        (void)atomic_file_has_failed(file, &diag);
        atomic_file_abort(file);
    }
    append_file_close(held);
    return status == STATUS_OK ? EXIT_DONE : command_fail(sum->line, "%s", diag.text);
}

static void report(const struct sum *sum, const char *output)
{
    FILE *out = outputs_report(output);
    char read[THOUSANDS_MAX];
    char written[THOUSANDS_MAX];
    char scores[THOUSANDS_MAX];
    (void)fprintf(out, "%s records read; %s: %s records, %s of them scores\n",
                  terminal_thousands(sum->read, read), text_safe(output).text,
                  terminal_thousands(score_store_use(sum->store).live, written),
                  terminal_thousands(score_store_count(sum->store), scores));
    if (sum->merge.differing)
        (void)fprintf(out, "%zu answers differ from that of an earlier store, which is kept\n",
                      sum->merge.differing);
}

enum exit_status stores_write(const struct command_line *line, int count, const char *output,
                              bool quiet)
{
    struct sum sum = {.line = line};
    bool good = true;
    for (int i = 0; i < count && good; i++)
        good = add_input(&sum, line->operands[i]);
    enum exit_status answer = good ? write_sum(&sum, output) : EXIT_FAILED;
    if (answer == EXIT_DONE && !quiet)
        report(&sum, output);
    close_store(sum.store);
    return answer;
}

void store_reading_close(struct store_reading *reading)
{
    close_store(reading->store); /* nothing was written to it */
    deepest_answers_free(&reading->answers);
    source_close(&reading->source);
    *reading = (struct store_reading){.store = NULL};
}

bool store_reading_open(const struct command_line *line, const char *path,
                        struct store_reading *out)
{
    struct diag diag = {.text = "out of memory"};
    struct searcher_identity identity;
    *out = (struct store_reading){.store = NULL};
    if (!path)
        return true;
    if (!source_read_bytes(line, path, "these are statistics, no store of searches", &out->source))
        return false;
    enum caxton_status status = read_store(line, &out->source, &out->store, &diag);
    if (status == STATUS_OK) {
        score_store_identity(out->store, &identity);
        (void)searcher_text(&identity, out->name);
        status = deepest_answers_take(out->store, NULL, 0, &out->answers);
    }
    if (status == STATUS_OK)
        return true;
    (void)command_fail(line, "%s: %s", path, diag.text);
    store_reading_close(out);
    return false;
}

enum caxton_status store_reading_facts(const void *state, uint64_t key, const struct position *pos,
                                       struct book_facts *out, struct diag *diag)
{
    const struct store_reading *reading = state;
    (void)key;
    if (!pos || store_format_facts(reading->store, &reading->answers, pos, out) == STATUS_OK)
        return STATUS_OK;
    return diag_fail(STATUS_NO_MEMORY, diag, "out of memory");
}
