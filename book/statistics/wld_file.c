#include "book/statistics/wld_file.h"

#include <stdlib.h>

#include "base/bytes.h"
#include "base/xxh64.h"

struct wld_file {
    struct wld_blocks blocks;
    struct wld_header header;
};

/* Opening ---------------------------------------------------------------------------------- */

static enum caxton_status read_header(struct wld_file *file, struct diag *diag)
{
    uint8_t bytes[WLD_HEADER_MAX];
    const char *name = file->blocks.bytes.name;
    uint64_t size = file->blocks.bytes.size;
    size_t begin = size < WLD_MAGIC_SIZE ? (size_t)size : WLD_MAGIC_SIZE;
    enum caxton_status status = wld_bytes_read(&file->blocks.bytes, 0, bytes, begin, diag);
    if (status == STATUS_OK && !wld_is_magic(bytes, begin))
        return diag_fail(STATUS_NOT_FOUND, diag, "%s: this is no statistics file (.wld)", name);
    if (status == STATUS_OK)
        status = wld_bytes_read(&file->blocks.bytes, 0, bytes, WLD_START_SIZE, diag);
    if (status == STATUS_OK)
        status = wld_header_start(bytes, name, &file->header, diag);
    if (status == STATUS_OK)
        status = wld_bytes_read(&file->blocks.bytes, 0, bytes, file->header.size, diag);
    if (status == STATUS_OK)
        status = wld_header_finish(bytes, name, &file->header, diag);
    file->blocks.start = file->header.size;
    file->blocks.header = file->header.checksum;
    return status;
}

/* Reads what is to be known before the first look-up; takes `bytes`, and closes them when that
 * fails. */
static enum caxton_status start(struct wld_bytes *bytes, struct wld_file **out, struct diag *diag)
{
    struct wld_file *file = calloc(1, sizeof *file);
    if (!file) {
        (void)diag_fail(STATUS_NO_MEMORY, diag, "%s: out of memory", bytes->name);
        wld_bytes_close(bytes);
        return STATUS_NO_MEMORY;
    }
    file->blocks.bytes = *bytes;
    enum caxton_status status = read_header(file, diag);
    if (status == STATUS_OK)
        status = wld_blocks_read_end(&file->blocks, wld_foot_size(&file->header.info), diag);
    if (status == STATUS_OK)
        *out = file;
    else
        wld_file_close(file);
    return status;
}

enum caxton_status wld_file_open_memory(const void *bytes, size_t size, const char *name,
                                        struct wld_file **out, struct diag *diag)
{
    struct wld_bytes all;
    enum caxton_status status = wld_bytes_of_memory(bytes, size, name, &all, diag);
    return status == STATUS_OK ? start(&all, out, diag) : status;
}

enum caxton_status wld_file_open(const char *path, struct wld_file **out, struct diag *diag)
{
    struct wld_bytes all;
    enum caxton_status status = wld_bytes_open(path, &all, diag);
    return status == STATUS_OK ? start(&all, out, diag) : status;
}

void wld_file_close(struct wld_file *file)
{
    if (!file)
        return;
    wld_bytes_close(&file->blocks.bytes);
    free(file);
}

const struct wld_header *wld_file_header(const struct wld_file *file)
{
    return &file->header;
}

const char *wld_file_name(const struct wld_file *file)
{
    return file->blocks.bytes.name;
}

uint64_t wld_file_moves(const struct wld_file *file)
{
    return file->header.info.facets ? file->blocks.foot.more : file->blocks.foot.records;
}

uint64_t wld_file_records(const struct wld_file *file)
{
    return file->blocks.foot.records;
}

struct wld_identity wld_file_identity(const struct wld_file *file)
{
    return (struct wld_identity){file->blocks.header, file->blocks.foot};
}

/* Looking up ------------------------------------------------------------------------------- */

/* Gives the records of `key` to the sink. *last: the record before, without counts where none
 * was. *done: the block has a larger key. */
static enum caxton_status search_block(const struct wld_file *file, struct wld_records records,
                                       uint64_t key, tally_sink sink, void *context,
                                       struct tally *last, bool *done, struct diag *diag)
{
    const char *name = file->blocks.bytes.name;
    while (records.left > 0 && !*done) {
        struct tally tally;
        if (!wld_records_next(&records, &tally) ||
            (tally_is_countable(last) && tally_compare(last, &tally) >= 0))
            return diag_fail(STATUS_FORMAT, diag, "%s: a record that no writer makes", name);
        *last = tally;
        *done = tally.key > key;
        enum caxton_status status = tally.key == key ? sink(context, &tally) : STATUS_OK;
        if (status != STATUS_OK)
            return diag_fail(status, diag, "%s: %s", name, status_name(status));
    }
    return STATUS_OK;
}

/* Does the block begin as the index says? */
static bool begins_with(struct wld_records records, uint64_t key)
{
    struct tally first;
    return wld_records_next(&records, &first) && first.key == key;
}

enum caxton_status wld_file_find_facets(const struct wld_file *file, uint64_t key, tally_sink sink,
                                        void *context, struct diag *diag)
{
    uint8_t block[WLD_BLOCK_BYTES];
    struct wld_block_head head;
    struct wld_entry entry = {0, 0};
    struct tally last = {.key = 0};
    enum caxton_status status = wld_blocks_seek(&file->blocks, key, &entry, diag);
    uint64_t at = entry.value;
    for (bool done = false; status == STATUS_OK && !done;) {
        status = wld_blocks_read(&file->blocks, at, block, &head, diag);
        if (status != STATUS_OK || head.size == 0)
            break;
        struct wld_records records =
            wld_records_of(block + WLD_BLOCK_HEAD, &head, &file->header.info);
        if (at == entry.value && !begins_with(records, entry.key))
            return wld_damaged(file->blocks.bytes.name, at, "the index does not fit this block",
                               diag);
        status = search_block(file, records, key, sink, context, &last, &done, diag);
        at += WLD_BLOCK_HEAD + head.size + WLD_CHECKSUM_SIZE;
    }
    return status;
}

enum caxton_status wld_file_find(const struct wld_file *file, const struct position *pos,
                                 tally_sink sink, void *context, struct diag *diag)
{
    uint64_t keys[2];
    int count = movegen_keys(pos, keys);
    enum caxton_status status = STATUS_OK;
    for (int i = 0; i < count && status == STATUS_OK; i++)
        status = wld_file_find_facets(file, keys[i], sink, context, diag);
    return status;
}

enum caxton_status wld_moves_take(void *context, const struct tally *tally)
{
    struct wld_moves *moves = context;
    uint32_t month = facet_month(tally->facet);
    if (moves->filter && !facet_passes(moves->filter, tally->facet))
        return STATUS_OK;
    size_t i = moves->count; /* the tallies of a move follow each other */
    while (i > 0 && moves->sums[i - 1].move != tally->move)
        i--;
    if (i == 0 && moves->count == MOVES_MAX)
        return STATUS_OK;
    enum caxton_status status = STATUS_OK;
    if (i > 0) {
        i--;
        status = tally_add(&moves->sums[i], tally, NULL);
    } else {
        i = moves->count++;
        moves->sums[i] = *tally;
        moves->sums[i].facet = 0;
        moves->more[i] = (struct wld_move_more){.first = month, .last = month};
    }
    struct wld_move_more *more = &moves->more[i];
    more->rated += tally_rated(tally);
    if (month && (!more->first || month < more->first))
        more->first = month;
    if (month > more->last)
        more->last = month;
    return status;
}

/* Reading in order -------------------------------------------------------------------------- */

_Static_assert((int)WLD_HEADER_MAX >= (int)WLD_BLOCK_BYTES, "a reader holds a header or a block");

enum { READER_NAME_MAX = 120 };

struct wld_reader {
    wld_source source;
    void *context;
    const struct wld_file *file; /* is read instead of the source; NULL: none */
    uint64_t first_key;
    uint64_t last_key;
    wld_damage_sink damage; /* gets damaged blocks; NULL: they are errors */
    void *damage_context;
    struct wld_header header;
    uint64_t index;        /* of the entries that the index has to have so far */
    uint64_t offset;       /* of the next byte to be read */
    uint64_t block_at;     /* offset of the records in `block` */
    struct wld_foot found; /* what the end has to say so far */
    struct wld_records left;
    struct tally last;                 /* without its counts */
    const struct facet_filter *filter; /* NULL: all */
    struct tally ahead;                /* read for the move before it; without counts: none is */
    bool in_fingerprints;              /* what is read next are fingerprints */
    size_t prints; /* of those in `block`, the last of which are still to be read, */
    size_t fingerprints_left;
    struct fingerprint last_fingerprint;
    bool ended;
    bool is_part; /* only some of the blocks are read */
    char name[READER_NAME_MAX];
    uint8_t block[WLD_HEADER_MAX];
};

enum caxton_status wld_read_stream(void *stream, char *buffer, size_t capacity, size_t *size)
{
    *size = fread(buffer, 1, capacity, stream);
    return ferror((FILE *)stream) ? STATUS_IO : STATUS_OK;
}

/* Bytes ------------------------------------------------------------------------------------ */

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
    return STATUS_OK;
}

static enum caxton_status read_exactly(struct wld_reader *reader, uint8_t *to, size_t size,
                                       struct diag *diag)
{
    size_t got = size;
    enum caxton_status status;
    if (reader->file) {
        status = wld_bytes_read(&reader->file->blocks.bytes, reader->offset, to, size, diag);
        reader->offset += status == STATUS_OK ? size : 0;
    } else {
        status = read_some(reader, to, size, &got, diag);
    }
    if (status == STATUS_OK && got < size)
        return wld_damaged(reader->name, reader->offset, "the file is cut short", diag);
    return status;
}

/* Beginning -------------------------------------------------------------------------------- */

static enum caxton_status read_header_of(struct wld_reader *reader, struct diag *diag)
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
    reader->in_fingerprints = header.info.has_fingerprints;
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
    enum caxton_status status = read_header_of(reader, diag);
    if (status == STATUS_OK)
        *out = reader;
    else
        wld_reader_destroy(reader);
    return status;
}

/* Goes to the block where `key` may begin. */
static enum caxton_status seek(struct wld_reader *reader, uint64_t key, struct diag *diag)
{
    struct wld_entry entry;
    enum caxton_status status = wld_blocks_seek(&reader->file->blocks, key, &entry, diag);
    if (status == STATUS_OK)
        reader->offset = entry.value;
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
    reader->header = file->header;
    reader->offset = reader->header.size;
    reader->is_part = first > 0 || last < UINT64_MAX;
    reader->in_fingerprints = reader->header.info.has_fingerprints && !reader->is_part;
    if (reader->is_part)
        status = seek(reader, first, diag);
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

/* A sum over the entries of the index, with one more. */
static uint64_t index_add(uint64_t sum, struct wld_entry entry)
{
    uint8_t bytes[WLD_ENTRY_SIZE];
    bytes_put_le(bytes, entry.key, 8);
    bytes_put_le(bytes + 8, entry.value, 8);
    return xxh64(bytes, sizeof bytes, sum);
}

/* Notes a sound block for the index and the end. */
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

static enum caxton_status load_block(struct wld_reader *reader, struct wld_block_head *head,
                                     struct diag *diag)
{
    uint64_t at = reader->offset;
    enum caxton_status status = read_exactly(reader, reader->block, WLD_BLOCK_HEAD, diag);
    if (status != STATUS_OK)
        return status;
    if (!wld_block_read_head(reader->block, head))
        return wld_damaged(reader->name, at, "a block of an impossible size: the file is damaged",
                           diag);
    if (head->size == 0)
        return STATUS_OK;
    status =
        read_exactly(reader, reader->block + WLD_BLOCK_HEAD, head->size + WLD_CHECKSUM_SIZE, diag);
    if (status == STATUS_OK && !wld_block_is_sound(reader->block, head->size))
        return wld_damaged(reader->name, at,
                           "the checksum of a block is wrong: the file is damaged", diag);
    return status;
}

/* Reads the block of records at reader->offset: *head, whose size is 0 at the mark. */
static enum caxton_status load_records(struct wld_reader *reader, struct wld_block_head *head,
                                       struct diag *diag)
{
    uint64_t at = reader->offset;
    enum caxton_status status = load_block(reader, head, diag);
    if (status != STATUS_OK || head->size == 0)
        return status;
    reader->block_at = at + WLD_BLOCK_HEAD;
    reader->left = wld_records_of(reader->block + WLD_BLOCK_HEAD, head, &reader->header.info);
    if (!note_block(reader, at, head))
        return wld_damaged(reader->name, reader->block_at, "a record that no writer makes", diag);
    return STATUS_OK;
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
    uint8_t bytes[WLD_FOOT_MAX];
    size_t size = wld_foot_size(&reader->header.info);
    struct wld_foot foot;
    enum caxton_status status = read_index(reader, diag);
    uint64_t at = reader->offset;
    if (status == STATUS_OK)
        status = read_exactly(reader, bytes, size, diag);
    if (status != STATUS_OK)
        return status;
    if (!wld_foot_decode(bytes, size, reader->header.checksum, &foot))
        return wld_damaged(reader->name, at,
                           "the checksum of the end is wrong: the file is damaged", diag);
    if (foot.records != reader->found.records || foot.blocks != reader->found.blocks ||
        foot.digest != reader->found.digest)
        return wld_damaged(reader->name, at, "the end does not fit the blocks", diag);
    return STATUS_OK;
}

/* Reads what follows the last block. STATUS_END when all of it was right. */
static enum caxton_status finish(struct wld_reader *reader, struct diag *diag)
{
    uint8_t more;
    size_t got = 0;
    enum caxton_status status = STATUS_OK;
    if (!reader->is_part)
        status = read_end(reader, diag);
    if (status == STATUS_OK && !reader->file)
        status = read_some(reader, &more, 1, &got, diag);
    if (status == STATUS_OK && got > 0)
        return wld_damaged(reader->name, reader->offset - 1, "more follows after the end", diag);
    reader->ended = status == STATUS_OK;
    return status == STATUS_OK ? STATUS_END : status;
}

/* Reads the next block that is sound; STATUS_END when there is none and the end was right. */
static enum caxton_status read_block(struct wld_reader *reader, struct diag *diag)
{
    struct wld_block_head head = {0, 0};
    struct diag damage = {.text = ""};
    uint64_t at = reader->offset;
    enum caxton_status status = load_records(reader, &head, &damage);
    while (status == STATUS_FORMAT && reader->damage) {
        status =
            wld_blocks_skip(&reader->file->blocks, reader->last.key, at, &reader->offset, &damage);
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
        return finish(reader, diag);
    if (status != STATUS_OK && diag)
        *diag = damage;
    return status;
}

/* Fingerprints ----------------------------------------------------------------------------- */

/* Reads the next block of fingerprints; none at the mark. */
static enum caxton_status load_fingerprints(struct wld_reader *reader, struct diag *diag)
{
    uint64_t at = reader->offset;
    struct wld_block_head head;
    enum caxton_status status = load_block(reader, &head, diag);
    if (status != STATUS_OK)
        return status;
    if (head.size != head.records * WLD_FINGERPRINT_SIZE)
        return wld_damaged(reader->name, at, "a block of fingerprints of an impossible size", diag);
    if (head.size > 0)
        reader->found.digest = wld_digest_add(
            reader->found.digest, bytes_get_u64le(reader->block + WLD_BLOCK_HEAD + head.size));
    reader->prints = (size_t)head.records;
    reader->fingerprints_left = reader->prints;
    reader->in_fingerprints = head.size > 0;
    return STATUS_OK;
}

enum caxton_status wld_reader_next_fingerprint(void *context, struct fingerprint *out,
                                               struct diag *diag)
{
    struct wld_reader *reader = context;
    bool is_first = reader->prints == 0;
    if (reader->in_fingerprints && reader->fingerprints_left == 0) {
        enum caxton_status status = load_fingerprints(reader, diag);
        if (status == STATUS_FORMAT)
            reader->is_part = true; /* the digest lacks a block: it is not compared with the end */
        if (status != STATUS_OK)
            return status;
    }
    if (!reader->in_fingerprints)
        return STATUS_END;
    const uint8_t *block = reader->block + WLD_BLOCK_HEAD;
    const uint8_t *at =
        block + (reader->prints - reader->fingerprints_left--) * WLD_FINGERPRINT_SIZE;
    struct fingerprint print = (struct fingerprint){bytes_get_u64le(at), bytes_get_u64le(at + 8)};
    if (!is_first && fingerprint_compare(reader->last_fingerprint, print) >= 0)
        return wld_damaged(reader->name, reader->offset, "fingerprints that do not ascend", diag);
    reader->last_fingerprint = print;
    *out = print;
    return STATUS_OK;
}

/* Reads on to where the records begin. Damage among the fingerprints harms no record. */
static enum caxton_status leave_fingerprints(struct wld_reader *reader, struct diag *diag)
{
    struct fingerprint print;
    enum caxton_status status;
    while ((status = wld_reader_next_fingerprint(reader, &print, diag)) == STATUS_OK)
        continue;
    if (status == STATUS_FORMAT && reader->damage) {
        reader->in_fingerprints = false;
        reader->is_part = true;
        return seek(reader, 0, diag);
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
    if (!wld_records_next(&reader->left, out) ||
        (reader->found.records > 0 && tally_compare(&reader->last, out) >= 0))
        return wld_damaged(reader->name, at, "a record that no writer makes", diag);
    reader->found.records++;
    reader->last.key = out->key;
    reader->last.facet = out->facet;
    reader->last.move = out->move;
    return STATUS_OK;
}

enum caxton_status wld_reader_next_facet(void *context, struct tally *out, struct diag *diag)
{
    struct wld_reader *reader = context;
    enum caxton_status status =
        reader->in_fingerprints ? leave_fingerprints(reader, diag) : STATUS_OK;
    if (status != STATUS_OK)
        return status;
    do {
        if (reader->ended)
            return STATUS_END;
        status = next_record(reader, out, diag);
        if (status != STATUS_OK)
            return status;
    } while (out->key < reader->first_key ||
             (reader->filter && !facet_passes(reader->filter, out->facet)));
    reader->ended = out->key > reader->last_key;
    return reader->ended ? STATUS_END : STATUS_OK;
}

void wld_reader_filter(struct wld_reader *reader, const struct facet_filter *filter)
{
    reader->filter = reader->header.info.facets ? filter : NULL;
}

const struct facet_filter *wld_reader_filtered(const struct wld_reader *reader)
{
    return reader->filter;
}

enum caxton_status wld_reader_next(void *context, struct tally *out, struct diag *diag)
{
    struct wld_reader *reader = context;
    struct tally next = reader->ahead;
    enum caxton_status status = STATUS_OK;
    if (!reader->header.info.facets)
        return wld_reader_next_facet(reader, out, diag);
    if (!tally_is_countable(&next))
        status = wld_reader_next_facet(reader, &next, diag);
    if (status != STATUS_OK)
        return status;
    *out = next;
    out->facet = 0;
    reader->ahead = (struct tally){.key = 0};
    while ((status = wld_reader_next_facet(reader, &next, diag)) == STATUS_OK &&
           tally_is_same_move(out, &next)) {
        status = tally_add(out, &next, diag);
        if (status != STATUS_OK)
            return status;
    }
    if (status == STATUS_OK)
        reader->ahead = next;
    return status == STATUS_END ? STATUS_OK : status; /* the end is said after the last move */
}

enum caxton_status wld_reader_give(struct wld_reader *reader, tally_sink sink, void *context,
                                   struct diag *diag)
{
    struct tally tally;
    enum caxton_status status;
    while ((status = wld_reader_next(reader, &tally, diag)) == STATUS_OK) {
        status = sink(context, &tally);
        if (status != STATUS_OK)
            return status;
    }
    return status == STATUS_END ? STATUS_OK : status;
}
