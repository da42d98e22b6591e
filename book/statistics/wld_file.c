#include "book/statistics/wld_file.h"

#include <stdlib.h>

#include "book/statistics/wld_blocks.h"

struct wld_file {
    struct wld_blocks blocks;
    struct wld_header header;
    struct wld_foot foot;
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
    if (status == STATUS_OK && file->header.version == 1)
        return diag_fail(STATUS_NOT_FOUND, diag, "%s: version 1, without an index", name);
    if (status == STATUS_OK)
        status = wld_bytes_read(&file->blocks.bytes, 0, bytes, file->header.size, diag);
    return status == STATUS_OK ? wld_header_finish(bytes, name, &file->header, diag) : status;
}

static enum caxton_status read_foot(struct wld_file *file, struct diag *diag)
{
    uint8_t bytes[WLD_FOOT_SIZE];
    const char *name = file->blocks.bytes.name;
    uint64_t size = file->blocks.bytes.size;
    file->blocks.start = file->header.size;
    if (size < file->header.size + WLD_BLOCK_HEAD + WLD_FOOT_SIZE)
        return wld_damaged(name, size, "the file is cut short", diag);
    uint64_t at = size - WLD_FOOT_SIZE;
    enum caxton_status status = wld_bytes_read(&file->blocks.bytes, at, bytes, sizeof bytes, diag);
    if (status != STATUS_OK)
        return status;
    if (!wld_foot_decode(bytes, file->header.checksum, &file->foot) ||
        !wld_blocks_place(&file->blocks, file->foot.blocks, at) ||
        file->foot.records / (WLD_BLOCK_MAX / WLD_RECORD_MIN) > file->foot.blocks)
        return wld_damaged(name, at, "the end of the file is damaged, or the file is cut short",
                           diag);
    return STATUS_OK;
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
        status = read_foot(file, diag);
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

uint64_t wld_file_records(const struct wld_file *file)
{
    return file->foot.records;
}

struct wld_identity wld_file_identity(const struct wld_file *file)
{
    return (struct wld_identity){.header = file->header.checksum, .foot = file->foot};
}

bool wld_identity_is_equal(const struct wld_identity *a, const struct wld_identity *b)
{
    return a->header == b->header && a->foot.records == b->foot.records &&
           a->foot.blocks == b->foot.blocks && a->foot.digest == b->foot.digest;
}

/* Blocks ----------------------------------------------------------------------------------- */

enum caxton_status wld_file_block(const struct wld_file *file, uint64_t at, uint8_t *block,
                                  struct wld_block_head *head, struct diag *diag)
{
    return wld_blocks_read(&file->blocks, at, block, head, diag);
}

enum caxton_status wld_file_read(const struct wld_file *file, uint64_t at, void *out, size_t size,
                                 struct diag *diag)
{
    return wld_bytes_read(&file->blocks.bytes, at, out, size, diag);
}

enum caxton_status wld_file_seek(const struct wld_file *file, uint64_t key, uint64_t *at,
                                 struct diag *diag)
{
    struct wld_entry entry;
    enum caxton_status status = wld_blocks_seek(&file->blocks, key, &entry, diag);
    if (status == STATUS_OK)
        *at = entry.value;
    return status;
}

enum caxton_status wld_file_skip(const struct wld_file *file, uint64_t key, uint64_t at,
                                 uint64_t *next, struct diag *diag)
{
    struct wld_entry entry = {0, 0};
    const struct wld_entry here = {key, at};
    const struct wld_pages *index = &file->blocks.index;
    uint64_t low = 0; /* entries before this one are not behind `at`; */
    uint64_t found = file->blocks.end;
    enum caxton_status status =
        wld_pages_rank(&file->blocks.bytes, index, here, &low, &entry, diag);
    /* Many may be of damaged blocks before it: steps that double, then halve. */
    for (uint64_t step = 0, high = index->count; status == STATUS_OK && low < high;) {
        uint64_t middle = low + (step < high - low ? step : (high - low) / 2);
        status = wld_pages_at(&file->blocks.bytes, index, middle, &entry, diag);
        if (entry.value > at) {
            high = middle;
            found = entry.value;
        } else {
            low = middle + 1;
            step = 2 * step + 1;
        }
    }
    if (status == STATUS_OK)
        *next = found;
    return status;
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
            (wld_is_countable(last) && tally_compare(last, &tally) >= 0))
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

enum caxton_status wld_file_find(const struct wld_file *file, uint64_t key, tally_sink sink,
                                 void *context, struct diag *diag)
{
    uint8_t block[WLD_BLOCK_BYTES];
    struct wld_block_head head;
    struct wld_entry entry = {0, 0};
    struct tally last = {.key = 0};
    enum caxton_status status = wld_blocks_seek(&file->blocks, key, &entry, diag);
    uint64_t at = entry.value;
    for (bool done = false; status == STATUS_OK && !done;) {
        status = wld_file_block(file, at, block, &head, diag);
        if (status != STATUS_OK || head.size == 0)
            break;
        struct wld_records records = wld_records_of(block + WLD_BLOCK_HEAD, &head);
        if (at == entry.value && !begins_with(records, entry.key))
            return wld_damaged(file->blocks.bytes.name, at, "the index does not fit this block",
                               diag);
        status = search_block(file, records, key, sink, context, &last, &done, diag);
        at += WLD_BLOCK_HEAD + head.size + WLD_CHECKSUM_SIZE;
    }
    return status;
}
