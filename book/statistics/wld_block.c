#include "book/statistics/wld_block.h"

#include "base/bytes.h"
#include "base/xxh64.h"

bool wld_block_read_head(const uint8_t bytes[WLD_BLOCK_HEAD], size_t max,
                         struct wld_block_head *out)
{
    uint64_t size = bytes_get_u32le(bytes);
    uint64_t records = bytes_get_u32le(bytes + 4);
    bool is_end = size == 0 && records == 0;
    if (!is_end && (size > max || records == 0 || records > size / WLD_RECORD_MIN))
        return false;
    *out = (struct wld_block_head){(size_t)size, records};
    return true;
}

bool wld_block_is_sound(const uint8_t *block, size_t size)
{
    size_t end = WLD_BLOCK_HEAD + size;
    return bytes_get_u64le(block + end) == xxh64(block, end, 0);
}

struct wld_records wld_records_of(const uint8_t *records, const struct wld_block_head *head)
{
    return (struct wld_records){
        .start = records, .at = records, .end = records + head->size, .left = head->records};
}

bool wld_records_next(struct wld_records *records, struct tally *out)
{
    uint64_t delta;
    struct tally tally;
    if (!bytes_get_varint(&records->at, records->end, &delta) || records->end - records->at < 2 ||
        delta > UINT64_MAX - records->key)
        return false;
    tally.key = records->key + delta;
    tally.move = bytes_get_u16le(records->at);
    records->at += 2;
    for (int i = 0; i < OUTCOMES; i++)
        if (!bytes_get_varint(&records->at, records->end, &tally.counts[i]))
            return false;
    records->left--;
    records->key = tally.key;
    *out = tally;
    return wld_is_countable(&tally) && (records->left == 0) == (records->at == records->end);
}
