/* makebook grow: who sits opposite, where the book starts, what is there already. The same bytes
 * with any number of threads and after a kill; one line for what cannot be. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "book/scoring/record.h"
#include "chess/attacks.h"
#include "makebook.h"
#include "tests/support/book_file.h"

/* A few short searches. */
#define SMALL "--depth", "5", "--min-depth", "3"

enum { POLL_MS = 1, KILL_AT = STORE_HEADER_SIZE + 5 * STORE_RECORD_SIZE };

#define GAME(white, black, result, moves)                                                          \
    "[Event \"x\"]\n[White \"A\"]\n[Black \"B\"]\n[Round \"" moves "\"]\n[WhiteElo \"" white       \
    "\"]\n[BlackElo \"" black "\"]\n[Result \"" result "\"]\n\n" moves " " result "\n\n"

static const char games[] = GAME("1500", "1600", "1-0", "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7#")
    GAME("1500", "1600", "1-0", "1. e4 e5 2. Qh5 Nc6 3. Bc4 g6")
        GAME("1500", "1600", "1-0", "1. e4 e5 2. Qh5 Ke7 3. Qxe5#")
            GAME("2500", "2600", "1/2-1/2", "1. e4 c5 2. Nf3 d6")
                GAME("2500", "2600", "0-1", "1. d4 d5 2. c4 e6")
                    GAME("2500", "2600", "1/2-1/2", "1. d4 Nf6 2. c4 e6");

static int set_up(void **state)
{
    (void)state;
    static const struct book_line given[] = {
        {"e2e4 e7e5", 3}, {"e2e4 c7c5", 1}, {"d2d4 d7d5", 2}, {"g1f3 d7d5", 1},
        {"c2c4 e7e5", 1}, {"b1c3 d7d5", 1}, {"e2e3 d7d5", 1},
    };
    static const struct book_line mine[] = {
        {"c2c4", 5},           {"b1c3", 3},      {"c2c4 e7e5 g2g3", 7},
        {"c2c4 c7c5 g1f3", 2}, {"d2d4 d7d5", 9}, {"c2c4 e7e5 b1c3", 0},
    };
    chess_init();
    if (create_folder() != 0 ||
        !book_write(path_of("given.bin"), given, sizeof given / sizeof *given) ||
        !book_write(path_of("mine.bin"), mine, sizeof mine / sizeof *mine))
        return -1;
    write_text("games.pgn", games);
    return 0;
}

static int64_t size_of(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 ? (int64_t)info.st_size : 0;
}

/* Makes words of a command: of `name`, with these options and `threads`. */
static void make_words(const char *const *options, const char *name, const char *threads,
                       const char *words[WORDS_MAX + 1])
{
    const char *const first[] = {"grow", "-o", path_of(name), "--threads", threads, "-q"};
    size_t count = sizeof first / sizeof *first;
    memcpy(words, first, sizeof first);
    for (; *options; options++)
        words[count++] = *options;
    words[count] = NULL;
}

/* Kills a build when it has kept a few searches. */
static void kill_one(const char *const *options)
{
    const char *words[WORDS_MAX + 2] = {process_binary("MAKEBOOK_BINARY")};
    const char *store = path_of("killed.bin.store");
    (void)unlink(store);
    assert_true(size_of(path_of("one.bin.store")) > KILL_AT); /* else it would never be so large */
    make_words(options, "killed.bin", "2", words + 1);
    struct process *process = process_start(words);
    while (size_of(store) < KILL_AT)
        (void)process_is_silent(process, "-", POLL_MS);
    process_signal(process, SIGKILL);
    int status = process_wait(process);
    assert_true(status == 128 + SIGKILL || status == 0);
    process_destroy(process);
}

/* Grows with 1 and 4 threads, and once more after a kill: three equal books, which are sound. */
static void grow_alike(const char *const *options)
{
    const char *words[WORDS_MAX + 1];
    (void)unlink(path_of("one.bin.store"));
    (void)unlink(path_of("four.bin.store"));
    make_words(options, "one.bin", "1", words);
    assert_int_equal(run(words), 0);
    assert_string_equal(result.errors, "");
    make_words(options, "four.bin", "4", words);
    assert_int_equal(run(words), 0);
    assert_same_files("one.bin", "four.bin");
    kill_one(options);
    make_words(options, "killed.bin", "3", words);
    assert_int_equal(run(words), 0);
    assert_same_files("one.bin", "killed.bin");
    assert_int_equal(MAKEBOOK("verify", "one.bin"), 0);
}
#define GROW_ALIKE(...) grow_alike((const char *const[]){__VA_ARGS__, NULL})

static void several_opponents_and_a_soft_max(void **state)
{
    (void)state;
    GROW_ALIKE("--against", path_of("given.bin"), "--against", path_of("games.pgn"), "--shares",
               "1,3", "--shallow", "2", "--temperature", "80", SMALL);
    /* By twice the shares it is the same; by others it need not be. */
    assert_int_equal(RUN("grow", "--against", path_of("given.bin"), "--against",
                         path_of("games.pgn"), "--shares", "2,6", "--shallow", "2", "--temperature",
                         "80", SMALL, "-o", path_of("two.bin")),
                     0);
    assert_same_files("one.bin", "two.bin");
    assert_says(result.output, "shallow searches of these\n");
    assert_says(result.output, "games.pgn: 6 of 6 games count\n");
    /* No book at all is an opponent, too, when his moves are weighed. */
    assert_int_equal(RUN("grow", "--shallow", "1", "--depth", "4", "--min-depth", "4", "-o",
                         path_of("none.bin")),
                     0);
    assert_int_equal(size_of(path_of("none.bin")), 16);
}

/* Games are what statistics of them are; filters are those of build. */
static void games_count_as_by_build(void **state)
{
    (void)state;
    assert_int_equal(MAKEBOOK("build", "games.pgn", "--stats", "games.wld", "-q"), 0);
    assert_int_equal(RUN("grow", "--against", path_of("games.pgn"), "-o", path_of("a.bin"), SMALL),
                     0);
    assert_int_equal(RUN("grow", "--against", path_of("games.wld"), "-o", path_of("b.bin"), SMALL),
                     0);
    assert_same_files("a.bin", "b.bin");
    assert_int_equal(RUN("grow", "--against", path_of("games.pgn"), "-o", path_of("a.bin"),
                         "--practical", "60", "--often", "2", SMALL),
                     0);
    assert_int_equal(RUN("grow", "--against", path_of("games.wld"), "-o", path_of("b.bin"),
                         "--practical", "60", "--often", "2", SMALL),
                     0);
    assert_same_files("a.bin", "b.bin");
    assert_int_equal(MAKEBOOK("build", "games.pgn", "--stats", "band.wld", "--min-elo", "1400",
                              "--max-elo", "1700", "-q"),
                     0);
    assert_int_equal(RUN("grow", "--color", "black", "--against", path_of("games.pgn"), "--min-elo",
                         "1400", "--max-elo", "1700", "-o", path_of("a.bin"), SMALL),
                     0);
    assert_says(result.output, "games.pgn: 3 of 6 games count\n");
    assert_int_equal(RUN("grow", "--color", "black", "--against", path_of("band.wld"), "-o",
                         path_of("b.bin"), SMALL),
                     0);
    assert_same_files("a.bin", "b.bin");
    assert_int_equal(MAKEBOOK("show", "a.bin", "e4"), 0);
    assert_int_equal(MAKEBOOK("show", "a.bin", "d4"), 1); /* nobody of that band plays it */
}

/* People score all with 2. Qh5; the engine thinks little of it. */
static void a_practical_choice(void **state)
{
    (void)state;
    GROW_ALIKE("--against", path_of("games.pgn"), "--practical", "100%", "--prior", "1", "--often",
               "2", SMALL);
    assert_int_equal(MAKEBOOK("show", "one.bin", "1. e4 e5"), 0);
    assert_says(result.output, "\nQh5 ");
    assert_int_equal(RUN("grow", "--against", path_of("games.pgn"), "--practical", "0", "--often",
                         "2", "-o", path_of("zero.bin"), "--start", "1. e4 e5", SMALL),
                     0);
    assert_int_equal(MAKEBOOK("show", "zero.bin", "1. e4 e5"), 0);
    assert_null(strstr(result.output, "\nQh5 "));
}

/* Moves to a start given as a line are of the book; a FEN begins by itself. */
static void starts(void **state)
{
    (void)state;
    GROW_ALIKE("--against", path_of("given.bin"), "--start", "1. e4 e5 2. Nf3", "--start",
               "1. d4 Nf6", "--color", "both", SMALL);
    assert_int_equal(MAKEBOOK("show", "one.bin"), 0);
    assert_says(result.output, "\ne4            32768     50.0%");
    assert_says(result.output, "\nd4            32768     50.0%");
    assert_int_equal(MAKEBOOK("show", "one.bin", "1. e4 e5"), 0);
    assert_says(result.output, "\nNf3               1    100.0%");
    assert_int_equal(MAKEBOOK("show", "one.bin", "1. e4 e5 2. Nf3"), 0);
    assert_int_equal(RUN("grow", "--against", path_of("given.bin"), "--start", "1. c4", "-o",
                         path_of("c4.bin"), "--depth", "3", "--min-depth", "3"),
                     0);
    assert_says(result.output, "            c4  first move\n"); /* it has no score */
    assert_int_equal(RUN("grow", "--against", path_of("given.bin"), "--start",
                         "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "-o", path_of("fen.pgn"), SMALL),
                     0);
    assert_int_equal(MAKEBOOK("verify", "fen.pgn"), 0);
    assert_int_equal(MAKEBOOK("show", "fen.pgn", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"), 0);
    assert_int_equal(MAKEBOOK("show", "fen.pgn"), 1);
    assert_int_equal(RUN("grow", "--against", path_of("given.bin"), "--start",
                         "Sicilian Defense: Najdorf Variation", "-o", path_of("b90.bin"), "--color",
                         "black", "--depth", "3", "--min-depth", "3", "--max-positions", "12"),
                     0);
    assert_int_equal(MAKEBOOK("show", "b90.bin", "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3"), 0);
    assert_says(result.output, "\na6 ");
}

/* A position whose only move is never played is a gap; the move stays as it is. */
static void a_move_that_is_never_played(void **state)
{
    (void)state;
    write_text("never.pgn", "[Event \"x\"]\n\n1. a3 {[%weight 0]} 1... e5 {[%weight 1]} *\n");
    GROW_ALIKE("--against", path_of("given.bin"), "--keep", path_of("never.pgn"), SMALL);
    assert_int_equal(MAKEBOOK("show", "one.bin"), 0);
    assert_says(result.output, ", 2 moves in ");
    assert_says(result.output, "\na3                0      0.0%");
    assert_says(result.output, "    1    100.0%");
    /* Nor is it played when the search finds it. */
    write_text("never.pgn", "[Event \"x\"]\n[SetUp \"1\"]\n[FEN \"6kR/8/8/8/8/8/P7/K7 b - - 0 "
                            "1\"]\n\n1... Kxh8 {[%weight 0]} *\n");
    const char *fen = "6kR/8/8/8/8/8/P7/K7 b - - 0 1";
    assert_int_equal(RUN("grow", "--against", path_of("given.bin"), "--keep", path_of("never.pgn"),
                         "--start", fen, "--color", "black", "-o", path_of("never.bin"), SMALL),
                     0);
    assert_int_equal(MAKEBOOK("show", "never.bin", fen), 0);
    assert_says(result.output, "\nKxh8              0      0.0%");
    assert_int_equal(MAKEBOOK("stats", "never.bin"), 0);
}

/* All of our side is kept with its weights, also what the opponent never plays; gaps are filled. */
static void a_repertoire_that_is_kept(void **state)
{
    (void)state;
    GROW_ALIKE("--against", path_of("given.bin"), "--keep", path_of("mine.bin"), SMALL);
    assert_int_equal(MAKEBOOK("show", "one.bin"), 0);
    assert_says(result.output, "\nc4                5     62.5%");
    assert_says(result.output, "\nNc3               3     37.5%");
    assert_int_equal(MAKEBOOK("show", "one.bin", "1. c4 e5"), 0);
    assert_says(result.output, "\ng3                7    100.0%");
    assert_says(result.output, "\nNc3               0 ");
    assert_int_equal(MAKEBOOK("show", "one.bin", "1. c4 c5"), 0);
    assert_int_equal(MAKEBOOK("show", "one.bin", "1. Nc3 d5"), 0); /* a gap */
    assert_int_equal(MAKEBOOK("show", "one.bin", "1. d4"), 1);     /* Black's moves are not ours */
}

static void out_of_his_book(void **state)
{
    (void)state;
    GROW_ALIKE("--against", path_of("given.bin"), "--leave", "300", SMALL);
    for (int i = 0; i < 6; i++) { /* he answers none of our first moves */
        static const char *const known[] = {"e4", "d4", "Nf3", "c4", "Nc3", "e3"};
        char line[16];
        (void)snprintf(line, sizeof line, "\n%s ", known[i]);
        assert_int_equal(MAKEBOOK("show", "one.bin"), 0);
        assert_null(strstr(result.output, line));
    }
}

static void fails(int status, const char *why)
{
    assert_int_equal(result.status, status);
    assert_says(result.errors, why);
    assert_int_equal(strcspn(result.errors, "\n") + 1, strlen(result.errors)); /* one line */
    assert_string_equal(result.output, "");
}

#define REFUSED(status, why, ...)                                                                  \
    do {                                                                                           \
        (void)RUN("grow", "-o", path_of("bad.bin"), "--against", __VA_ARGS__);                     \
        fails(status, why);                                                                        \
    } while (0)

static void bad_options(void **state)
{
    (void)state;
    const char *given = path_of("given.bin");
    const char *pgn = path_of("games.pgn");
    REFUSED(2, "--shares 1,2: wanted is a number from 1 to 1000000 for each", given, "--shares",
            "1,2");
    REFUSED(2, "--shares 0: wanted is", given, "--shares", "0");
    REFUSED(2, "--shares 1,: wanted is", given, "--shares", "1,");
    REFUSED(2, "--temperature needs --shallow", given, "--temperature", "50");
    REFUSED(2, "temperature wants a number from 1", given, "--shallow", "2", "--temperature", "0");
    REFUSED(2, "shallow wants a number from 1", given, "--shallow", "0");
    REFUSED(2, "options about games are given, but --against names none", given, "--min-elo",
            "1500");
    REFUSED(2, "--start \"e4 e4\": ply 2: e4 is not legal here", given, "--start", "e4 e4");
    REFUSED(2, "--start \"xyz\": ply 1: xyz is no move", given, "--start", "xyz");
    REFUSED(2, "--start \"8/8/8 w - - 0 1\": FEN, column", given, "--start", "8/8/8 w - - 0 1");
    REFUSED(2, "--start \"e4\": is on the way to another start", given, "--start", "e4", "--start",
            "e4 c5");
    REFUSED(2, "did you mean Sicilian Defense", given, "--start", "sicillian");
    REFUSED(2, "comes to a position twice", given, "--start", "Nf3 Nf6 Ng1 Ng8 e4");
    REFUSED(2, "--start \"f3 e5 g4 Qh4\": the game has ended there", given, "--start",
            "f3 e5 g4 Qh4");
    REFUSED(2, "--practical wants a percent from 0 to 100, such as 0.5, not 101", pgn,
            "--practical", "101");
    REFUSED(2, "--practical wants results", given, "--practical", "50");
    REFUSED(2, "--prior needs --practical", pgn, "--prior", "5");
    REFUSED(2, "--practical chooses one move: not with --margin", pgn, "--practical", "50",
            "--margin", "10");
    REFUSED(2, "not with --margin, --moves and --practical", pgn, "--practical", "50", "--leave",
            "10");
    (void)RUN("grow", "-o", path_of("bad.bin"), "--shallow", "2", "--leave", "10");
    fails(2, "--leave needs --against");
    (void)RUN("grow", "-o", given, "--against", pgn, "--keep", given);
    fails(2, "given.bin is read: it would be lost");
    assert_false(exists("bad.bin"));
}

static void bad_files(void **state)
{
    (void)state;
    const char *given = path_of("given.bin");
    const char *pgn = path_of("games.pgn");
    write_text("cut.pgn", "[Event \"x\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Ke3 Nc6 1-0\n");
    write_text("none.wld", "CAXWLD\r\nx");
    REFUSED(1, "missing.pgn: ", path_of("missing.pgn"));
    REFUSED(1, "none.wld: ", path_of("none.wld"));
    REFUSED(1, "games.pgn: no move counts: 6 of 6 games had players of less", pgn, "--min-elo",
            "2700");
    REFUSED(1, "missing.bin: ", given, "--keep", path_of("missing.bin"));
    REFUSED(1, "/no/such/folder", given, "--against", "/no/such/folder/x.bin");
    /* A bad game is left out, and what is wrong with it is said; here no other is left. */
    (void)RUN("grow", "-o", path_of("bad.bin"), "--against", path_of("cut.pgn"));
    assert_int_equal(result.status, 1);
    assert_says(result.errors, "warning: ");
    assert_says(result.errors, "cut.pgn: 1 bad game, the first is game 1, line 4: ");
    assert_says(result.errors, "cut.pgn: no move counts: ");
    assert_int_equal(MAKEBOOK("build", "games.pgn", "--stats", "mirror.wld", "--mirror", "-q"), 0);
    REFUSED(1, "mirrored statistics do not tell who scored", path_of("mirror.wld"), "--practical",
            "50");
    assert_false(exists("bad.bin"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(several_opponents_and_a_soft_max),
        cmocka_unit_test(games_count_as_by_build),
        cmocka_unit_test(a_practical_choice),
        cmocka_unit_test(starts),
        cmocka_unit_test(a_repertoire_that_is_kept),
        cmocka_unit_test(a_move_that_is_never_played),
        cmocka_unit_test(out_of_his_book),
        cmocka_unit_test(bad_options),
        cmocka_unit_test(bad_files),
    };
    return cmocka_run_group_tests(tests, set_up, remove_folder);
}
