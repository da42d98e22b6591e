#include "book/statistics/wld_merge.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "base/heap.h"

enum caxton_status wld_merge(struct wld_reader *const *readers, size_t count, tally_sink sink,
                             void *context, struct diag *diag)
{
    struct tally_input *inputs = calloc(count ? count : 1, sizeof *inputs);
    if (!inputs)
        return diag_fail(STATUS_NO_MEMORY, diag, "out of memory");
    for (size_t i = 0; i < count; i++)
        inputs[i] = (struct tally_input){.next = wld_reader_next, .context = readers[i]};
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
    enum caxton_status status = wld_reader_next(input->reader, out, diag);
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
