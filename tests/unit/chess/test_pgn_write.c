/* Writing PGN: the export format. */
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

static void play(struct game *game, const char *moves)
{
    struct span rest = span_of(moves);
    for (struct span word; (word = span_token(&rest)).size;) {
        move m;
        assert_int_equal(move_from_san(game_position(game), word, &m), STATUS_OK);
        assert_int_equal(game_play(game, m), STATUS_OK);
    }
}

static struct game *game_from(const char *fen, const char *moves)
{
    struct game *game = game_create();
    struct position pos;
    assert_non_null(game);
    assert_int_equal(fen_parse(span_of(fen), &pos, NULL), STATUS_OK);
    game_reset(game, &pos);
    play(game, moves);
    return game;
}

typedef const char *commenter(void *context, size_t ply);

/* The caller frees. */
static char *write_game(const struct game *game, const struct pgn_tag *tags, size_t count,
                        enum pgn_result result, commenter *comment, void *context)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    assert_int_equal(pgn_write(out, game, tags, count, result, comment, context), STATUS_OK);
    assert_int_equal(fclose(out), 0);
    return text;
}

static void the_roster_is_always_there(void **state)
{
    (void)state;
    struct game *game = game_from(fen_start, "e4 e5 Nf3");
    char *text = write_game(game, NULL, 0, PGN_UNKNOWN, NULL, NULL);
    assert_string_equal(text, "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n"
                              "[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n\n"
                              "1. e4 e5 2. Nf3 *\n\n");
    free(text);
    game_destroy(game);
}

static void tags_are_ordered_and_escaped(void **state)
{
    (void)state;
    const struct pgn_tag tags[] = {
        {span_of("WhiteElo"), span_of("2700")},        {span_of("White"), span_of("A \"B\" \\ C")},
        {span_of("Annotator"), span_of("two\nlines")}, {span_of("FEN"), span_of("nonsense")},
        {span_of("Result"), span_of("0-1")},           {span_of("Event"), span_of("M\xFCnchen")},
    };
    struct game *game = game_from("4k3/8/8/8/8/8/4P3/4K3 b - - 3 12", "Kd7 e4");
    char *text = write_game(game, tags, sizeof tags / sizeof tags[0], PGN_WHITE_WINS, NULL, NULL);
    assert_string_equal(text, "[Event \"M\xFCnchen\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n"
                              "[Round \"?\"]\n[White \"A \\\"B\\\" \\\\ C\"]\n[Black \"?\"]\n"
                              "[Result \"1-0\"]\n[Annotator \"two lines\"]\n[WhiteElo \"2700\"]\n"
                              "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 3 12\"]\n\n"
                              "12... Kd7 13. e4 1-0\n\n");
    free(text);
    game_destroy(game);
}

static void chess960_says_so(void **state)
{
    (void)state;
    struct game *game = game_from("8/4k3/8/8/8/8/8/1R3KR1 w GB - 0 1", "O-O Kd7");
    char *text = write_game(game, NULL, 0, PGN_DRAW, NULL, NULL);
    assert_non_null(strstr(text, "[Variant \"Chess960\"]\n"));
    assert_non_null(strstr(text, "\n\n1. O-O Kd7 1/2-1/2\n\n"));
    free(text);
    game_destroy(game);
}

static const char *by_ply(void *context, size_t ply)
{
    const char *const *comments = context;
    return comments[ply];
}

static void comments_follow_their_moves(void **state)
{
    (void)state;
    const char *comments[] = {"best by test", NULL, " a } b\n\nc ", ""};
    struct game *game = game_from(fen_start, "e4 e5 Nf3 Nc6");
    char *text = write_game(game, NULL, 0, PGN_UNKNOWN, by_ply, comments);
    assert_non_null(
        strstr(text, "\n\n1. e4 {best by test} 1... e5 2. Nf3 {a ) b c} 2... Nc6 *\n\n"));
    free(text);
    game_destroy(game);
}

static void check_width(const char *text)
{
    const char *line = strstr(text, "\n\n") + 2;
    for (const char *end; (end = strchr(line, '\n')); line = end + 1) {
        assert_true(end - line <= 80);
        assert_true(end == line || (*line != ' ' && end[-1] != ' '));
        assert_true(*line != '%' && *line != '[');
    }
}

static const char *same_comment(void *context, size_t ply)
{
    (void)ply;
    return context;
}

static void lines_are_wrapped(void **state)
{
    (void)state;
    char comment[] = "some words %eval of a comment [%clk 0:01:02] [Event \"x\"] 100 % sure \\ ok";
    struct game *game = game_create();
    assert_non_null(game);
    for (int i = 0; i < 100; i++)
        play(game, "Nf3 Nf6 Ng1 Ng8");
    char *plain = write_game(game, NULL, 0, PGN_DRAW, NULL, NULL);
    char *full = write_game(game, NULL, 0, PGN_DRAW, same_comment, comment);
    check_width(plain);
    check_width(full);
    struct pgn_reader *reader = pgn_create_memory(full, strlen(full));
    struct pgn_game read;
    assert_non_null(reader);
    assert_int_equal(pgn_next(reader, &read, NULL), STATUS_OK);
    assert_int_equal(read.ply_count, 400);
    assert_int_equal(read.result, PGN_DRAW);
    assert_int_equal(pgn_next(reader, &read, NULL), STATUS_END);
    pgn_destroy(reader);
    free(plain);
    free(full);
    game_destroy(game);
}

static void a_full_disk_is_reported(void **state)
{
    (void)state;
    FILE *full = fopen("/dev/full", "w");
    if (!full)
        skip();
    assert_int_equal(setvbuf(full, NULL, _IONBF, 0), 0);
    struct game *game = game_create();
    assert_non_null(game);
    assert_int_equal(pgn_write(full, game, NULL, 0, PGN_UNKNOWN, NULL, NULL), STATUS_IO);
    game_destroy(game);
    (void)fclose(full);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_roster_is_always_there),
        cmocka_unit_test(tags_are_ordered_and_escaped),
        cmocka_unit_test(chess960_says_so),
        cmocka_unit_test(comments_follow_their_moves),
        cmocka_unit_test(lines_are_wrapped),
        cmocka_unit_test(a_full_disk_is_reported),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
