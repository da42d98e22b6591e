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

#ifdef CAXTON_TUNE

static void numbers_can_be_set(void **state)
{
    (void)state;
    assert_true(params_count() > 0);
    for (int i = 0; i < params_count(); i++) {
        struct param old = params_at(i);
        assert_int_equal(params_set(old.name, old.max), STATUS_OK);
        assert_int_equal(params_at(i).value, old.max);
        assert_int_equal(params_set(old.name, old.max + 1), STATUS_RANGE);
        assert_int_equal(params_set(old.name, old.min - 1), STATUS_RANGE);
        assert_int_equal(params_at(i).value, old.max);
        assert_int_equal(params_set(old.name, old.value), STATUS_OK);
    }
    assert_int_equal(params_set("RFP_MARGIN", 80), STATUS_OK);
    assert_int_equal(RFP_MARGIN, 80);
    assert_int_equal(params_set("NO_SUCH_NUMBER", 1), STATUS_NOT_FOUND);
}

#else

static void numbers_can_be_set(void **state)
{
    (void)state;
    assert_int_equal(params_count(), 0);
    assert_int_equal(params_set("RFP_MARGIN", 80), STATUS_NOT_FOUND);
    assert_int_equal(params_set("NO_SUCH_NUMBER", 1), STATUS_NOT_FOUND);
}

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_lie_in_their_ranges),
        cmocka_unit_test(numbers_can_be_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
