/* makebook merge, of statistics: as many inputs as may be open at once are read side by side, a
 * block of each in memory. Where there are more, groups of them are summed up into temporary files,
 * and those again, so that each count is written once more for every factor of SUMS_JOINED. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/atomic_file.h"
#include "base/file.h"
#include "base/file_stream.h"
#include "base/progress.h"
#include "base/temp_file.h"
#include "base/text.h"
#include "book/makebook/cli/command.h"
#include "book/makebook/cli/outputs.h"
#include "book/makebook/commands/merge.h"
#include "book/makebook/commands/merge_prints.h"
#include "book/makebook/commands/merge_samples.h"
#include "book/makebook/commands/merge_sum.h"
#include "book/statistics/wld_file.h"

/* OTHER_FILES: the standard streams, the output, a temporary file that is being written, and what
 * the program was started with. */
enum { STREAMS_MAX = 128, STREAMS_MIN = 4, OTHER_FILES = 16, SUMS_JOINED = 16 };

/* The sum of a group, in a temporary file. */
struct sum {
    FILE *file;
    struct file_stream *bytes; /* below `file`, which refers to it */
    int level;                 /* of sums: those of inputs are 0, a sum of sums is one more */
};

enum { TWICE_RECORDS_MIN = 256 }; /* smaller files may be equal by chance */

/* An input that has been opened. */
struct seen {
    int operand;
    struct wld_identity identity;
};

struct merging {
    const struct merge_command *merge;
    const struct command_line *line;
    uint64_t unit; /* of the first input */
    bool mirrored; /* likewise */
    size_t streams_max;
    /* Arrays with room for streams_max. An open source is not moved: its reader refers to it. */
    struct source *places;
    struct source **sources; /* those that are open: the first input's own place, or ours */
    size_t source_count;
    struct sum *sums;
    size_t sum_count;
    struct wld_reader **readers;   /* scratch */
    const struct wld_file **files; /* scratch */
    struct seen *seen;
    size_t seen_count;
    struct merge_prints prints;
    struct progress progress;
    char first[WLD_OPTIONS_MAX + 1];  /* the options of the first input, but for fingerprints, */
    char united[WLD_OPTIONS_MAX + 1]; /* and of all so far */
};

/* Options on one line. */
static void print_options(char *out, size_t capacity, const char *options)
{
    text_copy(out, capacity, span_of(options));
    size_t size = strlen(out);
    if (size && out[size - 1] == '\n')
        out[--size] = '\0';
    for (size_t i = 0; i < size; i++)
        if (out[i] == '\n')
            out[i] = ',';
}

/* Inputs ----------------------------------------------------------------------------------- */

/* Is it none of the inputs before it? It can be told of files with an index. */
static bool accept_once(struct merging *merging, const struct source *source, int operand)
{
    if (!source->file || merging->merge->force ||
        wld_file_records(source->file) < TWICE_RECORDS_MIN)
        return true;
    const struct wld_identity identity = wld_file_identity(source->file);
    for (size_t i = 0; i < merging->seen_count; i++)
        if (wld_identity_is_equal(&merging->seen[i].identity, &identity))
            return command_refuse(
                merging->line,
                "%s holds the same counts as %s, which would count twice; --force adds them up all "
                "the same",
                source->name, merging->line->operands[merging->seen[i].operand]);
    merging->seen[merging->seen_count++] = (struct seen){operand, identity};
    return true;
}

/* Is it counted as the first input is? Fingerprints decide nothing about the counts. */
static bool accept_options(const struct merging *merging, const struct source *source)
{
    char options[WLD_OPTIONS_MAX + 1];
    text_copy(options, sizeof options, span_of(wld_reader_info(source->stats)->options));
    wld_options_drop(options, WLD_FINGERPRINTS_OPTION);
    if (merging->merge->force || strcmp(options, merging->first) == 0)
        return true;
    char a[160];
    char b[160];
    print_options(a, sizeof a, merging->first);
    print_options(b, sizeof b, options);
    return command_refuse(merging->line,
                          "%s and %s were counted with different options (%s; %s); --force "
                          "adds them up all the same",
                          merging->line->operands[0], source->name, a, b);
}

/* May `source` be added to the inputs before it? */
static bool accept(struct merging *merging, const struct source *source, int operand)
{
    const char *first_name = merging->line->operands[0];
    if (!source->stats)
        return command_refuse(merging->line, "%s is a book and %s is statistics: they do not add",
                              source->name, first_name);
    if (wld_reader_info(source->stats)->unit != merging->unit)
        return command_refuse(merging->line,
                              "%s and %s do not add: one counts whole games, the other parts of "
                              "them (--half-life, --elo-weight)",
                              first_name, source->name);
    if (wld_reader_info(source->stats)->mirrored != merging->mirrored)
        return command_refuse(merging->line, "%s and %s do not add: only one of them is mirrored",
                              first_name, source->name);
    uint64_t least = wld_reader_info(source->stats)->min_games;
    if (!merging->merge->force && least > 1 && merging->line->operand_count > 1)
        return command_refuse(merging->line,
                              "%s has no moves of fewer than %llu games, so that sums would be too "
                              "small; --force adds it up all the same",
                              source->name, (unsigned long long)least);
    if (!accept_options(merging, source))
        return false;
    merge_prints_note(&merging->prints, source->stats, merging->line->operands[operand]);
    if (wld_unite_options(merging->united, wld_reader_info(source->stats)->options) != STATUS_OK)
        return command_refuse(merging->line, "the options of all inputs together are too long");
    return accept_once(merging, source, operand);
}

static void close_sources(struct merging *merging)
{
    while (merging->source_count > 0)
        source_close(merging->sources[--merging->source_count]);
}

/* Opens inputs, beginning with number `next`, until `count` are open. */
static bool open_sources(struct merging *merging, int next, size_t count)
{
    while (merging->source_count < count) {
        struct source *source = &merging->places[merging->source_count];
        if (!source_open(merging->line, merging->line->operands[next], source))
            return false;
        merging->sources[merging->source_count++] = source;
        if (!accept(merging, source, next++))
            return false;
    }
    return true;
}

/* Sums ------------------------------------------------------------------------------------- */

static void close_sum(struct sum *sum)
{
    if (sum->file)
        (void)fclose(sum->file); /* nothing in it is wanted */
    free(sum->bytes);
}

static void close_sums(struct merging *merging, size_t first)
{
    while (merging->sum_count > first)
        close_sum(&merging->sums[--merging->sum_count]);
}

/* Writes the sums of the open sources and of sums[first_sum..]. */
static enum caxton_status write_sums(struct merging *merging, size_t first_sum,
                                     struct merge_sum *sum, struct diag *diag)
{
    size_t count = 0;
    enum caxton_status status = STATUS_OK;
    for (size_t i = first_sum; i < merging->sum_count && status == STATUS_OK; i++) {
        status = wld_reader_create(wld_read_stream, merging->sums[i].file, "the sum of others",
                                   &merging->readers[count], diag);
        count += status == STATUS_OK;
    }
    size_t own = count;
    bool are_files = own == 0;
    for (size_t i = 0; i < merging->source_count; i++) {
        merging->files[i] = merging->sources[i]->file;
        are_files = are_files && merging->files[i];
        merging->readers[count++] = merging->sources[i]->stats;
    }
    sum->files = are_files ? merging->files : NULL;
    sum->jobs = (int)merging->merge->jobs;
    if (status == STATUS_OK)
        status = merge_sum_write(sum, merging->readers, count, diag);
    merging->prints.twice += sum->twice;
    while (own > 0)
        wld_reader_destroy(merging->readers[--own]);
    for (size_t i = 0; i < merging->source_count && status != STATUS_OK; i++)
        if (source_input_fault(merging->sources[i]))
            diag_set(diag, 0, 0, "%s: %s", merging->sources[i]->name,
                     source_input_fault(merging->sources[i]));
    return status;
}

static enum caxton_status create_sum(const char *folder, struct sum *out, struct diag *diag)
{
    out->bytes = malloc(sizeof *out->bytes);
    return out->bytes ? temp_file_stream(folder, out->bytes, &out->file, diag) : STATUS_NO_MEMORY;
}

/* Ends writing a sum and goes back to its start, for reading. */
static enum caxton_status end_sum(const struct sum *sum, const char *folder, struct diag *diag)
{
    errno = file_stream_flush(sum->bytes, sum->file);
    if (errno)
        return temp_file_fault(folder, "write", diag);
    return fseek(sum->file, 0, SEEK_SET) == 0 ? STATUS_OK : temp_file_fault(folder, "rewind", diag);
}

/* Puts one sum in the place of the open sources and of sums[first_sum..], all of which are closed.
 */
static bool sum_up(struct merging *merging, size_t first_sum, int level)
{
    const char *folder = merging->merge->folder;
    struct diag diag = {.text = "out of memory"};
    struct sum sum = {.level = level};
    enum caxton_status status = create_sum(folder, &sum, &diag);
    if (status == STATUS_OK) {
        struct merge_sum all = {sum.file, merging->united, merging->unit,
                                .force = merging->merge->force, .progress = &merging->progress};
        enum caxton_status summed = write_sums(merging, first_sum, &all, &diag);
        status = end_sum(&sum, folder, &diag); /* its reason says more */
        status = status == STATUS_OK ? summed : status;
    }
    close_sources(merging);
    close_sums(merging, first_sum);
    if (status == STATUS_OK) {
        merging->sums[merging->sum_count++] = sum;
        return true;
    }
    close_sum(&sum);
    return command_refuse(merging->line, "%s", diag.text);
}

/* Joins the last sums when SUMS_JOINED of them have the same level; joins all when there is no room
 * for another. */
static bool join_sums(struct merging *merging, size_t room)
{
    for (;;) {
        size_t first = merging->sum_count - 1;
        while (first > 0 && merging->sums[first - 1].level == merging->sums[first].level)
            first--;
        if (merging->sum_count == room)
            first = 0;
        else if (merging->sum_count - first < SUMS_JOINED)
            return true;
        if (!sum_up(merging, first, merging->sums[first].level + 1))
            return false;
    }
}

/* The whole ---------------------------------------------------------------------------------- */

/* Puts the sum in its place, or drops it when it could not be written. */
static int end_output(const struct merging *merging, enum caxton_status status,
                      struct atomic_file *file, struct merge_samples *samples, struct diag *diag)
{
    if (status != STATUS_OK && !atomic_file_has_failed(file, diag))
        (void)merge_samples_have_failed(samples, diag);
    /* Both are on the disk before one is renamed. */
    if (status == STATUS_OK)
        status = atomic_file_finish(file, diag);
    if (status == STATUS_OK)
        status = merge_samples_commit(samples, diag);
    if (status == STATUS_OK)
        status = atomic_file_commit(file, diag);
    else
        atomic_file_abort(file);
    return status == STATUS_OK ? EXIT_DONE : command_fail(merging->line, "%s", diag->text);
}

static int write_output(struct merging *merging)
{
    struct diag diag = {.text = "out of memory"};
    struct atomic_file *file = NULL;
    struct merge_samples *samples;
    const char *output = merging->merge->output;
    if (!outputs_create(merging->line, output, &file) ||
        !merge_samples_open(merging->line, output, &samples)) {
        atomic_file_abort(file);
        return EXIT_FAILED;
    }
    struct merge_sum sum = {atomic_file_stream(file),
                            merging->united,
                            merging->unit,
                            .min_games = (uint64_t)merging->merge->min_games,
                            .force = merging->merge->force,
                            .forget_games =
                                merging->merge->force && merging->line->operand_count > 1,
                            .samples = merge_samples_writer(samples),
                            .progress = &merging->progress};
    enum caxton_status status = write_sums(merging, 0, &sum, &diag);
    int result = end_output(merging, status, file, samples, &diag);
    merge_samples_close(samples);
    if (result != EXIT_DONE)
        return result;
    merge_prints_warn(&merging->prints, merging->line, merging->merge->force);
    FILE *report = outputs_report(output);
    if (!merging->merge->quiet)
        (void)fprintf(report, "%d file%s of statistics merged, %llu moves written\n",
                      merging->line->operand_count,
                      text_plural((uint64_t)merging->line->operand_count),
                      (unsigned long long)sum.records);
    if (!merging->merge->quiet && sum.min_games > 1)
        (void)fprintf(report, "%llu moves left out, of fewer than %llu games\n",
                      (unsigned long long)sum.rare, (unsigned long long)sum.min_games);
    return EXIT_DONE;
}

/* The first input is open. */
static int merge_all(struct merging *merging)
{
    size_t left = (size_t)merging->line->operand_count;
    size_t group = merging->streams_max / 2;
    size_t room = merging->streams_max - group;
    int next = 1;
    while (left > merging->streams_max - merging->sum_count) {
        size_t opened = merging->source_count;
        if (!open_sources(merging, next, group) || !sum_up(merging, merging->sum_count, 0) ||
            !join_sums(merging, room))
            return EXIT_FAILED;
        next += (int)(group - opened);
        left -= group;
    }
    return open_sources(merging, next, left) ? write_output(merging) : EXIT_FAILED;
}

static void destroy(struct merging *merging)
{
    if (!merging)
        return;
    close_sources(merging);
    close_sums(merging, 0);
    free(merging->seen);
    free(merging->files);
    free(merging->readers);
    free(merging->sums);
    free(merging->sources);
    free(merging->places);
    free(merging);
}

/* NULL when there is no memory. */
static struct merging *create(const struct merge_command *merge)
{
    struct merging *merging = calloc(1, sizeof *merging);
    if (!merging)
        return NULL;
    size_t files = file_open_max();
    size_t streams = files > OTHER_FILES + STREAMS_MIN ? files - OTHER_FILES : STREAMS_MIN;
    merging->merge = merge;
    merging->line = &merge->line;
    merging->streams_max = streams < STREAMS_MAX ? streams : STREAMS_MAX;
    merging->places = calloc(merging->streams_max, sizeof *merging->places);
    merging->sources = calloc(merging->streams_max, sizeof *merging->sources);
    merging->sums = calloc(merging->streams_max, sizeof *merging->sums);
    merging->readers = calloc(merging->streams_max, sizeof *merging->readers);
    merging->files = calloc(merging->streams_max, sizeof *merging->files);
    merging->seen = calloc((size_t)merge->line.operand_count, sizeof *merging->seen);
    if (merging->places && merging->sources && merging->sums && merging->readers &&
        merging->files && merging->seen)
        return merging;
    destroy(merging);
    return NULL;
}

int merge_stats(const struct merge_command *merge, struct source *first)
{
    struct merging *merging = create(merge);
    if (!merging) {
        source_close(first);
        return command_fail(&merge->line, "out of memory");
    }
    merging->sources[merging->source_count++] = first;
    progress_start(&merging->progress, merge->quiet, 0);
    merging->unit = wld_reader_info(first->stats)->unit;
    merging->mirrored = wld_reader_info(first->stats)->mirrored;
    text_copy(merging->first, sizeof merging->first,
              span_of(wld_reader_info(first->stats)->options));
    wld_options_drop(merging->first, WLD_FINGERPRINTS_OPTION);
    int status = accept(merging, first, 0) ? merge_all(merging) : EXIT_FAILED;
    destroy(merging);
    return status;
}
