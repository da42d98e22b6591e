#include "book/statistics/wld_merge.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/heap.h"
#include "base/temp_file.h"

enum caxton_status wld_merge(struct wld_reader *const *readers, size_t count, tally_sink sink,
                             void *context, struct diag *diag)
{
    struct tally_input *inputs = calloc(count ? count : 1, sizeof *inputs);
    if (!inputs)
        return diag_fail(STATUS_NO_MEMORY, diag, "out of memory");
    for (size_t i = 0; i < count; i++)
        inputs[i] = (struct tally_input){.next = wld_reader_next_facet, .context = readers[i]};
    enum caxton_status status = tally_merge(inputs, count, sink, context, diag);
    free(inputs);
    return status;
}

/* Fingerprints ----------------------------------------------------------------------------- */

struct fingerprint_input {
    struct wld_reader *reader;
    struct fingerprint head;
};

/* A heap_order. */
static bool goes_before(const void *a, const void *b)
{
    const struct fingerprint_input *one = a;
    const struct fingerprint_input *other = b;
    return fingerprint_compare(one->head, other->head) < 0;
}

/* A heap_next. */
static enum caxton_status read_fingerprint(void *sequence, struct diag *diag)
{
    struct fingerprint_input *input = sequence;
    return wld_reader_next_fingerprint(input->reader, &input->head, diag);
}

/* Gives the least fingerprint of all to `sink` and goes past it in each input that has it. */
static enum caxton_status take_fingerprint(struct heap *heap, fingerprint_sink sink, void *context,
                                           struct wld_common_games *common, struct diag *diag)
{
    const struct fingerprint_input least = *(const struct fingerprint_input *)heap->items[0];
    enum caxton_status status = sink(context, least.head);
    if (status == STATUS_OK)
        status = heap_advance(heap, read_fingerprint, goes_before, diag);
    while (status == STATUS_OK && heap->count > 0) {
        const struct fingerprint_input *first = heap->items[0];
        if (fingerprint_compare(first->head, least.head) != 0)
            break;
        if (common->games++ == 0) {
            common->one = wld_reader_name(least.reader);
            common->other = wld_reader_name(first->reader);
        }
        status = heap_advance(heap, read_fingerprint, goes_before, diag);
    }
    return status;
}

enum caxton_status wld_merge_fingerprints(struct wld_reader *const *readers, size_t count,
                                          fingerprint_sink sink, void *context,
                                          struct wld_common_games *common, struct diag *diag)
{
    struct fingerprint_input *inputs = calloc(count ? count : 1, sizeof *inputs);
    struct heap heap = {.items = NULL};
    enum caxton_status status =
        inputs ? STATUS_OK : diag_fail(STATUS_NO_MEMORY, diag, "out of memory");
    for (size_t i = 0; i < count && inputs; i++)
        inputs[i].reader = readers[i];
    if (status == STATUS_OK)
        status =
            heap_open(&heap, inputs, sizeof *inputs, count, read_fingerprint, goes_before, diag);
    while (status == STATUS_OK && heap.count > 0)
        status = take_fingerprint(&heap, sink, context, common, diag);
    free(heap.items);
    free(inputs);
    return status;
}

/* By ranges -------------------------------------------------------------------------------- */

/* Records of all files, and at least those of each, in a range. A range reads one block more of
 * each file than it needs: a few hundred records. */
enum { RANGE_RECORDS = 1 << 15, RANGE_FILE_RECORDS = 1 << 12 };

__extension__ typedef unsigned __int128 wide;

struct ranges {
    const struct wld_file *const *files;
    size_t file_count;
    uint64_t count;
    _Atomic uint64_t *read; /* records of each file; atomic, relaxed: read when all have ended */
};

/* The first key of a range. */
static uint64_t start_of(const struct ranges *ranges, uint64_t range)
{
    return (uint64_t)(((wide)range << 64) / ranges->count);
}

/* A file as far as it belongs to a range. */
struct range_input {
    struct wld_reader *reader;
    uint64_t read;
};

/* A tally_source. */
static enum caxton_status next_record(void *context, struct tally *out, struct diag *diag)
{
    struct range_input *input = context;
    enum caxton_status status = wld_reader_next_facet(input->reader, out, diag);
    input->read += status == STATUS_OK;
    return status;
}

/* A tally_part. */
static enum caxton_status add_range(void *context, uint64_t range, tally_sink sink,
                                    void *sink_context, struct diag *diag)
{
    const struct ranges *ranges = context;
    size_t count = ranges->file_count;
    uint64_t first = start_of(ranges, range);
    uint64_t last = range + 1 < ranges->count ? start_of(ranges, range + 1) - 1 : UINT64_MAX;
    struct range_input *inputs = calloc(count, sizeof *inputs);
    struct tally_input *heads = calloc(count, sizeof *heads);
    enum caxton_status status =
        inputs && heads ? STATUS_OK : diag_fail(STATUS_NO_MEMORY, diag, "out of memory");
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        status = wld_reader_create_range(ranges->files[i], first, last, &inputs[i].reader, diag);
        heads[i] = (struct tally_input){.next = next_record, .context = &inputs[i]};
    }
    if (status == STATUS_OK)
        status = tally_merge(heads, count, sink, sink_context, diag);
    for (size_t i = 0; inputs && i < count; i++) {
        atomic_fetch_add_explicit(&ranges->read[i], inputs[i].read, memory_order_relaxed);
        wld_reader_destroy(inputs[i].reader);
    }
    free(heads);
    free(inputs);
    return status;
}

/* An index that leaves blocks out makes ranges that lack records. */
static enum caxton_status check_all_read(const struct ranges *ranges, struct diag *diag)
{
    for (size_t i = 0; i < ranges->file_count; i++)
        if (atomic_load_explicit(&ranges->read[i], memory_order_relaxed) !=
            wld_file_records(ranges->files[i]))
            return diag_fail(STATUS_FORMAT, diag, "%s: the index does not fit the blocks",
                             wld_file_name(ranges->files[i]));
    return STATUS_OK;
}

enum caxton_status wld_merge_ranges(const struct wld_file *const *files, size_t count, int jobs,
                                    tally_sink sink, void *context, struct diag *diag)
{
    struct ranges ranges = {.files = files, .file_count = count};
    uint64_t records = 0;
    uint64_t usual = RANGE_RECORDS;
    if (usual < count * RANGE_FILE_RECORDS)
        usual = count * RANGE_FILE_RECORDS;
    for (size_t i = 0; i < count; i++) /* what a file says of itself is no more than its size */
        records += wld_file_records(files[i]);
    ranges.count = records / usual + 1;
    ranges.read = calloc(count ? count : 1, sizeof *ranges.read);
    if (!ranges.read)
        return diag_fail(STATUS_NO_MEMORY, diag, "out of memory");
    enum caxton_status status =
        tally_parts(ranges.count, jobs, add_range, &ranges, sink, context, diag);
    if (status == STATUS_OK)
        status = check_all_read(&ranges, diag);
    free(ranges.read);
    return status;
}

/* Any number of files ------------------------------------------------------------------------ */

/* OTHER_FILES: the standard streams, the output, a temporary file that is being written, and what
 * the program was started with. */
enum { STREAMS_MAX = 128, STREAMS_MIN = 4, OTHER_FILES = 16, PARTS_JOINED = 16 };

/* The sum of a group, in a temporary file. */
struct sum_part {
    FILE *file;
    struct file_stream *bytes; /* below `file`, which refers to it */
    int level;                 /* of sums: those of inputs are 0, a sum of sums is one more */
};

struct wld_sum {
    const struct wld_sum_options *options;
    size_t left; /* inputs that are in no part */
    size_t streams_max;
    /* Arrays with room for streams_max. */
    struct sum_part *parts;
    size_t part_count;
    struct wld_reader **inputs;    /* that are open, */
    const struct wld_file **files; /* and theirs */
    size_t input_count;
    struct wld_reader **readers; /* scratch: of parts, then inputs */
    uint64_t twice;
};

/* What is added up at once, on its way out. */
struct summing {
    struct wld_sum *sum;
    struct wld_sum_output *to;
    struct wld_writer *writer;
    struct diag *diag;
    struct tally_group moves;
    uint64_t taken;
};

/* A tally_sink. */
static enum caxton_status write_sum(void *context, const struct tally *tally)
{
    struct summing *summing = context;
    enum caxton_status status = wld_writer_take(summing->writer, tally);
    if (status == STATUS_OK && summing->to->samples)
        status = samples_writer_follow(summing->to->samples, tally->key, summing->diag);
    return status;
}

/* A tally_sink. */
static enum caxton_status take_sum(void *context, const struct tally *tally)
{
    enum { TALLIES_A_LOOK = 1 << 12 };
    struct summing *summing = context;
    const struct wld_sum_options *options = summing->sum->options;
    if (++summing->taken % TALLIES_A_LOOK == 0)
        options->merged(options->merged_context, tally->key);
    return tally_group_take(&summing->moves, tally);
}

/* A fingerprint_sink. */
static enum caxton_status forget(void *context, struct fingerprint print)
{
    (void)context;
    (void)print;
    return STATUS_OK;
}

/* Games that two inputs have would count twice. */
static enum caxton_status take_fingerprints(struct summing *summing, size_t count)
{
    struct wld_sum *sum = summing->sum;
    struct wld_common_games common = {0};
    enum caxton_status status = wld_merge_fingerprints(
        sum->readers, count, summing->to->forget_games ? forget : wld_writer_take_fingerprint,
        summing->writer, &common, summing->diag);
    sum->twice += common.games;
    if (status != STATUS_OK || common.games == 0 || sum->options->force)
        return status;
    return diag_fail(STATUS_AMBIGUOUS, summing->diag,
                     "%llu game%s would count twice, the first of them in %s and %s; --force adds "
                     "them up all the same",
                     (unsigned long long)common.games, text_plural(common.games), common.one,
                     common.other);
}

/* The options of what is written, min_games among them. */
static enum caxton_status make_options(const struct summing *summing, bool keeps_games,
                                       char out[WLD_OPTIONS_MAX + 1])
{
    char line[40] = "";
    uint64_t least = summing->to->min_games;
    text_copy(out, WLD_OPTIONS_MAX + 1, span_of(summing->sum->options->options));
    if (least > 1)
        (void)snprintf(line, sizeof line, "min-games %llu\n", (unsigned long long)least);
    if (!keeps_games)
        wld_options_drop(out, WLD_FINGERPRINTS_OPTION);
    return wld_unite_options(out, line);
}

/* Writes the sums of readers[0..count). files: all of theirs, or NULL. */
static enum caxton_status write_sums(struct summing *summing, size_t count,
                                     const struct wld_file *const *files)
{
    char options[WLD_OPTIONS_MAX + 1];
    struct wld_sum *sum = summing->sum;
    struct wld_sum_output *to = summing->to;
    uint64_t unit = sum->options->unit;
    int jobs = sum->options->jobs;
    /* No sum has as many games as what does not fit. */
    uint64_t least = to->min_games > UINT64_MAX / unit ? UINT64_MAX : to->min_games * unit;
    bool any_facets = false;
    for (size_t i = 0; i < count; i++)
        any_facets = any_facets || wld_reader_info(sum->readers[i])->facets;
    summing->moves = (struct tally_group){
        .sink = write_sum, .context = summing, .least = least, .are_moves = !any_facets};
    bool knows_games = count > 0 && to->min_games <= 1;
    for (size_t i = 0; i < count && knows_games; i++)
        knows_games = wld_reader_info(sum->readers[i])->has_fingerprints;
    enum caxton_status status = make_options(summing, knows_games && !to->forget_games, options);
    if (status == STATUS_OK)
        status = wld_writer_create(to->out, options, &summing->writer);
    if (status == STATUS_OK && knows_games)
        status = take_fingerprints(summing, count);
    if (status == STATUS_OK && files && jobs > 1)
        status = wld_merge_ranges(files, count, jobs, take_sum, summing, summing->diag);
    else if (status == STATUS_OK)
        status = wld_merge(sum->readers, count, take_sum, summing, summing->diag);
    enum caxton_status ended = tally_group_end(&summing->moves);
    if (status == STATUS_OK)
        status = ended;
    to->rare += summing->moves.left_out;
    if (status == STATUS_OK)
        status = wld_writer_finish(summing->writer, &to->records);
    if (status == STATUS_OK && to->samples) {
        const struct wld_identity identity = wld_writer_identity(summing->writer);
        status = samples_writer_finish(to->samples, &identity);
    }
    wld_writer_destroy(summing->writer);
    return status;
}

/* Writes the sums of parts[first..] and of the inputs. */
static enum caxton_status write_parts(struct wld_sum *sum, size_t first, struct wld_sum_output *to,
                                      struct diag *diag)
{
    struct summing summing = {.sum = sum, .to = to, .diag = diag};
    size_t count = 0;
    enum caxton_status status = STATUS_OK;
    for (size_t i = first; i < sum->part_count && status == STATUS_OK; i++) {
        status = wld_reader_create(wld_read_stream, sum->parts[i].file, "the sum of others",
                                   &sum->readers[count], diag);
        count += status == STATUS_OK;
    }
    size_t own = count;
    bool are_files = own == 0;
    for (size_t i = 0; i < sum->input_count; i++) {
        are_files = are_files && sum->files[i];
        sum->readers[count++] = sum->inputs[i];
    }
    if (status == STATUS_OK)
        status = write_sums(&summing, count, are_files ? sum->files : NULL);
    while (own > 0)
        wld_reader_destroy(sum->readers[--own]);
    return status;
}

static void close_part(const struct sum_part *part)
{
    if (part->file)
        (void)fclose(part->file); /* nothing in it is wanted */
    free(part->bytes);
}

static void close_parts(struct wld_sum *sum, size_t first)
{
    while (sum->part_count > first)
        close_part(&sum->parts[--sum->part_count]);
}

static enum caxton_status create_part(const char *folder, struct sum_part *out, struct diag *diag)
{
    out->bytes = malloc(sizeof *out->bytes);
    return out->bytes ? temp_file_stream(folder, out->bytes, &out->file, diag) : STATUS_NO_MEMORY;
}

/* Ends writing a part and goes back to its start, for reading. */
static enum caxton_status end_part(const struct sum_part *part, const char *folder,
                                   struct diag *diag)
{
    errno = file_stream_flush(part->bytes, part->file);
    if (errno)
        return temp_file_fault(folder, "write", diag);
    return fseek(part->file, 0, SEEK_SET) == 0 ? STATUS_OK
                                               : temp_file_fault(folder, "rewind", diag);
}

/* Puts one part in the place of the inputs and of parts[first..]. */
static enum caxton_status sum_up(struct wld_sum *sum, size_t first, int level, struct diag *diag)
{
    const char *folder = sum->options->folder;
    struct sum_part part = {.level = level};
    enum caxton_status status = create_part(folder, &part, diag);
    if (status == STATUS_OK) {
        struct wld_sum_output to = {.out = part.file};
        enum caxton_status summed = write_parts(sum, first, &to, diag);
        status = end_part(&part, folder, diag); /* its reason says more */
        status = status == STATUS_OK ? summed : status;
    }
    close_parts(sum, first);
    sum->left -= sum->input_count;
    sum->input_count = 0;
    if (status == STATUS_OK)
        sum->parts[sum->part_count++] = part;
    else
        close_part(&part);
    return status;
}

enum caxton_status wld_sum_spill(struct wld_sum *sum, struct diag *diag)
{
    size_t room = sum->streams_max - sum->streams_max / 2;
    enum caxton_status status = sum_up(sum, sum->part_count, 0, diag);
    /* The last parts become one when PARTS_JOINED of them have the same level; all do when there is
     * no room for another. */
    while (status == STATUS_OK) {
        size_t first = sum->part_count - 1;
        while (first > 0 && sum->parts[first - 1].level == sum->parts[first].level)
            first--;
        if (sum->part_count == room)
            first = 0;
        else if (sum->part_count - first < PARTS_JOINED)
            break;
        status = sum_up(sum, first, sum->parts[first].level + 1, diag);
    }
    return status;
}

enum caxton_status wld_sum_write(struct wld_sum *sum, struct wld_sum_output *to, struct diag *diag)
{
    return write_parts(sum, 0, to, diag);
}

uint64_t wld_sum_twice(const struct wld_sum *sum)
{
    return sum->twice;
}

bool wld_sum_is_full(const struct wld_sum *sum)
{
    return sum->input_count == sum->streams_max / 2 &&
           sum->left > sum->streams_max - sum->part_count;
}

void wld_sum_add(struct wld_sum *sum, struct wld_reader *reader, const struct wld_file *file)
{
    sum->files[sum->input_count] = file;
    sum->inputs[sum->input_count++] = reader;
}

void wld_sum_destroy(struct wld_sum *sum)
{
    if (!sum)
        return;
    close_parts(sum, 0);
    free(sum->readers);
    free(sum->files);
    free(sum->inputs);
    free(sum->parts);
    free(sum);
}

struct wld_sum *wld_sum_create(size_t inputs, const struct wld_sum_options *options)
{
    struct wld_sum *sum = calloc(1, sizeof *sum);
    if (!sum)
        return NULL;
    size_t files = file_open_max();
    size_t streams = files > OTHER_FILES + STREAMS_MIN ? files - OTHER_FILES : STREAMS_MIN;
    sum->options = options;
    sum->left = inputs;
    sum->streams_max = streams < STREAMS_MAX ? streams : STREAMS_MAX;
    sum->parts = calloc(sum->streams_max, sizeof *sum->parts);
    sum->inputs = calloc(sum->streams_max, sizeof *sum->inputs);
    sum->files = calloc(sum->streams_max, sizeof *sum->files);
    sum->readers = calloc(sum->streams_max, sizeof *sum->readers);
    if (sum->parts && sum->inputs && sum->files && sum->readers)
        return sum;
    wld_sum_destroy(sum);
    return NULL;
}

/* Sample games beside statistics -------------------------------------------------------------- */

struct samples_sum {
    size_t count; /* of files that are open */
    struct samples_file **files;
    struct samples_cursor *cursors;
    uint16_t **numbers;
    struct sample_input *inputs;
    struct samples_info info; /* of the sum */
    struct sample_merge merge;
    struct samples_writer *writer;
};

void samples_sum_destroy(struct samples_sum *sum)
{
    if (!sum)
        return;
    samples_writer_destroy(sum->writer);
    sample_merge_end(&sum->merge);
    for (size_t i = 0; i < sum->count; i++) {
        free(sum->numbers[i]);
        samples_file_close(sum->files[i]);
    }
    sample_names_free(&sum->info.names);
    free(sum->inputs);
    free(sum->numbers);
    free(sum->cursors);
    free(sum->files);
    free(sum);
}

struct samples_sum *samples_sum_create(size_t files)
{
    struct samples_sum *sum = calloc(1, sizeof *sum);
    if (!sum)
        return NULL;
    sum->files = calloc(files, sizeof *sum->files);
    sum->cursors = calloc(files, sizeof *sum->cursors);
    sum->numbers = calloc(files, sizeof *sum->numbers);
    sum->inputs = calloc(files, sizeof *sum->inputs);
    if (sum->files && sum->cursors && sum->numbers && sum->inputs)
        return sum;
    samples_sum_destroy(sum);
    return NULL;
}

/* Does the file go with those before it? Takes its names in. */
static enum caxton_status take_info(struct samples_sum *sum, const struct samples_file *file,
                                    struct diag *diag)
{
    const struct samples_info *info = samples_file_info(file);
    if (sum->count == 1) {
        sum->info.plies = info->plies;
        sum->info.rule = info->rule;
    }
    if (info->rule.most < sum->info.rule.most)
        sum->info.rule.most = info->rule.most;
    for (size_t i = 0; i < info->names.count; i++)
        if (sample_names_add(&sum->info.names, info->names.list[i]) != STATUS_OK)
            return diag_fail(STATUS_RANGE, diag, "%s: too many files", samples_file_name(file));
    if (info->rule.by_facets != sum->info.rule.by_facets)
        return diag_fail(STATUS_AMBIGUOUS, diag, "%s is of other --facets",
                         samples_file_name(file));
    if (info->plies == sum->info.plies)
        return STATUS_OK;
    return diag_fail(STATUS_AMBIGUOUS, diag, "%s is of another --max-ply", samples_file_name(file));
}

enum caxton_status samples_sum_add(struct samples_sum *sum, const char *statistics,
                                   const char *games, struct diag *diag)
{
    struct wld_file *of = NULL;
    struct samples_file **file = &sum->files[sum->count];
    enum caxton_status status = samples_file_open(games, file, diag);
    if (status != STATUS_OK)
        return status;
    sum->count++;
    status = wld_file_open(statistics, &of, diag);
    if (status != STATUS_OK)
        return status;
    const struct wld_identity identity = wld_file_identity(of);
    wld_file_close(of);
    if (!samples_file_belongs_to(*file, &identity))
        return diag_fail(STATUS_AMBIGUOUS, diag, "%s belongs to other statistics", games);
    return take_info(sum, *file, diag);
}

enum caxton_status samples_sum_begin(struct samples_sum *sum, FILE *out,
                                     struct samples_writer **writer, struct diag *diag)
{
    for (size_t i = 0; i < sum->count; i++) {
        sum->numbers[i] = samples_file_numbers(sum->files[i], &sum->info.names);
        if (!sum->numbers[i])
            return diag_fail(STATUS_NO_MEMORY, diag, "out of memory");
        sum->cursors[i] =
            (struct samples_cursor){.file = sum->files[i], .numbers = sum->numbers[i]};
        sum->inputs[i] =
            (struct sample_input){.next = samples_cursor_next, .context = &sum->cursors[i]};
    }
    sum->merge =
        (struct sample_merge){.inputs = sum->inputs, .count = sum->count, .rule = sum->info.rule};
    enum caxton_status status =
        samples_writer_create(out, &sum->info, sample_merge_next, &sum->merge, &sum->writer);
    *writer = sum->writer;
    return status;
}
