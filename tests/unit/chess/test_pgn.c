/* The PGN reader: what it understands. Faults are in test_pgn_faults.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "chess/attacks.h"
#include "chess/fen.h"
#include "tests/unit/chess/pgn_transcript.h"

static int set_up(void **state)
{
    (void)state;
    chess_init();
    return 0;
}

/* Checks the transcript, once from memory and once byte by byte. */
static void check(const char *text, const char *wanted)
{
    for (int bytewise = 0; bytewise < 2; bytewise++) {
        struct pieces pieces = {span_of(text), 1};
        struct pgn_reader *reader =
            bytewise ? pgn_create(read_piece, &pieces) : pgn_create_memory(text, strlen(text));
        assert_non_null(reader);
        char *got = transcribe(reader, false);
        assert_string_equal(got, wanted);
        free(got);
        pgn_destroy(reader);
    }
}

static void empty_inputs_hold_no_game(void **state)
{
    (void)state;
    check("", "");
    check(" \r\n\t\n", "");
    check("\xEF\xBB\xBF", "");
    check("; a comment\n% an escape\n{another}\n", "");
    check("No games here, only prose.\n", "");
}

static void move_numbers_have_many_shapes(void **state)
{
    (void)state;
    check("1. e4 e5 2. Nf3 *", "1 e2e4 e7e5 g1f3 *\n");
    check("1.e4 e5 2.Nf3 *", "1 e2e4 e7e5 g1f3 *\n");
    check("1 e4 e5 2 Nf3 *", "1 e2e4 e7e5 g1f3 *\n");
    check("1. e4 1... e5 2. Nf3 2... Nc6 *", "1 e2e4 e7e5 g1f3 b8c6 *\n");
    check("1 . e4 1 ... e5 2.\nNf3\n*", "1 e2e4 e7e5 g1f3 *\n");
    check("1.e4 1...e5 2. ... Nf3 *", "1 e2e4 e7e5 g1f3 *\n");
    check("e4 e5 Nf3 *", "1 e2e4 e7e5 g1f3 *\n");
    check("7. e4 e5 *\n\n", "1 bad 1:1 moves outside a game: they do not begin with move 1\n");
}

static void results_end_games(void **state)
{
    (void)state;
    check("1. e4 1-0\n1. d4 0-1\n1. c4 1/2-1/2\n1. Nf3 *\n",
          "1 e2e4 1-0\n2 d2d4 0-1\n3 c2c4 1/2-1/2\n4 g1f3 *\n");
    check("1. e4 e5 1-0 1. d4 d5 0-1", "1 e2e4 e7e5 1-0\n2 d2d4 d7d5 0-1\n");
    check("1. e4 1/2", "1 e2e4 1/2-1/2\n");
    check("1. e4 e5*", "1 e2e4 e7e5 *\n");
    check("1. e4 e5{good}1-0{end}", "1 e2e4 e7e5 1-0\n");
}

/* As people and web pages write them: with an en dash, or the character of a half, in UTF-8 or in
 * Latin-1; before the ply limit and behind it. */
static void results_in_other_letters(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum pgn_result result;
    } rows[] = {
        {"1\u20130", PGN_WHITE_WINS}, {"0\u20131", PGN_BLACK_WINS},
        {"\u00bd-\u00bd", PGN_DRAW},  {"\u00bd\u2013\u00bd", PGN_DRAW},
        {"1/2\u20131/2", PGN_DRAW},   {"\xBD-\xBD", PGN_DRAW},
        {"\u00bd", PGN_DRAW},
    };
    for (size_t i = 0; i < 3 * (sizeof rows / sizeof *rows); i++) {
        char text[96];
        const char *result = rows[i / 3].text;
        (void)snprintf(text, sizeof text, "1. e4 e5 %s\n1. d4 *\n[Result \"%s\"]\n\n1. c4 c5",
                       result, result);
        struct pgn_reader *reader = pgn_create_memory(text, strlen(text));
        struct pgn_game game;
        assert_non_null(reader);
        pgn_set_ply_limit(reader, i % 3 ? 1 : SIZE_MAX);
        pgn_set_whole_games(reader, i % 3 == 2);
        assert_int_equal(pgn_next(reader, &game, NULL), STATUS_OK);
        assert_int_equal(game.result, rows[i / 3].result);
        assert_int_equal(pgn_next(reader, &game, NULL), STATUS_OK);
        assert_true(game.unfinished);
        assert_int_equal(pgn_next(reader, &game, NULL), STATUS_OK);
        assert_int_equal(game.result, rows[i / 3].result);
        assert_int_equal(pgn_next(reader, &game, NULL), STATUS_END);
        pgn_destroy(reader);
    }
}

/* The first comment behind each move, and not more of it than there is room for. */
static void comments_are_kept_on_request(void **state)
{
    (void)state;
    static const char text[] = "1. e4 {+0.30/12 0.5s} {more} e5 ({no} c5 {no}) 2. Nf3 Nc6 "
                               "{a comment that is longer than what is kept of it} *\n"
                               "{before} 1. d4 {} d5 {\n-M3/4} *\n";
    static const char *const wanted[2][4] = {
        {"+0.30/12 0.5s", "", "", "a comment that is longer than w"}, {"", "\n-M3/4", NULL}};
    for (int bytewise = 0; bytewise < 2; bytewise++) {
        struct pieces pieces = {span_of(text), 1};
        struct pgn_reader *reader =
            bytewise ? pgn_create(read_piece, &pieces) : pgn_create_memory(text, strlen(text));
        struct pgn_game game;
        pgn_set_comments(reader, true);
        for (int g = 0; g < 2; g++) {
            assert_int_equal(pgn_next(reader, &game, NULL), STATUS_OK);
            assert_int_equal(game.ply_count, g == 0 ? 4 : 2);
            for (size_t i = 0; i < game.ply_count; i++)
                assert_string_equal(game.comments[i].text, wanted[g][i]);
        }
        pgn_destroy(reader);
    }
    struct pgn_reader *reader = pgn_create_memory(text, strlen(text));
    struct pgn_game game;
    assert_int_equal(pgn_next(reader, &game, NULL), STATUS_OK);
    assert_null(game.comments);
    pgn_destroy(reader);
}

static void the_result_tag_counts_where_the_text_has_none(void **state)
{
    (void)state;
    check("[Result \"1-0\"]\n\n1. e4 0-1", "1 e2e4 0-1\n");
    check("[Result \"1-0\"]\n\n1. e4 *", "1 e2e4 1-0\n");
    check("[Result \"1-0\"]\n\n1. e4 e5\n", "1 e2e4 e7e5 1-0\n");
    check("[Result \"won\"]\n\n1. e4 e5\n", "1 e2e4 e7e5 *\n");
}

static void comments_and_variations_are_passed_over(void **state)
{
    (void)state;
    check("1. e4 {a { b ; ( c} e5 *", "1 e2e4 e7e5 *\n");
    check("1. e4 ; {not a comment\ne5 *", "1 e2e4 e7e5 *\n");
    check("1. e4 ; old Macintosh\re5 *", "1 e2e4 e7e5 *\n");
    check("1. e4 e5 (1... c5 2. Nf3 (2. c3 {)} d5) ; )\n2... d6) 2. Nf3 *", "1 e2e4 e7e5 g1f3 *\n");
    check("1. e4 (1. d4 1-0) e5 (garbage & more) *", "1 e2e4 e7e5 *\n");
    check("{before} 1. e4 *", "1 e2e4 *\n");
    check("1. {at once} e4 *", "1 e2e4 *\n");
}

static void escapes_count_in_column_one_only(void **state)
{
    (void)state;
    check("% 1. d4\n1. e4\n%e6 {\ne5 *\n%", "1 e2e4 e7e5 *\n");
    check("1. e4 %e5 *", "1 e2e4 bad 1:7 unexpected character '%'\n");
}

static void marks_are_the_first_judgement_after_a_move(void **state)
{
    (void)state;
    check("1. e4! e5? 2. Nf3!! Nc6?? 3. Bb5!? a6?! *",
          "1 e2e4$1 e7e5$2 g1f3$3 b8c6$4 f1b5$5 a7a6$6 *\n");
    check("1. e4 $1 e5 $10 $2 2. Nf3 {x} $255 Nc6 $256 *", "1 e2e4$1 e7e5$2 g1f3$255 b8c6 *\n");
    check("1. e4 $10 $14 e5 $6 $2 2. Nf3 $7 ?? *", "1 e2e4$10 e7e5$6 g1f3$4 *\n");
    check("1. e4 ! (1. d4 $7) e5$3 2. Nf3 $0 *", "1 e2e4$1 e7e5$3 g1f3 *\n");
}

static void evaluations_are_passed_over(void **state)
{
    (void)state;
    static const char *const evaluations[] = {
        "\u00b1", "\u2213", "\u2a72",  "\u2a71",       "\u221e", "=",
        "\u21c6", "\u25a1", "+=",      "=+",           "+-",     "-+",
        "+/-",    "-/+",    "+\u2212", "=/\u221e",     "#",      "++#",
        "N",      "...",    "\u2026",  "\u2192\u2191", "\xB1"};
    for (size_t i = 0; i < sizeof evaluations / sizeof *evaluations; i++) {
        char text[100];
        (void)snprintf(text, sizeof text, "1. e4 e5 2. Nf3! %s Nc6 %s 1-0", evaluations[i],
                       evaluations[i]);
        check(text, "1 e2e4 e7e5 g1f3$1 b8c6 1-0\n");
    }
    check("[White \"A\"]\n1\u2026e4\u2192 \u2026e5!? 2.\u2026 \u2658f3\u00b1 *",
          "1 e2e4 e7e5$5 g1f3 *\n");
    check("1. e4 N 1... e5 2. d4 N\n", "1 e2e4 e7e5 d2d4 *\n");
    /* What could be a move, or part of one, is none of them. */
    check("1. e4 N f6 *", "1 e2e4 bad 1:7 \"N\" is not a move\n");
    check("1. e4 e5 2. -- *", "1 e2e4 e7e5 bad 1:13 a null move is not legal\n");
    check("1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. \u25cb-\u25cb *",
          "1 e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 bad 1:38 \"-\" is not a move\n");
    check("[White \"A\"]\n1. e\u2192e4 *", "1 bad 2:4 \"e\" is not a move\n");
}

static void moves_are_written_in_many_ways(void **state)
{
    (void)state;
    check("1. Ng1-f3 Nb8c6 2. e2-e4 e7-e5 3. Bc4 Bc5 4. 0-0 Nf6 *",
          "1 g1f3 b8c6 e2e4 e7e5 f1c4 f8c5 e1g1 g8f6 *\n");
    check("1. e4 a6 2. e5 d5 3. exd6 e.p. Bf5 *", "1 e2e4 a7a6 e4e5 d7d5 e5d6 c8f5 *\n");
    check("1. e4 a6 2. e5 d5 3. exd6e.p. Bf5 *", "1 e2e4 a7a6 e4e5 d7d5 e5d6 c8f5 *\n");
    check("[FEN \"7k/P7/8/8/8/8/8/K7 w - - 0 1\"]\n1. a8(Q)+ Kh7 *", "1 a7a8q h8h7 *\n");
    check("[FEN \"7k/P7/8/8/8/8/8/K7 w - - 0 1\"]\n1. a8=N (1. a8Q) Kh7 *", "1 a7a8n h8h7 *\n");
}

static void tags_need_no_blank_lines(void **state)
{
    (void)state;
    check("[White \"A\"]\n1. e4 *\n[White \"B\"]\n1. d4 *", "1 e2e4 *\n2 d2d4 *\n");
    check("[White \"A\"] [Black \"C\"] 1. e4 1-0[White \"B\"] 1. d4 *", "1 e2e4 1-0\n2 d2d4 *\n");
    check("[White \"A\"]\n\n[Black \"B\"]\n\n1. e4 *", "1 e2e4 *\n");
    check("[Event \"A\"]\r\n\r\n1. e4\r\n[Event \"B\"]\r\n\r\n1. d4 d5",
          "1 e2e4 *\n2 d2d4 d7d5 *\n");
}

static void empty_games_are_games(void **state)
{
    (void)state;
    check("[Event \"A\"]\n\n*\n\n[Event \"B\"]\n\n1-0\n", "1 *\n2 1-0\n");
    check("[Event \"A\"]\n\n[Event \"B\"]\n\n1. e4 *\n", "1 *\n2 e2e4 *\n");
    check("[Event \"A\"]", "1 *\n");
}

static void text_between_games_is_passed_over(void **state)
{
    (void)state;
    check(
        "Games of 1851 {sic}\n\n[Event \"A\"]\n\n1. e4 1-0\n\nThe second game, 1. being better:\n\n"
        "[Event \"B\"]\n\n1. d4 0-1 $14 {end} ! (1. e4)\nThat was all.\n",
        "1 e2e4 1-0\n2 d2d4 0-1\n");
    check("\xEF\xBB\xBF[Event \"A\"]\n\n1. e4 *\n\xEF\xBB\xBF[Event \"B\"]\n\n1. d4 *\n",
          "1 e2e4 *\n2 d2d4 *\n");
}

static void games_may_begin_anywhere(void **state)
{
    (void)state;
    const char fen[] = "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 9\"]\n";
    char text[200];
    const char *set_ups[] = {"", "[SetUp \"1\"]\n", "[SetUp \"0\"]\n",
                             "[Variant \"From Position\"]\n"};
    for (size_t i = 0; i < 4; i++) {
        (void)snprintf(text, sizeof text, "%s%s\n9. e4 Kd7 *", set_ups[i], fen);
        check(text, "1 e2e4 e8d7 *\n");
    }
    check("[FEN \"4k3/4p3/8/8/8/8/8/4K3 b - - 0 9\"]\n\n9... e5 10. Kd2 *", "1 e7e5 e1d2 *\n");
}

static void moves_of_other_variants_are_not_read(void **state)
{
    (void)state;
    check("[Variant \"Atomic\"]\n\n1. e4 e5 {)} 1-0\n[Variant \"Crazyhouse\"]\n[Result \"0-1\"]\n\n"
          "1. e4 e5 2. N@f5\n\n[Event \"next\"]\n\n1. d4 *",
          "1 1-0\n2 0-1\n3 d2d4 *\n");
}

static void chess960_castles_by_its_own_rules(void **state)
{
    (void)state;
    const char *variants[] = {"Chess960", "chess 960", "fischerandom", "Fischer Random", "FRC"};
    for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++) {
        char text[300];
        (void)snprintf(text, sizeof text,
                       "[Variant \"%s\"]\n[FEN \"8/4k3/8/8/8/8/8/1R3KR1 w GB - 0 1\"]\n\n"
                       "1. O-O Kd7 *",
                       variants[i]);
        check(text, "1 f1g1 e7d7 *\n");
    }
    /* Without the tag the start position tells. */
    check("[FEN \"8/4k3/8/8/8/8/8/1R3KR1 w GB - 0 1\"]\n1. O-O-O *", "1 f1b1 *\n");
    check("[Variant \"Chess960\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O *",
          "1 e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1h1 *\n");
}

/* Rights in the letters KQkq that the board lacks, as programs leave them in the FEN. */
static void impossible_rights_make_no_chess960(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"rnbq1rk1/pppn1ppp/4p3/3pP3/1b1P4/2NB1N2/PPP2PPP/R1BQK2R w KQq - 0 1",
         "1. O-O c5 *:1 e1g1 c7c5 *\n"},
        {"4k3/8/8/8/8/8/8/R3KR2 w KQ - 0 1", "1. O-O-O Ke7 *:1 e1c1 e8e7 *\n"},
        {"r4rk1/8/8/8/8/8/8/6K1 b q - 0 1", "1... Kg7 *:1 g8g7 *\n"},
    };
    for (int i = 0; i < 6; i++) {
        char text[256];
        const char *wanted = strchr(rows[i / 2][1], ':') + 1;
        (void)snprintf(text, sizeof text, "%s[FEN \"%s\"]\n\n%.*s",
                       i % 2 ? "[Variant \"Standard\"]\n" : "", rows[i / 2][0],
                       (int)(wanted - 1 - rows[i / 2][1]), rows[i / 2][1]);
        check(text, wanted);
        struct pgn_reader *reader = pgn_create_memory(text, strlen(text));
        struct pgn_game game;
        assert_non_null(reader);
        assert_int_equal(pgn_next(reader, &game, NULL), STATUS_OK);
        assert_false(game.chess960);
        assert_int_equal(game.notes, 1u << PGN_NOTE_FEN);
        assert_true(game.start.key == position_compute_key(&game.start));
        pgn_destroy(reader);
    }
    /* A start position of Chess960 is one. */
    check("[FEN \"4rkr1/4p1p1/8/8/8/8/4P1P1/4RKR1 w KQkq - 0 1\"]\n\n1. O-O-O Kf7 *",
          "1 f1e1 f8f7 *\n");
}

static struct pgn_game first_game(struct pgn_reader *reader)
{
    struct pgn_game game;
    struct diag diag;
    assert_non_null(reader);
    assert_int_equal(pgn_next(reader, &game, &diag), STATUS_OK);
    return game;
}

static void check_tag(const struct pgn_game *game, const char *name, const char *wanted)
{
    struct span value = pgn_tag_value(game, name);
    assert_true(span_equal(value, wanted));
}

static void tag_values_are_unescaped(void **state)
{
    (void)state;
    const char text[] = "[Event \"A \\\"quoted\\\" \\\\ \\n name\"]\n"
                        "[ Site  \"\" ]\n[White \"M\xFCller, J\xC3\xBCrgen\"]\n"
                        "[Black \"John \"Johnny\" Doe\"]\n[Round \"C:\\\"]\n[Date \"a]b\"]\n\n*";
    struct pgn_reader *reader = pgn_create_memory(text, sizeof text - 1);
    struct pgn_game game = first_game(reader);
    assert_int_equal(game.tag_count, 6);
    check_tag(&game, "Event", "A \"quoted\" \\ \\n name");
    check_tag(&game, "Site", "");
    check_tag(&game, "White", "M\xFCller, J\xC3\xBCrgen");
    check_tag(&game, "Black", "John \"Johnny\" Doe");
    check_tag(&game, "Round", "C:\\");
    check_tag(&game, "Date", "a]b");
    check_tag(&game, "white", "");
    pgn_destroy(reader);
}

static void a_game_knows_its_place_and_kind(void **state)
{
    (void)state;
    const char text[] = "\r\nprose\r\r\n  1. e4 *\n[FEN \"4k3/8/8/8/8/8/8/4K3 w - - 5 9\"]\n*";
    struct pgn_reader *reader = pgn_create_memory(text, sizeof text - 1);
    struct pgn_game game = first_game(reader);
    assert_int_equal(game.number, 1);
    assert_int_equal(game.line, 4);
    assert_int_equal(game.offset, 12);
    assert_true(game.unfinished);
    assert_false(game.chess960);
    game = first_game(reader);
    assert_int_equal(game.number, 2);
    assert_int_equal(game.line, 5);
    assert_int_equal(game.start.rule50, 5);
    pgn_destroy(reader);
}

static void the_ply_limit_skips_the_rest(void **state)
{
    (void)state;
    const char text[] = "1. e4 e5! 2. Zz9 {1-0} (2. d4 1-0 (x) *) ; 0-1\n3. ??? 1/2-1/2\n"
                        "[White \"B\"]\n\n1. d4 1-0\n[White \"C\"]\n\n1. c4 c5 2. Nf3\n"
                        "[White \"D\"]\n\n1. f4 f5 2. O-O 0-1\n";
    static const char *const wanted[] = {
        "1 1/2-1/2\n2 1-0\n3 *\n4 0-1\n", NULL,
        "1 e2e4 e7e5$1 1/2-1/2\n2 d2d4 1-0\n3 c2c4 c7c5 *\n4 f2f4 f7f5 0-1\n"};
    for (size_t limit = 0; limit <= 2; limit += 2)
        for (int whole = 0; whole < 2; whole++) {
            struct pgn_reader *reader = pgn_create_memory(text, sizeof text - 1);
            assert_non_null(reader);
            pgn_set_ply_limit(reader, limit);
            pgn_set_whole_games(reader, whole != 0);
            char *got = transcribe(reader, false);
            assert_string_equal(got, wanted[limit]);
            free(got);
            pgn_destroy(reader);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(empty_inputs_hold_no_game),
        cmocka_unit_test(move_numbers_have_many_shapes),
        cmocka_unit_test(results_end_games),
        cmocka_unit_test(results_in_other_letters),
        cmocka_unit_test(comments_are_kept_on_request),
        cmocka_unit_test(the_result_tag_counts_where_the_text_has_none),
        cmocka_unit_test(comments_and_variations_are_passed_over),
        cmocka_unit_test(escapes_count_in_column_one_only),
        cmocka_unit_test(marks_are_the_first_judgement_after_a_move),
        cmocka_unit_test(evaluations_are_passed_over),
        cmocka_unit_test(moves_are_written_in_many_ways),
        cmocka_unit_test(tags_need_no_blank_lines),
        cmocka_unit_test(empty_games_are_games),
        cmocka_unit_test(text_between_games_is_passed_over),
        cmocka_unit_test(games_may_begin_anywhere),
        cmocka_unit_test(moves_of_other_variants_are_not_read),
        cmocka_unit_test(chess960_castles_by_its_own_rules),
        cmocka_unit_test(impossible_rights_make_no_chess960),
        cmocka_unit_test(tag_values_are_unescaped),
        cmocka_unit_test(a_game_knows_its_place_and_kind),
        cmocka_unit_test(the_ply_limit_skips_the_rest),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
