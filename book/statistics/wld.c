#include "book/statistics/wld.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/bytes.h"
#include "base/checksum.h"
#include "book/statistics/wld_file.h"
#include "book/statistics/wld_internal.h"

enum caxton_status wld_read_stream(void *stream, char *buffer, size_t capacity, size_t *size)
{
    *size = fread(buffer, 1, capacity, stream);
    return ferror((FILE *)stream) ? STATUS_IO : STATUS_OK;
}

/* Bytes ------------------------------------------------------------------------------------ */

enum caxton_status wld_read_some(struct wld_reader *reader, uint8_t *to, size_t size, size_t *got,
                                 struct diag *diag)
{
    *got = 0;
    while (*got < size) {
        size_t more;
        enum caxton_status status =
            reader->source(reader->context, (char *)to + *got, size - *got, &more);
        if (status != STATUS_OK)
            return diag_fail(status, diag, "%s: %s", reader->name, status_name(status));
        if (more == 0)
            break;
        *got += more;
    }
    reader->offset += *got;
    if (reader->header.version == 1)
        reader->checksum = checksum_add(reader->checksum, to, *got);
    return STATUS_OK;
}

enum caxton_status wld_read_exactly(struct wld_reader *reader, uint8_t *to, size_t size,
                                    struct diag *diag)
{
    size_t got = size;
    enum caxton_status status;
    if (reader->file) {
        status = wld_file_read(reader->file, reader->offset, to, size, diag);
        reader->offset += status == STATUS_OK ? size : 0;
    } else {
        status = wld_read_some(reader, to, size, &got, diag);
    }
    if (status == STATUS_OK && got < size)
        return wld_damaged(reader->name, reader->offset, "the file is cut short", diag);
    return status;
}

enum caxton_status wld_read_checksum(struct wld_reader *reader, const char *of, struct diag *diag)
{
    uint8_t bytes[WLD_CHECKSUM_SIZE];
    uint64_t expected = reader->checksum;
    enum caxton_status status = wld_read_exactly(reader, bytes, sizeof bytes, diag);
    if (status == STATUS_OK && bytes_get_u64le(bytes) != expected) {
        char what[80];
        (void)snprintf(what, sizeof what, "the checksum of %s is wrong: the file is damaged", of);
        return wld_damaged(reader->name, reader->offset - WLD_CHECKSUM_SIZE, what, diag);
    }
    return status;
}

/* Beginning -------------------------------------------------------------------------------- */

static enum caxton_status read_header(struct wld_reader *reader, struct diag *diag)
{
    size_t got;
    uint8_t *bytes = reader->block;
    enum caxton_status status = wld_read_some(reader, bytes, WLD_MAGIC_SIZE, &got, diag);
    if (status == STATUS_OK && !wld_is_magic(bytes, got))
        return diag_fail(STATUS_NOT_FOUND, diag, "%s: this is no statistics file (.wld)",
                         reader->name);
    if (status == STATUS_OK)
        status =
            wld_read_exactly(reader, bytes + WLD_MAGIC_SIZE, WLD_START_SIZE - WLD_MAGIC_SIZE, diag);
    struct wld_header header;
    if (status == STATUS_OK)
        status = wld_header_start(bytes, reader->name, &header, diag);
    if (status == STATUS_OK)
        status =
            wld_read_exactly(reader, bytes + WLD_START_SIZE, header.size - WLD_START_SIZE, diag);
    if (status == STATUS_OK)
        status = wld_header_finish(bytes, reader->name, &header, diag);
    if (status != STATUS_OK)
        return status;
    reader->header = header;
    reader->in_prints = header.info.has_prints;
    reader->checksum =
        checksum_add(header.checksum, bytes + header.size - WLD_CHECKSUM_SIZE, WLD_CHECKSUM_SIZE);
    return STATUS_OK;
}

static struct wld_reader *create(const char *name)
{
    struct wld_reader *reader = calloc(1, sizeof *reader);
    if (!reader)
        return NULL;
    reader->last_key = UINT64_MAX;
    (void)snprintf(reader->name, sizeof reader->name, "%s", name);
    return reader;
}

enum caxton_status wld_reader_create(wld_source source, void *context, const char *name,
                                     struct wld_reader **out, struct diag *diag)
{
    struct wld_reader *reader = create(name);
    if (!reader)
        return diag_fail(STATUS_NO_MEMORY, diag, "%s: out of memory", name);
    reader->source = source;
    reader->context = context;
    enum caxton_status status = read_header(reader, diag);
    if (status == STATUS_OK)
        *out = reader;
    else
        wld_reader_destroy(reader);
    return status;
}

enum caxton_status wld_reader_create_range(const struct wld_file *file, uint64_t first,
                                           uint64_t last, struct wld_reader **out,
                                           struct diag *diag)
{
    struct wld_reader *reader = create(wld_file_name(file));
    if (!reader)
        return diag_fail(STATUS_NO_MEMORY, diag, "%s: out of memory", wld_file_name(file));
    enum caxton_status status = STATUS_OK;
    reader->file = file;
    reader->first_key = first;
    reader->last_key = last;
    reader->header = *wld_file_header(file);
    reader->offset = reader->header.size;
    reader->is_part = first > 0 || last < UINT64_MAX;
    reader->in_prints = reader->header.info.has_prints && !reader->is_part;
    if (reader->is_part)
        status = wld_file_seek(file, first, &reader->offset, diag);
    if (status == STATUS_OK)
        *out = reader;
    else
        wld_reader_destroy(reader);
    return status;
}

void wld_reader_forgive(struct wld_reader *reader, wld_damage_sink sink, void *context)
{
    reader->damage = sink;
    reader->damage_context = context;
}

void wld_reader_destroy(struct wld_reader *reader)
{
    free(reader);
}

const char *wld_reader_name(const struct wld_reader *reader)
{
    return reader->name;
}

const struct wld_info *wld_reader_info(const struct wld_reader *reader)
{
    return &reader->header.info;
}

/* Blocks ----------------------------------------------------------------------------------- */

/* Notes a sound block of version 2 for the index and the end. */
static bool note_block(struct wld_reader *reader, uint64_t at, const struct wld_block_head *head)
{
    struct wld_records records = reader->left;
    struct tally first;
    if (!wld_records_next(&records, &first))
        return false;
    uint64_t checksum = bytes_get_u64le(reader->block + WLD_BLOCK_HEAD + head->size);
    reader->index = wld_index_add(reader->index, (struct wld_entry){first.key, at});
    reader->found.digest = wld_digest_add(reader->found.digest, checksum);
    reader->found.blocks++;
    return true;
}

enum caxton_status wld_load_block(struct wld_reader *reader, struct wld_block_head *head,
                                  struct diag *diag)
{
    bool old = reader->header.version == 1;
    uint64_t at = reader->offset;
    enum caxton_status status = wld_read_exactly(reader, reader->block, WLD_BLOCK_HEAD, diag);
    if (status != STATUS_OK)
        return status;
    if (!wld_block_read_head(reader->block, old ? WLD_BLOCK_V1 : WLD_BLOCK_MAX, head))
        return wld_damaged(reader->name, at, "a block of an impossible size: the file is damaged",
                           diag);
    if (head->size == 0)
        return STATUS_OK;
    status = wld_read_exactly(reader, reader->block + WLD_BLOCK_HEAD,
                              head->size + (old ? 0 : WLD_CHECKSUM_SIZE), diag);
    if (status == STATUS_OK && old)
        status = wld_read_checksum(reader, "a block", diag);
    else if (status == STATUS_OK && !wld_block_is_sound(reader->block, head->size))
        return wld_damaged(reader->name, at,
                           "the checksum of a block is wrong: the file is damaged", diag);
    return status;
}

/* Reads the block of records at reader->offset: *head, whose size is 0 at the mark. */
static enum caxton_status load_records(struct wld_reader *reader, struct wld_block_head *head,
                                       struct diag *diag)
{
    uint64_t at = reader->offset;
    enum caxton_status status = wld_load_block(reader, head, diag);
    if (status != STATUS_OK || head->size == 0)
        return status;
    reader->block_at = at + WLD_BLOCK_HEAD;
    reader->left = wld_records_of(reader->block + WLD_BLOCK_HEAD, head);
    if (reader->header.version > 1 && !note_block(reader, at, head))
        return wld_damaged(reader->name, reader->block_at, "a record that no writer makes", diag);
    return STATUS_OK;
}

/* Reads the next block that is sound; STATUS_END when there is none and the end was right. */
static enum caxton_status read_block(struct wld_reader *reader, struct diag *diag)
{
    struct wld_block_head head = {0, 0};
    struct diag damage = {.text = ""};
    uint64_t at = reader->offset;
    enum caxton_status status = load_records(reader, &head, &damage);
    while (status == STATUS_FORMAT && reader->damage) {
        status = wld_file_skip(reader->file, reader->last.key, at, &reader->offset, &damage);
        if (status == STATUS_OK && reader->offset <= at)
            status = STATUS_FORMAT; /* the index leads back */
        if (status != STATUS_OK)
            break;
        reader->damage(reader->damage_context, &damage);
        reader->is_part = true;
        at = reader->offset;
        status = load_records(reader, &head, &damage);
    }
    if (status == STATUS_OK && head.size == 0)
        return wld_reader_finish(reader, diag);
    if (status != STATUS_OK && diag)
        *diag = damage;
    return status;
}

/* Fingerprints ----------------------------------------------------------------------------- */

/* Reads the next block of fingerprints; none at the mark. */
static enum caxton_status load_prints(struct wld_reader *reader, struct diag *diag)
{
    uint64_t at = reader->offset;
    struct wld_block_head head;
    enum caxton_status status = wld_load_block(reader, &head, diag);
    if (status != STATUS_OK)
        return status;
    if (head.size != head.records * PRINT_SIZE)
        return wld_damaged(reader->name, at, "a block of fingerprints of an impossible size", diag);
    if (head.size > 0)
        reader->found.digest = wld_digest_add(
            reader->found.digest, bytes_get_u64le(reader->block + WLD_BLOCK_HEAD + head.size));
    reader->prints = (size_t)head.records;
    reader->prints_left = reader->prints;
    reader->in_prints = head.size > 0;
    return STATUS_OK;
}

enum caxton_status wld_reader_next_print(void *context, struct fingerprint *out, struct diag *diag)
{
    struct wld_reader *reader = context;
    bool is_first = reader->prints == 0;
    if (reader->in_prints && reader->prints_left == 0) {
        enum caxton_status status = load_prints(reader, diag);
        if (status == STATUS_FORMAT)
            reader->is_part = true; /* the digest lacks a block: it is not compared with the end */
        if (status != STATUS_OK)
            return status;
    }
    if (!reader->in_prints)
        return STATUS_END;
    const uint8_t *block = reader->block + WLD_BLOCK_HEAD;
    const uint8_t *at = block + (reader->prints - reader->prints_left--) * PRINT_SIZE;
    struct fingerprint print = print_decode(at);
    if (!is_first && fingerprint_compare(reader->last_print, print) >= 0)
        return wld_damaged(reader->name, reader->offset, "fingerprints that do not ascend", diag);
    reader->last_print = print;
    *out = print;
    return STATUS_OK;
}

/* Reads on to where the records begin. Damage among the fingerprints harms no record. */
static enum caxton_status leave_prints(struct wld_reader *reader, struct diag *diag)
{
    struct fingerprint print;
    enum caxton_status status;
    while ((status = wld_reader_next_print(reader, &print, diag)) == STATUS_OK)
        continue;
    if (status == STATUS_FORMAT && reader->damage) {
        reader->in_prints = false;
        reader->is_part = true;
        return wld_file_seek(reader->file, 0, &reader->offset, diag);
    }
    return status == STATUS_END ? STATUS_OK : status;
}

/* Records ---------------------------------------------------------------------------------- */

static enum caxton_status next_record(struct wld_reader *reader, struct tally *out,
                                      struct diag *diag)
{
    while (reader->left.left == 0) {
        enum caxton_status status = read_block(reader, diag);
        if (status != STATUS_OK)
            return status;
    }
    uint64_t at = reader->block_at + (uint64_t)(reader->left.at - reader->left.start);
    struct tally tally;
    if (!wld_records_next(&reader->left, &tally) ||
        (reader->found.records > 0 && tally_compare(&reader->last, &tally) >= 0))
        return wld_damaged(reader->name, at, "a record that no writer makes", diag);
    reader->found.records++;
    reader->last = tally;
    *out = tally;
    return STATUS_OK;
}

enum caxton_status wld_reader_next(void *context, struct tally *out, struct diag *diag)
{
    struct wld_reader *reader = context;
    struct tally tally;
    enum caxton_status status = reader->in_prints ? leave_prints(reader, diag) : STATUS_OK;
    if (status != STATUS_OK)
        return status;
    do {
        if (reader->ended)
            return STATUS_END;
        status = next_record(reader, &tally, diag);
        if (status != STATUS_OK)
            return status;
    } while (tally.key < reader->first_key);
    reader->ended = tally.key > reader->last_key;
    if (reader->ended)
        return STATUS_END;
    *out = tally;
    return STATUS_OK;
}
