#include "book/statistics/wld_file.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "book/statistics/wld_pages.h"

struct wld_file {
    struct wld_bytes bytes;
    struct wld_header header;
    struct wld_foot foot;
    uint64_t blocks_end; /* where the mark behind the last block is */
    struct wld_pages index;
};

/* Opening ---------------------------------------------------------------------------------- */

static enum caxton_status read_header(struct wld_file *file, struct diag *diag)
{
    uint8_t bytes[WLD_HEADER_MAX];
    const char *name = file->bytes.name;
    uint64_t size = file->bytes.size;
    size_t begin = size < WLD_MAGIC_SIZE ? (size_t)size : WLD_MAGIC_SIZE;
    enum caxton_status status = wld_bytes_read(&file->bytes, 0, bytes, begin, diag);
    if (status == STATUS_OK && !wld_is_magic(bytes, begin))
        return diag_fail(STATUS_NOT_FOUND, diag, "%s: this is no statistics file (.wld)", name);
    if (status == STATUS_OK)
        status = wld_bytes_read(&file->bytes, 0, bytes, WLD_START_SIZE, diag);
    if (status == STATUS_OK)
        status = wld_header_start(bytes, name, &file->header, diag);
    if (status == STATUS_OK && file->header.version == 1)
        return diag_fail(STATUS_NOT_FOUND, diag, "%s: version 1, without an index", name);
    if (status == STATUS_OK)
        status = wld_bytes_read(&file->bytes, 0, bytes, file->header.size, diag);
    return status == STATUS_OK ? wld_header_finish(bytes, name, &file->header, diag) : status;
}

/* The index ends where the foot begins, so that its place follows from its size. */
static enum caxton_status read_foot(struct wld_file *file, struct diag *diag)
{
    uint8_t bytes[WLD_FOOT_SIZE];
    uint64_t size = file->bytes.size;
    uint64_t least = file->header.size + WLD_BLOCK_HEAD + WLD_FOOT_SIZE;
    if (size < least)
        return wld_damaged(file->bytes.name, size, "the file is cut short", diag);
    uint64_t at = size - WLD_FOOT_SIZE;
    enum caxton_status status = wld_bytes_read(&file->bytes, at, bytes, sizeof bytes, diag);
    if (status != STATUS_OK)
        return status;
    bool sound = wld_foot_decode(bytes, file->header.checksum, &file->foot);
    if (!sound || file->foot.blocks > size / WLD_ENTRY_SIZE ||
        wld_pages_size(file->foot.blocks) > size - least ||
        file->foot.records / (WLD_BLOCK_MAX / WLD_RECORD_MIN) > file->foot.blocks)
        return wld_damaged(file->bytes.name, at,
                           "the end of the file is damaged, or the file is cut short", diag);
    file->index.count = file->foot.blocks;
    file->index.at = at - wld_pages_size(file->foot.blocks);
    file->blocks_end = file->index.at - WLD_BLOCK_HEAD;
    return STATUS_OK;
}

/* Reads what is to be known before the first look-up; closes the file when that fails. */
static enum caxton_status start(struct wld_file *file, struct wld_file **out, struct diag *diag)
{
    enum caxton_status status = read_header(file, diag);
    if (status == STATUS_OK)
        status = read_foot(file, diag);
    if (status == STATUS_OK)
        *out = file;
    else
        wld_file_close(file);
    return status;
}

static struct wld_file *create(const char *name)
{
    struct wld_file *file = calloc(1, sizeof *file);
    char *copy = strdup(name);
    if (!file || !copy) {
        free(file);
        free(copy);
        return NULL;
    }
    file->bytes.name = copy;
    return file;
}

enum caxton_status wld_file_open_memory(const void *bytes, size_t size, const char *name,
                                        struct wld_file **out, struct diag *diag)
{
    struct wld_file *file = create(name);
    if (!file)
        return diag_fail(STATUS_NO_MEMORY, diag, "%s: out of memory", name);
    file->bytes.memory = bytes;
    file->bytes.size = size;
    return start(file, out, diag);
}

enum caxton_status wld_file_open(const char *path, struct wld_file **out, struct diag *diag)
{
    struct raw_file raw;
    struct diag reason = {.text = ""};
    if (file_kind_of(path, NULL) != FILE_REGULAR)
        return diag_fail(STATUS_NOT_FOUND, diag, "%s: not a file", path);
    if (raw_file_open(path, &raw, &reason) != STATUS_OK)
        return diag_fail(STATUS_IO, diag, "%s: %s", path, reason.text);
    struct wld_file *file = create(path);
    if (!file) {
        raw_file_close(&raw);
        return diag_fail(STATUS_NO_MEMORY, diag, "%s: out of memory", path);
    }
    file->bytes.file = raw;
    file->bytes.size = raw.size;
    return start(file, out, diag);
}

void wld_file_close(struct wld_file *file)
{
    if (!file)
        return;
    if (!file->bytes.memory)
        raw_file_close(&file->bytes.file);
    free(file->bytes.name);
    free(file);
}

const struct wld_header *wld_file_header(const struct wld_file *file)
{
    return &file->header;
}

const char *wld_file_name(const struct wld_file *file)
{
    return file->bytes.name;
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
    const char *name = file->bytes.name;
    if (at < file->header.size || at > file->blocks_end)
        return wld_damaged(name, at, "no block can be here: the index is damaged", diag);
    /* One read, of as much as a block can be. */
    uint64_t left = file->blocks_end + WLD_BLOCK_HEAD - at;
    size_t size = left < WLD_BLOCK_BYTES ? (size_t)left : WLD_BLOCK_BYTES;
    struct wld_block_head found;
    enum caxton_status status = wld_bytes_read(&file->bytes, at, block, size, diag);
    if (status != STATUS_OK)
        return status;
    if (!wld_block_read_head(block, WLD_BLOCK_MAX, &found) ||
        (found.size == 0) != (at == file->blocks_end) ||
        (found.size > 0 && found.size + WLD_BLOCK_HEAD + WLD_CHECKSUM_SIZE > size))
        return wld_damaged(name, at, "a block of an impossible size: the file is damaged", diag);
    if (found.size > 0 && !wld_block_is_sound(block, found.size))
        return wld_damaged(name, at, "the checksum of a block is wrong: the file is damaged", diag);
    *head = found;
    return STATUS_OK;
}

enum caxton_status wld_file_read(const struct wld_file *file, uint64_t at, void *out, size_t size,
                                 struct diag *diag)
{
    return wld_bytes_read(&file->bytes, at, out, size, diag);
}

/* The block where `key` may begin, by the index: its place and its first key. */
static enum caxton_status seek(const struct wld_file *file, uint64_t key, struct wld_entry *entry,
                               struct diag *diag)
{
    uint64_t rank = 0;
    struct wld_entry found = {0, 0};
    /* The last block that begins with a smaller key may end with this one. */
    const struct wld_entry before = {key - 1, UINT64_MAX};
    enum caxton_status status = STATUS_OK;
    if (key > 0)
        status = wld_pages_rank(&file->bytes, &file->index, before, &rank, &found, diag);
    if (status == STATUS_OK && rank == 0 && file->index.count > 0)
        status = wld_pages_at(&file->bytes, &file->index, 0, &found, diag);
    else if (status == STATUS_OK && rank == 0)
        found.value = file->blocks_end;
    if (status == STATUS_OK)
        *entry = found;
    return status;
}

enum caxton_status wld_file_seek(const struct wld_file *file, uint64_t key, uint64_t *at,
                                 struct diag *diag)
{
    struct wld_entry entry;
    enum caxton_status status = seek(file, key, &entry, diag);
    if (status == STATUS_OK)
        *at = entry.value;
    return status;
}

enum caxton_status wld_file_skip(const struct wld_file *file, uint64_t key, uint64_t at,
                                 uint64_t *next, struct diag *diag)
{
    struct wld_entry entry = {0, 0};
    const struct wld_entry here = {key, at};
    uint64_t rank = 0;
    enum caxton_status status =
        wld_pages_rank(&file->bytes, &file->index, here, &rank, &entry, diag);
    while (status == STATUS_OK && entry.value <= at && rank < file->index.count)
        status = wld_pages_at(&file->bytes, &file->index, rank++, &entry, diag);
    if (status == STATUS_OK)
        *next = entry.value > at ? entry.value : file->blocks_end;
    return status;
}

/* Looking up ------------------------------------------------------------------------------- */

/* Gives the records of `key` to the sink. *done: the block has a larger key. */
static enum caxton_status search_block(const struct wld_file *file, struct wld_records records,
                                       uint64_t key, tally_sink sink, void *context, bool *done,
                                       struct diag *diag)
{
    const char *name = file->bytes.name;
    struct tally tally;
    while (records.left > 0 && !*done) {
        if (!wld_records_next(&records, &tally))
            return diag_fail(STATUS_FORMAT, diag, "%s: a record that no writer makes", name);
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
    enum caxton_status status = seek(file, key, &entry, diag);
    uint64_t at = entry.value;
    for (bool done = false; status == STATUS_OK && !done;) {
        status = wld_file_block(file, at, block, &head, diag);
        if (status != STATUS_OK || head.size == 0)
            break;
        struct wld_records records = wld_records_of(block + WLD_BLOCK_HEAD, &head);
        if (at == entry.value && !begins_with(records, entry.key))
            return wld_damaged(file->bytes.name, at, "the index does not fit this block", diag);
        status = search_block(file, records, key, sink, context, &done, diag);
        at += WLD_BLOCK_HEAD + head.size + WLD_CHECKSUM_SIZE;
    }
    return status;
}
