/* Stands in for the library cmocka where a build for another system has none: the part of its
 * interface that the tests of this tree use, and no more. A test that fails is left at once. Tests
 * that use memory checks or mocks of the library do not compile with it. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct CMUnitTest {
    const char *name;
    void (*test)(void **state);
    int (*setup)(void **state);
    int (*teardown)(void **state);
};

/* clang-format off */
#define cmocka_unit_test(test) {#test, test, NULL, NULL}
#define cmocka_unit_test_setup(test, setup) {#test, test, setup, NULL}
#define cmocka_unit_test_teardown(test, teardown) {#test, test, NULL, teardown}
#define cmocka_unit_test_setup_teardown(test, setup, teardown) {#test, test, setup, teardown}
/* clang-format on */

#define cmocka_run_group_tests(tests, setup, teardown)                                             \
    stand_in_run(tests, sizeof(tests) / sizeof *(tests), setup, teardown)
#define cmocka_run_group_tests_name(name, tests, setup, teardown)                                  \
    cmocka_run_group_tests(tests, setup, teardown)

#define STAND_IN_CHECK(good, ...)                                                                  \
    ((good) ? (void)0 : stand_in_fail(__FILE__, __LINE__, __VA_ARGS__))

#define assert_true(value)  STAND_IN_CHECK(value, "not true: %s", #value)
#define assert_false(value) STAND_IN_CHECK(!(value), "not false: %s", #value)
#define assert_non_null(p)  STAND_IN_CHECK((p) != NULL, "NULL: %s", #p)
#define assert_null(p)      STAND_IN_CHECK((p) == NULL, "not NULL: %s", #p)

#define assert_ptr_equal(a, b)                                                                     \
    STAND_IN_CHECK((const void *)(a) == (const void *)(b), "not the same: %s, %s", #a, #b)
#define assert_int_equal(a, b)                                                                     \
    stand_in_numbers((uintmax_t)(a), (uintmax_t)(b), 1, __FILE__, __LINE__)
#define assert_int_not_equal(a, b)                                                                 \
    stand_in_numbers((uintmax_t)(a), (uintmax_t)(b), 0, __FILE__, __LINE__)
#define assert_in_range(value, min, max)                                                           \
    stand_in_range((uintmax_t)(value), (uintmax_t)(min), (uintmax_t)(max), __FILE__, __LINE__)
#define assert_string_equal(a, b)     stand_in_strings(a, b, 1, __FILE__, __LINE__)
#define assert_string_not_equal(a, b) stand_in_strings(a, b, 0, __FILE__, __LINE__)
#define assert_memory_equal(a, b, size)                                                            \
    stand_in_memory((const char *)(a), (const char *)(b), size, 1, __FILE__, __LINE__)
#define assert_memory_not_equal(a, b, size)                                                        \
    stand_in_memory((const char *)(a), (const char *)(b), size, 0, __FILE__, __LINE__)

#define fail()             stand_in_fail(__FILE__, __LINE__, "the test says so")
#define fail_msg(...)      stand_in_fail(__FILE__, __LINE__, __VA_ARGS__)
#define skip()             stand_in_skip()
#define print_message(...) stand_in_print(__VA_ARGS__)

/* Runs the tests, each between its setup and teardown, all of them between those of the group.
 * Returns how many have failed. */
int stand_in_run(const struct CMUnitTest *tests, size_t count, int (*setup)(void **state),
                 int (*teardown)(void **state));

void stand_in_print(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* These leave the test that runs. */
_Noreturn void stand_in_fail(const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
_Noreturn void stand_in_skip(void);

/* These leave it when the two are (equal = 0) or are not (equal = 1) the same. */
void stand_in_numbers(uintmax_t a, uintmax_t b, int equal, const char *file, int line);
void stand_in_range(uintmax_t value, uintmax_t min, uintmax_t max, const char *file, int line);
void stand_in_strings(const char *a, const char *b, int equal, const char *file, int line);
void stand_in_memory(const char *a, const char *b, size_t size, int equal, const char *file,
                     int line);
