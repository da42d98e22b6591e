/* makebook build --add-to: statistics that grow, to the bytes of one build of all games. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>

#include <cmocka.h>

#include "makebook.h"

static const char january[] = "[White \"A\"]\n[Date \"2026.01.01\"]\n\n1. e4 e5 2. Nf3 1-0\n\n"
                              "[White \"B\"]\n[Date \"2026.01.02\"]\n\n1. e4 c5 1/2-1/2\n\n";
/* The first game of January again, and a new one. */
static const char february[] = "[White \"A\"]\n[Date \"2026.01.01\"]\n\n1. e4 e5 2. Nf3 1-0\n\n"
                               "[White \"C\"]\n[Date \"2026.02.02\"]\n\n1. e4 e5 2. Bc4 0-1\n\n";
static const char march[] = "[White \"D\"]\n[Date \"2026.03.03\"]\n\n1. d4 d5 0-1\n\n";

static int make_folder(void **state)
{
    (void)state;
    if (create_folder() != 0)
        return -1;
    write_text("1.pgn", january);
    write_text("2.pgn", february);
    write_text("3.pgn", march);
    assert_int_equal(
        MAKEBOOK("build", "1.pgn", "2.pgn", "3.pgn", "-o", "all.wld", "--updatable", "-q"), 0);
    assert_int_equal(MAKEBOOK("build", "1.pgn", "--stats", "1.wld", "--updatable", "-q"), 0);
    assert_int_equal(MAKEBOOK("build", "3.pgn", "--stats", "3.wld", "--updatable", "-q"), 0);
    return 0;
}

static void copy_file(const char *from, const char *to)
{
    static char bytes[FILE_MAX];
    size_t size = read_bytes(from, bytes);
    FILE *file = fopen(path_of(to), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void games_are_added_once(void **state)
{
    (void)state;
    copy_file("1.wld", "sum.wld");
    assert_int_equal(MAKEBOOK("build", "2.pgn", "--add-to", "sum.wld"), 0);
    assert_says(result.output, "left out                  1  counted already\n");
    assert_says(result.output, "statistics                  5  moves\n");
    assert_int_equal(MAKEBOOK("build", "3.pgn", "--add-to", "sum.wld", "-q", "--memory", "1"), 0);
    assert_same_files("sum.wld", "all.wld");
    assert_int_equal(MAKEBOOK("build", "1.pgn", "3.pgn", "2.pgn", "--add-to", "sum.wld"), 0);
    assert_says(result.output, "no game is new: ");
    assert_same_files("sum.wld", "all.wld");
    assert_int_equal(MAKEBOOK("verify", "sum.wld"), 0);
    assert_says(result.output, "fingerprints of 4 games\nfacets rating,speed,month\nmax-ply 40\n");
    assert_says(result.output, "sum.wld: 0 faults\n");
    /* To the order of the files it is all one. */
    copy_file("3.wld", "sum.wld");
    assert_int_equal(MAKEBOOK("build", "2.pgn", "1.pgn", "--add-to", "sum.wld", "-q"), 0);
    assert_same_files("sum.wld", "all.wld");
    /* As statistics they are like others. */
    assert_int_equal(MAKEBOOK("show", "sum.wld", "e4"), 0);
    assert_says(result.output, "\ne5           2 ");
    assert_says(result.output, "%    50.0%    0.0%   50.0%   50.0%");
    assert_int_equal(
        MAKEBOOK("build", "1.pgn", "2.pgn", "3.pgn", "-o", "a.bin", "--min-games", "1", "-q"), 0);
    assert_int_equal(MAKEBOOK("convert", "sum.wld", "b.bin", "--min-games", "1", "-q"), 0);
    assert_same_files("a.bin", "b.bin");
}

static void other_options_are_named(void **state)
{
    (void)state;
    copy_file("1.wld", "sum.wld");
    assert_int_equal(MAKEBOOK("build", "2.pgn", "--add-to", "sum.wld", "--max-ply", "20"), 1);
    assert_says(result.errors, "was counted with \"max-ply 40\", not with \"max-ply 20\"\n");
    assert_int_equal(MAKEBOOK("build", "2.pgn", "--add-to", "sum.wld", "--min-elo", "2400"), 1);
    assert_says(result.errors, "was not counted with \"min-elo 2400\"\n");
    assert_int_equal(
        MAKEBOOK("build", "2.pgn", "-o", "elo.wld", "--updatable", "--color", "white", "-q"), 0);
    assert_int_equal(MAKEBOOK("build", "3.pgn", "--add-to", "elo.wld"), 1);
    assert_says(result.errors, "was counted with \"color white\", which is not asked for here\n");
    assert_int_equal(MAKEBOOK("build", "2.pgn", "-o", "plain.wld", "-q"), 0);
    assert_int_equal(MAKEBOOK("build", "2.pgn", "--add-to", "plain.wld"), 1);
    assert_says(result.errors, "plain.wld does not say which games it counts");
    assert_int_equal(MAKEBOOK("build", "2.pgn", "--add-to", "none.wld"), 1);
    assert_says(result.errors, "none.wld: No such file or directory: the first build makes it, by "
                               "-o FILE --updatable\n");
    assert_int_equal(MAKEBOOK("build", "2.pgn", "--add-to", "1.pgn"), 2);
    assert_int_equal(MAKEBOOK("build", "2.pgn", "--add-to", "sum.wld", "-o", "x.bin"), 2);
    assert_int_equal(MAKEBOOK("build", "2.pgn", "--add-to", "sum.wld", "--keep-duplicates"), 2);
    assert_int_equal(MAKEBOOK("build", "2.pgn", "-o", "x.bin", "--updatable"), 2);
    assert_int_equal(MAKEBOOK("build", "2.pgn", "-o", "x.wld", "--updatable", "--min-games", "2"),
                     2);
    assert_false(exists("none.wld"));
    assert_false(exists("x.bin"));
    assert_same_files("sum.wld", "1.wld");
}

static void sums_know_their_games(void **state)
{
    (void)state;
    assert_int_equal(MAKEBOOK("build", "2.pgn", "--stats", "2.wld", "--updatable", "-q"), 0);
    assert_int_equal(MAKEBOOK("merge", "1.wld", "2.wld", "-o", "no.wld"), 1);
    assert_says(result.errors, "1 game would count twice, the first of them in ");
    assert_false(exists("no.wld"));
    /* By force they do, and then the sum does not say that it has them once. */
    assert_int_equal(MAKEBOOK("merge", "1.wld", "2.wld", "-o", "twice.wld", "--force", "-q"), 0);
    assert_says(result.errors, "warning: 1 game counts twice: build --add-to cannot add games");
    assert_int_equal(MAKEBOOK("build", "3.pgn", "--add-to", "twice.wld"), 1);
    assert_says(result.errors, "does not say which games it counts");
    assert_int_equal(MAKEBOOK("merge", "1.wld", "3.wld", "-o", "force.wld", "--force", "-q"), 0);
    assert_says(result.errors, "warning: added up with --force: build --add-to cannot add games");
    assert_int_equal(MAKEBOOK("merge", "3.wld", "1.wld", "-o", "sum.wld", "-q"), 0);
    assert_int_equal(MAKEBOOK("build", "2.pgn", "--add-to", "sum.wld", "-q"), 0);
    assert_same_files("sum.wld", "all.wld");
    /* With moves left out, or a part whose games are not known, nothing can be added. */
    assert_int_equal(MAKEBOOK("merge", "all.wld", "-o", "few.wld", "--min-games", "2", "-q"), 0);
    assert_int_equal(MAKEBOOK("build", "3.pgn", "--add-to", "few.wld"), 1);
    assert_says(result.errors, "does not say which games it counts");
    assert_int_equal(MAKEBOOK("build", "3.pgn", "--stats", "p.wld", "-q"), 0);
    assert_int_equal(MAKEBOOK("merge", "1.wld", "p.wld", "-o", "mix.wld", "-q"), 0);
    assert_says(result.errors, "p.wld does not say which games it counts (--updatable): build");
    assert_int_equal(MAKEBOOK("verify", "mix.wld"), 0);
    assert_null(strstr(result.output, "fingerprints"));
    assert_int_equal(MAKEBOOK("build", "3.pgn", "-o", "10.wld", "--max-ply", "10", "-q"), 0);
    assert_int_equal(MAKEBOOK("merge", "1.wld", "10.wld", "-o", "no.wld"), 1);
    assert_says(result.errors, "were counted with different options (max-ply 40; max-ply 10);");
}

static void damage_ends_the_work(void **state)
{
    (void)state;
    static char bytes[FILE_MAX];
    size_t size = read_bytes("1.wld", bytes);
    bytes[16 + 52 + 8 + 8 + 2] ^= 1; /* behind the header and the head of the fingerprints */
    FILE *file = fopen(path_of("bad.wld"), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    copy_file("bad.wld", "old.wld");
    assert_int_equal(MAKEBOOK("build", "2.pgn", "--add-to", "bad.wld"), 1);
    assert_says(result.errors, "bad.wld: byte 76: the checksum of a block is wrong");
    assert_same_files("bad.wld", "old.wld");
    assert_int_equal(MAKEBOOK("verify", "bad.wld"), 1);
    assert_says(result.errors, "bad.wld: byte 76: the checksum of a block is wrong");
    assert_null(strstr(result.errors, "the end does not fit"));
    assert_says(result.output, "bad.wld: 1 fault\n");
    assert_int_equal(MAKEBOOK("show", "bad.wld"), 0);
    assert_int_equal(
        MAKEBOOK("convert", "bad.wld", "x.bin", "--min-games", "1", "--skip-damaged", "-q"), 0);
}

/* While it waits for another program, that one adds games: the sample games of both are kept. */
static void one_that_waited_finds_the_sample_games(void **state)
{
    (void)state;
    assert_int_equal(
        MAKEBOOK("build", "1.pgn", "-o", "s.wld", "--updatable", "--samples", "2", "-q"), 0);
    copy_file("s.wld", "t.wld");
    copy_file("s.wld.games", "t.wld.games");
    assert_int_equal(MAKEBOOK("build", "3.pgn", "--add-to", "t.wld", "-q"), 0);
    int lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    assert_true(lock >= 0);
    if (flock(lock, LOCK_EX) != 0)
        skip(); /* a file system without locks */
    const char *const arguments[] = {process_binary("MAKEBOOK_BINARY"),
                                     "build",
                                     path_of("2.pgn"),
                                     "--add-to",
                                     path_of("s.wld"),
                                     "-q",
                                     NULL};
    struct process *adding = process_start(arguments);
    process_wait_for_error(adding,
                           "s.wld: another program writes in this folder: waiting for it\n");
    assert_int_equal(rename(path_of("t.wld"), path_of("s.wld")), 0);
    assert_int_equal(rename(path_of("t.wld.games"), path_of("s.wld.games")), 0);
    assert_int_equal(close(lock), 0);
    assert_int_equal(process_wait(adding), 0);
    process_destroy(adding);
    assert_same_files("s.wld", "all.wld");
    assert_int_equal(MAKEBOOK("verify", "s.wld"), 0);
    assert_says(result.output, "s.wld: 0 faults\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(games_are_added_once),
        cmocka_unit_test(other_options_are_named),
        cmocka_unit_test(sums_know_their_games),
        cmocka_unit_test(damage_ends_the_work),
        cmocka_unit_test(one_that_waited_finds_the_sample_games),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
