/* The heap: numbers come out in order, whatever order they came in. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/heap.h"
#include "base/rng.h"

enum { NUMBERS_MAX = 40 };

static bool is_less(const void *a, const void *b)
{
    return *(const int *)a < *(const int *)b;
}

static void items_come_out_in_order(void **state)
{
    (void)state;
    struct rng rng;
    rng_seed(&rng, 1);
    for (size_t count = 0; count <= NUMBERS_MAX; count++) {
        int numbers[NUMBERS_MAX];
        void *items[NUMBERS_MAX];
        struct heap heap = {items, count};
        for (size_t i = 0; i < count; i++) {
            numbers[i] = (int)(rng_next(&rng) % 20); /* some are equal */
            items[i] = &numbers[i];
        }
        heap_make(&heap, is_less);
        int last = -1;
        for (size_t left = count; left > 0; left--) {
            assert_int_equal(heap.count, left);
            assert_true(*(int *)heap.items[0] >= last);
            last = *(int *)heap.items[0];
            heap_drop(&heap, is_less);
        }
        assert_int_equal(heap.count, 0);
    }
}

static void a_top_that_grows_goes_down(void **state)
{
    (void)state;
    int numbers[] = {1, 2, 3, 4, 5, 6, 7};
    void *items[7];
    struct heap heap = {items, 7};
    for (size_t i = 0; i < heap.count; i++)
        items[i] = &numbers[6 - i];
    heap_make(&heap, is_less);
    for (int turn = 1; turn <= 70; turn++) { /* each grows by as many as there are */
        int *top = heap.items[0];
        assert_int_equal(*top, turn);
        *top += 7;
        heap_sift(&heap, 0, is_less);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(items_come_out_in_order),
        cmocka_unit_test(a_top_that_grows_goes_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
