#include "eval/network_packed.h"

#include "base/bytes.h"

enum {
    LOW_MAX = 14,
    HIGH_MAX = 31,
    /* Bytes that are read at once. */
    WORD = 8,
};

struct bits {
    const uint8_t *bytes;
    size_t at, end; /* bits */
};

/* At least 57 bits from the place reached on, zeros behind the end. */
static uint64_t peek(const struct bits *bits)
{
    size_t byte = bits->at / 8;
    size_t end = (bits->end + 7) / 8;
    uint64_t word = 0;
    if (byte + WORD <= end)
        word = bytes_get_u64le(bits->bytes + byte);
    else
        for (size_t i = byte; i < end; i++)
            word |= (uint64_t)bits->bytes[i] << 8 * (i - byte);
    return word >> bits->at % 8;
}

/* -1 when it is too large or the stream has ended. */
static int read_high(struct bits *bits)
{
    uint64_t word = peek(bits);
    int zeros = word ? __builtin_ctzll(word) : HIGH_MAX + 1;
    bits->at += (size_t)zeros + 1;
    return zeros <= HIGH_MAX ? zeros : -1;
}

static int read_low(struct bits *bits, int count)
{
    int value = (int)(peek(bits) & ((UINT64_C(1) << count) - 1));
    bits->at += (size_t)count;
    return value;
}

/* `before` is NULL in the first bucket. */
static bool read_row(struct bits *high, struct bits *low, int low_count, const int8_t *before,
                     int8_t *out, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        int part = read_high(high);
        if (part < 0)
            return false;
        int code = part << low_count | read_low(low, low_count);
        int change = code & 1 ? -(code >> 1) - 1 : code >> 1;
        int weight = (before ? before[i] : 0) + change;
        if (weight < INT8_MIN || weight > INT8_MAX)
            return false;
        out[i] = (int8_t)weight;
    }
    return true;
}

/* Has a stream been read up to the byte in which it ends? */
static bool is_used_up(const struct bits *bits)
{
    return (bits->at + 7) / 8 == bits->end / 8;
}

bool network_unpack(const uint8_t *from, size_t size, const struct network_size *shape, int8_t *out)
{
    size_t rows = shape->buckets * shape->inputs;
    if (size < rows + 4)
        return false;
    size_t high_size = bytes_get_u32le(from + rows);
    const uint8_t *streams = from + rows + 4;
    size_t left = size - rows - 4;
    if (high_size > left)
        return false;
    struct bits high = {streams, 0, 8 * high_size};
    struct bits low = {streams + high_size, 0, 8 * (left - high_size)};
    for (size_t row = 0; row < rows; row++, out += shape->hidden) {
        const int8_t *before = row < shape->inputs ? NULL : out - shape->inputs * shape->hidden;
        if (from[row] > LOW_MAX || !read_row(&high, &low, from[row], before, out, shape->hidden))
            return false;
    }
    return is_used_up(&high) && is_used_up(&low);
}
