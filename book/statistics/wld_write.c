#include "book/statistics/wld_write.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/bytes.h"
#include "base/xxh64.h"
#include "book/statistics/tally_merge.h"
#include "book/statistics/wld_options.h"
#include "book/statistics/wld_pages.h"

enum { RECORD_MAX = 4 * VARINT_MAX + 2 };

_Static_assert(WLD_BLOCK_MAX % PRINT_SIZE == 0, "full blocks have no gap");

struct wld_writer {
    FILE *out;
    uint64_t header; /* its checksum */
    uint64_t offset; /* of the block in the making */
    uint64_t block_records;
    struct wld_foot foot; /* of all blocks so far; records: also of the one in the making */
    struct wld_entry *index;
    size_t index_capacity;
    struct tally last;
    bool in_prints; /* no record has been taken, and fingerprints may come */
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
    made->in_prints = wld_options_have(options, WLD_PRINTS_OPTION);
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

/* Writes what the block holds, records or fingerprints. */
static enum caxton_status write_sealed(struct wld_writer *writer)
{
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

static enum caxton_status write_mark(struct wld_writer *writer)
{
    static const uint8_t mark[WLD_BLOCK_HEAD] = {0};
    return write_bytes(writer, mark, sizeof mark);
}

enum caxton_status wld_writer_take_print(void *context, struct fingerprint print)
{
    struct wld_writer *writer = context;
    if (!writer->in_prints)
        return STATUS_FORMAT;
    print_encode(print, writer->block + WLD_BLOCK_HEAD + writer->used);
    writer->used += PRINT_SIZE;
    writer->block_records++;
    return writer->used < WLD_BLOCK_MAX ? STATUS_OK : write_sealed(writer);
}

/* Where there may be fingerprints, ends them. */
static enum caxton_status end_prints(struct wld_writer *writer)
{
    if (!writer->in_prints)
        return STATUS_OK;
    enum caxton_status status = writer->used ? write_sealed(writer) : STATUS_OK;
    writer->in_prints = false;
    return status == STATUS_OK ? write_mark(writer) : status;
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
    return write_sealed(writer);
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
    if (end_prints(writer) != STATUS_OK)
        return STATUS_IO;
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
    uint8_t page[WLD_PAGE_BYTES];
    enum caxton_status status = write_mark(writer);
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
    enum caxton_status status = end_prints(writer);
    if (status == STATUS_OK && writer->used)
        status = write_block(writer);
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
