/* Numbers in files, and the checksum of these. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/bytes.h"
#include "base/checksum.h"

static void both_orders(void **state)
{
    (void)state;
    uint8_t bytes[8];
    bytes_put_be(bytes, UINT64_C(0x0102030405060708), 8);
    assert_int_equal(bytes[0], 1);
    assert_true(bytes_get_u64be(bytes) == UINT64_C(0x0102030405060708));
    assert_true(bytes_get_u64le(bytes) == UINT64_C(0x0807060504030201));
    assert_int_equal(bytes_get_u32be(bytes + 4), 0x05060708);
    assert_int_equal(bytes_get_u32le(bytes + 4), 0x08070605);
    assert_int_equal(bytes_get_u16be(bytes), 0x0102);
    assert_int_equal(bytes_get_u16le(bytes), 0x0201);
    bytes_put_le(bytes, 0xABCDEF, 3);
    assert_int_equal(bytes_get_le(bytes, 3), 0xABCDEF);
    assert_int_equal(bytes_get_be(bytes, 3), 0xEFCDAB);
    assert_int_equal(bytes[3], 4); /* untouched */
}

static void varints_come_back(void **state)
{
    (void)state;
    static const uint64_t values[] = {0, 1, 127, 128, 16383, 16384, UINT32_MAX, UINT64_MAX};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        uint8_t bytes[VARINT_MAX];
        uint64_t out;
        const uint8_t *end = bytes_put_varint(bytes, values[i]);
        const uint8_t *at = bytes;
        assert_true(bytes_get_varint(&at, end, &out));
        assert_true(out == values[i]);
        assert_ptr_equal(at, end);
        at = bytes;
        assert_false(bytes_get_varint(&at, end - 1, &out)); /* cut short */
    }
}

/* Of every length, whatever follows, up to what length they are read in one piece or not. */
static void varints_end_where_they_end(void **state)
{
    (void)state;
    for (int junk = 0; junk < 256; junk += 85)
        for (int bits = 0; bits < 64; bits++)
            for (size_t more = 0; more < 10; more++) {
                uint8_t bytes[2 * VARINT_MAX + 1];
                uint64_t out;
                uint64_t value = UINT64_C(0x9E3779B97F4A7C15) >> bits;
                memset(bytes, junk, sizeof bytes);
                const uint8_t *end = bytes_put_varint(bytes, value);
                const uint8_t *at = bytes;
                assert_true(bytes_get_varint(&at, end + more, &out));
                assert_true(out == value);
                assert_ptr_equal(at, end);
                bytes[end - bytes - 1] |= 0x80; /* longer than it needs to be */
                bytes[end - bytes] = 0;
                at = bytes;
                assert_false(bytes_get_varint(&at, end + 1 + more, &out));
            }
}

static void bad_varints(void **state)
{
    (void)state;
    static const uint8_t too_large[] = {255, 255, 255, 255, 255, 255, 255, 255, 255, 2};
    static const uint8_t too_long[] = {0x81, 0};
    uint64_t out;
    const uint8_t *at = too_large;
    assert_false(bytes_get_varint(&at, too_large + sizeof too_large, &out));
    at = too_long;
    assert_false(bytes_get_varint(&at, too_long + sizeof too_long, &out));
}

/* Published: http://www.isthe.com/chongo/src/fnv/test_fnv.c */
static void checksums(void **state)
{
    (void)state;
    assert_true(checksum_add(CHECKSUM_EMPTY, "", 0) == UINT64_C(0xcbf29ce484222325));
    assert_true(checksum_add(CHECKSUM_EMPTY, "a", 1) == UINT64_C(0xaf63dc4c8601ec8c));
    uint64_t foo = checksum_add(CHECKSUM_EMPTY, "foo", 3);
    assert_true(checksum_add(foo, "bar", 3) == UINT64_C(0x85944171f73967e8));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_orders),
        cmocka_unit_test(varints_come_back),
        cmocka_unit_test(varints_end_where_they_end),
        cmocka_unit_test(bad_varints),
        cmocka_unit_test(checksums),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
