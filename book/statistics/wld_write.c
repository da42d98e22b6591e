#include "book/statistics/wld_write.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/bytes.h"
#include "base/text.h"
#include "base/xxh64.h"
#include "book/statistics/tally_merge.h"
#include "book/statistics/wld_pages.h"

enum { RECORD_MAX = 4 * VARINT_MAX + 2 };

struct wld_writer {
    FILE *out;
    uint64_t header; /* its checksum */
    uint64_t offset; /* of the block in the making */
    uint64_t block_records;
    struct wld_foot foot; /* of all blocks so far; records: also of the one in the making */
    struct wld_entry *index;
    size_t index_capacity;
    struct tally last;
    size_t used;
    uint8_t block[WLD_BLOCK_BYTES];
};

static enum caxton_status write_bytes(struct wld_writer *writer, const void *bytes, size_t size)
{
    if (fwrite(bytes, size, 1, writer->out) != 1)
        return STATUS_IO;
    writer->offset += size;
    return STATUS_OK;
}

static enum caxton_status write_header(struct wld_writer *writer, const char *options, size_t size)
{
    uint8_t bytes[WLD_HEADER_MAX];
    size_t end = WLD_START_SIZE + size;
    memcpy(bytes, WLD_MAGIC, WLD_MAGIC_SIZE);
    bytes_put_le(bytes + WLD_MAGIC_SIZE, WLD_VERSION, 4);
    bytes_put_le(bytes + WLD_MAGIC_SIZE + 4, size, 4);
    memcpy(bytes + WLD_START_SIZE, options, size);
    writer->header = xxh64(bytes, end, 0);
    bytes_put_le(bytes + end, writer->header, WLD_CHECKSUM_SIZE);
    return write_bytes(writer, bytes, end + WLD_CHECKSUM_SIZE);
}

enum caxton_status wld_writer_create(FILE *out, const char *options, struct wld_writer **writer)
{
    size_t size = strlen(options);
    if (size > WLD_OPTIONS_MAX)
        return STATUS_RANGE;
    struct wld_writer *made = calloc(1, sizeof *made);
    if (!made)
        return STATUS_NO_MEMORY;
    made->out = out;
    enum caxton_status status = write_header(made, options, size);
    if (status != STATUS_OK) {
        wld_writer_destroy(made);
        return status;
    }
    *writer = made;
    return STATUS_OK;
}

void wld_writer_destroy(struct wld_writer *writer)
{
    if (!writer)
        return;
    free(writer->index);
    free(writer);
}

static enum caxton_status write_block(struct wld_writer *writer)
{
    struct wld_block_head head = {writer->used, writer->block_records};
    struct wld_records records = wld_records_of(writer->block + WLD_BLOCK_HEAD, &head);
    struct tally first;
    if (!wld_records_next(&records, &first)) /* it was encoded here */
        return STATUS_FORMAT;
    if (!ARRAY_GROW(writer->index, writer->index_capacity, writer->foot.blocks + 1))
        return STATUS_NO_MEMORY;
    writer->index[writer->foot.blocks++] = (struct wld_entry){first.key, writer->offset};
    bytes_put_le(writer->block, writer->used, 4);
    bytes_put_le(writer->block + 4, writer->block_records, 4);
    size_t end = WLD_BLOCK_HEAD + writer->used;
    uint64_t checksum = xxh64(writer->block, end, 0);
    bytes_put_le(writer->block + end, checksum, WLD_CHECKSUM_SIZE);
    writer->foot.digest = wld_digest_add(writer->foot.digest, checksum);
    writer->used = 0;
    writer->block_records = 0;
    return write_bytes(writer, writer->block, end + WLD_CHECKSUM_SIZE);
}

static size_t encode(const struct tally *tally, uint64_t base, uint8_t *out)
{
    uint8_t *to = bytes_put_varint(out, tally->key - base);
    bytes_put_le(to, tally->move, 2);
    to += 2;
    for (int i = 0; i < OUTCOMES; i++)
        to = bytes_put_varint(to, tally->counts[i]);
    return (size_t)(to - out);
}

enum caxton_status wld_writer_take(void *context, const struct tally *tally)
{
    struct wld_writer *writer = context;
    if (!wld_is_countable(tally))
        return STATUS_RANGE;
    if (writer->foot.records > 0 && tally_compare(&writer->last, tally) >= 0)
        return STATUS_FORMAT;
    uint8_t record[RECORD_MAX];
    size_t size = encode(tally, writer->used ? writer->last.key : 0, record);
    if (writer->used > 0 && (writer->used + size > WLD_BLOCK_MAX ||
                             wld_range_of(tally->key) != wld_range_of(writer->last.key))) {
        enum caxton_status status = write_block(writer);
        if (status != STATUS_OK)
            return status;
        size = encode(tally, 0, record);
    }
    memcpy(writer->block + WLD_BLOCK_HEAD + writer->used, record, size);
    writer->used += size;
    writer->block_records++;
    writer->foot.records++;
    writer->last = *tally;
    return STATUS_OK;
}

static enum caxton_status write_index(struct wld_writer *writer)
{
    static const uint8_t mark[WLD_BLOCK_HEAD] = {0};
    uint8_t page[WLD_PAGE_BYTES];
    enum caxton_status status = write_bytes(writer, mark, sizeof mark);
    for (uint64_t at = 0; at < writer->foot.blocks && status == STATUS_OK; at += WLD_PAGE_ENTRIES) {
        uint64_t left = writer->foot.blocks - at;
        size_t count = left < WLD_PAGE_ENTRIES ? (size_t)left : WLD_PAGE_ENTRIES;
        status = write_bytes(writer, page, wld_page_encode(writer->index + at, count, page));
    }
    return status;
}

enum caxton_status wld_writer_finish(struct wld_writer *writer, uint64_t *records)
{
    uint8_t foot[WLD_FOOT_SIZE];
    enum caxton_status status = writer->used ? write_block(writer) : STATUS_OK;
    if (status == STATUS_OK)
        status = write_index(writer);
    wld_foot_encode(&writer->foot, writer->header, foot);
    if (status == STATUS_OK)
        status = write_bytes(writer, foot, sizeof foot);
    if (status == STATUS_OK)
        *records = writer->foot.records;
    return status;
}

/* Adding up -------------------------------------------------------------------------------- */

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

static int compare_spans(struct span a, struct span b)
{
    size_t size = a.size < b.size ? a.size : b.size;
    int order = size ? memcmp(a.data, b.data, size) : 0;
    return order ? order : (a.size > b.size) - (a.size < b.size);
}

/* Puts `line` where it belongs among the lines of united[]. */
static enum caxton_status insert_line(char *united, struct span line)
{
    size_t size = strlen(united);
    struct span rest = span_make(united, size);
    size_t at = 0;
    for (struct span other; span_line(&rest, &other);) {
        int order = compare_spans(line, other);
        if (order == 0)
            return STATUS_OK;
        if (order < 0)
            break;
        at = size - rest.size;
    }
    if (size + line.size + 1 > WLD_OPTIONS_MAX)
        return STATUS_RANGE;
    memmove(united + at + line.size + 1, united + at, size - at + 1);
    memcpy(united + at, line.data, line.size);
    united[at + line.size] = '\n';
    return STATUS_OK;
}

enum caxton_status wld_unite_options(char *united, const char *more)
{
    char result[WLD_OPTIONS_MAX + 1];
    enum caxton_status status = STATUS_OK;
    (void)snprintf(result, sizeof result, "%s", united);
    struct span rest = span_of(more);
    for (struct span line; status == STATUS_OK && span_line(&rest, &line);)
        if (line.size)
            status = insert_line(result, line);
    if (status == STATUS_OK)
        memcpy(united, result, strlen(result) + 1);
    return status;
}
