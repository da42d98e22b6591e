/* Players and the spellings of their names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "book/build/filter/near_names.h"
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

static int distance(const char *name, const char *wanted)
{
    return player_distance(span_of(name), wanted);
}

static void near_names_have_a_distance(void **state)
{
    (void)state;
    assert_int_equal(distance("Kasparov, G", "Kasparow"), 1);
    assert_int_equal(distance("Kasparov, G", "kasparoff, garry"), 2);
    assert_int_equal(distance("Carlsen", "Carlsen, Magnus"), 1);
    assert_int_equal(distance("Carlsen, Sven", "Carlsen, Magnus"), PLAYER_OTHER_INITIAL);
    assert_int_equal(distance("Magnus Carlson", "Carlsen Magnus"), 1);
    assert_int_equal(distance("M\xc3\xbcller, K", "Muller"), 1);
    assert_int_equal(distance("Karpov, A", "Kasparov"), -1);
    assert_int_equal(distance("Dal, M", "Tal"), -1);
    assert_int_equal(distance("", "Tal"), -1);
    assert_int_equal(distance("Tal", ""), -1);
    assert_int_equal(distance("Aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "Tal"),
                     -1);
}

/* The nearest stay, whatever comes when. */
static void near_names_are_bounded(void **state)
{
    (void)state;
    struct near_names names = {.count = 0};
    struct near_names more = {.count = 0};
    for (int i = 0; i < 1000; i++) {
        char text[20];
        (void)snprintf(text, sizeof text, "Far %d", i);
        near_names_add(&names, span_of(text), 3, 1);
    }
    assert_int_equal(names.count, NEAR_NAMES_MAX);
    near_names_add(&names, span_of("Near"), 1, 2);
    near_names_add(&more, span_of("Near"), 1, 5);
    near_names_add(&more, span_of("Nearer"), 0, 1);
    near_names_merge(&names, &more);
    near_names_sort(&names);
    assert_int_equal(names.count, NEAR_NAMES_MAX);
    assert_string_equal(names.list[0].text, "Nearer");
    assert_string_equal(names.list[1].text, "Near");
    assert_int_equal(names.list[1].games, 7);
    assert_string_equal(names.list[2].text, "Far 0");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spellings_fit),          cmocka_unit_test(both_orders_fit),
        cmocka_unit_test(others_do_not),          cmocka_unit_test(near_names_have_a_distance),
        cmocka_unit_test(near_names_are_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
