#include "book/statistics/wld_write.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/xxh64.h"
#include "book/statistics/tally_merge.h"
#include "book/statistics/wld_blocks.h"
#include "book/statistics/wld_options.h"

enum { RECORD_MAX = 4 * VARINT_MAX + 2 };

_Static_assert(WLD_BLOCK_MAX % PRINT_SIZE == 0, "full blocks have no gap");

struct wld_writer {
    struct wld_blocks_writer blocks;
    uint64_t header; /* its checksum */
    uint64_t records;
    struct tally last;
    bool in_prints; /* no record has been taken, and fingerprints may come */
};

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
    return wld_blocks_put(&writer->blocks, bytes, end + WLD_CHECKSUM_SIZE);
}

enum caxton_status wld_writer_create(FILE *out, const char *options, struct wld_writer **writer)
{
    size_t size = strlen(options);
    if (size > WLD_OPTIONS_MAX)
        return STATUS_RANGE;
    struct wld_writer *made = calloc(1, sizeof *made);
    if (!made)
        return STATUS_NO_MEMORY;
    made->blocks.out = out;
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
    wld_blocks_writer_free(&writer->blocks);
    free(writer);
}

enum caxton_status wld_writer_take_print(void *context, struct fingerprint print)
{
    struct wld_writer *writer = context;
    if (!writer->in_prints)
        return STATUS_FORMAT;
    uint8_t bytes[PRINT_SIZE];
    print_encode(print, bytes);
    wld_blocks_add(&writer->blocks, print.high, bytes, sizeof bytes);
    return writer->blocks.used < WLD_BLOCK_MAX ? STATUS_OK
                                               : wld_blocks_seal(&writer->blocks, false);
}

/* Where there may be fingerprints, ends them. */
static enum caxton_status end_prints(struct wld_writer *writer)
{
    if (!writer->in_prints)
        return STATUS_OK;
    enum caxton_status status =
        writer->blocks.used ? wld_blocks_seal(&writer->blocks, false) : STATUS_OK;
    writer->in_prints = false;
    return status == STATUS_OK ? wld_blocks_put_mark(&writer->blocks) : status;
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
    struct wld_blocks_writer *blocks = &writer->blocks;
    if (!wld_is_countable(tally))
        return STATUS_RANGE;
    if (writer->records > 0 && tally_compare(&writer->last, tally) >= 0)
        return STATUS_FORMAT;
    if (end_prints(writer) != STATUS_OK)
        return STATUS_IO;
    uint8_t record[RECORD_MAX];
    size_t size = encode(tally, blocks->used ? writer->last.key : 0, record);
    if (blocks->used > 0 && (blocks->used + size > WLD_BLOCK_MAX ||
                             wld_range_of(tally->key) != wld_range_of(writer->last.key))) {
        enum caxton_status status = wld_blocks_seal(blocks, true);
        if (status != STATUS_OK)
            return status;
        size = encode(tally, 0, record);
    }
    wld_blocks_add(blocks, tally->key, record, size);
    writer->records++;
    writer->last = *tally;
    return STATUS_OK;
}

struct wld_identity wld_writer_identity(const struct wld_writer *writer)
{
    return (struct wld_identity){
        .header = writer->header,
        .foot = {writer->records, writer->blocks.count, writer->blocks.digest}};
}

enum caxton_status wld_writer_finish(struct wld_writer *writer, uint64_t *records)
{
    uint8_t bytes[WLD_FOOT_SIZE];
    enum caxton_status status = end_prints(writer);
    if (status == STATUS_OK)
        status = wld_blocks_finish(&writer->blocks);
    const struct wld_identity identity = wld_writer_identity(writer);
    wld_foot_encode(&identity.foot, writer->header, bytes);
    if (status == STATUS_OK)
        status = wld_blocks_put(&writer->blocks, bytes, sizeof bytes);
    if (status == STATUS_OK)
        *records = writer->records;
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
