/* makebook match: which of two books is better, by games. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "makebook.h"

/* A book that plays sound moves, and one that gives a bishop or a pawn away. */
static int set_up(void **state)
{
    (void)state;
    if (create_folder() != 0)
        return -1;
    write_text("good.pgn", "[Event \"x\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *\n\n"
                           "1. d4 d5 2. c4 e6 *\n\n1. e4 c5 2. Nf3 d6 *\n");
    write_text("bad.pgn", "[Event \"x\"]\n\n1. e4 e5 2. Ba6 *\n\n1. e4 c5 2. Ba6 *\n\n"
                          "1. e4 b5 *\n\n1. d4 g5 *\n");
    return MAKEBOOK("convert", "good.pgn", "good.bin", "-q") ||
           MAKEBOOK("convert", "bad.pgn", "bad.bin", "-q");
}

#define MATCH(...)                                                                                 \
    MAKEBOOK("match", "good.bin", "bad.bin", "--nodes", "200", "--hash", "1", __VA_ARGS__)

/* What follows `label` as a number. */
static double number_of(const char *text, const char *label)
{
    const char *at = strstr(text, label);
    if (!at)
        fail_msg("no \"%s\" in: %s", label, text);
    return strtod(at + strlen(label), NULL);
}

static void the_better_book_wins(void **state)
{
    (void)state;
    assert_int_equal(MATCH("--games", "40", "-o", "games.pgn"), 0);
    assert_says(result.output, "A  good.bin\nB  bad.bin\n");
    assert_says(result.output, "is deeper: positions are ");
    assert_says(result.output, "40 games: +");
    assert_true(number_of(result.output, "for A, ") > 70);
    assert_true(number_of(result.output, " Elo +") > 100);
    assert_says(result.output, "pairs [LL, LD, WL, DD, WD, WW] [");
    assert_says(result.output, "where A lost most");
    assert_int_equal(MATCH("--games", "40", "-o", "games.pgn", "--json"), 0);
    assert_says(result.output, "\"games\": 40, ");
    assert_says(result.output, "\"sides\": [{\"book_moves\": ");
    assert_says(result.output, "\"eco\": \"");
}

/* suite --judge says the same of the same games. */
static void the_judge_agrees(void **state)
{
    (void)state;
    assert_int_equal(MATCH("--games", "40", "-o", "games.pgn", "--json"), 0);
    double nelo = number_of(result.output, "\"nelo\": ");
    assert_int_equal(MAKEBOOK("suite", "--judge", "games.pgn", "--json"), 0);
    assert_says(result.output, "\"first\": \"good.bin\"");
    assert_true(number_of(result.output, "\"nelo\": ") == nelo);
    assert_true(number_of(result.output, "\"alone\": ") == 0);
}

static void threads_make_no_difference(void **state)
{
    (void)state;
    assert_int_equal(MATCH("--games", "24", "-o", "one.pgn", "--threads", "1"), 0);
    assert_int_equal(MATCH("--games", "24", "-o", "three.pgn", "--threads", "3"), 0);
    assert_same_files("one.pgn", "three.pgn");
    assert_int_equal(MATCH("--games", "24", "-o", "other.pgn", "--seed", "2"), 0);
    static char a[FILE_MAX];
    static char b[FILE_MAX];
    size_t size = read_bytes("one.pgn", a);
    assert_true(size != read_bytes("other.pgn", b) || memcmp(a, b, size) != 0);
}

/* Wherever the file was cut, and when the program was stopped or killed in the middle. */
static void a_match_goes_on(void **state)
{
    (void)state;
    static char whole[FILE_MAX];
    static const size_t cuts[] = {0, 5, 24, 300, 500, 501, 1000, 4000, 9001};
    assert_int_equal(MATCH("--games", "12", "-o", "whole.pgn"), 0);
    size_t size = read_bytes("whole.pgn", whole);
    for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
        FILE *file = fopen(path_of("cut.pgn"), "wb");
        assert_non_null(file);
        size_t kept = cuts[i] < size ? cuts[i] : size - i;
        assert_int_equal(fwrite(whole, 1, kept, file), kept);
        assert_int_equal(fclose(file), 0);
        assert_int_equal(MATCH("--games", "12", "-o", "cut.pgn", "-q"), 0);
        assert_same_files("whole.pgn", "cut.pgn");
    }
    static const int signals[] = {9, 15};
    for (size_t i = 0; i < 2; i++) {
        (void)unlink(path_of("cut.pgn"));
        const char *const words[] = {process_binary("MAKEBOOK_BINARY"),
                                     "match",
                                     path_of("good.bin"),
                                     path_of("bad.bin"),
                                     "--nodes",
                                     "200",
                                     "--hash",
                                     "1",
                                     "--games",
                                     "100000",
                                     "-o",
                                     path_of("cut.pgn"),
                                     NULL};
        struct process *process = process_start(words);
        for (struct stat info = {0}; info.st_size < 3000;)
            if (stat(path_of("cut.pgn"), &info) != 0)
                info.st_size = 0;
        process_signal(process, signals[i]);
        assert_int_equal(process_wait(process), signals[i] == 9 ? 128 + 9 : 1);
        if (signals[i] == 15)
            assert_says(process_errors(process), "cut.pgn: the same command goes on");
        process_destroy(process);
        assert_int_equal(MATCH("--games", "12", "-o", "cut.pgn", "-q"), 0);
        static char cut[FILE_MAX * 8];
        FILE *file = fopen(path_of("cut.pgn"), "rb");
        assert_non_null(file);
        size_t got = fread(cut, 1, sizeof cut, file);
        assert_int_equal(fclose(file), 0);
        assert_true(got >= size);
        assert_memory_equal(whole, cut, size);
    }
    /* More games are added. */
    assert_int_equal(MATCH("--games", "10", "-o", "part.pgn"), 0);
    assert_int_equal(MATCH("--games", "12", "-o", "part.pgn"), 0);
    assert_same_files("whole.pgn", "part.pgn");
}

/* Both colours of a pair have the same luck: equal books play the same game twice. */
static void equal_books_are_equal(void **state)
{
    (void)state;
    assert_int_equal(MAKEBOOK("match", "good.bin", "good.bin", "--nodes", "200", "--games", "12",
                              "--color", "both"),
                     0);
    assert_says(result.output, "A  good.bin A\nB  good.bin B\nThe books are equally deep");
    assert_says(result.output, "for A, 50.0 %, too few for Elo");
    assert_says(result.output, "games repeat another one move for move");
    assert_int_equal(RUN("match", "none", "", "--nodes", "200", "--games", "4"), 0);
    assert_says(result.output, "A  none A\nB  none B\n4 games: ");
    assert_int_equal(RUN("match", "builtin", "<builtin>", "--nodes", "100", "--games", "2"), 0);
    assert_says(result.output, "A  builtin\nB  <builtin>\n");
}

static void an_sprt_ends_the_match(void **state)
{
    (void)state;
    assert_int_equal(MATCH("--games", "4000", "--elo1", "10", "-o", "sprt.pgn"), 0);
    assert_says(result.output, " of nElo 10 against 0: accepted\n");
    assert_true(number_of(result.output, "LLR ") >= 2.944);
    static char text[FILE_MAX * 64];
    FILE *file = fopen(path_of("sprt.pgn"), "rb");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    assert_int_equal(fclose(file), 0);
    int games = 0;
    for (const char *at = text; (at = strstr(at, "[Event ")); at++)
        games++;
    assert_true(games % 2 == 0 && games < 4000);
    /* It stays ended, on any number of threads. */
    assert_int_equal(
        MATCH("--games", "4000", "--elo1", "10", "-o", "one.pgn", "--threads", "1", "-q"), 0);
    size_t size = strlen(text);
    static char one[sizeof text];
    file = fopen(path_of("one.pgn"), "rb");
    assert_non_null(file);
    assert_int_equal(fread(one, 1, sizeof one, file), size);
    assert_int_equal(fclose(file), 0);
    assert_memory_equal(text, one, size);
}

static void openings_and_one_colour(void **state)
{
    (void)state;
    static char text[FILE_MAX];
    write_text("start.epd",
               "rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - hmvc 0; fmvn 2;\n");
    write_text("start.pgn", "[Event \"x\"]\n\n1. d4 d5 *\n");
    assert_int_equal(MATCH("--games", "2", "--openings", path_of("start.epd"), "-o", "epd.pgn"), 0);
    text[read_bytes("epd.pgn", text)] = '\0';
    assert_says(text, "[FEN \"rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 0 2\"]");
    assert_says(text, "\n2. c4 {/0, book=100.0%}");
    assert_int_equal(
        MATCH("--games", "3", "--openings", "start.pgn", "-o", "black.pgn", "--color", "black"), 0);
    text[read_bytes("black.pgn", text)] = '\0';
    assert_says(text, "\n1. d4 {book} 1... d5 {book} 2. ");
    assert_null(strstr(text, "[Black \"bad.bin\"]"));
    assert_null(strstr(text, "[White \"good.bin\"]"));
    assert_says(text, "[Round \"3\"]");
}

/* A clock: times are kept; draws and lost games are ended where it is asked for. */
static void clocks_and_adjudication(void **state)
{
    (void)state;
    static char text[FILE_MAX];
    assert_int_equal(MAKEBOOK("match", "good.bin", "bad.bin", "--tc", "0.2+0.002", "--games", "2",
                              "-o", "clock.pgn"),
                     0);
    text[read_bytes("clock.pgn", text)] = '\0';
    assert_says(text, "[TimeControl \"0.2+0.002\"]");
    assert_says(text, "s, n=");
    assert_int_equal(
        MATCH("--games", "2", "--draw", "movenumber=2,movecount=1,score=5000", "-o", "draw.pgn"),
        0);
    text[read_bytes("draw.pgn", text)] = '\0';
    assert_says(text, "[Termination \"adjudication\"]");
    assert_says(result.output, "2 games: +0 =2 -0");
    assert_int_equal(MATCH("--games", "2", "--draw", "none", "--resign", "none", "-o", "long.pgn"),
                     0);
    text[read_bytes("long.pgn", text)] = '\0';
    assert_says(text, "[Termination \"normal\"]");
    assert_null(strstr(text, "adjudication"));
}

static void statistics_compare_the_books(void **state)
{
    (void)state;
    write_text("played.pgn", "[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 1-0\n\n"
                             "[Result \"0-1\"]\n\n1. e4 e5 2. Ba6 0-1\n\n"
                             "[Result \"0-1\"]\n\n1. d4 d5 2. c4 0-1\n");
    assert_int_equal(MAKEBOOK("build", "played.pgn", "--stats", "all.wld", "-q"), 0);
    assert_int_equal(MATCH("--games", "2", "--statistics", "all.wld"), 0);
    assert_says(result.output, "% of the points in ");
    assert_int_equal(RUN("match", path_of("good.bin"), "none", "--games", "2", "--statistics",
                         path_of("all.wld")),
                     1);
    assert_says(result.errors, "--statistics: \"none\" is not one book");
}

static void assert_refused(int status, const char *why)
{
    assert_int_equal(result.status, status);
    assert_says(result.errors, why);
    assert_string_equal(result.output, "");
    assert_ptr_equal(strchr(result.errors, '\n'), result.errors + strlen(result.errors) - 1);
}

static void wrong_use_is_one_line(void **state)
{
    (void)state;
    (void)MATCH("--games", "3");
    assert_refused(2, "--games wants an even number");
    (void)MAKEBOOK("match", "good.bin", "bad.bin", "--tc", "8s");
    assert_refused(2, "--tc wants seconds");
    (void)MATCH("--tc", "8");
    assert_refused(2, "--tc");
    (void)MATCH("--elo0", "5");
    assert_refused(2, "--elo0");
    (void)MATCH("--elo0", "5", "--elo1", "5");
    assert_refused(2, "--elo0 must be less");
    (void)MATCH("--elo1", "5", "--color", "white");
    assert_refused(2, "an SPRT is by pairs of games");
    (void)MATCH("--draw", "movecount=x");
    assert_refused(2, "--draw: \"movecount=x\" is none of movenumber=N");
    (void)MATCH("--resign", "score");
    assert_refused(2, "--resign: \"score\"");
    (void)MATCH("-o", "-");
    assert_refused(2, "not -");
    (void)MATCH("-o", "good.bin");
    assert_refused(2, "good.bin");
    (void)MAKEBOOK("match", "good.bin", "missing.bin", "--games", "2");
    assert_refused(1, "missing.bin");
    (void)MATCH("--openings", path_of("missing.epd"));
    assert_refused(1, "missing.epd");
    write_text("wrong.epd", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQ1BNR w - - 0 1\n");
    (void)MATCH("--openings", path_of("wrong.epd"));
    assert_refused(1, "wrong.epd:1");
    write_text("wrong.pgn", "[Event \"x\"]\n\n1. e4 e5 2. Ke3 *\n");
    (void)MATCH("--openings", "wrong.pgn");
    assert_refused(1, "wrong.pgn:3:");
    (void)MATCH("--statistics", "good.bin");
    assert_refused(1, "these are no statistics");
}

/* A file of other games, of other settings, or that was edited, is left as it is. */
static void games_of_others_are_left_alone(void **state)
{
    (void)state;
    static const char foreign[] = "[Event \"x\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n\n";
    write_text("foreign.pgn", foreign);
    (void)MATCH("--games", "2", "-o", "foreign.pgn");
    assert_refused(1, "foreign.pgn: game 1: no game of this match");
    assert_file("foreign.pgn", foreign);
    write_text("foreign.pgn", "no games at all");
    (void)MATCH("--games", "2", "-o", "foreign.pgn");
    assert_refused(1, "foreign.pgn: ");
    assert_file("foreign.pgn", "no games at all");
    assert_int_equal(MATCH("--games", "2", "-o", "mine.pgn"), 0);
    (void)MATCH("--games", "4", "-o", "mine.pgn", "--seed", "2");
    assert_refused(1, "mine.pgn: game 1: no game of this match, with these books and settings");
    /* The same name, another book. */
    assert_int_equal(MAKEBOOK("convert", "bad.bin", "saved.bin", "-q"), 0);
    assert_int_equal(MAKEBOOK("convert", "good.bin", "bad.bin", "-q"), 0);
    (void)MATCH("--games", "4", "-o", "mine.pgn");
    assert_refused(1, "mine.pgn: game 1: no game of this match");
    assert_int_equal(MAKEBOOK("convert", "saved.bin", "bad.bin", "-q"), 0);
    assert_int_equal(MATCH("--games", "4", "-o", "mine.pgn"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_better_book_wins),           cmocka_unit_test(the_judge_agrees),
        cmocka_unit_test(threads_make_no_difference),     cmocka_unit_test(a_match_goes_on),
        cmocka_unit_test(equal_books_are_equal),          cmocka_unit_test(an_sprt_ends_the_match),
        cmocka_unit_test(openings_and_one_colour),        cmocka_unit_test(clocks_and_adjudication),
        cmocka_unit_test(statistics_compare_the_books),   cmocka_unit_test(wrong_use_is_one_line),
        cmocka_unit_test(games_of_others_are_left_alone),
    };
    return cmocka_run_group_tests(tests, set_up, remove_folder);
}
