#include "book/makebook/commands/merge_samples.h"

#include <stdlib.h>

#include "base/atomic_file.h"
#include "base/file.h"
#include "book/makebook/cli/command.h"
#include "book/makebook/cli/outputs.h"
#include "book/makebook/cli/sample_games.h"
#include "book/statistics/sample.h"
#include "book/statistics/samples_file.h"

struct merge_samples {
    const struct command_line *line;
    size_t count; /* of files that are open */
    struct samples_file **files;
    struct samples_cursor *cursors;
    uint16_t **numbers;
    struct sample_input *inputs;
    struct samples_info info; /* of the sum */
    struct sample_merge merge;
    struct atomic_file *file;
    struct samples_writer *writer;
};

void merge_samples_close(struct merge_samples *samples)
{
    if (!samples)
        return;
    atomic_file_abort(samples->file);
    samples_writer_destroy(samples->writer);
    sample_merge_end(&samples->merge);
    for (size_t i = 0; i < samples->count; i++) {
        free(samples->numbers[i]);
        samples_file_close(samples->files[i]);
    }
    sample_names_free(&samples->info.names);
    free(samples->inputs);
    free(samples->cursors);
    free(samples->numbers);
    free(samples->files);
    free(samples);
}

/* Opens the sample games of an operand. False: it has none; the reason, if it has a file. */
static bool open_one(struct merge_samples *samples, const char *operand, struct diag *diag)
{
    struct wld_file *statistics = NULL;
    struct samples_file **file = &samples->files[samples->count];
    char *path = sample_games_path(operand);
    diag_set(diag, 0, 0, "%s has none", operand);
    enum caxton_status status = path && file_kind_of(path, NULL) == FILE_REGULAR
                                    ? samples_file_open(path, file, diag)
                                    : STATUS_NOT_FOUND;
    free(path);
    if (status != STATUS_OK)
        return false;
    samples->count++;
    if (wld_file_open(operand, &statistics, diag) != STATUS_OK)
        return false;
    const struct wld_identity identity = wld_file_identity(statistics);
    wld_file_close(statistics);
    if (samples_file_belongs_to(*file, &identity))
        return true;
    diag_set(diag, 0, 0, "%s belongs to other statistics", samples_file_name(*file));
    return false;
}

/* Takes the names of its files in. False: it does not go with the others. */
static bool take_info(struct merge_samples *samples, const struct samples_file *file,
                      struct diag *diag)
{
    const struct samples_info *info = samples_file_info(file);
    enum caxton_status status = STATUS_OK;
    if (samples->count == 1)
        samples->info.plies = info->plies;
    if (samples->count == 1 || info->most < samples->info.most)
        samples->info.most = info->most;
    for (size_t i = 0; i < info->names.count && status == STATUS_OK; i++)
        status = sample_names_add(&samples->info.names, info->names.list[i]);
    if (status == STATUS_OK && info->plies == samples->info.plies)
        return true;
    diag_set(diag, 0, 0, status == STATUS_OK ? "%s is of another --max-ply" : "%s: too many files",
             samples_file_name(file));
    return false;
}

static bool has_any(const struct command_line *line)
{
    bool has = false;
    for (int i = 0; i < line->operand_count && !has; i++) {
        char *path = sample_games_path(line->operands[i]);
        has = path && file_kind_of(path, NULL) == FILE_REGULAR;
        free(path);
    }
    return has;
}

/* Opens those of all operands. False: the sum has none, for the reason in `diag`. */
static bool open_all(struct merge_samples *samples, const char *output, struct diag *diag)
{
    const struct command_line *line = samples->line;
    enum { OTHER_FILES = 160 }; /* what the sum itself has open */
    diag_set(diag, 0, 0, "the sum goes to standard output");
    if (outputs_is_standard(output))
        return false;
    diag_set(diag, 0, 0, "more files than may be open at once");
    if ((size_t)line->operand_count + OTHER_FILES > file_open_max())
        return false;
    bool good = true;
    for (int i = 0; i < line->operand_count && good; i++)
        good = open_one(samples, line->operands[i], diag) &&
               take_info(samples, samples->files[samples->count - 1], diag);
    return good;
}

static enum caxton_status start(struct merge_samples *samples, const char *output,
                                struct diag *diag)
{
    char *path = sample_games_path(output);
    enum caxton_status status = STATUS_NO_MEMORY;
    if (path)
        status = atomic_file_create(path, &samples->file, diag);
    else
        diag_set(diag, 0, 0, "out of memory");
    free(path);
    for (size_t i = 0; i < samples->count && status == STATUS_OK; i++) {
        samples->numbers[i] = samples_file_numbers(samples->files[i], &samples->info.names);
        if (!samples->numbers[i])
            status = diag_fail(STATUS_NO_MEMORY, diag, "out of memory");
        samples->cursors[i] =
            (struct samples_cursor){.file = samples->files[i], .numbers = samples->numbers[i]};
        samples->inputs[i] =
            (struct sample_input){.next = samples_cursor_next, .context = &samples->cursors[i]};
    }
    if (status != STATUS_OK)
        return status;
    samples->merge = (struct sample_merge){
        .inputs = samples->inputs, .count = samples->count, .most = samples->info.most};
    return samples_writer_create(atomic_file_stream(samples->file), &samples->info,
                                 sample_merge_next, &samples->merge, &samples->writer);
}

bool merge_samples_open(const struct command_line *line, const char *output,
                        struct merge_samples **out)
{
    struct diag diag = {.text = "out of memory"};
    size_t count = (size_t)line->operand_count;
    *out = NULL;
    if (!has_any(line))
        return sample_games_warn_of_old(line, output);
    struct merge_samples *samples = calloc(1, sizeof *samples);
    if (!samples)
        return command_refuse(line, "out of memory");
    samples->line = line;
    samples->files = calloc(count, sizeof *samples->files);
    samples->cursors = calloc(count, sizeof *samples->cursors);
    samples->numbers = calloc(count, sizeof *samples->numbers);
    samples->inputs = calloc(count, sizeof *samples->inputs);
    if (!samples->files || !samples->cursors || !samples->numbers || !samples->inputs) {
        merge_samples_close(samples);
        return command_refuse(line, "out of memory");
    }
    if (!open_all(samples, output, &diag)) {
        (void)command_fail(line, "warning: no sample games in the sum: %s", diag.text);
        merge_samples_close(samples);
        return true;
    }
    if (start(samples, output, &diag) != STATUS_OK) {
        merge_samples_close(samples);
        return command_refuse(line, "%s", diag.text);
    }
    *out = samples;
    return true;
}

struct samples_writer *merge_samples_writer(struct merge_samples *samples)
{
    return samples ? samples->writer : NULL;
}

bool merge_samples_have_failed(struct merge_samples *samples, struct diag *diag)
{
    return samples && atomic_file_has_failed(samples->file, diag);
}

enum caxton_status merge_samples_commit(struct merge_samples *samples, struct diag *diag)
{
    if (!samples)
        return STATUS_OK;
    struct atomic_file *file = samples->file;
    samples->file = NULL;
    return atomic_file_commit(file, diag);
}
