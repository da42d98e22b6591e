/* `caxton-datagen` with another engine as labeller: no fault of it loses samples or makes the run
 * wait. */
#include "datagen.h"

#include <signal.h>

/* The command `sh SCRIPT` for a script that is written here; %s in it is the caxton program. */
static const char *labeller_of(const char *name, const char *script)
{
    static char command[600];
    struct text_buffer text = text_buffer_on(command, sizeof command);
    scratch_write(&scratch, name, script, strlen(script));
    text_append(&text, "sh %s %s %s", path_of(name), process_binary("CAXTON_BINARY"),
                path_of("note"));
    assert_false(text.cut);
    return command;
}

static void another_engine_labels(void **state)
{
    (void)state;
    const char *caxton = process_binary("CAXTON_BINARY");
    assert_int_equal(RUN("a.cxd", "--positions", "400", "--labeller", caxton), 0);
    assert_string_equal(result.errors, "");
    assert_true(check_samples("a.cxd").samples >= 400);
    assert_int_equal(RUN("b.cxd", "--positions", "3000", "--labeller", caxton, "--nodes", "3",
                         "--jobs", "2", "--chess960", "100"),
                     0);
    assert_true(check_samples("b.cxd").samples >= 3000);
}

static void siblings_are_labelled(void **state)
{
    (void)state;
    const char *caxton = process_binary("CAXTON_BINARY");
    assert_int_equal(RUN("a.cxd", "--positions", "2000", "--labeller", caxton, "--siblings", "3"),
                     0);
    assert_string_equal(result.errors, "");
    struct summary sum = check_samples("a.cxd");
    assert_true(sum.samples >= 2000);
    assert_in_range(sum.results[SAMPLE_NO_RESULT], sum.samples / 3, sum.samples / 4 * 3);
}

/* The run must fail with one line that says `what`; what was in the file before stays. wait: how
 * many seconds a labeller gets that never answers; NULL: the default. */
static void assert_fails_after(const char *wait, const char *labeller, const char *what)
{
    static uint8_t before[BYTES_MAX];
    static uint8_t after[BYTES_MAX];
    size_t size = read_bytes("a.cxd", before);
    assert_int_equal(RUN("a.cxd", "--labeller", labeller, wait ? "--wait" : NULL, wait), 1);
    assert_string_equal(result.output, "");
    assert_one_error(result.errors, what);
    assert_int_equal(read_bytes("a.cxd", after), size);
    assert_memory_equal(before, after, size);
    (void)count_samples("a.cxd");
}

static void assert_labeller_fails(const char *labeller, const char *what)
{
    assert_fails_after(NULL, labeller, what);
}

static void assert_waited_for(const char *labeller)
{
    assert_fails_after("1", labeller, " did not answer within 1 seconds");
}

static void labellers_that_do_not_start(void **state)
{
    (void)state;
    assert_int_equal(RUN("a.cxd", "--positions", "100", "--nodes", "1"), 0);
    assert_labeller_fails("/no/such/engine", "/no/such/engine cannot be started");
    assert_labeller_fails(" ", "cannot be started");
    assert_labeller_fails("/bin/false", "/bin/false ended");
    assert_labeller_fails(labeller_of("labeller.sh", "read line\necho id name x\n"), "ended");
    /* It gives back what it is told and waits for more. */
    assert_waited_for("/bin/cat");
    assert_waited_for(labeller_of("labeller.sh", "while :; do echo nonsense; done\n"));
    assert_labeller_fails(labeller_of("labeller.sh", "while :; do printf nonsense; done\n"),
                          "a line without an end");
}

#define GREET "read line; echo id name x; echo uciok\n"

static void labellers_that_answer_nonsense(void **state)
{
    (void)state;
    assert_int_equal(RUN("a.cxd", "--positions", "100", "--nodes", "1"), 0);
    assert_waited_for(labeller_of("labeller.sh", GREET "cat >/dev/null\n"));
    assert_labeller_fails(labeller_of("labeller.sh", GREET "read a; read b\n"), "ended");
    assert_labeller_fails(
        labeller_of("labeller.sh", GREET "while read -r line; do echo bestmove e2e5; done\n"),
        "the illegal move e2e5 in ");
    assert_labeller_fails(labeller_of("labeller.sh", GREET "echo bestmove; exec cat\n"),
                          "the illegal move (none) in ");
    assert_labeller_fails(
        labeller_of("labeller.sh", GREET "printf 'bestmove \\033[2J\\n'; exec cat\n"),
        "the illegal move ?[2J in ");
    /* Talks without end, and listens to nothing. */
    assert_waited_for(
        labeller_of("labeller.sh", GREET "while :; do echo info depth 1 score cp 3; done\n"));
}

/* Feeds so many lines to caxton, then writes "now" to the file NOTE and goes on as $then says. */
#define THROUGH(lines, then)                                                                       \
    "n=0\n"                                                                                        \
    "while read -r line; do\n"                                                                     \
    "    echo \"$line\"\n"                                                                         \
    "    n=$((n + 1))\n"                                                                           \
    "    if [ $n = " lines " ]; then " then "; fi\n"                                               \
    "done | \"$1\"\n"

static void finished_games_are_kept_when_the_labeller_ends(void **state)
{
    (void)state;
    assert_int_equal(
        RUN("a.cxd", "--labeller", labeller_of("labeller.sh", THROUGH("20000", "exit 0"))), 1);
    assert_one_error(result.errors, "ended before it answered");
    assert_true(check_samples("a.cxd").samples > 1000);
}

/* SIGTERM in the middle of games, while the labeller is silent, or while it answers. */
static void assert_ends_well(const char *then)
{
    (void)unlink(path_of("note"));
    (void)unlink(path_of("a.cxd"));
    assert_int_equal(mkfifo(path_of("note"), 0600), 0);
    char script[400];
    struct text_buffer text = text_buffer_on(script, sizeof script);
    text_append(&text, "note=$2\n");
    text_append(&text, THROUGH("8000", "%s"), then);
    assert_false(text.cut);
    struct process *process =
        start("a.cxd", ARGUMENTS("--labeller", labeller_of("labeller.sh", script)));
    FILE *note = fopen(path_of("note"), "r"); /* until the script opens it */
    assert_non_null(note);
    char line[8];
    assert_non_null(fgets(line, sizeof line, note));
    assert_string_equal(line, "now\n");
    process_signal(process, SIGTERM);
    assert_int_equal(process_wait(process), 0);
    assert_string_equal(process_errors(process), "");
    process_destroy(process);
    assert_int_equal(fclose(note), 0);
    assert_true(check_samples("a.cxd").samples > 200);
}

static void a_signal_ends_a_run_with_a_labeller(void **state)
{
    (void)state;
    assert_ends_well("echo now >\"$note\"; exec cat >/dev/null");
    assert_ends_well("echo now >\"$note\"");
}

int main(void)
{
    chess_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(another_engine_labels, clean),
        cmocka_unit_test_setup(siblings_are_labelled, clean),
        cmocka_unit_test_setup(labellers_that_do_not_start, clean),
        cmocka_unit_test_setup(labellers_that_answer_nonsense, clean),
        cmocka_unit_test_setup(finished_games_are_kept_when_the_labeller_ends, clean),
        cmocka_unit_test_setup_teardown(a_signal_ends_a_run_with_a_labeller, clean, clean),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
