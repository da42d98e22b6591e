/* Names of openings. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "chess/attacks.h"
#include "chess/eco.h"
#include "chess/pgn.h"
#include "chess/position_text.h"

static int set_up(void **state)
{
    (void)state;
    chess_init();
    return 0;
}

/* Checks the name of the position after `moves`; NULL for none. */
static void check(const char *moves, const char *code, const char *name)
{
    struct pgn_reader *reader = pgn_create_memory(moves, strlen(moves));
    struct pgn_game game;
    assert_non_null(reader);
    assert_int_equal(pgn_next(reader, &game, NULL), STATUS_OK);
    struct position pos = game.start;
    struct undo undo;
    for (size_t i = 0; i < game.ply_count; i++)
        position_make(&pos, game.moves[i], &undo);
    pgn_destroy(reader);

    const struct eco *eco = eco_find(pos.key);
    if (!code) {
        assert_null(eco);
        return;
    }
    assert_non_null(eco);
    assert_string_equal(eco->code, code);
    assert_string_equal(eco->name, name);
}

static void positions_have_names(void **state)
{
    (void)state;
    check("1. e4 e5 2. Nf3 Nc6 3. Bb5", "C60", "Ruy Lopez");
    check("1. d4 Nf6 2. c4 e6 3. Nc3 Bb4", "E20", "Nimzo-Indian Defense");
    check("1. h4", "A00",
          "K\xC3\xA1"
          "das Opening");
    check("1. h4 h5 2. a4 a5 3. Ra3 Ra6 4. Rah3", NULL, NULL);
}

static void transpositions_share_a_name(void **state)
{
    (void)state;
    check("1. d4 Nf6 2. c4 e6 3. Nf3", "E10", "Indian Defense: Anti-Nimzo-Indian");
    check("1. Nf3 Nf6 2. c4 e6 3. d4", "E10", "Indian Defense: Anti-Nimzo-Indian");
}

static void the_table_is_sorted_and_complete(void **state)
{
    (void)state;
    const size_t count = eco_row_count;
    const struct eco *table = eco_rows;
    assert_in_range(count, 3500, 5000);
    for (size_t i = 0; i < count; i++) {
        assert_true(i == 0 || table[i - 1].key < table[i].key);
        assert_ptr_equal(eco_find(table[i].key), &table[i]);
        assert_in_range(table[i].code[0], 'A', 'E');
        assert_int_equal(strlen(table[i].code), 3);
        assert_true(strlen(table[i].name) > 0);
    }
    assert_null(eco_find(0));
    assert_null(eco_find(UINT64_MAX));
}

static void assert_named(const char *text, const char *moves)
{
    const struct eco *eco = NULL;
    assert_int_equal(eco_named(span_of(text), &eco), STATUS_OK);
    assert_string_equal(eco->moves, moves);
}

/* The shortest line of a code or a name; every line of the table leads to its row. */
static void openings_are_found_by_name(void **state)
{
    (void)state;
    const struct eco *eco = NULL;
    assert_named("B90", "1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6");
    assert_named("c60", "1. e4 e5 2. Nf3 Nc6 3. Bb5");
    assert_named("Sicilian defense", "1. e4 c5");
    assert_named("King's Indian Defense: Four Pawns Attack",
                 "1. d4 Nf6 2. c4 g6 3. Nc3 Bg7 4. e4 d6 5. f4");
    assert_int_equal(eco_named(span_of("A00"), &eco), STATUS_AMBIGUOUS);
    assert_int_equal(eco_named(span_of("F00"), &eco), STATUS_NOT_FOUND);
    assert_int_equal(eco_named(span_of(""), &eco), STATUS_NOT_FOUND);
    assert_int_equal(eco_named(span_of("Sicilian"), &eco), STATUS_NOT_FOUND);
    for (size_t i = 0; i < eco_row_count; i++) {
        struct position pos;
        assert_int_equal(position_from_text(span_of(eco_rows[i].moves), &pos, NULL), STATUS_OK);
        assert_true(pos.key == eco_rows[i].key);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(positions_have_names),
        cmocka_unit_test(transpositions_share_a_name),
        cmocka_unit_test(the_table_is_sorted_and_complete),
        cmocka_unit_test(openings_are_found_by_name),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
