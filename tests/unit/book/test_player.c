/* Players and the spellings of their names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "book/count/filter/player.h"

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

/* In UTF-8 and in Latin-1, with and without accents, capital or small. */
static void letters_fit_without_case(void **state)
{
    (void)state;
    static const char *const names[] = {"M\u00fcller, Karsten", "M\u00dcLLER, K",
                                        "M\xfcller,Karsten", "M\xdcLLER K."};
    static const char *const wanted[] = {"M\u00fcller", "m\u00fcller, karsten", "K. M\u00dcLLER",
                                         "M\xfcller K"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++)
            assert_true(player_matches(span_of(names[i]), wanted[k]));
    assert_true(player_matches(span_of("\u041f\u0415\u0422\u0420\u041e\u0421\u042f\u041d, \u0422."),
                               "\u041f\u0435\u0442\u0440\u043e\u0441\u044f\u043d \u0422\u0438"));
    /* The first name is one letter of two bytes. */
    assert_true(player_matches(span_of("Polg\u00e1r, \u00c9"), "Polg\u00c1r \u00e9va"));
    assert_false(player_matches(span_of("M\u00fcller, K"), "Muller"));
    assert_false(player_matches(span_of("M\xfc"), "M\u00fcller"));
}

static void hyphens_part_words(void **state)
{
    (void)state;
    static const char *const names[] = {"Vachier-Lagrave, M", "Vachier Lagrave, Maxime",
                                        "Maxime Vachier-Lagrave", "VACHIER-LAGRAVE M."};
    static const char *const wanted[] = {"Vachier Lagrave", "vachier-lagrave", "Vachier-Lagrave, M",
                                         "Maxime Vachier-Lagrave"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++)
            assert_true(player_matches(span_of(names[i]), wanted[k]));
    static const char *const first_names[] = {"Hecht, Hans-Joachim", "Hecht, H", "Hecht H.-J.",
                                              "Hans-Joachim Hecht", "Hecht, Hans Joachim"};
    for (size_t i = 0; i < sizeof first_names / sizeof *first_names; i++) {
        assert_true(player_matches(span_of(first_names[i]), "Hecht, Hans-Joachim"));
        assert_true(player_matches(span_of(first_names[i]), "Hans-Joachim Hecht"));
    }
    assert_false(player_matches(span_of("Vachier-Lagrave, M"), "Vachier"));
    assert_false(player_matches(span_of("Vachier-Lagrave, M"), "Lagrave"));
    assert_false(player_matches(span_of("Vachier, M"), "Vachier-Lagrave"));
    assert_false(player_matches(span_of("Hecht, Hans"), "Hecht, Hans-Joachim"));
    assert_false(player_matches(span_of("-"), "-"));
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
    assert_int_equal(distance("M\xfcller, K", "M\u00fcler"), 1);
    assert_int_equal(distance("Karpov, A", "Kasparov"), -1);
    assert_int_equal(distance("Dal, M", "Tal"), -1);
    assert_int_equal(distance("", "Tal"), -1);
    assert_int_equal(distance("Tal", ""), -1);
    assert_int_equal(distance("Aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "Tal"),
                     -1);
}

/* A family name may be asked for by one of its words. */
static void words_of_a_family_name_are_near(void **state)
{
    (void)state;
    assert_int_equal(distance("van der Wiel, John", "Wiel"), 0);
    assert_int_equal(distance("van der Wiel, John", "wiel, j"), 0);
    assert_int_equal(distance("van der Wiel, John", "John van der Wiel"), 0);
    assert_int_equal(distance("Van der Wiel J", "Wiel"), 0);
    assert_int_equal(distance("John van der Wiel", "Wiel"), 0);
    assert_int_equal(distance("Vachier-Lagrave, M", "Vachier"), 0);
    assert_int_equal(distance("Vachier-Lagrave, M", "Lagrave"), 0);
    assert_int_equal(distance("Tal, Mikhail", "Mikhail"), -1);
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

static void near_names_are_utf8(void **state)
{
    (void)state;
    struct near_names names = {.count = 0};
    near_names_add(&names, span_of("M\xfcller, K"), 1, 2);
    near_names_add(&names, span_of("M\u00fcller, K"), 1, 3);
    assert_int_equal(names.count, 1);
    assert_int_equal(names.list[0].games, 5);
    assert_string_equal(names.list[0].text, "M\u00fcller, K");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spellings_fit),          cmocka_unit_test(both_orders_fit),
        cmocka_unit_test(others_do_not),          cmocka_unit_test(near_names_have_a_distance),
        cmocka_unit_test(near_names_are_bounded), cmocka_unit_test(letters_fit_without_case),
        cmocka_unit_test(hyphens_part_words),     cmocka_unit_test(words_of_a_family_name_are_near),
        cmocka_unit_test(near_names_are_utf8),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
