/* makebook learn: a loss does not happen twice; the same bytes with any number of threads, after
 * kills, and when it is done again; one line for what cannot be. */
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

/* Some dozen short searches, for which 1. d4 and 1. e4 are worth the same. */
#define SMALL "--nodes", "6000", "--margin", "50"

enum { POLL_MS = 1 };

/* White's: a knight is given away at move 3, and a quiet line. */
static const struct book_line ours[] = {
    {"e2e4", 10},
    {"d2d4", 10},
    {"e2e4 e7e5 g1f3", 1},
    {"e2e4 e7e5 g1f3 b8c6 f3e5", 1},
    {"e2e4 e7e5 g1f3 b8c6 f3e5 c6e5 d2d4", 1},
    {"d2d4 d7d5 c2c4", 1},
    {"d2d4 d7d5 c2c4 e7e6 b1c3", 1},
};

#define TAGS(result)                                                                               \
    "[Event \"x\"]\n[White \"Caxton\"]\n[Black \"Other\"]\n[Result \"" result "\"]\n\n"
#define KNIGHT                                                                                     \
    TAGS("0-1")                                                                                    \
    "1. e4 {+0.20/1} e5 2. Nf3 Nc6 3. Nxe5 Nxe5 4. d4 Ng6 5. Bc4 {-2.10/9 0.1s} Nf6 0-1\n\n"
#define QUIET TAGS("0-1") "1. d4 d5 2. c4 e6 3. Nc3 {+0.1/1} Nf6 4. Bg5 {+0.35/9} Be7 0-1\n\n"
#define WON   TAGS("1-0") "1. d4 Nf6 2. c4 e6 1-0\n\n"
#define BAD   TAGS("0-1") "1. e4 e5 2. Ke3 Nc6 0-1\n\n"

static int set_up(void **state)
{
    (void)state;
    chess_init();
    if (create_folder() != 0 || !book_write(path_of("ours.bin"), ours, sizeof ours / sizeof *ours))
        return -1;
    write_text("games.pgn", KNIGHT QUIET BAD WON);
    return MAKEBOOK("learn", "games.pgn", "--book", "ours.bin", "--player", "Caxton", "-o",
                    "one.bin", SMALL, "--threads", "1");
}

static int64_t size_of(const char *name)
{
    struct stat info;
    return stat(path_of(name), &info) == 0 ? (int64_t)info.st_size : 0;
}

/* The report names the game, the line, both moves and their scores; the bad game and where. */
static void the_report(void **state)
{
    (void)state;
    assert_says(result.output, "games.pgn:1: game 1: White lost, score out of the book (-2.10)\n"
                               "  1. e4 e5 2. Nf3 Nc6 3. Nxe5 ");
    assert_says(result.output, "\n  1. e4 e5 2. Nf3 Nc6 3. Nxe5 (-");
    assert_says(result.output, "): better by a search\n");
    assert_says(result.output, "game 2: White lost, score out of the book (+0.35)\n");
    assert_says(result.output, "games.pgn:20:13: game 3: illegal move Ke3");
    assert_says(result.output, "games read                  4");
    assert_says(result.output, "  left out                  1  bad");
    assert_says(result.output, "won                         1");
    assert_says(result.output, "lost                        2");
    assert_says(result.output, "  surprising                1  with a good score out of the book");
    assert_says(result.output, "raised                      1  weights of moves that scored");
    assert_string_equal(result.errors, "");
}

/* The weight of a move in the position after others, as show has it; -1: it is not there. */
static int weight_of(const char *book, const char *moves, const char *san)
{
    char wanted[40];
    assert_int_equal(RUN("show", path_of(book), moves, "--json"), 0);
    (void)snprintf(wanted, sizeof wanted, "\"san\": \"%s\"", san);
    const char *at = strstr(result.output, wanted);
    if (!at)
        return -1;
    at = strstr(at, "\"weight\": ");
    assert_non_null(at);
    int64_t weight = -1;
    at += strlen("\"weight\": ");
    assert_int_equal(span_to_int(span_make(at, strcspn(at, ",}")), 0, INT32_MAX, &weight),
                     STATUS_OK);
    return (int)weight;
}

static void a_loss_does_not_happen_twice(void **state)
{
    (void)state;
    assert_int_equal(weight_of("ours.bin", "e4 e5 Nf3 Nc6", "Nxe5"), 1);
    assert_int_equal(weight_of("one.bin", "e4 e5 Nf3 Nc6", "Nxe5"), 0);
    /* The game that was won counts: 1. d4 is heavier than 1. e4 now. */
    assert_true(weight_of("one.bin", "", "d4") > weight_of("one.bin", "", "e4"));
    assert_int_equal(MAKEBOOK("verify", "one.bin"), 0);
}

static void learning_twice_changes_nothing_more(void **state)
{
    (void)state;
    assert_int_equal(MAKEBOOK("learn", "games.pgn", "--book", "one.bin", "--player", "Caxton", "-o",
                              "two.bin", SMALL, "--store", path_of("one.bin.store")),
                     0);
    assert_says(result.output, "known                       3  sides of games");
    assert_same_files("one.bin", "two.bin");
    /* Without its store it finds the lost lines left, too. */
    write_text("lost.pgn", KNIGHT QUIET);
    assert_int_equal(MAKEBOOK("learn", "lost.pgn", "--book", "one.bin", "-o", "three.bin", SMALL,
                              "--color", "white", "--store", path_of("fresh.store")),
                     0);
    assert_says(result.output, "avoided                     2  lost lines that were left already");
    assert_same_files("one.bin", "three.bin");
}

/* The same book and games again: the same bytes, and nothing is searched. */
static void doing_it_again_is_the_same(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(MAKEBOOK("learn", "games.pgn", "--book", "ours.bin", "--player", "Caxton",
                                  "-o", "again.bin", SMALL, "--threads", i ? "4" : "1", "--store",
                                  path_of("one.bin.store")),
                         0);
        assert_says(result.output, "searches made now: 0");
        assert_same_files("one.bin", "again.bin");
    }
    assert_int_equal(MAKEBOOK("learn", "games.pgn", "--book", "ours.bin", "--player", "Caxton",
                              "-o", "four.bin", SMALL, "--threads", "4", "-q"),
                     0);
    assert_string_equal(result.output, "");
    assert_same_files("one.bin", "four.bin");
}

/* Killed when its store has so many records. */
static void kills_do_not_matter(void **state)
{
    (void)state;
    static const int records[] = {0, 1, 2, 5, 9, 14};
    for (size_t i = 0; i < sizeof records / sizeof *records; i++) {
        const char *const words[] = {process_binary("MAKEBOOK_BINARY"),
                                     "learn",
                                     path_of("games.pgn"),
                                     "--book",
                                     path_of("ours.bin"),
                                     "--player",
                                     "Caxton",
                                     "-o",
                                     path_of("killed.bin"),
                                     SMALL,
                                     "-q",
                                     NULL};
        int64_t bytes = STORE_HEADER_SIZE + records[i] * STORE_RECORD_SIZE;
        struct process *process = process_start(words);
        while (size_of("killed.bin.store") < bytes)
            (void)process_is_silent(process, "-", POLL_MS);
        process_signal(process, SIGKILL);
        int status = process_wait(process);
        assert_true(status == 128 + SIGKILL || status == 0);
        process_destroy(process);
    }
    assert_int_equal(MAKEBOOK("learn", "games.pgn", "--book", "ours.bin", "--player", "Caxton",
                              "-o", "killed.bin", SMALL, "-q"),
                     0);
    assert_same_files("one.bin", "killed.bin");
}

/* Cut anywhere behind the searches: in what it remembers of games and chosen moves. */
static void a_cut_memory_does_not_matter(void **state)
{
    (void)state;
    static char bytes[FILE_MAX];
    size_t size = read_bytes("one.bin.store", bytes);
    for (size_t cut = 1; cut <= 12; cut++) {
        FILE *file = fopen(path_of("cut.bin.store"), "wb");
        assert_non_null(file);
        assert_int_equal(fwrite(bytes, 1, size - cut * STORE_RECORD_SIZE, file),
                         size - cut * STORE_RECORD_SIZE);
        assert_int_equal(fclose(file), 0);
        assert_int_equal(MAKEBOOK("learn", "games.pgn", "--book", "ours.bin", "--player", "Caxton",
                                  "-o", "cut.bin", SMALL, "-q"),
                         0);
        assert_same_files("one.bin", "cut.bin");
    }
}

/* What the store remembers of games is of use for others: 1. d4 scored a half, 1. e4 nothing. */
static void prune_knows_the_games(void **state)
{
    (void)state;
    assert_int_equal(MAKEBOOK("prune", "ours.bin", "-o", "scored.bin", "--store",
                              path_of("one.bin.store"), "--min-score", "50"),
                     0);
    assert_says(result.output, "1. e4: scored too little\n");
    assert_null(strstr(result.output, "1. d4: "));
}

static void every_kind(void **state)
{
    (void)state;
    static const char *const kinds[] = {"k.abk", "k.epd", "k.pgn", "k.lines"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        assert_int_equal(RUN("convert", path_of("ours.bin"), path_of(kinds[i]), "-q"), 0);
        (void)unlink(path_of("kind.bin"));
        assert_int_equal(RUN("learn", path_of("games.pgn"), "--book", path_of(kinds[i]), "--player",
                             "Caxton", "-o", path_of("kind.bin"), SMALL, "-q", "--store",
                             path_of("kinds.store")),
                         0);
        assert_int_equal(weight_of("kind.bin", "e4 e5 Nf3 Nc6", "Nxe5"), 0);
        assert_int_equal(RUN("learn", path_of("games.pgn"), "--book", path_of("ours.bin"),
                             "--player", "Caxton", "-o", path_of("out.epd"), SMALL, "-q", "--store",
                             path_of("kinds.store")),
                         0);
        (void)unlink(path_of("kinds.store"));
    }
}

static void fails(int status, const char *why)
{
    assert_int_equal(result.status, status);
    assert_says(result.errors, why);
    assert_int_equal(strcspn(result.errors, "\n") + 1, strlen(result.errors)); /* one line */
    assert_string_equal(result.output, "");
}

static void bad_input(void **state)
{
    (void)state;
    (void)MAKEBOOK("learn", "games.pgn", "-o", "x.bin");
    fails(2, "which book was played with? --book says it");
    (void)MAKEBOOK("learn", "games.pgn", "--book", "ours.bin");
    fails(2, "where to? -o says it");
    (void)MAKEBOOK("learn", "games.pgn", "--book", "ours.bin", "-o", "ours.bin");
    fails(2, "ours.bin is read: it would be lost");
    (void)MAKEBOOK("learn", "games.pgn", "--book", "ours.bin", "-o", "x.bin", "--store",
                   "games.pgn");
    fails(2, "games.pgn is read: it would be lost");
    (void)MAKEBOOK("learn", "games.pgn", "--book", "ours.bin", "-o", "x.bin", "--depth", "5",
                   "--nodes", "5");
    fails(2, "--nodes: not with --depth");
    (void)MAKEBOOK("learn", "games.pgn", "--book", "ours.bin", "-o", "x.wld");
    fails(2, "a book is written here, not statistics");
    (void)MAKEBOOK("learn", "games.pgn", "--book", "ours.bin", "-o", "x.bin", "--player", "Nobody");
    fails(1, "games.pgn: none of 4 games is one of \"Nobody\"");
    write_text("bad.pgn", BAD);
    (void)MAKEBOOK("learn", "bad.pgn", "--book", "ours.bin", "-o", "x.bin");
    fails(1, "bad.pgn: no game to learn from: 1 read, 1 bad, 0 unfinished");
    (void)MAKEBOOK("learn", "none.pgn", "--book", "ours.bin", "-o", "x.bin");
    fails(1, "none.pgn: No such file or directory");
    (void)MAKEBOOK("learn", "games.pgn", "--book", "none.bin", "-o", "x.bin");
    fails(1, "none.bin: No such file or directory");
    assert_int_equal(MAKEBOOK("build", "games.pgn", "--stats", "s.wld", "-q"), 0);
    (void)MAKEBOOK("learn", "games.pgn", "--book", "s.wld", "-o", "x.bin");
    fails(1, "these are statistics (.wld)");
    (void)MAKEBOOK("learn", "games.pgn", "--book", "ours.bin", "-o", "x.bin", SMALL, "--store",
                   path_of("one.bin.store"), "--hash", "4");
    fails(1, "one.bin.store: scores of Caxton ");
    assert_false(exists("x.bin"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_report),
        cmocka_unit_test(a_loss_does_not_happen_twice),
        cmocka_unit_test(learning_twice_changes_nothing_more),
        cmocka_unit_test(doing_it_again_is_the_same),
        cmocka_unit_test(kills_do_not_matter),
        cmocka_unit_test(a_cut_memory_does_not_matter),
        cmocka_unit_test(prune_knows_the_games),
        cmocka_unit_test(every_kind),
        cmocka_unit_test(bad_input),
    };
    return cmocka_run_group_tests(tests, set_up, remove_folder);
}
