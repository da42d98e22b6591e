#include "book/statistics/wld_blocks.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/bytes.h"
#include "base/file.h"
#include "base/xxh64.h"

enum caxton_status wld_damaged(const char *name, uint64_t offset, const char *what,
                               struct diag *diag)
{
    diag_set(diag, 0, 0, "%s: byte %llu: %s", name, (unsigned long long)offset, what);
    if (diag)
        diag->offset = (size_t)offset;
    return STATUS_FORMAT;
}

/* Bytes ------------------------------------------------------------------------------------ */

enum caxton_status wld_bytes_of_memory(const void *memory, size_t size, const char *name,
                                       struct wld_bytes *out, struct diag *diag)
{
    struct wld_bytes bytes = {.name = strdup(name), .memory = memory, .size = size};
    if (!bytes.name)
        return diag_fail(STATUS_NO_MEMORY, diag, "%s: out of memory", name);
    *out = bytes;
    return STATUS_OK;
}

enum caxton_status wld_bytes_open(const char *path, struct wld_bytes *out, struct diag *diag)
{
    struct wld_bytes bytes = {.name = NULL};
    struct diag reason = {.text = ""};
    enum file_kind kind = file_kind_of(path, NULL);
    if (kind == FILE_FOLDER || kind == FILE_OTHER)
        return diag_fail(STATUS_NOT_FOUND, diag, "%s: is a %s, not a file", path,
                         kind == FILE_FOLDER ? "folder" : "pipe or a device");
    if (raw_file_open(path, &bytes.file, &reason) != STATUS_OK)
        return diag_fail(kind == FILE_ABSENT ? STATUS_NOT_FOUND : STATUS_IO, diag, "%s: %s", path,
                         reason.text);
    bytes.size = bytes.file.size;
    bytes.name = strdup(path);
    if (!bytes.name) {
        raw_file_close(&bytes.file);
        return diag_fail(STATUS_NO_MEMORY, diag, "%s: out of memory", path);
    }
    *out = bytes;
    return STATUS_OK;
}

void wld_bytes_close(struct wld_bytes *bytes)
{
    if (!bytes->memory)
        raw_file_close(&bytes->file);
    free(bytes->name);
}

enum caxton_status wld_bytes_read(const struct wld_bytes *bytes, uint64_t start, void *out,
                                  size_t size, struct diag *diag)
{
    if (start > bytes->size || size > bytes->size - start)
        return wld_damaged(bytes->name, start, "the file is cut short", diag);
    if (bytes->memory) {
        memcpy(out, bytes->memory + start, size);
        return STATUS_OK;
    }
    struct diag reason = {.text = ""};
    enum caxton_status status = raw_file_read_at(&bytes->file, start, out, size, &reason);
    if (status != STATUS_OK)
        diag_set(diag, 0, 0, "%s: %s", bytes->name, reason.text);
    return status;
}

/* Parts ------------------------------------------------------------------------------------ */

bool wld_block_read_head(const uint8_t bytes[WLD_BLOCK_HEAD], struct wld_block_head *out)
{
    uint64_t size = bytes_get_u32le(bytes);
    uint64_t records = bytes_get_u32le(bytes + 4);
    bool is_end = size == 0 && records == 0;
    if (!is_end && (size > WLD_BLOCK_MAX || records == 0 || records > size / WLD_RECORD_MIN))
        return false;
    *out = (struct wld_block_head){(size_t)size, records};
    return true;
}

bool wld_block_is_sound(const uint8_t *block, size_t size)
{
    size_t end = WLD_BLOCK_HEAD + size;
    return bytes_get_u64le(block + end) == xxh64(block, end, 0);
}

uint64_t wld_pages_size(uint64_t count)
{
    uint64_t pages = (count + WLD_PAGE_ENTRIES - 1) / WLD_PAGE_ENTRIES;
    return count * WLD_ENTRY_SIZE + pages * WLD_CHECKSUM_SIZE;
}

bool wld_page_decode(const uint8_t *page, size_t count, struct wld_entry *entries)
{
    size_t size = count * WLD_ENTRY_SIZE;
    if (bytes_get_u64le(page + size) != xxh64(page, size, 0))
        return false;
    for (size_t i = 0; i < count; i++) {
        const uint8_t *from = page + i * WLD_ENTRY_SIZE;
        entries[i] = (struct wld_entry){bytes_get_u64le(from), bytes_get_u64le(from + 8)};
    }
    return true;
}

bool wld_foot_decode(const uint8_t *bytes, size_t size, uint64_t header, struct wld_foot *out)
{
    size_t end = size - WLD_CHECKSUM_SIZE;
    if (bytes_get_u64le(bytes + end) != xxh64(bytes, end, header))
        return false;
    *out = (struct wld_foot){bytes_get_u64le(bytes), bytes_get_u64le(bytes + 8),
                             bytes_get_u64le(bytes + 16),
                             size == WLD_FOOT_MAX ? bytes_get_u64le(bytes + 24) : 0};
    return true;
}

uint64_t wld_digest_add(uint64_t digest, uint64_t block_checksum)
{
    uint8_t bytes[8];
    bytes_put_le(bytes, block_checksum, 8);
    return xxh64(bytes, sizeof bytes, digest);
}

/* Reading ---------------------------------------------------------------------------------- */

enum caxton_status wld_blocks_read_end(struct wld_blocks *blocks, size_t foot_size,
                                       struct diag *diag)
{
    uint8_t bytes[WLD_FOOT_MAX];
    const char *name = blocks->bytes.name;
    uint64_t size = blocks->bytes.size;
    struct wld_foot *foot = &blocks->foot;
    uint64_t least = blocks->start + WLD_BLOCK_HEAD;
    if (size < least + foot_size)
        return wld_damaged(name, size, "the file is cut short", diag);
    uint64_t at = size - foot_size;
    enum caxton_status status = wld_bytes_read(&blocks->bytes, at, bytes, foot_size, diag);
    if (status != STATUS_OK)
        return status;
    if (!wld_foot_decode(bytes, foot_size, blocks->header, foot) ||
        foot->blocks > at / WLD_ENTRY_SIZE || wld_pages_size(foot->blocks) > at - least ||
        foot->records / (WLD_BLOCK_MAX / WLD_RECORD_MIN) > foot->blocks)
        return wld_damaged(name, at, "the end of the file is damaged, or the file is cut short",
                           diag);
    blocks->index = at - wld_pages_size(foot->blocks);
    blocks->end = blocks->index - WLD_BLOCK_HEAD;
    return STATUS_OK;
}

enum caxton_status wld_blocks_read(const struct wld_blocks *blocks, uint64_t at, uint8_t *block,
                                   struct wld_block_head *head, struct diag *diag)
{
    const char *name = blocks->bytes.name;
    if (at < blocks->start || at > blocks->end)
        return wld_damaged(name, at, "no block can be here: the index is damaged", diag);
    /* One read, of as much as a block can be. */
    uint64_t left = blocks->end + WLD_BLOCK_HEAD - at;
    size_t size = left < WLD_BLOCK_BYTES ? (size_t)left : WLD_BLOCK_BYTES;
    struct wld_block_head found;
    enum caxton_status status = wld_bytes_read(&blocks->bytes, at, block, size, diag);
    if (status != STATUS_OK)
        return status;
    if (!wld_block_read_head(block, &found) || (found.size == 0) != (at == blocks->end) ||
        (found.size > 0 && found.size + WLD_BLOCK_HEAD + WLD_CHECKSUM_SIZE > size))
        return wld_damaged(name, at, "a block of an impossible size: the file is damaged", diag);
    if (found.size > 0 && !wld_block_is_sound(block, found.size))
        return wld_damaged(name, at, "the checksum of a block is wrong: the file is damaged", diag);
    *head = found;
    return STATUS_OK;
}

/* The index -------------------------------------------------------------------------------- */

/* Neighbours that are tried before a search goes on by halves. */
enum { NEIGHBOURS = 4 };

__extension__ typedef unsigned __int128 wide;

struct page {
    size_t count;
    struct wld_entry entries[WLD_PAGE_ENTRIES];
};

/* Reads page number `number` < the number of pages. */
static enum caxton_status load(const struct wld_blocks *blocks, uint64_t number, struct page *out,
                               struct diag *diag)
{
    uint8_t page[WLD_PAGE_BYTES];
    uint64_t at = blocks->index + number * WLD_PAGE_BYTES;
    uint64_t left = blocks->foot.blocks - number * WLD_PAGE_ENTRIES;
    out->count = left < WLD_PAGE_ENTRIES ? (size_t)left : WLD_PAGE_ENTRIES;
    size_t size = out->count * WLD_ENTRY_SIZE + WLD_CHECKSUM_SIZE;
    enum caxton_status status = wld_bytes_read(&blocks->bytes, at, page, size, diag);
    if (status == STATUS_OK && !wld_page_decode(page, out->count, out->entries))
        return wld_damaged(blocks->bytes.name, at, "the checksum of a page of the index is wrong",
                           diag);
    return status;
}

enum caxton_status wld_blocks_entry(const struct wld_blocks *blocks, uint64_t number,
                                    struct wld_entry *out, struct diag *diag)
{
    struct page page;
    enum caxton_status status = load(blocks, number / WLD_PAGE_ENTRIES, &page, diag);
    if (status == STATUS_OK)
        *out = page.entries[number % WLD_PAGE_ENTRIES];
    return status;
}

static int compare_entries(struct wld_entry a, struct wld_entry b)
{
    if (a.key != b.key)
        return a.key < b.key ? -1 : 1;
    return (a.value > b.value) - (a.value < b.value);
}

/* How many entries are not above `entry`: *rank; the last of them: *last, if there is one. Mostly
 * reads one page, that where evenly spread keys would have it. */
static enum caxton_status find_rank(const struct wld_blocks *blocks, struct wld_entry entry,
                                    uint64_t *rank, struct wld_entry *last, struct diag *diag)
{
    uint64_t low = 0; /* pages before this one have no entry above `entry`, */
    uint64_t high =
        (blocks->foot.blocks + WLD_PAGE_ENTRIES - 1) / WLD_PAGE_ENTRIES; /* from here on all */
    uint64_t next = (uint64_t)((wide)entry.key * high >> 64);
    uint64_t below = 0;
    struct page page;
    for (int tries = 0; low < high; tries++) {
        enum caxton_status status = load(blocks, next, &page, diag);
        if (status != STATUS_OK)
            return status;
        size_t in_page; /* so many of the page are not above */
        ARRAY_SEARCH(in_page, 0, page.count, compare_entries(page.entries[in_page], entry) <= 0);
        if (in_page > 0) {
            below = next * WLD_PAGE_ENTRIES + in_page;
            *last = page.entries[in_page - 1];
            low = next + 1;
        }
        if (in_page < page.count)
            high = next;
        next = tries >= NEIGHBOURS ? low + (high - low) / 2 : in_page > 0 ? low : high - 1;
    }
    *rank = below;
    return STATUS_OK;
}

enum caxton_status wld_blocks_seek(const struct wld_blocks *blocks, uint64_t key,
                                   struct wld_entry *entry, struct diag *diag)
{
    uint64_t rank = 0;
    struct wld_entry found = {0, 0};
    /* The last block that begins with a smaller key may end with this one. */
    const struct wld_entry before = {key - 1, UINT64_MAX};
    enum caxton_status status = STATUS_OK;
    if (key > 0)
        status = find_rank(blocks, before, &rank, &found, diag);
    if (status == STATUS_OK && rank == 0 && blocks->foot.blocks > 0)
        status = wld_blocks_entry(blocks, 0, &found, diag);
    else if (status == STATUS_OK && rank == 0)
        found.value = blocks->end;
    if (status == STATUS_OK)
        *entry = found;
    return status;
}

enum caxton_status wld_blocks_skip(const struct wld_blocks *blocks, uint64_t key, uint64_t at,
                                   uint64_t *next, struct diag *diag)
{
    struct wld_entry entry = {0, 0};
    const struct wld_entry here = {key, at};
    uint64_t low = 0; /* entries before this one are not behind `at`; */
    uint64_t found = blocks->end;
    enum caxton_status status = find_rank(blocks, here, &low, &entry, diag);
    /* Many may be of damaged blocks before it: steps that double, then halve. */
    for (uint64_t step = 0, high = blocks->foot.blocks; status == STATUS_OK && low < high;) {
        uint64_t middle = low + (step < high - low ? step : (high - low) / 2);
        status = wld_blocks_entry(blocks, middle, &entry, diag);
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

/* Writing ---------------------------------------------------------------------------------- */

void wld_blocks_writer_free(struct wld_blocks_writer *writer)
{
    free(writer->index);
    writer->index = NULL;
}

/* Writes bytes[0..size) and behind them their checksum, for which there is room. */
static enum caxton_status write_sealed(struct wld_blocks_writer *writer, uint8_t *bytes,
                                       size_t size, uint64_t seed, uint64_t *checksum)
{
    *checksum = xxh64(bytes, size, seed);
    bytes_put_le(bytes + size, *checksum, WLD_CHECKSUM_SIZE);
    size += WLD_CHECKSUM_SIZE;
    if (fwrite(bytes, size, 1, writer->out) != 1)
        return STATUS_IO;
    writer->offset += size;
    return STATUS_OK;
}

enum caxton_status wld_blocks_put_header(struct wld_blocks_writer *writer, uint8_t *header,
                                         size_t size)
{
    return write_sealed(writer, header, size, 0, &writer->header);
}

/* Writes the block if there is one. */
static enum caxton_status write_block(struct wld_blocks_writer *writer)
{
    uint64_t checksum;
    if (writer->used == 0)
        return STATUS_OK;
    bytes_put_le(writer->block, writer->used, 4);
    bytes_put_le(writer->block + 4, writer->records, 4);
    size_t size = WLD_BLOCK_HEAD + writer->used;
    enum caxton_status status = write_sealed(writer, writer->block, size, 0, &checksum);
    writer->foot.digest = wld_digest_add(writer->foot.digest, checksum);
    writer->used = 0;
    writer->records = 0;
    return status;
}

static enum caxton_status put_mark(struct wld_blocks_writer *writer)
{
    static const uint8_t mark[WLD_BLOCK_HEAD] = {0};
    writer->offset += sizeof mark;
    return fwrite(mark, sizeof mark, 1, writer->out) == 1 ? STATUS_OK : STATUS_IO;
}

/* Writes the block, which is in the index. */
static enum caxton_status seal(struct wld_blocks_writer *writer)
{
    struct wld_foot *foot = &writer->foot;
    if (writer->used == 0)
        return STATUS_OK;
    if (!ARRAY_GROW(writer->index, writer->index_capacity, foot->blocks + 1))
        return STATUS_NO_MEMORY;
    writer->index[foot->blocks++] = (struct wld_entry){writer->first_key, writer->offset};
    return write_block(writer);
}

enum caxton_status wld_blocks_add(struct wld_blocks_writer *writer, uint64_t key,
                                  const uint8_t *rest, size_t size, uint64_t records, bool apart)
{
    uint8_t *start = writer->block + WLD_BLOCK_HEAD;
    uint8_t *to = bytes_put_varint(start + writer->used, key - writer->last_key);
    if (writer->used == 0 || apart || (size_t)(to - start) + size > WLD_BLOCK_MAX) {
        enum caxton_status status = seal(writer);
        if (status != STATUS_OK)
            return status;
        writer->first_key = key;
        to = bytes_put_varint(start, key);
    }
    memcpy(to, rest, size);
    writer->used = (size_t)(to - start) + size;
    writer->last_key = key;
    writer->records += records;
    writer->foot.records += records;
    return STATUS_OK;
}

enum caxton_status wld_blocks_put(struct wld_blocks_writer *writer, const uint8_t *bytes,
                                  size_t size)
{
    memcpy(writer->block + WLD_BLOCK_HEAD + writer->used, bytes, size);
    writer->used += size;
    writer->records++;
    return writer->used < WLD_BLOCK_MAX ? STATUS_OK : write_block(writer);
}

enum caxton_status wld_blocks_end_put(struct wld_blocks_writer *writer)
{
    enum caxton_status status = write_block(writer);
    return status == STATUS_OK ? put_mark(writer) : status;
}

/* Writes the pages of the index. */
static enum caxton_status write_index(struct wld_blocks_writer *writer)
{
    uint8_t page[WLD_PAGE_BYTES];
    uint64_t checksum;
    enum caxton_status status = STATUS_OK;
    for (uint64_t at = 0; at < writer->foot.blocks && status == STATUS_OK;) {
        uint8_t *to = page;
        for (int i = 0; i < WLD_PAGE_ENTRIES && at < writer->foot.blocks; i++, at++) {
            bytes_put_le(to, writer->index[at].key, 8);
            bytes_put_le(to + 8, writer->index[at].value, 8);
            to += WLD_ENTRY_SIZE;
        }
        status = write_sealed(writer, page, (size_t)(to - page), 0, &checksum);
    }
    return status;
}

enum caxton_status wld_blocks_finish(struct wld_blocks_writer *writer, size_t foot_size)
{
    uint8_t foot[WLD_FOOT_MAX];
    uint64_t checksum;
    enum caxton_status status = seal(writer);
    if (status == STATUS_OK)
        status = put_mark(writer);
    if (status == STATUS_OK)
        status = write_index(writer);
    bytes_put_le(foot, writer->foot.records, 8);
    bytes_put_le(foot + 8, writer->foot.blocks, 8);
    bytes_put_le(foot + 16, writer->foot.digest, 8);
    bytes_put_le(foot + 24, writer->foot.more, 8);
    return status == STATUS_OK ? write_sealed(writer, foot, foot_size - WLD_CHECKSUM_SIZE,
                                              writer->header, &checksum)
                               : status;
}
