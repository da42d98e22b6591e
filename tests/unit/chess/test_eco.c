/* Names of openings. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
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

/* tests/clients/opening_names.js has the same cases for the page of makebook explore. */
static void names_are_found_as_people_write_them(void **state)
{
    (void)state;
    char line[256];
    int count = 0;
    FILE *file = fopen(TEST_DATA_DIR "/opening_names.tsv", "r");
    assert_non_null(file);
    for (; fgets(line, sizeof line, file); count++) {
        const struct eco *found[ECO_FOUND_MAX];
        bool exact = false;
        char *wanted = strchr(line, '\t');
        assert_non_null(wanted);
        *wanted++ = '\0';
        wanted[strcspn(wanted, "\n")] = '\0';
        size_t size = eco_search(span_of(line), found, &exact);
        if (*wanted == '-') {
            assert_int_equal(size, 0);
            continue;
        }
        assert_true(size > 0);
        assert_int_equal(exact, *wanted != '~');
        assert_string_equal(found[0]->name, wanted + (*wanted == '~'));
        for (size_t i = 1; i < size; i++)
            assert_string_not_equal(found[i]->name, found[0]->name);
    }
    assert_int_equal(fclose(file), 0);
    assert_true(count > 40);
}

static void every_name_is_found_by_itself(void **state)
{
    (void)state;
    for (size_t i = 0; i < eco_row_count; i += 7) {
        const struct eco *found[ECO_FOUND_MAX];
        bool exact = false;
        size_t size = eco_search(span_of(eco_rows[i].name), found, &exact);
        bool seen = false;
        for (size_t k = 0; k < size; k++)
            seen = seen || strcmp(found[k]->name, eco_rows[i].name) == 0;
        assert_true(exact && seen);
        struct position pos;
        assert_int_equal(position_from_text(span_of(eco_rows[i].moves), &pos, NULL), STATUS_OK);
        assert_true(pos.key == eco_rows[i].key);
    }
}

static void check_line(const char *text, enum caxton_status status, const char *line,
                       const char *said)
{
    struct diag diag = {.text = "before"};
    char room[ECO_LINE_MAX];
    struct span found;
    assert_int_equal(eco_line(span_of(text), room, &found, &diag), status);
    if (status == STATUS_OK)
        assert_true(span_equal(found, line));
    assert_string_equal(diag.text, said);
}

static void lines_are_named(void **state)
{
    (void)state;
    check_line("e4 c5", STATUS_OK, "e4 c5", "");
    check_line("", STATUS_OK, "", "");
    check_line("startpos moves e4", STATUS_OK, "startpos moves e4", "");
    check_line("8/8/8/8/8/8/8/K1k5 w - - 0 1", STATUS_OK, "8/8/8/8/8/8/8/K1k5 w - - 0 1", "");
    check_line("e5", STATUS_OK, "e5", "");   /* no legal move, and no name */
    check_line("nf6", STATUS_OK, "nf6", ""); /* nor that */
    check_line("1. e4 sicilian", STATUS_OK, "1. e4 sicilian", "");
    check_line(" kid ", STATUS_OK, "1. d4 Nf6 2. c4 g6 3. Nc3",
               "kid is E61 King's Indian Defense, 1. d4 Nf6 2. c4 g6 3. Nc3");
    check_line("nimzo", STATUS_OK, "1. d4 Nf6 2. c4 e6 3. Nc3 Bb4",
               "nimzo is E20 Nimzo-Indian Defense, 1. d4 Nf6 2. c4 e6 3. Nc3 Bb4; not Nimzowitsch "
               "Defense or Nimzo-Larsen Attack");
    check_line("petroff Nc3", STATUS_OK, "1. e4 e5 2. Nf3 Nf6 Nc3",
               "petroff is C42 Petrov's Defense, 1. e4 e5 2. Nf3 Nf6");
    check_line(" B10 2.d4 d5 e5 ", STATUS_OK, "1. e4 c6 2.d4 d5 e5",
               "B10 is B10 Caro-Kann Defense, 1. e4 c6");
    check_line("nimzo indian e3", STATUS_OK, "1. d4 Nf6 2. c4 e6 3. Nc3 Bb4 e3", /* not E3x */
               "nimzo indian is E20 Nimzo-Indian Defense, 1. d4 Nf6 2. c4 e6 3. Nc3 Bb4");
    check_line("kid O-O", STATUS_OK, "1. d4 Nf6 2. c4 g6 3. Nc3 O-O", /* not Orthodox */
               "kid is E61 King's Indian Defense, 1. d4 Nf6 2. c4 g6 3. Nc3");
    check_line("london bd3", STATUS_OK, "1. d4 Nf6 2. Nf3 g6 3. Bf4 Bg7 4. e3 d6 5. Bd3",
               "london bd3 is A48 London System, with Bd3, 1. d4 Nf6 2. Nf3 g6 3. Bf4 Bg7 4. e3 d6 "
               "5. Bd3");
    check_line("sicillian e4", STATUS_NOT_FOUND, NULL,
               "ply 1: sicillian is no move, and no opening is called so; did you mean Sicilian "
               "Defense");
    check_line(
        "sicillian", STATUS_NOT_FOUND, NULL,
        "ply 1: sicillian is no move, and no opening is called so; did you mean Sicilian Defense");
    check_line("xyzzy", STATUS_NOT_FOUND, NULL,
               "ply 1: xyzzy is no move, and no opening is called so");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(positions_have_names),
        cmocka_unit_test(transpositions_share_a_name),
        cmocka_unit_test(the_table_is_sorted_and_complete),
        cmocka_unit_test(names_are_found_as_people_write_them),
        cmocka_unit_test(every_name_is_found_by_itself),
        cmocka_unit_test(lines_are_named),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
