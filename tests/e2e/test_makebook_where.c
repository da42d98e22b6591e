/* makebook show --where: the games of a position, found and printed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "makebook.h"

static const char first_games[] =
    "[White \"Anna\"]\n[Black \"Ben\"]\n[Date \"1999.12.31\"]\n[Result \"1-0\"]\n"
    "[WhiteElo \"2500\"]\n[BlackElo \"2400\"]\n\n1. e4 e5 2. Nf3 Nc6 1-0\n\n"
    "[White \"Ben\"]\n[Black \"Cleo\"]\n[Date \"????.??.??\"]\n[Result \"*\"]\n"
    "[BlackElo \"2600\"]\n\n1. Nf3 Nc6 2. e4 e5 *\n\n"
    "[White \"Dan\"]\n[Black \"Eve\"]\n\n1. d4 d5 0-1\n";
/* Bad after the position; without a last line end. */
static const char second_games[] =
    "[White \"Cleo\"]\n[Black \"Anna\"]\n[Date \"2001.??.??\"]\n[Result \"1/2-1/2\"]\n"
    "[WhiteElo \"2550\"]\n[BlackElo \"2550\"]\n\n{a remark}\n1. e4 e5 2. Nf3 Nc6 3. Bb5 1/2-1/2\n\n"
    "[White \"Fred\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Ke4 1-0";

static int make_folder(void **state)
{
    (void)state;
    if (create_folder() != 0)
        return -1;
    write_text("1.pgn", first_games);
    write_text("2.pgn", second_games);
    assert_int_equal(MAKEBOOK("build", "1.pgn", "2.pgn", "-o", "all.wld", "-q"), 0);
    return 0;
}

#define POSITION "1. e4 e5 2. Nf3 Nc6"

static void games_are_found_in_any_order_of_moves(void **state)
{
    (void)state;
    assert_int_equal(MAKEBOOK("show", "all.wld", POSITION, "--where", "1.pgn", "--where", "2.pgn"),
                     0);
    assert_says(result.output, "4 of 5 games come to this position, from 1999.12.31 to 2001.??.??\n"
                               "best players: Cleo (2600), Anna (2550), Ben (2400)\n"
                               "  1 Cleo (2550) - Anna (2550) 1/2-1/2 2001.??.??  ");
    assert_says(result.output, "2.pgn:1\n  2 Anna (2500) - Ben (2400) 1-0 1999.12.31  ");
    assert_says(result.output, "1.pgn:1\n  3 Ben - Cleo (2600) * ????.??.??  ");
    assert_says(result.output, "1.pgn:10\n  4 Fred - ? *   ");
    assert_int_equal(
        MAKEBOOK("show", "all.wld", POSITION, "--json", "--where", "1.pgn", "--samples", "1"), 0);
    assert_says(result.output,
                "\"where\": {\"read\": 3, \"games\": 2, \"first\": \"1999.12.31\", "
                "\"last\": \"1999.12.31\", \"best\": [{\"name\": \"Cleo\", \"elo\": 2600}, ");
    assert_says(result.output,
                "\"samples\": [\n  {\"white\": {\"name\": \"Anna\", \"elo\": 2500}, ");
    assert_says(result.output, "\"game\": 1, \"line\": 1, \"byte\": 0}]}}\n");
    /* Also where the book knows nothing. */
    assert_int_equal(MAKEBOOK("show", "all.wld", "1. h4", "--where", "1.pgn"), 1);
    assert_says(result.output, "0 of 3 games come to this position\n");
}

static void a_game_is_printed(void **state)
{
    (void)state;
    assert_int_equal(MAKEBOOK("show", "all.wld", POSITION, "--where", "1.pgn", "--where", "2.pgn",
                              "--game", "1"),
                     0);
    assert_string_equal(result.output,
                        "[White \"Cleo\"]\n[Black \"Anna\"]\n[Date \"2001.??.??\"]\n"
                        "[Result \"1/2-1/2\"]\n[WhiteElo \"2550\"]\n[BlackElo \"2550\"]\n\n"
                        "{a remark}\n1. e4 e5 2. Nf3 Nc6 3. Bb5 1/2-1/2\n");
    assert_int_equal(MAKEBOOK("show", "all.wld", POSITION, "--where", "1.pgn", "--game", "2"), 0);
    assert_string_equal(result.output,
                        "[White \"Ben\"]\n[Black \"Cleo\"]\n[Date \"????.??.??\"]\n"
                        "[Result \"*\"]\n[BlackElo \"2600\"]\n\n1. Nf3 Nc6 2. e4 e5 *\n");
    assert_int_equal(MAKEBOOK("show", "all.wld", POSITION, "--where", "2.pgn", "--game", "2"), 0);
    assert_string_equal(result.output, "[White \"Fred\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Ke4 1-0\n");
    assert_int_equal(MAKEBOOK("show", "all.wld", POSITION, "--where", "2.pgn", "--game", "3"), 1);
    assert_says(result.errors, "there are 2 sample games here\n");
}

/* What a file without games is, where that is known. */
static void other_files_are_named(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        const char *why;
    } files[] = {
        {"wide.pgn", "wide.pgn: no games found: it is text in UTF-16: save it as UTF-8\n"},
        {"kept.pgn", "kept.pgn: no games found: it is sample games of makebook (.wld.games)\n"},
        {"prose.pgn", "prose.pgn: no games found\n"},
    };
    char wide[2 * sizeof first_games];
    for (size_t i = 0; i < sizeof wide; i++)
        wide[i] = (char)(i % 2 ? 0 : first_games[i / 2]);
    FILE *file = fopen(path_of("wide.pgn"), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(wide, 1, sizeof wide, file), sizeof wide);
    assert_int_equal(fclose(file), 0);
    write_text("kept.pgn", "CAXGAM\r\n");
    write_text("prose.pgn", "no game\n");
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        assert_int_equal(MAKEBOOK("build", files[i].name, "-o", "x.bin", "-q"), 1);
        assert_says(result.errors, files[i].why);
        (void)MAKEBOOK("show", "all.wld", POSITION, "--where", files[i].name);
        assert_says(result.errors, files[i].why);
    }
    (void)MAKEBOOK("show", "all.wld", POSITION, "--where", "all.wld");
    assert_says(result.errors, "all.wld: no games found: it is statistics of makebook (.wld)\n");
    assert_int_equal(MAKEBOOK("build", "all.wld", "-o", "x.bin", "-q"), 2);
    assert_says(result.errors, "all.wld: named as a book");
}

static void misuse_is_told(void **state)
{
    (void)state;
    assert_int_equal(MAKEBOOK("show", "all.wld", POSITION, "--game", "1"), 2);
    assert_int_equal(MAKEBOOK("show", "all.wld", POSITION, "--where", "-", "--game", "1"), 2);
    assert_int_equal(
        MAKEBOOK("show", "all.wld", POSITION, "--where", "1.pgn", "--game", "1", "--json"), 2);
    assert_says(result.errors, "--game prints PGN of a position: without --json and --replies");
    assert_int_equal(MAKEBOOK("show", "all.wld", POSITION, "--samples", "3"), 2);
    assert_says(result.errors, "--samples is about games that --where finds, or that build");
    assert_string_equal(result.output, "");
    assert_int_equal(MAKEBOOK("show", "all.wld", POSITION, "--where", "none.pgn"), 1);
    assert_says(result.errors, "none.pgn: ");
    assert_int_equal(MAKEBOOK("show", "all.wld", POSITION, "--where", "1.pgn", "--samples", "0"),
                     2);
}

/* The players of the games that are listed, in their order: "AB" for "  1 A - B" and so on. */
static void listed_players(char *out)
{
    for (const char *at = strstr(result.output, "\n  1 "); at; at = strchr(at + 1, '\n'))
        if (at[1] == ' ' && at[4] == ' ') {
            *out++ = at[5];
            *out++ = at[9];
        }
    *out = '\0';
}

/* Of games with the same Elo sum those are shown that build --samples keeps; equal games once. */
static void as_sample_games_are_chosen(void **state)
{
    (void)state;
    enum { GAMES = 12, TEXT = 100 };
    char text[(GAMES + 1) * TEXT] = "";
    char kept[40];
    char found[40];
    for (int i = 0; i <= GAMES; i++) /* the first one twice */
        (void)snprintf(text + strlen(text), TEXT,
                       "[White \"%c\"]\n[Black \"Z\"]\n[Result \"1-0\"]\n\n1. e4 e5 1-0\n\n",
                       'A' + i % GAMES);
    write_text("3.pgn", text);
    assert_int_equal(
        MAKEBOOK("build", "3.pgn", "-o", "s.wld", "--samples", "4", "--max-ply", "2", "-q"), 0);
    assert_int_equal(MAKEBOOK("show", "s.wld", "1. e4"), 0);
    listed_players(kept);
    assert_int_equal(strlen(kept), 8);
    assert_int_equal(MAKEBOOK("show", "s.wld", "1. e4", "--where", "3.pgn"), 0);
    listed_players(found);
    assert_string_equal(found, kept);
    assert_int_equal(MAKEBOOK("show", "s.wld", "1. e4", "--where", "3.pgn", "--samples", "50"), 0);
    assert_says(result.output, "13 of 13 games come to this position");
    listed_players(found);
    assert_int_equal(strlen(found), 2 * GAMES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(games_are_found_in_any_order_of_moves),
        cmocka_unit_test(a_game_is_printed),
        cmocka_unit_test(other_files_are_named),
        cmocka_unit_test(misuse_is_told),
        cmocka_unit_test(as_sample_games_are_chosen),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
