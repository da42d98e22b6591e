#include "base/bytes.h"
#include "base/xxh64.h"
#include "book/statistics/wld_file.h"
#include "book/statistics/wld_internal.h"
#include "book/statistics/wld_pages.h"

static enum caxton_status read_end_v1(struct wld_reader *reader, struct diag *diag)
{
    uint8_t bytes[8];
    uint64_t at = reader->offset;
    enum caxton_status status = wld_read_exactly(reader, bytes, sizeof bytes, diag);
    if (status == STATUS_OK)
        status = wld_read_checksum(reader, "the whole file", diag);
    if (status == STATUS_OK && bytes_get_u64le(bytes) != reader->found.records)
        return wld_damaged(reader->name, at, "the number of records is wrong", diag);
    return status;
}

uint64_t wld_index_add(uint64_t sum, struct wld_entry entry)
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
        enum caxton_status status = wld_read_exactly(reader, reader->block, size, diag);
        if (status != STATUS_OK)
            return status;
        if (!wld_page_decode(reader->block, count, entries))
            return wld_damaged(reader->name, at, "the checksum of a page of the index is wrong",
                               diag);
        for (size_t i = 0; i < count; i++)
            sum = wld_index_add(sum, entries[i]);
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
        status = wld_read_exactly(reader, bytes, sizeof bytes, diag);
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

enum caxton_status wld_reader_finish(struct wld_reader *reader, struct diag *diag)
{
    uint8_t more;
    size_t got = 0;
    enum caxton_status status = STATUS_OK;
    if (!reader->is_part)
        status = (reader->header.version == 1 ? read_end_v1 : read_end)(reader, diag);
    if (status == STATUS_OK && !reader->file)
        status = wld_read_some(reader, &more, 1, &got, diag);
    if (status == STATUS_OK && got > 0)
        return wld_damaged(reader->name, reader->offset - 1, "more follows after the end", diag);
    reader->ended = status == STATUS_OK;
    return status == STATUS_OK ? STATUS_END : status;
}
