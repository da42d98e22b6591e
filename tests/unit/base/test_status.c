/* Messages of faults: whole when they fit, without their middle when they do not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/status.h"

static void a_long_path_keeps_its_name_and_the_reason(void **state)
{
    (void)state;
    static const char reason[] = "/games.pgn: Permission denied";
    char path[6000];
    struct diag diag;
    for (size_t size = 1; size < sizeof path - sizeof reason; size += size < 400 ? 1 : 997) {
        /* Characters of two bytes, which a cut must not halve. */
        for (size_t i = 0; i < size; i++)
            path[i] = i == 0 ? '/' : "\xC3\xA4"[i & 1 ? 0 : 1];
        size_t whole = size & 1 ? size : size - 1;
        path[whole] = '\0';
        diag_set(&diag, 3, 4, "%s%s", path, reason);
        size_t length = strlen(diag.text);
        assert_true(diag.line == 3 && diag.column == 4 && diag.offset == 0);
        assert_string_equal(diag.text + length - (sizeof reason - 1), reason);
        if (whole + sizeof reason <= sizeof diag.text) {
            assert_memory_equal(diag.text, path, whole);
            assert_int_equal(length, whole + sizeof reason - 1);
            continue;
        }
        assert_in_range(length, sizeof diag.text - 4, sizeof diag.text - 1);
        const char *dots = strstr(diag.text, "...");
        assert_non_null(dots);
        assert_int_equal((dots - diag.text) % 2, 1);
        assert_true((unsigned char)dots[3] == 0xC3);
    }
}

static void no_place_for_a_fault_is_no_fault(void **state)
{
    (void)state;
    diag_set(NULL, 1, 1, "%s", "nobody reads this");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_long_path_keeps_its_name_and_the_reason),
        cmocka_unit_test(no_place_for_a_fault_is_no_fault),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
