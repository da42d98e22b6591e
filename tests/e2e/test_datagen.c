/* `caxton-datagen`: what it writes, and that no faulty labeller makes it lose samples or wait. It
 * is long because each fault of a labeller is a case of its own. */
#include "engine.h"

#include <sched.h>
#include <signal.h>
#include <sys/stat.h>

#include "chess/attacks.h"
#include "chess/movegen.h"
#include "eval/train/datagen/starts.h"
#include "eval/train/sample_file.h"

enum { HEADER = 32, BYTES_MAX = 1 << 20, ARGUMENTS_MAX = 24 };

static struct scratch scratch;
static struct process_result result;

static int set_up(void **state)
{
    (void)state;
    scratch_create(&scratch);
    return 0;
}

static const char *const names[] = {"a.cxd", "b.cxd", "labeller.sh", "openings.epd", "note", NULL};

static int tear_down(void **state)
{
    (void)state;
    scratch_remove(&scratch, names);
    return 0;
}

static int clean(void **state)
{
    (void)state;
    process_result_free(&result);
    for (int i = 0; names[i]; i++)
        (void)unlink(scratch_path(&scratch, names[i]));
    return 0;
}

/* A path that stays valid through one test's few uses of it. */
static const char *path_of(const char *name)
{
    static char paths[8][512];
    static int next;
    char *path = paths[next++ % 8];
    text_copy(path, sizeof paths[0], span_of(scratch_path(&scratch, name)));
    return path;
}

/* Starts `caxton-datagen -o OUTPUT` with further arguments up to NULL. */
static struct process *start(const char *output, const char *const *more)
{
    const char *arguments[ARGUMENTS_MAX] = {process_binary("DATAGEN_BINARY"), "-o",
                                            path_of(output)};
    for (int i = 0; more[i]; i++)
        arguments[3 + i] = more[i];
    return process_start(arguments);
}

static int run(const char *output, const char *const *more)
{
    process_result_free(&result);
    const char *arguments[ARGUMENTS_MAX] = {process_binary("DATAGEN_BINARY"), "-o",
                                            path_of(output)};
    for (int i = 0; more[i]; i++)
        arguments[3 + i] = more[i];
    result = process_run(arguments, NULL);
    return result.status;
}

#define ARGUMENTS(...)   ((const char *const[]){__VA_ARGS__, NULL})
#define RUN(output, ...) run(output, ARGUMENTS(__VA_ARGS__))

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

static size_t read_bytes(const char *name, uint8_t *bytes)
{
    FILE *file = fopen(path_of(name), "rb");
    assert_non_null(file);
    size_t size = fread(bytes, 1, BYTES_MAX, file);
    assert_int_equal(fclose(file), 0);
    assert_true(size < BYTES_MAX);
    return size;
}

/* Every block of the file must be whole and right. How many samples there are. */
static uint64_t count_samples(const char *name)
{
    struct stat before;
    struct stat after;
    struct sample_file *file;
    uint64_t samples;
    struct diag diag = {0};
    assert_int_equal(stat(path_of(name), &before), 0);
    if (sample_file_open(path_of(name), &file, &samples, &diag) != STATUS_OK)
        fail_msg("%s", diag.text);
    assert_int_equal(sample_file_close(file, &diag), STATUS_OK);
    assert_int_equal(stat(path_of(name), &after), 0);
    assert_int_equal(before.st_size, after.st_size); /* no torn end was cut off */
    return samples;
}

static bool is_legal(const struct position *pos, move m)
{
    move moves[MOVES_MAX];
    int count = movegen_legal(pos, moves);
    for (int i = 0; i < count; i++)
        if (moves[i] == m)
            return true;
    return false;
}

struct summary {
    uint64_t samples;
    uint64_t games;
    uint64_t results[SAMPLE_NO_RESULT + 1];
    uint64_t chess960;
    uint64_t few_pieces;
};

/* Reads every sample: legal positions and moves, right flags, one result for each game. */
static struct summary check_samples(const char *name)
{
    static uint8_t bytes[BYTES_MAX];
    struct summary sum = {.samples = count_samples(name)};
    size_t size = read_bytes(name, bytes);
    for (size_t at = 0; at < size;) {
        size_t count = bytes[at + 8] | (size_t)bytes[at + 9] << 8 | (size_t)bytes[at + 10] << 16;
        const uint8_t *sample = bytes + at + HEADER;
        int result_of_game = -1; /* a game lies in one block */
        for (size_t i = 0; i < count; i++, sample += SAMPLE_SIZE) {
            struct position pos;
            struct sample_label label;
            uint8_t again[SAMPLE_SIZE];
            assert_int_equal(sample_unpack(sample, &pos, &label), STATUS_OK);
            assert_true(label.best == MOVE_NONE ? label.result == SAMPLE_NO_RESULT
                                                : is_legal(&pos, label.best));
            sample_pack(&pos, &label, again);
            assert_memory_equal(sample, again, SAMPLE_SIZE);
            sum.few_pieces += bb_count(position_occupied(&pos)) <= ENDING_PIECES_MAX;
            assert_in_range(label.result, 0, SAMPLE_NO_RESULT);
            sum.games += label.first;
            sum.results[label.result]++;
            if (label.first)
                result_of_game = label.result;
            if (label.result == SAMPLE_NO_RESULT)
                continue;
            assert_int_equal(label.result, result_of_game);
        }
        at += HEADER + count * SAMPLE_SIZE;
    }
    return sum;
}

static void assert_same_bytes(const char *a, const char *b)
{
    static uint8_t first[BYTES_MAX];
    static uint8_t second[BYTES_MAX];
    size_t size = read_bytes(a, first);
    assert_int_equal(read_bytes(b, second), size);
    assert_memory_equal(first, second, size);
}

/* One line on standard error, with `what` in it, and nothing else. */
static void assert_one_error(const char *errors, const char *what)
{
    const char *end = strchr(errors, '\n');
    assert_true(end && end[1] == '\0');
    if (strncmp(errors, "caxton-datagen: ", 16) != 0 || !strstr(errors, what))
        fail_msg("'%s' does not say '%s'", errors, what);
}

static void games_of_our_own_search(void **state)
{
    (void)state;
    assert_int_equal(RUN("a.cxd", "--positions", "600", "--nodes", "40"), 0);
    assert_string_equal(result.errors, "");
    struct summary sum = check_samples("a.cxd");
    assert_true(sum.samples >= 600);
    assert_true(sum.samples < 600 + 400); /* the last game is taken whole */
    assert_true(sum.games > 2);
    assert_true(sum.results[0] + sum.results[2] > 0);
    struct text_buffer text = text_buffer_on((char[600]){0}, 600);
    text_append(&text, "%s: %llu positions\n", path_of("a.cxd"), (unsigned long long)sum.samples);
    assert_string_equal(result.output, text.data);

    /* The same seed gives the same games, another one others. */
    assert_int_equal(RUN("b.cxd", "--positions", "600", "--nodes", "40", "--quiet"), 0);
    assert_same_bytes("a.cxd", "b.cxd");
    assert_int_equal(unlink(path_of("b.cxd")), 0);
    assert_int_equal(RUN("b.cxd", "--positions", "600", "--nodes", "40", "--seed", "2"), 0);
    static uint8_t first[BYTES_MAX];
    static uint8_t second[BYTES_MAX];
    (void)read_bytes("a.cxd", first);
    (void)read_bytes("b.cxd", second);
    assert_memory_not_equal(first, second, HEADER + 64 * SAMPLE_SIZE);
}

static void a_file_is_continued(void **state)
{
    (void)state;
    static uint8_t before[BYTES_MAX];
    static uint8_t after[BYTES_MAX];
    assert_int_equal(RUN("a.cxd", "--positions", "200", "--nodes", "1"), 0);
    size_t size = read_bytes("a.cxd", before);
    /* There are enough: nothing is done. */
    assert_int_equal(RUN("a.cxd", "--positions", "200", "--nodes", "1"), 0);
    assert_int_equal(read_bytes("a.cxd", after), size);
    assert_int_equal(RUN("a.cxd", "--positions", "1000", "--nodes", "1"), 0);
    size_t grown = read_bytes("a.cxd", after);
    assert_true(grown > size);
    assert_memory_equal(before, after, size);
    /* The games that follow are not those that are there. */
    assert_memory_not_equal(before + HEADER, after + size + HEADER, 32 * SAMPLE_SIZE);
    assert_true(check_samples("a.cxd").samples >= 1000);
}

static void several_jobs(void **state)
{
    (void)state;
    assert_int_equal(RUN("a.cxd", "--positions", "3000", "--nodes", "1", "--jobs", "3"), 0);
    assert_true(check_samples("a.cxd").samples >= 3000);
}

static void openings_are_read(void **state)
{
    (void)state;
    static const char good[] =
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - id \"one\";\n\n"
        "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3 c0 \"longer than the "
        "lines of most such files, which a reader with a fixed buffer would take for two lines, of "
        "which the second is none\";\n";
    scratch_write(&scratch, "openings.epd", good, sizeof good - 1);
    assert_int_equal(RUN("a.cxd", "--positions", "300", "--nodes", "1", "--chess960", "0",
                         "--openings", path_of("openings.epd")),
                     0);
    assert_true(check_samples("a.cxd").samples >= 300);
    static const char bad[] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\ne4 e5\n";
    scratch_write(&scratch, "openings.epd", bad, sizeof bad - 1);
    assert_int_equal(RUN("b.cxd", "--openings", path_of("openings.epd")), 1);
    assert_one_error(result.errors, "openings.epd:2: ");
    assert_int_equal(RUN("b.cxd", "--openings", path_of("missing")), 1);
    assert_one_error(result.errors, "missing");
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

/* Games from few pieces are not adjudicated by score; those that are cut off have no result. */
static void endings(void **state)
{
    (void)state;
    assert_int_equal(RUN("a.cxd", "--positions", "2000", "--nodes", "1", "--endings", "100"), 0);
    struct summary sum = check_samples("a.cxd");
    assert_int_equal(sum.few_pieces, sum.samples);
    assert_true(sum.results[SAMPLE_NO_RESULT] > 0);
    assert_true(sum.results[SAMPLE_NO_RESULT] < sum.samples);
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

static void a_signal_ends_a_run_of_our_own(void **state)
{
    (void)state;
    struct process *process = start("a.cxd", ARGUMENTS("--nodes", "1", "--jobs", "2"));
    struct stat now = {.st_size = 0};
    while (stat(path_of("a.cxd"), &now) != 0 || now.st_size == 0)
        (void)sched_yield(); /* until the first block is there */
    process_signal(process, SIGTERM);
    assert_int_equal(process_wait(process), 0);
    assert_string_equal(process_errors(process), "");
    process_destroy(process);
    assert_true(check_samples("a.cxd").samples >= 4096);
}

static void faults_are_one_line(void **state)
{
    (void)state;
    assert_int_equal(RUN("a.cxd", "--nodes", "none"), 2);
    assert_one_error(result.errors, "nodes wants a number from 1 to 9223372036854775807, not none");
    assert_int_equal(RUN("a.cxd", "--depth", "4"), 2);
    assert_one_error(result.errors, "unknown option --depth");
    assert_int_equal(RUN("a.cxd", "--nodes"), 2);
    assert_one_error(result.errors, "a value is missing after --nodes");
    assert_int_equal(access(path_of("a.cxd"), F_OK), -1);
    static const char text[] = "[Event \"not samples\"]\n";
    scratch_write(&scratch, "b.cxd", text, sizeof text - 1);
    assert_int_equal(RUN("b.cxd", "--positions", "10"), 1);
    assert_one_error(result.errors, "b.cxd: not a block of samples at offset 0");
    uint8_t bytes[100];
    assert_int_equal(read_bytes("b.cxd", bytes), sizeof text - 1);
    assert_memory_equal(bytes, text, sizeof text - 1);
    assert_int_equal(RUN("no/such/folder", "--positions", "10"), 1);
    assert_one_error(result.errors, "no/such/folder");
}

/* With "-" blocks go to standard output and nothing else does. */
static void a_stream_is_the_file(void **state)
{
    (void)state;
    static uint8_t expected[BYTES_MAX];
    assert_int_equal(RUN("a.cxd", "--positions", "300", "--nodes", "1"), 0);
    size_t size = read_bytes("a.cxd", expected);
    const char *binary = process_binary("DATAGEN_BINARY");
    const char *command[] = {
        "/bin/sh",        "-c", "\"$0\" -o - --positions 300 --nodes 1 >\"$1\"", binary,
        path_of("b.cxd"), NULL};
    process_result_free(&result);
    result = process_run(command, NULL);
    assert_int_equal(result.status, 0);
    assert_string_equal(result.errors, "");
    static uint8_t bytes[BYTES_MAX];
    assert_int_equal(read_bytes("b.cxd", bytes), size);
    assert_memory_equal(bytes, expected, size);
}

/* When nobody reads any more, the run is over. */
static void a_stream_ends_with_its_reader(void **state)
{
    (void)state;
    const char *binary = process_binary("DATAGEN_BINARY");
    const char *command[] = {
        "/bin/sh",       "-c", "\"$0\" -o - --nodes 1 | head -c 100000 >\"$1\"", binary,
        path_of("note"), NULL};
    process_result_free(&result);
    result = process_run(command, NULL);
    assert_int_equal(result.status, 0);
    assert_string_equal(result.errors, "");
}

static void teachers_that_are_none(void **state)
{
    (void)state;
    scratch_write(&scratch, "note", "not a network", 13);
    assert_int_equal(RUN("a.cxd", "--teacher-net", path_of("note")), 1);
    assert_one_error(result.errors, "note: not a network of Stockfish");
    assert_int_equal(RUN("a.cxd", "--teacher-net", path_of("missing")), 1);
    assert_one_error(result.errors, "missing: ");
    assert_int_equal(access(path_of("a.cxd"), F_OK), -1);
}

static void help_is_given(void **state)
{
    (void)state;
    assert_int_equal(RUN("a.cxd", "--help"), 0);
    assert_string_equal(result.errors, "");
    assert_non_null(strstr(result.output, "--labeller"));
}

int main(void)
{
    chess_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(games_of_our_own_search, clean),
        cmocka_unit_test_setup(a_file_is_continued, clean),
        cmocka_unit_test_setup(several_jobs, clean),
        cmocka_unit_test_setup(openings_are_read, clean),
        cmocka_unit_test_setup(another_engine_labels, clean),
        cmocka_unit_test_setup(siblings_are_labelled, clean),
        cmocka_unit_test_setup(endings, clean),
        cmocka_unit_test_setup(labellers_that_do_not_start, clean),
        cmocka_unit_test_setup(labellers_that_answer_nonsense, clean),
        cmocka_unit_test_setup(finished_games_are_kept_when_the_labeller_ends, clean),
        cmocka_unit_test_setup(a_signal_ends_a_run_with_a_labeller, clean),
        cmocka_unit_test_setup(a_signal_ends_a_run_of_our_own, clean),
        cmocka_unit_test_setup(a_stream_is_the_file, clean),
        cmocka_unit_test_setup(a_stream_ends_with_its_reader, clean),
        cmocka_unit_test_setup(teachers_that_are_none, clean),
        cmocka_unit_test_setup(faults_are_one_line, clean),
        cmocka_unit_test_setup_teardown(help_is_given, clean, clean),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
