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

/* By initial or full name, in both orders. */
static void both_orders_fit(void **state)
{
    (void)state;
    static const char *const names[] = {
        "Carlsen,M",  "Carlsen, Magnus", "Carlsen, M.",          "Magnus Carlsen",
        "M. Carlsen", "carlsen m",       "Carlsen, Magnus (NOR)"};
    static const char *const wanted[] = {"Carlsen, Magnus", "Magnus Carlsen", "Carlsen M",
                                         "Carlsen Magnus",  "M. Carlsen",     "carlsen, m."};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++)
            assert_true(player_matches(span_of(names[i]), wanted[k]));
}

static void others_do_not(void **state)
{
    (void)state;
    assert_false(player_matches(span_of("Fischer Js"), "Fischer R"));
    assert_false(player_matches(span_of("Fischer"), "Fischer R"));
    assert_false(player_matches(span_of("Taler, M"), "Tal"));
    assert_false(player_matches(span_of("Shaked Tal (USA)"), "Tal"));
    assert_false(player_matches(span_of("Fischer"), "Fischer Robert"));
    assert_false(player_matches(span_of("Fischer Ro"), "Fischer Robert"));
    assert_false(player_matches(span_of("Carlsen, H"), "Magnus Carlsen"));
    assert_false(player_matches(span_of("Shaked Tal"), "Tal"));
    assert_false(player_matches(span_of("Carl, M"), "Carlsen, Magnus"));
    assert_false(player_matches(span_of("Robert, F"), "Fischer, Robert"));
    assert_false(player_matches(span_of(""), "Fischer"));
    assert_false(player_matches(span_of("Fischer"), ""));
    assert_false(player_matches(span_of("Fischer"), " ,"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spellings_fit),
        cmocka_unit_test(both_orders_fit),
        cmocka_unit_test(others_do_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
