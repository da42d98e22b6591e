/* Players and the spellings of their names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "book/build/filter/player.h"

static void spellings_fit(void **state)
{
    (void)state;
    static const char *const names[] = {"Fischer, Robert J", "Fischer Robert", "Fischer R",
                                        "FISCHER,R.", "Fischer  Robert James (USA)"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        assert_true(player_matches(span_of(names[i]), "Fischer"));
        assert_true(player_matches(span_of(names[i]), "fischer, r."));
    }
    assert_true(player_matches(span_of("Fischer, Robert J"), "Fischer Robert"));
    assert_true(player_matches(span_of("Van der Wiel, J"), "van der wiel"));
}

static void others_do_not(void **state)
{
    (void)state;
    assert_false(player_matches(span_of("Fischer Js"), "Fischer R"));
    assert_false(player_matches(span_of("Fischer"), "Fischer R"));
    assert_false(player_matches(span_of("Taler, M"), "Tal"));
    assert_false(player_matches(span_of("Shaked Tal (USA)"), "Tal"));
    assert_false(player_matches(span_of("Fischer R"), "Fischer Robert"));
    assert_false(player_matches(span_of(""), "Fischer"));
    assert_false(player_matches(span_of("Fischer"), ""));
    assert_false(player_matches(span_of("Fischer"), " ,"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spellings_fit),
        cmocka_unit_test(others_do_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
