/* makebook on ZIP archives as other programs make them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "makebook.h"

static const char first[] = "[White \"A\"]\n[Black \"B\"]\n\n1. e4 e5 2. Nf3 1-0";
static const char second[] = "[White \"C\"]\n[Black \"D\"]\n\n1. d4 d5 0-1\n\n"
                             "[White \"E\"]\n[Black \"F\"]\n\n1. e4 e5 2. Ke3 1-0\n";

/* Runs a line of the shell in the folder; false when it fails. */
static bool shell(const char *line)
{
    char text[1000];
    const char *const arguments[] = {"/bin/sh", "-c", text, NULL};
    (void)snprintf(text, sizeof text, "cd %s && { %s; } >/dev/null 2>&1", folder, line);
    struct process_result ran = process_run(arguments, NULL);
    int status = ran.status;
    process_result_free(&ran);
    return status == 0;
}

static int write_games(void **state)
{
    (void)state;
    if (create_folder() != 0)
        return -1;
    write_text("first.pgn", first);
    write_text("second.pgn", second);
    write_text("notes.txt", "1. e4 e5 2. d3 1/2-1/2\n");
    return MAKEBOOK("build", "first.pgn", "second.pgn", "-o", "plain.wld", "--updatable", "-q");
}

/* As a file and from a pipe, whoever made it. zip's own status, not that of the pipe, tells whether
 * there is an archive. */
static void an_archive_counts_as_its_games(void **state)
{
    (void)state;
    static const char into_pipe[] = "{ zip -q - first.pgn notes.txt second.pgn || : >failed; } | "
                                    "cat >games.zip; test ! -e failed";
    static const char *const lines[] = {
        "zip -q games.zip first.pgn notes.txt second.pgn",
        "zip -q -0 games.zip first.pgn notes.txt second.pgn",
        into_pipe,
        "python3 -m zipfile -c games.zip first.pgn notes.txt second.pgn",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        (void)unlink(path_of("games.zip"));
        assert_true(shell(lines[i]));
        int status = RUN("build", path_of("games.zip"), "-o", path_of("packed.wld"), "--updatable");
        if (status != 0 && strstr(result.errors, "built without"))
            skip();
        assert_int_equal(status, 0);
        assert_same_files("packed.wld", "plain.wld");
        assert_says(result.output, "games.zip:13:13: game 3: illegal move Ke3");
        assert_int_equal(RUN("build", "--add-to", path_of("packed.wld"), path_of("games.zip")), 0);
        assert_says(result.output, "2  counted already");
        assert_same_files("packed.wld", "plain.wld");
    }
}

static void a_fault_names_file_and_member(void **state)
{
    (void)state;
    assert_true(shell("zip -q -0 one.zip first.pgn && LC_ALL=C sed s/Nf3/Nc3/ one.zip >bad.zip"));
    assert_int_equal(RUN("build", path_of("bad.zip"), "-o", path_of("new.bin"), "-q"), 1);
    if (strstr(result.errors, "built without"))
        skip();
    assert_says(result.errors, "bad.zip: damaged ZIP data near byte ");
    assert_says(result.errors, ", in first.pgn\n");
    assert_false(exists("new.bin"));
    assert_true(shell("zip -q none.zip notes.txt"));
    assert_int_equal(RUN("build", path_of("none.zip"), "-o", path_of("new.bin"), "-q"), 1);
    assert_says(result.errors, "none.zip: this ZIP archive has no member whose name ends in .pgn");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_archive_counts_as_its_games),
        cmocka_unit_test(a_fault_names_file_and_member),
    };
    return cmocka_run_group_tests(tests, write_games, remove_folder);
}
