/* The heap: numbers come out in order, whatever order they came in; so do those of sequences. */
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

struct sequence {
    int head;
    int at;
    int end;
    enum caxton_status ends_with;
};

/* A heap_next: every third number. */
static enum caxton_status next_number(void *context, struct diag *diag)
{
    struct sequence *sequence = context;
    (void)diag;
    if (sequence->at >= sequence->end)
        return sequence->ends_with;
    sequence->head = sequence->at;
    sequence->at += 3;
    return STATUS_OK;
}

static bool has_less(const void *a, const void *b)
{
    return ((const struct sequence *)a)->head < ((const struct sequence *)b)->head;
}

static void sequences_are_merged(void **state)
{
    (void)state;
    struct sequence sequences[] = {{0, 1, 100, STATUS_END},
                                   {0, 0, 0, STATUS_END},
                                   {0, 2, 50, STATUS_IO},
                                   {0, 0, 60, STATUS_END}};
    struct heap heap;
    assert_int_equal(heap_open(&heap, sequences, sizeof *sequences, 4, next_number, has_less, NULL),
                     STATUS_OK);
    assert_int_equal(heap.count, 3); /* one is empty */
    for (int number = 0; number < 50; number++) {
        assert_int_equal(((struct sequence *)heap.items[0])->head, number);
        enum caxton_status status = heap_advance(&heap, next_number, has_less, NULL);
        assert_int_equal(status, number == 47 ? STATUS_IO : STATUS_OK); /* the last below 50 */
        if (status != STATUS_OK)
            break;
    }
    assert_int_equal(((struct sequence *)heap.items[0])->head, 47);
    free(heap.items);
}

struct numbers {
    int values[NUMBERS_MAX];
    uint32_t places[NUMBERS_MAX];
};

static bool number_is_less(const void *context, uint32_t a, uint32_t b)
{
    const struct numbers *numbers = context;
    return numbers->values[a] < numbers->values[b];
}

static uint32_t *place_of(void *context, uint32_t item)
{
    struct numbers *numbers = context;
    return &numbers->places[item];
}

static void numbers_move_up_and_are_taken_out(void **state)
{
    (void)state;
    static const struct number_order order = {number_is_less, place_of};
    struct rng rng;
    rng_seed(&rng, 2);
    for (size_t round = 0; round < 200; round++) {
        struct numbers numbers = {.places = {0}};
        uint32_t items[NUMBERS_MAX];
        struct number_heap heap = {items, 0};
        for (uint32_t i = 0; i < NUMBERS_MAX; i++) {
            numbers.values[i] = (int)(rng_next(&rng) % 20);
            number_heap_add(&heap, i, &order, &numbers);
        }
        for (uint32_t i = 0; i < NUMBERS_MAX; i += 3) {
            numbers.values[i] -= (int)(rng_next(&rng) % 10);
            number_heap_up(&heap, numbers.places[i] - 1, i, &order, &numbers);
        }
        for (uint32_t i = 0; i < NUMBERS_MAX; i += 5) {
            assert_int_equal(number_heap_take(&heap, numbers.places[i] - 1, &order, &numbers), i);
            assert_int_equal(numbers.places[i], 0);
        }
        assert_int_equal(heap.count, NUMBERS_MAX - NUMBERS_MAX / 5);
        for (int last = -100; heap.count > 0;) {
            uint32_t first = number_heap_take(&heap, 0, &order, &numbers);
            assert_true(numbers.values[first] >= last);
            last = numbers.values[first];
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(items_come_out_in_order),
        cmocka_unit_test(a_top_that_grows_goes_down),
        cmocka_unit_test(sequences_are_merged),
        cmocka_unit_test(numbers_move_up_and_are_taken_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
