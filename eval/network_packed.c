#include "eval/network_packed.h"

#include "base/bytes.h"

enum {
    LOW_MAX = 14,
    HIGH_MAX = 31,
    /* Bytes that are read at once, and how many bits of them always count. */
    WORD = 8,
    TAKEN = 57,
    /* Codes that are read at once, and codes whose low bits are in one word. */
    PARTS_MAX = 256,
    GROUP = 4,
};

struct packed_bits {
    const uint8_t *bytes;
    size_t at, end; /* bits */
};

/* At least 57 bits from the place reached on, zeros after the end. */
static uint64_t peek(const struct packed_bits *bits)
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

/* The high parts of the next codes: how many zeros come before each one. Whole words of ones are
 * taken apart at a time: a step that waited for the code before would take three times as long.
 * False when a part is too large or the stream has ended. */
static bool read_high(struct packed_bits *bits, uint8_t *parts, size_t count)
{
    const uint64_t taken = (UINT64_C(1) << TAKEN) - 1;
    int most = 0;
    int last = -1; /* the place of the last one, from `at` */
    for (size_t i = 0; i < count;) {
        for (uint64_t word = peek(bits) & taken; word && i < count; word &= word - 1) {
            int one = __builtin_ctzll(word);
            int part = one - last - 1;
            most |= part;
            parts[i++] = (uint8_t)part;
            last = one;
        }
        if (i < count) {
            bits->at += TAKEN;
            last -= TAKEN;
            if (-1 - last > HIGH_MAX)
                return false;
        }
    }
    bits->at += (size_t)(last + 1);
    return most <= HIGH_MAX;
}

/* The low bits of the next codes. */
static void read_low(struct packed_bits *bits, int width, uint16_t *lows, size_t count)
{
    const unsigned mask = (1U << width) - 1;
    for (size_t i = 0; i < count; i += GROUP) {
        uint64_t word = peek(bits);
        size_t some = count - i < GROUP ? count - i : GROUP;
        for (size_t j = 0; j < some; j++, word >>= width)
            lows[i + j] = (uint16_t)(word & mask);
        bits->at += some * (size_t)width;
    }
}

/* Some weights of a row. `before` is NULL in the first bucket. */
static bool read_weights(struct packed_bits *high, struct packed_bits *low, int low_count,
                         const int8_t *before, int8_t *out, size_t count)
{
    uint8_t parts[PARTS_MAX];
    uint16_t lows[PARTS_MAX];
    if (!read_high(high, parts, count))
        return false;
    read_low(low, low_count, lows, count);
    int largest = 0;
    for (size_t i = 0; i < count; i++) {
        int code = parts[i] << low_count | lows[i];
        int weight = (before ? before[i] : 0) + (code >> 1 ^ -(code & 1));
        largest |= weight < 0 ? ~weight : weight;
        out[i] = (int8_t)weight;
    }
    return largest <= INT8_MAX;
}

static bool read_row(struct packed_bits *high, struct packed_bits *low, int low_count,
                     const int8_t *before, int8_t *out, size_t count)
{
    for (size_t i = 0; i < count; i += PARTS_MAX) {
        size_t some = count - i < PARTS_MAX ? count - i : PARTS_MAX;
        if (!read_weights(high, low, low_count, before ? before + i : NULL, out + i, some))
            return false;
    }
    return true;
}

/* Has a stream been read up to the byte in which it ends? */
static bool is_used_up(const struct packed_bits *bits)
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
    struct packed_bits high = {streams, 0, 8 * high_size};
    struct packed_bits low = {streams + high_size, 0, 8 * (left - high_size)};
    for (size_t row = 0; row < rows; row++, out += shape->hidden) {
        const int8_t *before = row < shape->inputs ? NULL : out - shape->inputs * shape->hidden;
        if (from[row] > LOW_MAX || !read_row(&high, &low, from[row], before, out, shape->hidden))
            return false;
    }
    return is_used_up(&high) && is_used_up(&low);
}
