/* XXH64 against published values and those of its own library (0.8.1). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/xxh64.h"

enum { BYTES = 300 };

static void values_are_those_of_the_library(void **state)
{
    (void)state;
    uint8_t bytes[BYTES];
    for (size_t i = 0; i < BYTES; i++)
        bytes[i] = (uint8_t)(i * 13 + i / 7);
    assert_int_equal(xxh64("", 0, 0), UINT64_C(0xEF46DB3751D8E999));
    assert_int_equal(xxh64("a", 1, 0), UINT64_C(0xD24EC4F1A98C6E5B));
    assert_int_equal(xxh64("abc", 3, 0), UINT64_C(0x44BC2CF5AD770999));
    /* Each length of a tail, with and without stripes before it, by two seeds: all in one. */
    uint64_t all = 0;
    for (size_t size = 0; size <= BYTES; size++)
        all = all * 31 + xxh64(bytes, size, 0) + xxh64(bytes, size, UINT64_MAX / 7 * size);
    assert_int_equal(all, UINT64_C(0xFDD4D583AED336A5));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(values_are_those_of_the_library)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
