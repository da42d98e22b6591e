#include "book/statistics/wld.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/bytes.h"
#include "base/checksum.h"
#include "base/xxh64.h"
#include "book/statistics/wld_file.h"
#include "book/statistics/wld_pages.h"

enum { NAME_MAX_BYTES = 120 };

enum caxton_status wld_read_stream(void *stream, char *buffer, size_t capacity, size_t *size)
{
    *size = fread(buffer, 1, capacity, stream);
    return ferror((FILE *)stream) ? STATUS_IO : STATUS_OK;
}

struct wld_reader {
    wld_source source;
    void *context;
    const struct wld_file *file; /* is read instead of the source; NULL: none */
    uint64_t first_key;
    uint64_t last_key;
    wld_damage_sink damage; /* gets damaged blocks; NULL: they are errors */
    void *damage_context;
    struct wld_header header;
    uint64_t checksum;     /* of version 1: of all bytes so far */
    uint64_t index;        /* of the entries that the index has to have so far */
    uint64_t offset;       /* of the next byte to be read */
    uint64_t block_at;     /* offset of the records in `block` */
    struct wld_foot found; /* what the end has to say so far */
    struct wld_records left;
    struct tally last;
    bool ended;
    bool is_part; /* only some of the blocks are read */
    char name[NAME_MAX_BYTES];
    uint8_t block[WLD_BLOCK_HEAD + WLD_BLOCK_V1 + WLD_CHECKSUM_SIZE];
};

/* Bytes ------------------------------------------------------------------------------------ */

/* Reads what it can of `size` bytes; *got is less only at the end of the file. */
static enum caxton_status read_some(struct wld_reader *reader, uint8_t *to, size_t size,
                                    size_t *got, struct diag *diag)
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

static enum caxton_status read_exactly(struct wld_reader *reader, uint8_t *to, size_t size,
                                       struct diag *diag)
{
    size_t got = size;
    enum caxton_status status;
    if (reader->file) {
        status = wld_file_read(reader->file, reader->offset, to, size, diag);
        reader->offset += status == STATUS_OK ? size : 0;
    } else {
        status = read_some(reader, to, size, &got, diag);
    }
    if (status == STATUS_OK && got < size)
        return wld_damaged(reader->name, reader->offset, "the file is cut short", diag);
    return status;
}

/* Of version 1: the checksum of all that was read. */
static enum caxton_status read_checksum(struct wld_reader *reader, const char *of,
                                        struct diag *diag)
{
    uint8_t bytes[WLD_CHECKSUM_SIZE];
    uint64_t expected = reader->checksum;
    enum caxton_status status = read_exactly(reader, bytes, sizeof bytes, diag);
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
    enum caxton_status status = read_some(reader, bytes, WLD_MAGIC_SIZE, &got, diag);
    if (status == STATUS_OK && !wld_is_magic(bytes, got))
        return diag_fail(STATUS_NOT_FOUND, diag, "%s: this is no statistics file (.wld)",
                         reader->name);
    if (status == STATUS_OK)
        status =
            read_exactly(reader, bytes + WLD_MAGIC_SIZE, WLD_START_SIZE - WLD_MAGIC_SIZE, diag);
    struct wld_header header;
    if (status == STATUS_OK)
        status = wld_header_start(bytes, reader->name, &header, diag);
    if (status == STATUS_OK)
        status = read_exactly(reader, bytes + WLD_START_SIZE, header.size - WLD_START_SIZE, diag);
    if (status == STATUS_OK)
        status = wld_header_finish(bytes, reader->name, &header, diag);
    if (status != STATUS_OK)
        return status;
    reader->header = header;
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
    if (first > 0)
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

const struct wld_info *wld_reader_info(const struct wld_reader *reader)
{
    return &reader->header.info;
}

/* End -------------------------------------------------------------------------------------- */

static enum caxton_status read_end_v1(struct wld_reader *reader, struct diag *diag)
{
    uint8_t bytes[8];
    uint64_t at = reader->offset;
    enum caxton_status status = read_exactly(reader, bytes, sizeof bytes, diag);
    if (status == STATUS_OK)
        status = read_checksum(reader, "the whole file", diag);
    if (status == STATUS_OK && bytes_get_u64le(bytes) != reader->found.records)
        return wld_damaged(reader->name, at, "the number of records is wrong", diag);
    return status;
}

static uint64_t index_add(uint64_t sum, struct wld_entry entry)
{
    uint8_t bytes[WLD_ENTRY_SIZE];
    bytes_put_le(bytes, entry.key, 8);
    bytes_put_le(bytes + 8, entry.value, 8);
    return xxh64(bytes, sizeof bytes, sum);
}

/* Reads the index: it has to name the blocks that were read. */
static enum caxton_status read_index(struct wld_reader *reader, struct diag *diag)
{
    struct wld_entry entries[WLD_PAGE_ENTRIES];
    uint64_t sum = 0;
    uint64_t start = reader->offset;
    for (uint64_t left = reader->found.blocks; left > 0;) {
        size_t count = left < WLD_PAGE_ENTRIES ? (size_t)left : WLD_PAGE_ENTRIES;
        uint64_t at = reader->offset;
        size_t size = count * WLD_ENTRY_SIZE + WLD_CHECKSUM_SIZE;
        enum caxton_status status = read_exactly(reader, reader->block, size, diag);
        if (status != STATUS_OK)
            return status;
        if (!wld_page_decode(reader->block, count, entries))
            return wld_damaged(reader->name, at, "the checksum of a page of the index is wrong",
                               diag);
        for (size_t i = 0; i < count; i++)
            sum = index_add(sum, entries[i]);
        left -= count;
    }
    if (sum != reader->index)
        return wld_damaged(reader->name, start, "the index does not fit the blocks", diag);
    return STATUS_OK;
}

static enum caxton_status read_end(struct wld_reader *reader, struct diag *diag)
{
    uint8_t bytes[WLD_FOOT_SIZE];
    struct wld_foot foot;
    enum caxton_status status = read_index(reader, diag);
    uint64_t at = reader->offset;
    if (status == STATUS_OK)
        status = read_exactly(reader, bytes, sizeof bytes, diag);
    if (status != STATUS_OK)
        return status;
    if (!wld_foot_decode(bytes, reader->header.checksum, &foot))
        return wld_damaged(reader->name, at,
                           "the checksum of the end is wrong: the file is damaged", diag);
    if (foot.records != reader->found.records || foot.blocks != reader->found.blocks ||
        foot.digest != reader->found.digest)
        return wld_damaged(reader->name, at, "the end does not fit the blocks", diag);
    return STATUS_OK;
}

/* STATUS_END when the end was right. */
static enum caxton_status finish(struct wld_reader *reader, struct diag *diag)
{
    uint8_t more;
    size_t got = 0;
    enum caxton_status status = STATUS_OK;
    if (!reader->is_part)
        status = (reader->header.version == 1 ? read_end_v1 : read_end)(reader, diag);
    if (status == STATUS_OK && !reader->file)
        status = read_some(reader, &more, 1, &got, diag);
    if (status == STATUS_OK && got > 0)
        return wld_damaged(reader->name, reader->offset - 1, "more follows after the end", diag);
    reader->ended = status == STATUS_OK;
    return status == STATUS_OK ? STATUS_END : status;
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
    reader->index = index_add(reader->index, (struct wld_entry){first.key, at});
    reader->found.digest = wld_digest_add(reader->found.digest, checksum);
    reader->found.blocks++;
    return true;
}

/* Reads the block at reader->offset: *head, whose size is 0 at the mark. */
static enum caxton_status load_block(struct wld_reader *reader, struct wld_block_head *head,
                                     struct diag *diag)
{
    bool old = reader->header.version == 1;
    uint8_t *records = reader->block + WLD_BLOCK_HEAD;
    uint64_t at = reader->offset;
    enum caxton_status status = read_exactly(reader, reader->block, WLD_BLOCK_HEAD, diag);
    if (status != STATUS_OK)
        return status;
    if (!wld_block_read_head(reader->block, old ? WLD_BLOCK_V1 : WLD_BLOCK_MAX, head))
        return wld_damaged(reader->name, at, "a block of an impossible size: the file is damaged",
                           diag);
    if (head->size == 0)
        return STATUS_OK;
    status = read_exactly(reader, records, head->size + (old ? 0 : WLD_CHECKSUM_SIZE), diag);
    if (status == STATUS_OK && old)
        status = read_checksum(reader, "a block", diag);
    else if (status == STATUS_OK && !wld_block_is_sound(reader->block, head->size))
        return wld_damaged(reader->name, at,
                           "the checksum of a block is wrong: the file is damaged", diag);
    if (status != STATUS_OK)
        return status;
    reader->block_at = at + WLD_BLOCK_HEAD;
    reader->left = wld_records_of(records, head);
    if (!old && !note_block(reader, at, head))
        return wld_damaged(reader->name, reader->block_at, "a record that no writer makes", diag);
    return STATUS_OK;
}

/* Reads the next block that is sound; STATUS_END when there is none and the end was right. */
static enum caxton_status read_block(struct wld_reader *reader, struct diag *diag)
{
    struct wld_block_head head = {0, 0};
    struct diag damage = {.text = ""};
    uint64_t at = reader->offset;
    enum caxton_status status = load_block(reader, &head, &damage);
    while (status == STATUS_FORMAT && reader->damage) {
        status = wld_file_skip(reader->file, reader->last.key, at, &reader->offset, &damage);
        if (status == STATUS_OK && reader->offset <= at)
            status = STATUS_FORMAT; /* the index leads back */
        if (status != STATUS_OK)
            break;
        reader->damage(reader->damage_context, &damage);
        reader->is_part = true;
        at = reader->offset;
        status = load_block(reader, &head, &damage);
    }
    if (status == STATUS_OK && head.size == 0)
        return finish(reader, diag);
    if (status != STATUS_OK && diag)
        *diag = damage;
    return status;
}

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
    do {
        if (reader->ended)
            return STATUS_END;
        enum caxton_status status = next_record(reader, &tally, diag);
        if (status != STATUS_OK)
            return status;
    } while (tally.key < reader->first_key);
    reader->ended = tally.key > reader->last_key;
    if (reader->ended)
        return STATUS_END;
    *out = tally;
    return STATUS_OK;
}
