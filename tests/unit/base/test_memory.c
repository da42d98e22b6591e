/* Large memory: on its boundary, usable to its end; given back when it is freed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"

enum { MEGABYTE = 1 << 20 };

static void all_of_it_can_be_written(void **state)
{
    (void)state;
    const size_t sizes[] = {1, 4095, 4096, 2 * MEGABYTE - 1, 2 * MEGABYTE, 5 * MEGABYTE + 1};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        unsigned char *memory = large_memory(sizes[i]);
        assert_non_null(memory);
        assert_int_equal((uintptr_t)memory % 64, 0);
        memset(memory, 7, sizes[i]);
        assert_int_equal(memory[0] + memory[sizes[i] - 1], 14);
        large_memory_free(memory);
    }
    large_memory_free(NULL);
}

/* Also where it was used and freed before. */
static void there_are_zeros_in_it(void **state)
{
    (void)state;
    const size_t sizes[] = {1000, 40000, 2 * MEGABYTE - 1, 5 * MEGABYTE + 1};
    for (size_t i = 0; i < 2 * sizeof sizes / sizeof *sizes; i++) {
        size_t size = sizes[i / 2];
        unsigned char *memory = large_memory(size);
        assert_non_null(memory);
        for (size_t j = 0; j < size; j++)
            assert_int_equal(memory[j], 0);
        memset(memory, 7, size);
        large_memory_free(memory);
    }
}

static void more_than_there_is_is_refused(void **state)
{
    (void)state;
    assert_null(large_memory(SIZE_MAX));
    assert_null(large_memory(SIZE_MAX - 64));
    assert_null(large_memory(SIZE_MAX / 2));
}

/* A table is replaced by a new one again and again, as when the hash is set. */
static void what_is_freed_is_given_back(void **state)
{
    (void)state;
    if (memory_peak_bytes() == 0)
        skip();
    const size_t size = 4 * MEGABYTE;
    void *first = large_memory(4 * size);
    assert_non_null(first);
    memset(first, 1, 4 * size);
    large_memory_free(first);
    void *table = large_memory(size);
    assert_non_null(table);
    uint64_t before = memory_peak_bytes();
    for (int i = 0; i < 100; i++) {
        void *next = large_memory(size);
        assert_non_null(next);
        memset(next, i, size);
        large_memory_free(table);
        table = next;
    }
    large_memory_free(table);
    assert_true(memory_peak_bytes() <= before + 4 * size);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_of_it_can_be_written),
        cmocka_unit_test(there_are_zeros_in_it),
        cmocka_unit_test(more_than_there_is_is_refused),
        cmocka_unit_test(what_is_freed_is_given_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
