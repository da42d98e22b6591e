/* Arrays that grow. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/array.h"

static void keeps_what_is_there(void **state)
{
    (void)state;
    int *numbers = NULL;
    size_t capacity = 0;
    for (int i = 0; i < 1000; i++) {
        assert_true(ARRAY_GROW(numbers, capacity, (size_t)i + 1));
        assert_true(capacity > (size_t)i);
        numbers[i] = i;
    }
    for (int i = 0; i < 1000; i++)
        assert_int_equal(numbers[i], i);
    free(numbers);
}

static void moves_nothing_when_there_is_room(void **state)
{
    (void)state;
    size_t capacity = 0;
    char *text = array_reserve(NULL, &capacity, 10, 1);
    assert_non_null(text);
    assert_ptr_equal(array_reserve(text, &capacity, capacity, 1), text);
    free(text);
}

static void refuses_sizes_that_overflow(void **state)
{
    (void)state;
    size_t capacity = 4;
    uint64_t *numbers = malloc(4 * sizeof *numbers);
    assert_non_null(numbers);
    assert_null(array_reserve(numbers, &capacity, SIZE_MAX / 4, sizeof *numbers));
    assert_false(ARRAY_GROW(numbers, capacity, SIZE_MAX / 4));
    assert_non_null(numbers);
    assert_int_equal(capacity, 4);
    free(numbers);
}

static void finds_the_first_that_is_not_before(void **state)
{
    (void)state;
    static const int numbers[] = {1, 3, 3, 5};
    static const size_t wanted[] = {0, 0, 1, 1, 3, 3, 4};
    for (int number = 0; number <= 6; number++) {
        size_t at;
        ARRAY_SEARCH(at, 0, sizeof numbers / sizeof *numbers, numbers[at] < number);
        assert_int_equal(at, wanted[number]);
        ARRAY_SEARCH(at, 2, 2, numbers[at] < number);
        assert_int_equal(at, 2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_what_is_there),
        cmocka_unit_test(moves_nothing_when_there_is_room),
        cmocka_unit_test(refuses_sizes_that_overflow),
        cmocka_unit_test(finds_the_first_that_is_not_before),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
