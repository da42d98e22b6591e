/* Programs that are started: how a command is split, lines both ways, ends, time limits, stops. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/child_process.h"
#include "base/thread.h"

/* Long: only a broken wait lasts for so long. */
enum { LONG_MS = 60000, SHORT_MS = 20, BLOCK = 10000, BLOCKS = 100 };

static struct child *start(const char *command, const atomic_bool *stop)
{
    struct child *child;
    struct diag diag;
    if (child_start(command, stop, &child, &diag) != STATUS_OK)
        fail_msg("%s", diag.text);
    child_set_timeout(child, LONG_MS);
    return child;
}

static void assert_line(struct child *child, const char *wanted)
{
    struct span line;
    struct diag diag;
    if (child_read_line(child, &line, &diag) != STATUS_OK)
        fail_msg("%s", diag.text);
    assert_true(span_equal(line, wanted));
}

static void assert_no_line(struct child *child, const char *why)
{
    struct span line;
    struct diag diag;
    assert_int_equal(child_read_line(child, &line, &diag), STATUS_IO);
    assert_string_equal(diag.text, why);
}

static void a_command_is_words(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"printf '%s\\n' a", "a"},
        {"  printf   '%s|%s\\n'   a  b  ", "a|b"},
        {"printf '%s|%s|%s\\n' 'a b' \"c  d\" e'f g'h", "a b|c  d|ef gh"},
        {"printf '%s|%s|%s|\\n' 'a\"b' \"c'd\" ''", "a\"b|c'd||"},
        {"printf '%s|%s|%s|%s\\n' $HOME * ;ls `ls`", "$HOME|*|;ls|`ls`"},
        {"printf %s\\r\\n 'open end", "open end"},
    };
    const atomic_bool never = false;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct child *child = start(rows[i][0], &never);
        struct span line;
        assert_int_equal(child_read_line(child, &line, NULL), STATUS_OK);
        char text[200];
        text_copy(text, sizeof text, line);
        assert_string_equal(text, rows[i][1]);
        child_kill(child);
    }
}

static void what_cannot_be_started(void **state)
{
    (void)state;
    static const char *const commands[] = {"", " ", "''", "/nowhere/program x", "/"};
    const atomic_bool never = false;
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        struct child *child = NULL;
        struct diag diag;
        assert_int_equal(child_start(commands[i], &never, &child, &diag), STATUS_IO);
        assert_non_null(strstr(diag.text, " cannot be started: "));
        assert_null(child);
    }
    char *command = malloc(CHILD_COMMAND_MAX + 1);
    assert_non_null(command);
    memset(command, 'x', CHILD_COMMAND_MAX);
    command[CHILD_COMMAND_MAX] = '\0';
    struct child *child;
    assert_int_equal(child_start(command, &never, &child, NULL), STATUS_IO);
    free(command);
}

static void lines_both_ways(void **state)
{
    (void)state;
    const atomic_bool never = false;
    struct child *child = start("cat", &never);
    assert_string_equal(child_name(child), "cat");
    assert_int_equal(child_write(child, "one\ntwo\r\n", NULL), STATUS_OK);
    assert_int_equal(child_write(child, "\nth", NULL), STATUS_OK);
    assert_line(child, "one");
    assert_line(child, "two");
    assert_line(child, "");
    assert_int_equal(child_write(child, "ree\n", NULL), STATUS_OK);
    assert_line(child, "three");
    child_kill(child);
    child_kill(NULL);
}

/* More than a pipe holds, before the first line is read. */
static void much_at_once(void **state)
{
    (void)state;
    static char block[BLOCK + 1];
    const atomic_bool never = false;
    struct child *child = start("cat", &never);
    memset(block, 'x', BLOCK);
    block[BLOCK - 1] = '\n';
    for (int i = 0; i < BLOCKS; i++) {
        struct span line;
        assert_int_equal(child_write(child, block, NULL), STATUS_OK);
        if (i % 2 == 0)
            continue;
        for (int j = 0; j < 2; j++) {
            assert_int_equal(child_read_line(child, &line, NULL), STATUS_OK);
            assert_int_equal(line.size, BLOCK - 1);
        }
    }
    child_kill(child);
}

static void ends_and_limits(void **state)
{
    (void)state;
    const atomic_bool never = false;
    struct child *child = start("echo bye", &never);
    assert_line(child, "bye");
    assert_no_line(child, "echo bye ended before it answered");
    assert_no_line(child, "echo bye ended before it answered");
    child_kill(child);
    child = start("cat", &never);
    child_set_timeout(child, SHORT_MS);
    assert_no_line(child, "cat did not answer within 0.02 seconds");
    child_kill(child);
    child = start("sh -c \"tr '\\\\0' x </dev/zero\"", &never);
    assert_no_line(child, "sh -c \"tr '\\\\0' x </dev/zero\" writes a line without an end");
    child_kill(child);
}

static void *set(void *flag)
{
    atomic_store((atomic_bool *)flag, true);
    return NULL;
}

static void a_stop_ends_a_wait(void **state)
{
    (void)state;
    atomic_bool stop = false;
    struct span line;
    pthread_t thread;
    struct child *child = start("cat", &stop);
    assert_int_equal(thread_start(&thread, set, &stop), STATUS_OK);
    assert_int_equal(child_read_line(child, &line, NULL), STATUS_END);
    assert_int_equal(pthread_join(thread, NULL), 0);
    child_kill(child);
}

/* Threads leave signals to the first one; a program that one of them starts must not. */
static void *start_and_signal(void *unused)
{
    const atomic_bool never = false;
    struct child *child = start("sh -c 'kill -TERM $$; echo alive'", &never);
    assert_no_line(child, "sh -c 'kill -TERM $$; echo alive' ended before it answered");
    child_kill(child);
    return unused;
}

static void signals_are_not_blocked(void **state)
{
    (void)state;
    pthread_t thread;
    assert_int_equal(thread_start(&thread, start_and_signal, NULL), STATUS_OK);
    assert_int_equal(pthread_join(thread, NULL), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_command_is_words),      cmocka_unit_test(what_cannot_be_started),
        cmocka_unit_test(lines_both_ways),         cmocka_unit_test(much_at_once),
        cmocka_unit_test(ends_and_limits),         cmocka_unit_test(a_stop_ends_a_wait),
        cmocka_unit_test(signals_are_not_blocked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
