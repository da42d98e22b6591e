/* The PGN reader: games that are odd but can be read, comments that hold games, sources that fail.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "chess/attacks.h"
#include "tests/unit/chess/pgn_transcript.h"

static int set_up(void **state)
{
    (void)state;
    chess_init();
    return 0;
}

/* The notes of the first game of `text`, which can be read; read to ply `limit`. */
static unsigned notes_of(const char *text, size_t limit)
{
    struct pgn_reader *reader = pgn_create_memory(text, strlen(text));
    struct pgn_game game;
    assert_non_null(reader);
    pgn_set_ply_limit(reader, limit);
    assert_int_equal(pgn_next(reader, &game, NULL), STATUS_OK);
    unsigned notes = game.notes;
    pgn_destroy(reader);
    return notes;
}

static void odd_games_are_noted(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        unsigned notes;
    } rows[] = {
        {"[White \"A\"]\n[Result \"1-0\"]\n\n1. e4 e5 1-0\n", 0},
        {"[White \"A\"]\n[WhiteElo \"1\"]\n[White \"B\"]\n\n1. e4 1-0\n", 1u << PGN_NOTE_TAG_TWICE},
        {"[FEN \"r3k2r/8/8/8/8/8/8/R3K3 w KQkq e3 0 1\"]\n\n1. O-O-O 1-0\n", 1u << PGN_NOTE_FEN},
        {"[Result \"0-1\"]\n\n1. e4 1-0\n", 1u << PGN_NOTE_RESULT},
        {"[Result \"*\"]\n\n1. e4 1-0\n", 1u << PGN_NOTE_RESULT},
        {"1. e4 1-0\n", 0},
        {"[Result \"1-0\"]\n\n1. e4 e5\n", 1u << PGN_NOTE_NO_TERMINATOR},
        {"1. e4 e5\n\n[White \"B\"]\n\n1. d4 *\n", 1u << PGN_NOTE_NO_TERMINATOR},
        {"1. e4 e5 2. Nf3 (2. f4 exf4) Nc6 1-0\n", 0},
        {"1. e4 e5 2. Nf3 ) Nc6 1-0\n", 1u << PGN_NOTE_STRAY_PARENTHESIS},
        {"1. e4 e5 2. Nf3 (2. f4 Nc6 1-0\n",
         1u << PGN_NOTE_OPEN_VARIATION | 1u << PGN_NOTE_NO_TERMINATOR},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(notes_of(rows[i].text, 2), rows[i].notes);
    for (int i = 0; i < PGN_NOTES; i++)
        assert_true(*pgn_note_name((enum pgn_note)i) && *pgn_note_text((enum pgn_note)i));
}

/* Reads `text` whole and byte by byte. */
/* Names are compared with the first 64 alone. */
static void many_tags_are_not_all_compared(void **state)
{
    (void)state;
    char text[4096];
    struct text_buffer all = text_buffer_on(text, sizeof text);
    for (int i = 0; i < 80; i++)
        text_append(&all, "[T%02d \"x\"]\n", i);
    size_t size = strlen(text);
    text_append(&all, "[T%02d \"y\"]\n\n1. e4 *\n", 79);
    assert_int_equal(notes_of(text, 10), 0);
    text[size + 2] = '0';
    text[size + 3] = '0';
    assert_int_equal(notes_of(text, 10), 1u << PGN_NOTE_TAG_TWICE);
}

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

static void spaces_of_other_kinds_are_spaces(void **state)
{
    (void)state;
    const char *wanted = "1 e2e4 e7e5 g1f3 0-1\n2 d2d4 *\n";
    const char *end = "\n\n[Event \"B\"]\n\n1. d4 *\n";
    static const char *const spaces[] = {"\xC2\xA0", "\xA0", "\xE2\x80\xAF", "\xEF\xBB\xBF"};
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++) {
        char text[256];
        const char *s = spaces[i];
        (void)snprintf(text, sizeof text, "[Event \"A\"]\n\n1.%se4%se5%s%s2.%sNf3 0-1%s%s", s, s, s,
                       s, s, s, end);
        check(text, wanted);
    }
}

static void names_of_tags_may_have_signs(void **state)
{
    (void)state;
    check("[Event \"A\"]\n[Time-Control \"40/90\"]\n[FEN:x=1.0 \"no position\"]\n\n1. e4 1-0\n"
          "[-Event \"B\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n1. O-O 1-0\n",
          "1 e2e4 1-0\n2 e1g1 1-0\n");
}

/* Whatever stands between the tags, they are of one game. */
static void comments_stand_between_tags(void **state)
{
    (void)state;
    check("[Event \"A\"]\n{one}\n[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"] {two}\n"
          "{three\n\n}\n[Result \"1-0\"]\n\n{four} 1. O-O\n",
          "1 e1g1 1-0\n");
    check("[Event \"A\"]\n{no brace\n\n[White \"B\"]\n\n1. e4 1-0\n",
          "1 bad 2:1 this comment has no closing brace\n2 e2e4 1-0\n");
}

/* A line that is no tag loses itself alone. */
static void tags_that_are_none_are_passed_over(void **state)
{
    (void)state;
    static const char *const lines[] = {"[White Elo \"2000\"]",
                                        "[WhiteTitle]",
                                        "[WhiteElo 2000]",
                                        "[Site \"two\nlines\"]",
                                        "[Site \"two\r\nlines\" ]",
                                        "[Site \"open",
                                        "[]",
                                        "[Site \"open]",
                                        "[?]"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        char text[256];
        for (int last = 0; last < 2; last++) {
            (void)snprintf(text, sizeof text,
                           "[Event \"A\"]\n%s%s[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n%s\n"
                           "1. O-O 1-0\n\n[Event \"B\"]\n\n1. d4 *\n",
                           last ? "" : lines[i], last ? "" : "\n", last ? lines[i] : "");
            check(text, "1 e1g1 1-0\n2 d2d4 *\n");
            if (lines[i][2] != 'i' || !strchr(lines[i], '\n'))
                assert_int_equal(notes_of(text, 2) & 1u << PGN_NOTE_BAD_TAG,
                                 1u << PGN_NOTE_BAD_TAG);
        }
    }
    struct pgn_game game;
    static const char text[] = "[Site \"two\nlines\"]\n[Site \"x]\n[Black \"B\"]\n\n1. e4 *\n";
    struct pgn_reader *reader = pgn_create_memory(text, sizeof text - 1);
    assert_non_null(reader);
    assert_int_equal(pgn_next(reader, &game, NULL), STATUS_OK);
    assert_int_equal(game.tag_count, 2);
    assert_true(span_equal(pgn_tag_value(&game, "Site"), "two lines"));
    assert_true(span_equal(pgn_tag_value(&game, "Black"), "B"));
    pgn_destroy(reader);
}

static void signs_glued_to_moves_are_passed_over(void **state)
{
    (void)state;
    static const char *const signs[] = {
        "=",   "+-",     "-+",     "+=",     "=+",       "+/-",     "-/+",
        "+/=", "\u2213", "\u00b1", "\u2a72", "\u2a71",   "\u221e",  "\\$14",
        "}",   " } ",    "!=",     "!+-",    "+/\u2212", "\u2212+", "+\u2213"};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        char text[128];
        const char *s = signs[i];
        (void)snprintf(text, sizeof text,
                       "[Event \"A\"]\n\n1. e4%s e5%s 2. Nf3%s Nc6%s 3. Bb5%s 1-0\n", s, s, s, s,
                       s);
        bool nag = *s == '\\';
        check(text, nag         ? "1 e2e4$14 e7e5$14 g1f3$14 b8c6$14 f1b5$14 1-0\n"
                    : *s == '!' ? "1 e2e4$1 e7e5$1 g1f3$1 b8c6$1 f1b5$1 1-0\n"
                                : "1 e2e4 e7e5 g1f3 b8c6 f1b5 1-0\n");
    }
    check("[FEN \"4k3/P7/8/8/8/8/8/4K2R w K - 0 1\"]\n\n1. a8=Q+- Ke7= 2. O-O+- 1-0\n",
          "1 a7a8q e8e7 e1g1 1-0\n");
}

static void a_game_cut_inside_its_tags_is_a_bad_game(void **state)
{
    (void)state;
    check("[Event \"A\"]\n[White \"x\"]\n[Event \"B\"]\n[White \"y\"]\n\n1. e4 1-0\n",
          "1 bad 3:1 the game ends inside its tags: an Event follows\n2 e2e4 1-0\n");
    /* An Event tag that is not the first of its game begins none. */
    check("[Site \"x\"]\n[Event \"A\"]\n\n1. e4 1-0\n", "1 e2e4 1-0\n");
}

static void comments_may_hold_games(void **state)
{
    (void)state;
    check("1. e4 {as in\n[Event \"B\"]\n[Site \"?\"]\n\n1. d4 d5 1-0\n\n[Event \"C\"]\n"
          "1. c4 *} e5 1-0\n\n[Event \"D\"]\n\n1. f4 *\n",
          "1 e2e4 e7e5 1-0\n2 f2f4 *\n");
    check("{\n[Event \"B\"]\n\n1. d4 d5 1-0\n}\n1. e4 1-0\n", "1 e2e4 1-0\n");
    /* Not behind a result, */
    check("1. e4 {no brace e5 1-0\n\n[Event \"B\"]\n\n1. d4 } d5 1-0\n",
          "1 e2e4 bad 1:7 this comment has no closing brace\n"
          "2 d2d4 d7d5 1-0\n");
    /* not when another comment opens first, or none closes. */
    check("1. e4 {as in\n[Event \"B\"]\n\n1. d4 {!} d5 1-0\n",
          "1 e2e4 bad 1:7 this comment has no closing brace\n2 d2d4 d7d5 1-0\n");
    check("1. e4 {as in\n[Event \"B\"]\n\n1. d4 d5 1-0\n",
          "1 e2e4 bad 1:7 this comment has no closing brace\n2 d2d4 d7d5 1-0\n");
}

/* The closing brace counts as far as PGN_COMMENT_AHEAD bytes behind the tag, and no farther. */
static void a_brace_too_far_away_closes_nothing(void **state)
{
    (void)state;
    static char text[PGN_COMMENT_AHEAD + 200];
    for (int far = 0; far < 2; far++) {
        size_t size = (size_t)snprintf(text, sizeof text, "1. e4 {\n");
        size_t tag = size;
        size += (size_t)snprintf(text + size, sizeof text - size, "[Event \"B\"]\n\n1. d4 1-0\n");
        while (size < tag + PGN_COMMENT_AHEAD - 1 + (size_t)far)
            text[size++] = '\n';
        (void)snprintf(text + size, sizeof text - size, "} e5 1-0\n");
        check(text, far ? "1 e2e4 bad 1:7 this comment has no closing brace\n2 d2d4 1-0\n"
                        : "1 e2e4 e7e5 1-0\n");
    }
}

/* Gives a game, then fails. */
static enum caxton_status fail_later(void *context, char *buffer, size_t capacity, size_t *size)
{
    static const char game[] = "1. e4 1-0\n";
    int *asked = context;
    if (++*asked > 1)
        return STATUS_FORMAT;
    assert_true(capacity >= sizeof game - 1);
    memcpy(buffer, game, sizeof game - 1);
    *size = sizeof game - 1;
    return STATUS_OK;
}

static void any_failure_of_the_source_ends_reading(void **state)
{
    (void)state;
    int asked = 0;
    struct pgn_game game;
    struct pgn_reader *reader = pgn_create(fail_later, &asked);
    assert_non_null(reader);
    enum caxton_status status = STATUS_OK;
    for (int i = 0; i < 3 && status == STATUS_OK; i++)
        status = pgn_next(reader, &game, NULL);
    assert_int_equal(status, STATUS_FORMAT);
    assert_false(pgn_is_game_fault(status));
    for (int i = 0; i < 3; i++)
        assert_int_equal(pgn_next(reader, &game, NULL), STATUS_FORMAT);
    assert_int_equal(asked, 2);
    pgn_destroy(reader);
}

static void the_last_position_has_a_key(void **state)
{
    (void)state;
    static const char text[] = "1. e4 d5 1-0\n1-0\n[White \"B\"]\n\n1-0\n";
    struct pgn_reader *reader = pgn_create_memory(text, sizeof text - 1);
    struct pgn_game game;
    assert_non_null(reader);
    assert_int_equal(pgn_next(reader, &game, NULL), STATUS_OK);
    assert_int_equal(game.ply_count, 2);
    assert_true(game.keys[1] == UINT64_C(0x823c9b50fd114196));
    assert_true(game.keys[2] == UINT64_C(0x0756b94461c50fb0));
    pgn_destroy(reader);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_tags_are_not_all_compared),
        cmocka_unit_test(odd_games_are_noted),
        cmocka_unit_test(spaces_of_other_kinds_are_spaces),
        cmocka_unit_test(names_of_tags_may_have_signs),
        cmocka_unit_test(comments_stand_between_tags),
        cmocka_unit_test(tags_that_are_none_are_passed_over),
        cmocka_unit_test(signs_glued_to_moves_are_passed_over),
        cmocka_unit_test(a_game_cut_inside_its_tags_is_a_bad_game),
        cmocka_unit_test(comments_may_hold_games),
        cmocka_unit_test(a_brace_too_far_away_closes_nothing),
        cmocka_unit_test(any_failure_of_the_source_ends_reading),
        cmocka_unit_test(the_last_position_has_a_key),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
