#include "book/statistics/wld_write.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/checksum.h"
#include "base/text.h"
#include "book/statistics/tally_merge.h"

enum { RECORD_MAX = 4 * VARINT_MAX + 2 };

struct wld_writer {
    FILE *out;
    uint64_t checksum;
    uint64_t records;
    uint64_t block_records;
    struct tally last;
    size_t used;
    uint8_t block[WLD_BLOCK_MAX];
};

static enum caxton_status write_bytes(struct wld_writer *writer, const void *bytes, size_t size)
{
    if (size && fwrite(bytes, size, 1, writer->out) != 1)
        return STATUS_IO;
    writer->checksum = checksum_add(writer->checksum, bytes, size);
    return STATUS_OK;
}

/* Writes head, body and the checksum behind them. */
static enum caxton_status write_part(struct wld_writer *writer, const uint8_t *head,
                                     size_t head_size, const void *body, size_t body_size)
{
    uint8_t checksum[WLD_CHECKSUM_SIZE];
    enum caxton_status status = write_bytes(writer, head, head_size);
    if (status == STATUS_OK)
        status = write_bytes(writer, body, body_size);
    if (status != STATUS_OK)
        return status;
    bytes_put_le(checksum, writer->checksum, WLD_CHECKSUM_SIZE);
    return write_bytes(writer, checksum, WLD_CHECKSUM_SIZE);
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
    made->checksum = CHECKSUM_EMPTY;
    uint8_t head[WLD_HEADER_SIZE];
    memcpy(head, WLD_MAGIC, WLD_MAGIC_SIZE);
    bytes_put_le(head + WLD_MAGIC_SIZE, WLD_VERSION, 4);
    bytes_put_le(head + WLD_MAGIC_SIZE + 4, size, 4);
    enum caxton_status status = write_part(made, head, sizeof head, options, size);
    if (status != STATUS_OK) {
        wld_writer_destroy(made);
        return status;
    }
    *writer = made;
    return STATUS_OK;
}

void wld_writer_destroy(struct wld_writer *writer)
{
    free(writer);
}

static enum caxton_status write_block(struct wld_writer *writer)
{
    uint8_t head[8];
    bytes_put_le(head, writer->used, 4);
    bytes_put_le(head + 4, writer->block_records, 4);
    enum caxton_status status = write_part(writer, head, sizeof head, writer->block, writer->used);
    writer->used = 0;
    writer->block_records = 0;
    return status;
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
    if (writer->records > 0 && tally_compare(&writer->last, tally) >= 0)
        return STATUS_FORMAT;
    uint8_t record[RECORD_MAX];
    size_t size = encode(tally, writer->used ? writer->last.key : 0, record);
    if (writer->used + size > WLD_BLOCK_MAX) {
        enum caxton_status status = write_block(writer);
        if (status != STATUS_OK)
            return status;
        size = encode(tally, 0, record);
    }
    memcpy(writer->block + writer->used, record, size);
    writer->used += size;
    writer->block_records++;
    writer->records++;
    writer->last = *tally;
    return STATUS_OK;
}

enum caxton_status wld_writer_finish(struct wld_writer *writer, uint64_t *records)
{
    enum caxton_status status = writer->used ? write_block(writer) : STATUS_OK;
    if (status != STATUS_OK)
        return status;
    uint8_t end[16] = {0};
    bytes_put_le(end + 8, writer->records, 8);
    status = write_part(writer, end, sizeof end, NULL, 0);
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
