/* Numbers in files: little-endian, big-endian, and of as many bytes as they need. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

static inline uint16_t bytes_get_u16le(const uint8_t *from)
{
    return (uint16_t)(from[0] | from[1] << 8);
}

static inline uint32_t bytes_get_u32le(const uint8_t *from)
{
    return (uint32_t)from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 |
           (uint32_t)from[3] << 24;
}

static inline uint64_t bytes_get_u64le(const uint8_t *from)
{
    return (uint64_t)bytes_get_u32le(from) | (uint64_t)bytes_get_u32le(from + 4) << 32;
}

static inline uint16_t bytes_get_u16be(const uint8_t *from)
{
    return (uint16_t)(from[0] << 8 | from[1]);
}

static inline uint32_t bytes_get_u32be(const uint8_t *from)
{
    return (uint32_t)from[0] << 24 | (uint32_t)from[1] << 16 | (uint32_t)from[2] << 8 | from[3];
}

static inline uint64_t bytes_get_u64be(const uint8_t *from)
{
    return (uint64_t)bytes_get_u32be(from) << 32 | bytes_get_u32be(from + 4);
}

/* The number in `count` bytes (1..8), the lowest first. */
static inline uint64_t bytes_get_le(const uint8_t *from, int count)
{
    uint64_t value = 0;
    for (int i = 0; i < count; i++)
        value |= (uint64_t)from[i] << 8 * i;
    return value;
}

/* The same, the highest first. */
static inline uint64_t bytes_get_be(const uint8_t *from, int count)
{
    uint64_t value = 0;
    for (int i = 0; i < count; i++)
        value = value << 8 | from[i];
    return value;
}

/* The lowest `count` bytes (1..8) of `value`, the lowest first. */
static inline void bytes_put_le(uint8_t *to, uint64_t value, int count)
{
    for (int i = 0; i < count; i++)
        to[i] = (uint8_t)(value >> 8 * i);
}

/* The same with the highest of them first. */
static inline void bytes_put_be(uint8_t *to, uint64_t value, int count)
{
    for (int i = 0; i < count; i++)
        to[i] = (uint8_t)(value >> 8 * (count - 1 - i));
}

enum { VARINT_MAX = 10 }; /* bytes of the longest */

/* Unsigned LEB128: seven bits a byte, the lowest first; the high bit says that more follow. Returns
 * the place behind what was written. Source: DWARF 4 standard, section 7.6. */
static inline uint8_t *bytes_put_varint(uint8_t *to, uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        *to++ = (uint8_t)(value | 0x80);
    *to++ = (uint8_t)value;
    return to;
}

/* Of seven bits in each byte, the number. */
static inline uint64_t bytes_join_sevens(uint64_t bytes)
{
    bytes = (bytes & UINT64_C(0x007F007F007F007F)) | (bytes & UINT64_C(0x7F007F007F007F00)) >> 1;
    bytes = (bytes & UINT64_C(0x00003FFF00003FFF)) | (bytes & UINT64_C(0x3FFF00003FFF0000)) >> 2;
    return (bytes & 0x0FFFFFFF) | (bytes & UINT64_C(0x0FFFFFFF00000000)) >> 4;
}

/* Reads one and moves *from behind it. False, with *from anywhere, when it does not end before
 * `end`, does not fit 64 bits, or is longer than it needs to be. Of two to eight bytes no branch
 * depends on how many they are. */
static inline bool bytes_get_varint(const uint8_t **from, const uint8_t *end, uint64_t *out)
{
    uint64_t value = 0;
    if (*from < end && **from < 0x80) {
        *out = *(*from)++;
        return true;
    }
    if (end - *from >= 8) {
        uint64_t bytes = bytes_get_u64le(*from);
        uint64_t stops = ~bytes & UINT64_C(0x8080808080808080);
        uint64_t all = stops ^ (stops - 1); /* up to the first of them */
        if (stops) {
            *out = bytes_join_sevens(bytes & all & UINT64_C(0x7F7F7F7F7F7F7F7F));
            *from += (64 - __builtin_clzll(all)) / 8;
            return (bytes & all & ~(all >> 8)) != 0; /* the last byte */
        }
    }
    for (int shift = 0; shift < 64 && *from < end; shift += 7) {
        uint8_t byte = *(*from)++;
        if (shift == 63 && byte > 1)
            return false;
        value |= (uint64_t)(byte & 0x7F) << shift;
        if (byte < 0x80) {
            *out = value;
            return byte != 0 || shift == 0;
        }
    }
    return false;
}
