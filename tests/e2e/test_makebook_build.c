/* makebook build on small games: what reaches the user of its options and of its report. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <unistd.h>

#include "process.h"

/* The third equals the first, the last one is bad. */
static const char games[] = "[White \"A\"]\n[Black \"B\"]\n[WhiteElo \"2600\"]\n"
                            "[BlackElo \"2500\"]\n\n1. e4 e5 1-0\n\n"
                            "[White \"C\"]\n[Black \"D\"]\n\n1. d4 d5 0-1\n\n"
                            "[White \"A\"]\n[Black \"B\"]\n[WhiteElo \"2600\"]\n"
                            "[BlackElo \"2500\"]\n\n1. e4 {again} e5 1-0\n\n"
                            "[White \"E\"]\n[Black \"F\"]\n\n1. e4 e5 2. Ke3 1-0\n";

static char book[64];

static int make_folder(void **state)
{
    (void)state;
    char folder[] = "/tmp/makebook_build.XXXXXX";
    if (!mkdtemp(folder))
        return -1;
    (void)snprintf(book, sizeof book, "%s/book.bin", folder);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    (void)unlink(book);
    *strrchr(book, '/') = '\0';
    return rmdir(book);
}

/* Builds from `games` with up to four more words; the caller frees the result. */
static struct process_result build(const char *a, const char *b, const char *c, const char *d)
{
    const char *const arguments[] = {process_binary("MAKEBOOK_BINARY"),
                                     "build",
                                     "-",
                                     "-o",
                                     book,
                                     "--min-games",
                                     "1",
                                     a,
                                     b,
                                     c,
                                     d,
                                     NULL};
    (void)unlink(book);
    return process_run(arguments, games);
}

static void assert_has(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("\"%s\" is not in: %s", part, text);
}

static void the_report_accounts_for_every_game(void **state)
{
    (void)state;
    struct process_result result = build(NULL, NULL, NULL, NULL);
    assert_int_equal(result.status, 0);
    assert_has(result.output, "games read                  4\n");
    assert_has(result.output, "games used                  2\n");
    assert_has(result.output, "           1  bad\n");
    assert_has(result.output, "           1  counted already\n");
    assert_has(result.output,
               "standard input:23:13: game 4: illegal move Ke3: the white king cannot go there\n");
    assert_has(result.output, "peak memory ");
    process_result_free(&result);
}

/* Games that can be read although something is odd about them are counted, and noted. */
static void odd_games_are_noted(void **state)
{
    (void)state;
    static const char odd[] = "[White \"A\"]\n[White \"B\"]\n[Result \"0-1\"]\n\n1. e4 e5 1-0\n\n"
                              "[White \"C\"]\n[Result \"1-0\"]\n\n1. d4 d5\n\n"
                              "[Event \"D\"]\n[Event \"E\"]\n\n1. e4 c5 1-0\n";
    const char *const arguments[] = {
        process_binary("MAKEBOOK_BINARY"), "build", "-", "-o", book, "--min-games", "1", NULL};
    struct process_result result = process_run(arguments, odd);
    assert_int_equal(result.status, 0);
    assert_has(result.output, "games read                  4\n");
    assert_has(result.output,
               "standard input:13:1: game 3: the game ends inside its tags: an Event "
               "follows\n");
    assert_has(result.output, "  note                      1  with a tag given twice; the first "
                              "counts; first: standard input:1: game 1\n");
    assert_has(result.output, "  note                      1  whose Result tag differs from "
                              "that of the moves, which counts unless it is *; first: "
                              "standard input:1: game 1");
    assert_has(result.output, "  note                      1  without a result behind the moves; "
                              "first: standard input:7: game 2\n");
    process_result_free(&result);
    const char *const json[] = {process_binary("MAKEBOOK_BINARY"),
                                "build",
                                "-",
                                "-o",
                                book,
                                "--min-games",
                                "1",
                                "--json",
                                NULL};
    result = process_run(json, odd);
    assert_has(
        result.output,
        "\"notes\": {\"tag_twice\": 1, \"bad_tag\": 0, \"odd_fen\": 0, \"result_differs\": 1, "
        "\"no_terminator\": 1, \"open_variation\": 0, "
        "\"stray_parenthesis\": 0, \"openings\": 0}");
    process_result_free(&result);
}

/* Of 120 games, `early` have 8 moves and the result; the rest have 15 moves, or another result. */
static struct process_result build_openings(int early, const char *rest, const char *option)
{
    static char text[1 << 16];
    const char *const words[] = {process_binary("MAKEBOOK_BINARY"),
                                 "build",
                                 "-",
                                 "-o",
                                 book,
                                 option,
                                 "16",
                                 "--min-games",
                                 "1",
                                 NULL};
    size_t size = 0;
    for (int i = 0; i < 120; i++) {
        size += (size_t)snprintf(text + size, sizeof text - size, "[White \"%d\"]\n\n1. %c3 Nh6", i,
                                 "bcdefgh"[i % 7]);
        for (int move = 2; move <= (i < early || *rest ? 8 : 15); move++)
            size += (size_t)snprintf(text + size, sizeof text - size, " %d. %s", move,
                                     move % 2 ? "Nb1 Rh8" : "Na3 Rg8");
        size += (size_t)snprintf(text + size, sizeof text - size, " %s\n\n",
                                 i < early || !*rest ? "1/2-1/2" : rest);
    }
    return process_run(words, text);
}

/* Openings with results that nobody played for are counted like games: that is said. */
static void openings_are_noted(void **state)
{
    (void)state;
    static const char remark[] = "openings, not games? --weight games does not count results\n";
    struct process_result result = build_openings(120, "", "--max-ply");
    assert_int_equal(result.status, 0);
    assert_has(result.output, "  note                    120  end before move 15, 120 of them "
                              "1/2-1/2: openings, not games? ");
    process_result_free(&result);
    result = build_openings(115, "0-1", "--max-ply"); /* 5 of 120 */
    assert_has(result.output, "  note                    120  end before move 15, 115 of them ");
    process_result_free(&result);
    result = build_openings(110, "1-0", "--max-ply"); /* results that differ */
    assert_null(strstr(result.output, remark));
    process_result_free(&result);
    result = build_openings(50, "", "--max-ply"); /* most are longer */
    assert_null(strstr(result.output, remark));
    process_result_free(&result);
}

static void json_says_the_same(void **state)
{
    (void)state;
    struct process_result result = build("--json", "--min-elo", "2500", NULL);
    assert_int_equal(result.status, 0);
    assert_memory_equal(result.output, "{\"games\": 4, \"used\": 1, \"left_out\": {\"bad\": 1,",
                        44);
    assert_has(result.output, "\"elo\": 0, \"max_elo\": 0, \"elo_diff\": 0, \"elo_unknown\": 1,");
    assert_has(result.output, "\"duplicate\": 1}");
    assert_has(result.output, "\"first_bad_games\": [{\"file\": \"standard input\", \"line\": 23, "
                              "\"column\": 13, \"game\": 4, \"reason\": \"illegal move Ke3: ");
    assert_has(result.output, "\"plies\": 2,");
    assert_string_equal(strchr(result.output, '\n'), "\n");
    process_result_free(&result);
}

static void duplicates_and_bad_games_when_wanted(void **state)
{
    (void)state;
    struct process_result result =
        build("--json", "--keep-duplicates", "--bad-games=keep-prefix", "--unfinished");
    assert_int_equal(result.status, 0);
    assert_memory_equal(result.output, "{\"games\": 4, \"used\": 4,", 23);
    assert_has(result.output, "\"bad_games\": 1, \"bad_games_used\": 1,");
    assert_has(result.output, "\"plies\": 8,");
    process_result_free(&result);
}

static void strict_writes_nothing(void **state)
{
    (void)state;
    struct process_result result = build("--strict", NULL, NULL, NULL);
    assert_int_equal(result.status, 1);
    assert_string_equal(result.output, "");
    assert_string_equal(result.errors, "makebook build: standard input:23:13: game 4: illegal move "
                                       "Ke3: the white king cannot go there\n");
    assert_int_not_equal(access(book, F_OK), 0);
    process_result_free(&result);
}

static void wrong_filters_are_refused(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {
        {"--since", "99"},          {"--until", "1999.13"}, {"--time-control", "fast"},
        {"--result", "2-0"},        {"--eco", "F00"},       {"--start", "e5"},
        {"--max-elo-diff", "x"},    {"--min-elo", "0"},     {"--variant", "shogi"},
        {"--bad-games", "eat"},     {"--min-plies", "-1"},  {"--player"},
        {"--player-result", "win"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct process_result result = build(wrong[i][0], wrong[i][1], NULL, NULL);
        assert_int_equal(result.status, 2);
        assert_string_equal(strchr(result.errors, '\n'), "\n");
        assert_int_not_equal(access(book, F_OK), 0);
        process_result_free(&result);
    }
}

/* Builds from `input` with up to two more words, where nothing is left; the caller frees the
 * result. */
static struct process_result build_nothing(const char *input, const char *a, const char *b)
{
    const char *const arguments[] = {
        process_binary("MAKEBOOK_BINARY"), "build", "-", "-o", book, a, b, NULL};
    (void)unlink(book);
    struct process_result result = process_run(arguments, input);
    assert_int_equal(result.status, 1);
    assert_int_not_equal(access(book, F_OK), 0);
    return result;
}

static void a_book_without_a_move_has_a_reason(void **state)
{
    (void)state;
    static const char studies[] = "[White \"A\"]\n\n1. e4 e5 *\n\n[White \"B\"]\n\n1. d4 d5 *\n";
    static const char bad[] = "[White \"A\"]\n\n1. e4 e5 2. Ke3 1-0\n";
    static const struct {
        const char *input;
        const char *words[2];
        const char *reason;
    } cases[] = {
        {studies, {NULL}, "2 of 2 games had no result (--unfinished counts them)"},
        {games, {NULL}, "all 4 moves occur in fewer than 3 games (--min-games)"},
        {games, {"--min-elo", "2800"}, "2 of 4 games had players of less Elo (--min-elo)"},
        {games,
         {"--player", "Nobody"},
         "3 of 4 games had other players (--player, --player-white, --player-black)"},
        {games,
         {"--player=A", "--player-result=draw,loss"},
         "2 of 4 games had other results of the player (--player-result)"},
        {bad,
         {NULL},
         "1 of 1 games had faults (--bad-games=keep-prefix counts what comes before them)"},
        {"no chess at all\n", {NULL}, "there are no games"},
        {"[White \"A\"]\n\n1. e4 e5 0-1\n",
         {"--color=white", "--min-games=0"},
         "all 1 moves scored nothing or too little (--min-score, --weight)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct process_result result =
            build_nothing(cases[i].input, cases[i].words[0], cases[i].words[1]);
        char line[300];
        (void)snprintf(line, sizeof line,
                       "makebook build: no move is left for the book: %s; nothing is written\n",
                       cases[i].reason);
        const char *last = strstr(result.errors, "makebook build: no move");
        assert_string_equal(last ? last : result.errors, line);
        assert_has(result.output, "games read     ");
        assert_has(result.output, "plies counted  ");
        assert_null(strstr(result.output, "leaves"));
        process_result_free(&result);
    }
}

/* A name that hardly fits is not left alone. */
static void similar_names_are_listed(void **state)
{
    (void)state;
    static const char played[] = "[White \"Carlsen,M\"]\n[Black \"A\"]\n\n1. e4 e5 1-0\n\n"
                                 "[White \"B\"]\n[Black \"Carlsen,M\"]\n\n1. d4 d5 1-0\n";
    struct process_result result = build_nothing(played, "--player", "Carlson, Magnus");
    assert_has(result.output, "  not asked for             2  by a player of a similar name: "
                              "Carlsen,M\n");
    process_result_free(&result);
    result =
        build_nothing("[White \"van der M\xfchl, K\"]\n\n1. e4 e5 1-0\n", "--player", "M\u00dcHL");
    assert_has(result.output, "  by a player of a similar name: van der M\u00fchl, K\n");
    process_result_free(&result);
    result = build_nothing(played, "--player", "Carl");
    assert_null(strstr(result.output, "similar"));
    process_result_free(&result);
}

static void the_report_comes_before_the_reason(void **state)
{
    (void)state;
    struct process_result result = build_nothing(games, NULL, NULL);
    assert_has(result.output, "games used                  2\n");
    assert_has(result.output, "           1  counted already\n");
    assert_has(result.output, "standard input:23:13: game 4: illegal move Ke3: ");
    assert_has(result.output, "  left out                  4  in too few games\n");
    process_result_free(&result);
    result = build_nothing(games, "--json", NULL);
    assert_memory_equal(result.output, "{\"games\": 4, \"used\": 2,", 23);
    assert_has(result.output, "\"moves\": 0, \"moves_rare\": 4,");
    process_result_free(&result);
    result = build_nothing(games, "--quiet", NULL);
    assert_string_equal(result.output, "");
    assert_string_equal(strchr(result.errors, '\n'), "\n");
    process_result_free(&result);
}

/* Statistics as the book; and a book that goes with statistics, of which then nothing is said. */
static void statistics_without_a_move_have_a_reason(void **state)
{
    (void)state;
    char stats[80];
    (void)snprintf(stats, sizeof stats, "%s.wld", book);
    const char *const alone[] = {
        process_binary("MAKEBOOK_BINARY"), "build", "-", "-o", stats, "--min-games", "3", NULL};
    struct process_result result = process_run(alone, games);
    assert_int_equal(result.status, 1);
    assert_has(result.output, "statistics                  0  moves\n");
    assert_has(result.errors, ": all 4 moves occur in fewer than 3 games (--min-games); nothing");
    process_result_free(&result);
    result = build_nothing(games, "--stats", stats);
    assert_null(strstr(result.output, "statistics"));
    assert_int_not_equal(access(stats, F_OK), 0);
    process_result_free(&result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_report_accounts_for_every_game),
        cmocka_unit_test(odd_games_are_noted),
        cmocka_unit_test(openings_are_noted),
        cmocka_unit_test(json_says_the_same),
        cmocka_unit_test(duplicates_and_bad_games_when_wanted),
        cmocka_unit_test(strict_writes_nothing),
        cmocka_unit_test(wrong_filters_are_refused),
        cmocka_unit_test(a_book_without_a_move_has_a_reason),
        cmocka_unit_test(similar_names_are_listed),
        cmocka_unit_test(the_report_comes_before_the_reason),
        cmocka_unit_test(statistics_without_a_move_have_a_reason),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
