/* Items found by their keys, of which many may have equal bits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/key_table.h"

struct item {
    uint64_t key;
    int other;
};

enum { ITEMS = 1 << 16 };

static void find_all(const struct key_table *table, const struct item *items, size_t count,
                     uint64_t step)
{
    for (size_t i = 0; i < count; i++)
        assert_int_equal(*key_table_slot(table, items, i * step), i + 1);
    assert_int_equal(*key_table_slot(table, items, count * step), 0);
}

/* Keys with the same low bits, as a file can choose them, the same high ones, and every key. With
 * a place by the low bits alone the first take 2^31 steps for each growth. */
static void chosen_keys_do_not_fall_together(void **state)
{
    (void)state;
    for (int shift = 0; shift <= 48; shift += 16) {
        uint64_t step = UINT64_C(1) << shift;
        struct item *items = calloc(ITEMS, sizeof *items);
        struct key_table table = {.item_size = sizeof *items};
        assert_non_null(items);
        for (size_t i = 0; i < ITEMS; i++) {
            items[i].key = i * step;
            assert_int_equal(key_table_reserve(&table, i + 1, items, 0, i), STATUS_OK);
            uint32_t *slot = key_table_slot(&table, items, items[i].key);
            assert_int_equal(*slot, 0);
            *slot = (uint32_t)i + 1;
            if (i == 600)
                find_all(&table, items, i + 1, step);
        }
        size_t longest = 0;
        for (size_t i = 0, run = 0; i < table.slot_count; i++) {
            run = table.slots[i] ? run + 1 : 0;
            longest = run > longest ? run : longest;
        }
        assert_in_range(longest, 1, 200);
        if (shift < 48)
            find_all(&table, items, ITEMS, step);
        free(items);
        free(table.slots);
    }
}

/* A table of a part of the items. */
static void some_items_only(void **state)
{
    (void)state;
    struct item items[2000];
    struct key_table table = {.item_size = sizeof *items};
    for (size_t i = 0; i < 2000; i++)
        items[i].key = i;
    assert_int_equal(key_table_reserve(&table, 1000, items, 1000, 1000), STATUS_OK);
    assert_int_equal(*key_table_slot(&table, items, 999), 0);
    assert_int_equal(*key_table_slot(&table, items, 1000), 1001);
    assert_int_equal(*key_table_slot(&table, items, 1999), 2000);
    free(table.slots);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chosen_keys_do_not_fall_together),
        cmocka_unit_test(some_items_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
