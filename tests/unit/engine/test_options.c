#include "tests/support/capture.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "book/open/book_set.h"
#include "chess/attacks.h"
#include "engine/commands.h"
#include "engine/setoption.h"
#include "tests/support/network_sample.h"

static struct capture capture;
static struct session *session;

static int set_up(void **state)
{
    (void)state;
    capture_start(&capture);
    session = session_create(capture.file, 1);
    capture_clear(&capture);
    return session ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    session_destroy(session);
    capture_end(&capture);
    return 0;
}

static const struct options *set(const char *arguments)
{
    capture_clear(&capture);
    setoption_command(session, span_of(arguments), false);
    return session_options(session);
}

static void assert_quiet(void)
{
    assert_string_equal(capture.text, "");
}

static void assert_one_complaint(void)
{
    assert_int_equal(capture_lines(&capture), 1);
    assert_int_equal(capture_count(&capture, "info string "), 1);
}

static void every_kind_is_read(void **state)
{
    (void)state;
    assert_int_equal(set("name Hash value 32")->hash_mb, 32);
    assert_int_equal(set("name Threads value 3")->threads, 3);
    assert_int_equal(set("name MultiPV value 5")->multipv, 5);
    set("name Ponder value true");
    assert_int_equal(set("name Move Overhead value 120")->overhead_ms, 120);
    assert_true(set("name UCI_Chess960 value true")->chess960);
    assert_true(set("name UCI_ShowWDL value true")->show_wdl);
    assert_true(set("name UCI_AnalyseMode value true")->analyse);
    assert_true(set("name UCI_LimitStrength value true")->limit_strength);
    assert_int_equal(set("name UCI_Elo value 2000")->elo, 2000);
    assert_false(set("name OwnBook value false")->book.own_book);
    assert_int_equal(set("name BookSelection value best")->book.selection, BOOK_BEST);
    assert_int_equal(set("name BookSelection value uniform")->book.selection, BOOK_UNIFORM);
    assert_true(set("name BestBookMove value true")->book.best_move);
    assert_int_equal(set("name BookStyle value half-open")->book.style, 2);
    assert_int_equal(set("name BookStyle value any")->book.style, 0);
    assert_int_equal(set("name BookDepth value 16")->book.depth_plies, 16);
    assert_int_equal(set("name BookThreshold value 50")->book.threshold_permille, 50);
    set("name Clear Hash");
    assert_quiet();
}

static void names_and_values_in_any_case_and_spacing(void **state)
{
    (void)state;
    assert_int_equal(set("NAME hAsH VALUE 8")->hash_mb, 8);
    assert_int_equal(set("  name  move overhead  value  55 \r\n")->overhead_ms, 55);
    assert_true(set("name best book move value TRUE")->book.best_move);
    assert_int_equal(set("name Book Depth value 9")->book.depth_plies, 9);
    assert_int_equal(set("name bookselection value Best")->book.selection, BOOK_BEST);
    assert_quiet();
}

static void out_of_range_takes_the_nearest(void **state)
{
    (void)state;
    assert_int_equal(set("name Threads value 0")->threads, 1);
    assert_one_complaint();
    assert_int_equal(set("name MultiPV value 99999999999999999999")->multipv, MOVES_MAX);
    assert_one_complaint();
    assert_int_equal(set("name Move Overhead value -99999999999999999999")->overhead_ms, 0);
    assert_one_complaint();
}

static void faults_change_nothing(void **state)
{
    (void)state;
    static const char *const faulty[] = {
        "",
        "Hash 32",
        "name",
        "name Hash",
        "name Hash value",
        "name Hash value many",
        "name Hash value 32 MB",
        "name Hash 32",
        "name Hashish value 32",
        "name Ponder value yes",
        "name Ponder value",
        "name BookSelection value worst",
        "name BookFile",
        "value 32 name Hash",
    };
    struct options before = *session_options(session);
    for (size_t i = 0; i < sizeof faulty / sizeof *faulty; i++) {
        set(faulty[i]);
        assert_one_complaint();
        assert_memory_equal(&before, session_options(session), sizeof before);
    }
}

static void too_long_text_is_refused(void **state)
{
    (void)state;
    char text[OPTION_TEXT_MAX + 64];
    struct text_buffer buffer = text_buffer_on(text, sizeof text);
    text_append(&buffer, "name BookFile value %0*d", OPTION_TEXT_MAX, 0);
    set(text);
    assert_one_complaint();
    assert_string_equal(session_options(session)->book.file, "");
}

static void missing_book_is_one_line(void **state)
{
    (void)state;
    set("name BookFile value /nowhere/no such book.bin");
    assert_one_complaint();
    assert_non_null(strstr(capture.text, "/nowhere/no such book.bin"));
    assert_int_equal(book_set_count(session_books(session)), 0);
    set("name BookFile value <empty>");
    assert_quiet();
    assert_int_equal(book_set_count(session_books(session)), 1);
}

/* A file with two entries in the home folder of this test. */
static void a_book_is_named_as_people_write_it(void **state)
{
    (void)state;
    char home[] = "/tmp/caxton-options-XXXXXX";
    char path[64];
    /* e2e4 in two positions */
    static const uint8_t entries[32] = {
        [7] = 1, [8] = 3, [9] = 0x1C, [11] = 1, [23] = 2, [24] = 3, [25] = 0x1C, [27] = 1};
    assert_non_null(mkdtemp(home));
    assert_int_equal(setenv("HOME", home, 1), 0);
    (void)snprintf(path, sizeof path, "%s/my book.bin", home);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(entries, 1, sizeof entries, file), sizeof entries);
    assert_int_equal(fclose(file), 0);
    static const char *const written[] = {
        "name BookFile value %s",
        "name BookFile value \"%s\"",
        "name BookFile value ~/%s",
        "name BookFile value \"~/%s\"",
        "name BookFile value %s?depth=3",
        "name BookFile value \"%s\"?depth=3",
        "name BookFile value \"%s?depth=3\"",
        "name BookFile value <builtin>; \"~/%s\"",
    };
    for (size_t i = 0; i < sizeof written / sizeof *written; i++) {
        char arguments[128];
        (void)snprintf(arguments, sizeof arguments, written[i],
                       strchr(written[i], '~') ? file_name_of(path) : path);
        set(arguments);
        assert_string_equal(capture.text, "info string BookFile: my book.bin, 2 entries\n");
    }
    set("name BookFile value ~nobody/my book.bin");
    assert_one_complaint();
    assert_string_equal(set("name UCI_EngineAbout value a \"b\" ~/c")->book.file,
                        "~nobody/my book.bin");
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(home), 0);
}

/* One line that says what to do, and play goes on without. */
static void games_are_no_book(void **state)
{
    (void)state;
    char path[] = "/tmp/caxton-games.XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    for (int i = 0; i < 100; i++)
        assert_true(dprintf(file, "[Result \"%s\"]\n\n1. e4 e5 *\n\n", i % 2 ? "1-0" : "0-1") > 0);
    assert_int_equal(close(file), 0);
    char text[128];
    (void)snprintf(text, sizeof text, "name BookFile value %s", path);
    set(text);
    assert_one_complaint();
    assert_non_null(strstr(capture.text, "games with results, no repertoire: makebook build"));
    assert_int_equal(unlink(path), 0);
}

static void the_default_path_of_xboard_need_not_exist(void **state)
{
    (void)state;
    if (access("/EGT/Syzygy", F_OK) == 0)
        skip();
    assert_string_equal(set("name SyzygyPath value /EGT/Syzygy")->table_path, "/EGT/Syzygy");
    assert_quiet();
}

/* With or without the library that reads tables. */
static void missing_tables_are_one_line(void **state)
{
    (void)state;
    assert_string_equal(set("name SyzygyPath value /nowhere/no tables")->table_path,
                        "/nowhere/no tables");
    assert_one_complaint();
    set("name SyzygyPath value <empty>");
    assert_quiet();
}

static void what_makes_no_difference_is_taken(void **state)
{
    (void)state;
    set("name UCI_Opponent value GM 2800 human Gary Kasparov");
    assert_quiet();
    set("name UCI_RatingAdv value -250");
    assert_quiet();
    options_list(&capture.out);
    assert_int_equal(
        capture_count(&capture, "option name UCI_EngineAbout type string default Caxton, "), 1);
}

static void missing_book_is_named_again_in_each_game(void **state)
{
    (void)state;
    set("name BookFile value no such book.bin;<builtin>");
    assert_one_complaint();
    for (int game = 0; game < 2; game++) {
        capture_clear(&capture);
        session_new_game(session);
        assert_one_complaint();
        assert_non_null(strstr(capture.text, "no such book.bin: No such file"));
        assert_non_null(strstr(capture.text, "looked for in /"));
    }
    set("name BookFile value <builtin>");
    session_new_game(session);
    assert_quiet();
}

/* What is no book, or has no end, is refused at once. */
static void strange_files_are_no_books(void **state)
{
    (void)state;
    char folder[] = "/tmp/caxton-options-XXXXXX";
    char fifo[64];
    char huge[64];
    assert_non_null(mkdtemp(folder));
    (void)snprintf(fifo, sizeof fifo, "%s/fifo", folder);
    (void)snprintf(huge, sizeof huge, "%s/huge.bin", folder);
    assert_int_equal(mkfifo(fifo, 0600), 0);
    int descriptor = open(huge, O_WRONLY | O_CREAT, 0600);
    assert_true(descriptor >= 0);
    bool has_huge = ftruncate(descriptor, (off_t)100 << 30) == 0; /* of holes only */
    assert_int_equal(close(descriptor), 0);
    const char *const strange[] = {"/dev/zero", folder, fifo, has_huge ? huge : folder};
    for (size_t i = 0; i < sizeof strange / sizeof *strange; i++) {
        char arguments[128];
        (void)snprintf(arguments, sizeof arguments, "name BookFile value %s", strange[i]);
        set(arguments);
        assert_one_complaint();
        assert_non_null(strstr(capture.text, strange[i]));
        assert_int_equal(book_set_count(session_books(session)), 0);
    }
    assert_int_equal(unlink(fifo), 0);
    assert_int_equal(unlink(huge), 0);
    assert_int_equal(rmdir(folder), 0);
}

/* What `eval` says of the start position. */
static const char *evaluation(void)
{
    capture_clear(&capture);
    command_eval(session);
    return capture.text;
}

static void check_network(uint8_t *bytes, size_t size)
{
    char path[] = "/tmp/caxton-options-XXXXXX";
    char arguments[80];
    int descriptor = mkstemp(path);
    assert_non_null(bytes);
    assert_true(descriptor >= 0);
    assert_int_equal(write(descriptor, bytes, size), (ssize_t)size);
    free(bytes);
    char *before = strdup(evaluation());
    assert_non_null(before);

    (void)snprintf(arguments, sizeof arguments, "name EvalFile value %s", path);
    assert_string_equal(set(arguments)->eval_file, path);
    assert_quiet();
    assert_int_equal(count_of(evaluation(), "network sample\n"), 1);
    assert_int_equal(ftruncate(descriptor, 1000), 0);
    assert_string_equal(set(arguments)->eval_file, path);
    assert_one_complaint();
    assert_string_equal(set("name EvalFile value /nowhere/no such.nnue")->eval_file, path);
    assert_one_complaint();
    assert_non_null(strstr(capture.text, "/nowhere/no such.nnue"));
    assert_int_equal(count_of(evaluation(), "network sample\n"), 1);
    assert_string_equal(set("name EvalFile value <empty>")->eval_file, "");
    assert_quiet();
    assert_string_equal(evaluation(), before);

    free(before);
    assert_int_equal(close(descriptor), 0);
    assert_int_equal(unlink(path), 0);
}

static void another_network_is_loaded_and_a_bad_one_is_not(void **state)
{
    (void)state;
    size_t size;
    uint8_t *bytes = network_sample_bytes(1, 1, &size);
    check_network(bytes, size);
    bytes = network_sample_related_bytes(1, 1, &size);
    check_network(bytes, size);
}

static void every_option_is_listed_with_its_default(void **state)
{
    (void)state;
    options_list(&capture.out);
    assert_int_equal(capture_lines(&capture), capture_count(&capture, "option name "));
    assert_non_null(
        strstr(capture.text, "option name Hash type spin default 16 min 1 max 1048576\n"));
    assert_non_null(strstr(capture.text, "option name Clear Hash type button\n"));
    assert_non_null(strstr(capture.text, "option name OwnBook type check default true\n"));
    assert_non_null(strstr(capture.text, "option name BookFile type string default <empty>\n"));
    assert_non_null(strstr(capture.text, "option name BookSelection type combo default weighted "
                                         "var weighted var best var uniform\n"));
    assert_non_null(strstr(capture.text, "option name BookStyle type combo default any var any var "
                                         "open var half-open var closed var half-closed var flank "
                                         "var gambit\n"));
    int options = capture_lines(&capture);
    for (const struct param *param = param_table; param->name; param++)
        options--; /* the numbers of a tuning build are no options of the manual */
    capture_clear(&capture);
    options_list_markdown(capture.file);
    assert_int_equal(capture_lines(&capture), options + 2);
    assert_int_equal(capture_count(&capture, "\n| `"), options);
}

/* Chess programs wait some seconds for the readyok behind it. Memory of the system is zero; its
 * pages come with the new game, and not on the clock of the first move. */
static void a_large_hash_is_not_written_before_the_game(void **state)
{
    (void)state;
    const uint64_t megabyte = 1 << 20;
    uint64_t before = memory_peak_bytes();
    if (before == 0)
        skip();
    assert_int_equal(set("name Hash value 256")->hash_mb, 256);
    set("name Threads value 2");
    assert_true(memory_peak_bytes() < before + 64 * megabyte);
    session_new_game(session);
    assert_true(memory_peak_bytes() >= 256 * megabyte); /* "before" may be of other tests */
    assert_quiet();
}

/* uci2wb loses the mark of a combo's default, and xboard then sends the first choice back. */
static void every_combo_names_its_default_first(void **state)
{
    (void)state;
    int combos = 0;
    options_list(&capture.out);
    for (const struct option *option = option_table; option->name; option++)
        if (option->type == TYPE_COMBO) {
            char wanted[64];
            (void)snprintf(wanted, sizeof wanted, "combo default %s var %s var ",
                           option->choices[0], option->choices[0]);
            assert_non_null(strstr(capture.text, wanted));
            assert_int_equal(option->initial, 0);
            combos++;
        }
    assert_int_equal(combos, 2);
}

int main(void)
{
    chess_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_kind_is_read, set_up, tear_down),
        cmocka_unit_test_setup_teardown(names_and_values_in_any_case_and_spacing, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(out_of_range_takes_the_nearest, set_up, tear_down),
        cmocka_unit_test_setup_teardown(faults_change_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(too_long_text_is_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(missing_book_is_one_line, set_up, tear_down),
        cmocka_unit_test_setup_teardown(missing_tables_are_one_line, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_book_is_named_as_people_write_it, set_up, tear_down),
        cmocka_unit_test_setup_teardown(games_are_no_book, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_default_path_of_xboard_need_not_exist, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(what_makes_no_difference_is_taken, set_up, tear_down),
        cmocka_unit_test_setup_teardown(missing_book_is_named_again_in_each_game, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(strange_files_are_no_books, set_up, tear_down),
        cmocka_unit_test_setup_teardown(another_network_is_loaded_and_a_bad_one_is_not, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(every_option_is_listed_with_its_default, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_large_hash_is_not_written_before_the_game, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(every_combo_names_its_default_first, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
