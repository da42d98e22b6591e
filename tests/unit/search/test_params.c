/* The table of tuned numbers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "search/params.h"

/* In every build: the default lies in the range and leaves a tuner room on one side at least. */
static void defaults_lie_in_their_ranges(void **state)
{
    (void)state;
#define PARAM_CHECK(name, value, min, max, step)                                                   \
    assert_int_equal(name, value);                                                                 \
    assert_true((min) <= (value) && (value) <= (max) && (min) < (max));                            \
    assert_true((step) > 0 && (step) <= (max) - (min));
    SEARCH_PARAMS(PARAM_CHECK)
}

/* A tuning build has every number in the table, with its default; another build none. */
static void table_is_filled_in_a_tuning_build(void **state)
{
    (void)state;
    const struct param *param = param_table;
#ifdef CAXTON_TUNE
#define PARAM_COMPARE(NAME, VALUE, MIN, MAX, STEP)                                                 \
    assert_string_equal(param->name, #NAME);                                                       \
    assert_ptr_equal(param->value, &NAME);                                                         \
    assert_true(param->min == (MIN) && param->max == (MAX) && param->step == (STEP));              \
    param++;
    SEARCH_PARAMS(PARAM_COMPARE)
#endif
    assert_null(param->name);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_lie_in_their_ranges),
        cmocka_unit_test(table_is_filled_in_a_tuning_build),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
