#include "book/statistics/wld_blocks.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/bytes.h"
#include "base/xxh64.h"

/* Reading ---------------------------------------------------------------------------------- */

bool wld_blocks_place(struct wld_blocks *blocks, uint64_t count, uint64_t foot)
{
    uint64_t least = blocks->start + WLD_BLOCK_HEAD;
    if (foot < least || count > foot / WLD_ENTRY_SIZE || wld_pages_size(count) > foot - least)
        return false;
    blocks->index.count = count;
    blocks->index.at = foot - wld_pages_size(count);
    blocks->end = blocks->index.at - WLD_BLOCK_HEAD;
    return true;
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
    if (!wld_block_read_head(block, WLD_BLOCK_MAX, &found) ||
        (found.size == 0) != (at == blocks->end) ||
        (found.size > 0 && found.size + WLD_BLOCK_HEAD + WLD_CHECKSUM_SIZE > size))
        return wld_damaged(name, at, "a block of an impossible size: the file is damaged", diag);
    if (found.size > 0 && !wld_block_is_sound(block, found.size))
        return wld_damaged(name, at, "the checksum of a block is wrong: the file is damaged", diag);
    *head = found;
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
        status = wld_pages_rank(&blocks->bytes, &blocks->index, before, &rank, &found, diag);
    if (status == STATUS_OK && rank == 0 && blocks->index.count > 0)
        status = wld_pages_at(&blocks->bytes, &blocks->index, 0, &found, diag);
    else if (status == STATUS_OK && rank == 0)
        found.value = blocks->end;
    if (status == STATUS_OK)
        *entry = found;
    return status;
}

/* Writing ---------------------------------------------------------------------------------- */

void wld_blocks_writer_free(struct wld_blocks_writer *writer)
{
    free(writer->index);
    writer->index = NULL;
}

enum caxton_status wld_blocks_put(struct wld_blocks_writer *writer, const void *bytes, size_t size)
{
    if (fwrite(bytes, size, 1, writer->out) != 1)
        return STATUS_IO;
    writer->offset += size;
    return STATUS_OK;
}

void wld_blocks_add(struct wld_blocks_writer *writer, uint64_t key, const void *record, size_t size)
{
    if (writer->used == 0)
        writer->first_key = key;
    memcpy(writer->block + WLD_BLOCK_HEAD + writer->used, record, size);
    writer->used += size;
    writer->records++;
}

enum caxton_status wld_blocks_seal(struct wld_blocks_writer *writer, bool is_indexed)
{
    if (is_indexed) {
        if (!ARRAY_GROW(writer->index, writer->index_capacity, writer->count + 1))
            return STATUS_NO_MEMORY;
        writer->index[writer->count++] = (struct wld_entry){writer->first_key, writer->offset};
    }
    bytes_put_le(writer->block, writer->used, 4);
    bytes_put_le(writer->block + 4, writer->records, 4);
    size_t end = WLD_BLOCK_HEAD + writer->used;
    uint64_t checksum = xxh64(writer->block, end, 0);
    bytes_put_le(writer->block + end, checksum, WLD_CHECKSUM_SIZE);
    writer->digest = wld_digest_add(writer->digest, checksum);
    writer->used = 0;
    writer->records = 0;
    return wld_blocks_put(writer, writer->block, end + WLD_CHECKSUM_SIZE);
}

enum caxton_status wld_blocks_put_mark(struct wld_blocks_writer *writer)
{
    static const uint8_t mark[WLD_BLOCK_HEAD] = {0};
    return wld_blocks_put(writer, mark, sizeof mark);
}

enum caxton_status wld_blocks_finish(struct wld_blocks_writer *writer)
{
    uint8_t page[WLD_PAGE_BYTES];
    enum caxton_status status = writer->used ? wld_blocks_seal(writer, true) : STATUS_OK;
    if (status == STATUS_OK)
        status = wld_blocks_put_mark(writer);
    for (uint64_t at = 0; at < writer->count && status == STATUS_OK; at += WLD_PAGE_ENTRIES) {
        uint64_t left = writer->count - at;
        size_t count = left < WLD_PAGE_ENTRIES ? (size_t)left : WLD_PAGE_ENTRIES;
        status = wld_blocks_put(writer, page, wld_page_encode(writer->index + at, count, page));
    }
    return status;
}
