/* makebook grow --queue and makebook worker with a Redis server: the same bytes with any number of
 * workers; one line for what cannot be. Skips where there is no redis-server; with
 * CAXTON_REQUIRE_TOOLS in the environment it fails then. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "book/scoring/queue/redis_link.h"
#include "chess/attacks.h"
#include "makebook.h"

#define REPORTED "grow", "--against", "builtin", "--depth", "8", "--min-depth", "5"
#define GROW     REPORTED, "-q"
#define POLL_MS  1

enum { URL_MAX = 200, WORKERS = 4 };

static struct process *server;
static struct queue_url url;
static char url_text[URL_MAX];

static struct process *start(const char *const *words)
{
    const char *arguments[WORDS_MAX + 2] = {process_binary("MAKEBOOK_BINARY")};
    for (int i = 0; words[i]; i++) {
        assert_true(i < WORDS_MAX);
        arguments[i + 1] = words[i];
        arguments[i + 2] = NULL;
    }
    return process_start(arguments);
}

#define START(...) start((const char *const[]){__VA_ARGS__, NULL})

static bool is_there(void)
{
    struct redis_link *link = NULL;
    struct diag why;
    bool there = redis_link_open(&url, &link, &why) == STATUS_OK;
    redis_link_close(link);
    return there;
}

/* With a password, if it is not "". */
static void start_server(const char *password)
{
    char command[2 * URL_MAX];
    const char *const words[] = {"/bin/sh", "-c", command, NULL};
    (void)snprintf(command, sizeof command,
                   "exec redis-server --port 0 --unixsocket %s --dir %s --save '' --logfile "
                   "/dev/null --requirepass '%s'",
                   path_of("socket"), folder, password);
    server = process_start(words);
    while (!exists("socket"))
        (void)process_is_silent(server, "-", POLL_MS);
    while (!*password && !is_there())
        (void)process_is_silent(server, "-", POLL_MS);
}

static void stop_server(void)
{
    process_signal(server, SIGKILL);
    assert_int_equal(process_wait(server), 128 + SIGKILL);
    process_destroy(server);
    server = NULL;
    (void)unlink(path_of("socket"));
}

/* Sends a command to the server. Returns the reply as a number, or how many items it has. */
static int64_t tell_server(const char *const *words, size_t count)
{
    struct redis_link *link = NULL;
    struct redis_reply *reply = NULL;
    struct diag why;
    assert_int_equal(redis_link_open(&url, &link, &why), STATUS_OK);
    redis_link_add_words(link, words, count);
    assert_int_equal(redis_link_read(link, &reply, &why), STATUS_OK);
    int64_t answer =
        redis_reply_count(reply) ? (int64_t)redis_reply_count(reply) : redis_reply_number(reply);
    redis_reply_free(reply);
    redis_link_close(link);
    return answer;
}

#define TELL(...)                                                                                  \
    tell_server((const char *const[]){__VA_ARGS__},                                                \
                sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))

static int set_up(void **state)
{
    (void)state;
    chess_init();
    if (create_folder() != 0)
        return -1;
    (void)snprintf(url_text, sizeof url_text, "unix://%s/book", path_of("socket"));
    if (queue_url_parse(span_of(url_text), &url, NULL) != STATUS_OK)
        return -1;
    return RUN(GROW, "-o", path_of("one.bin"), "--threads", "1");
}

/* Is there a queue to be tested? */
static bool wanted(void)
{
    bool there = redis_link_is_built() && system("command -v redis-server >/dev/null") == 0;
    if (!there && getenv("CAXTON_REQUIRE_TOOLS"))
        fail_msg("there is no redis-server, or no hiredis in this build");
    return there;
}

#define SKIP_WITHOUT_REDIS()                                                                       \
    do {                                                                                           \
        if (!wanted()) {                                                                           \
            print_message("skipped: there is no redis-server, or no hiredis in this build\n");     \
            skip();                                                                                \
        }                                                                                          \
    } while (0)

static void workers_do_not_matter(void **state)
{
    (void)state;
    SKIP_WITHOUT_REDIS();
    start_server("");
    /* Nothing is left to be searched: no worker is needed. */
    assert_int_equal(RUN(REPORTED, "-o", path_of("one.bin"), "--queue", url_text), 0);
    assert_says(result.output, "searches made now: 0");
    assert_null(strstr(result.output, "thread"));
    for (int count = 1; count <= WORKERS; count += WORKERS - 1) {
        struct process *workers[WORKERS];
        (void)unlink(path_of("many.bin.store"));
        for (int i = 0; i < count; i++)
            workers[i] = START("worker", "--queue", url_text, "--threads", "1");
        assert_int_equal(RUN(GROW, "-o", path_of("many.bin"), "--queue", url_text), 0);
        assert_string_equal(result.errors, "");
        assert_same_files("one.bin", "many.bin");
        /* Nothing is left behind; a worker may just say that it lives, which is forgotten soon. */
        assert_int_equal(TELL("EXISTS", "caxton:{book}:run", "caxton:{book}:jobs",
                              "caxton:{book}:urgent", "caxton:{book}:answers",
                              "caxton:{book}:tick"),
                         0);
        for (int i = 0; i < count; i++) {
            process_signal(workers[i], SIGTERM);
            assert_says(process_read_line(workers[i]), "stopped; searches made: ");
            assert_int_equal(process_wait(workers[i]), 0);
            assert_string_equal(process_errors(workers[i]), "");
            process_destroy(workers[i]);
        }
    }
    stop_server();
}

/* A run that is stopped keeps what it has; workers end by themselves when no run comes back. */
static void without_a_run(void **state)
{
    (void)state;
    SKIP_WITHOUT_REDIS();
    start_server("");
    struct process *grow = START(GROW, "-o", path_of("stopped.bin"), "--queue", url_text);
    while (TELL("EXISTS", "caxton:{book}:run") == 0)
        (void)process_is_silent(grow, "-", POLL_MS);
    while (TELL("XLEN", "caxton:{book}:urgent") + TELL("XLEN", "caxton:{book}:jobs") == 0)
        (void)process_is_silent(grow, "-", POLL_MS);
    /* However long it runs, the streams stay. */
    assert_int_equal(TELL("PEXPIRE", "caxton:{book}:jobs", "50000"), 1);
    while (TELL("PTTL", "caxton:{book}:jobs") <= 50000)
        (void)process_is_silent(grow, "-", POLL_MS);
    assert_null(strstr(process_errors(grow), "emptied"));
    process_signal(grow, SIGINT);
    assert_int_equal(process_wait(grow), 1);
    assert_says(process_errors(grow), "stopped; 0 scores are kept in ");
    process_destroy(grow);
    assert_int_equal(RUN("worker", "--queue", url_text, "--wait", "1", "--threads", "1"), 0);
    assert_string_equal(result.output, "no run is there any more; searches made: 0, 0 nodes\n");
    stop_server();
}

static void another_worker_is_refused(void **state)
{
    (void)state;
    SKIP_WITHOUT_REDIS();
    start_server("");
    struct process *grow = START(GROW, "-o", path_of("refused.bin"), "--queue", url_text);
    assert_int_equal(RUN("worker", "--queue", url_text, "--hash", "4"), 1);
    assert_says(result.errors, "makebook worker: the run wants Caxton ");
    assert_says(result.errors, "16 MB), this is Caxton ");
    assert_says(result.errors, "4 MB)\n");
    struct process *worker = START("worker", "--queue", url_text, "--threads", "1");
    assert_int_equal(process_wait(grow), 0);
    assert_same_files("one.bin", "refused.bin");
    process_destroy(grow);
    process_destroy(worker);
    stop_server();
}

/* All data of the server is lost in the middle, and it is full for a while. */
static void a_server_that_fails(void **state)
{
    (void)state;
    SKIP_WITHOUT_REDIS();
    start_server("");
    struct process *grow = START(GROW, "-o", path_of("lost.bin"), "--queue", url_text);
    while (TELL("EXISTS", "caxton:{book}:run") == 0)
        (void)process_is_silent(grow, "-", POLL_MS);
    assert_int_equal(TELL("FLUSHALL"), 0);
    while (TELL("EXISTS", "caxton:{book}:run", "caxton:{book}:urgent") < 2)
        (void)process_is_silent(grow, "-", POLL_MS);
    assert_int_equal(TELL("CONFIG", "SET", "maxmemory", "1"), 0);
    /* The run may have expired: it cannot be renewed now. */
    assert_true(TELL("DEL", "caxton:{book}:run", "caxton:{book}:urgent") >= 1);
    process_wait_for_error(grow, "OOM");
    assert_int_equal(TELL("CONFIG", "SET", "maxmemory", "0"), 0);
    stop_server();
    start_server("");
    struct process *worker = START("worker", "--queue", url_text, "--threads", "1");
    assert_int_equal(process_wait(grow), 0);
    assert_same_files("one.bin", "lost.bin");
    assert_says(process_errors(grow), "unix://");
    assert_says(process_errors(grow), "the queue was emptied; trying again\n");
    assert_says(process_errors(grow), "trying again\n");
    assert_says(process_errors(grow), "the run goes on\n");
    process_destroy(grow);
    process_destroy(worker);
    stop_server();
}

/* Answers that were lost with their stream are searched again. */
static void answers_that_are_lost(void **state)
{
    (void)state;
    SKIP_WITHOUT_REDIS();
    start_server("");
    struct process *grow = START(GROW, "-o", path_of("again.bin"), "--queue", url_text);
    while (TELL("EXISTS", "caxton:{book}:answers") == 0)
        (void)process_is_silent(grow, "-", POLL_MS);
    assert_int_equal(TELL("DEL", "caxton:{book}:answers"), 1);
    while (TELL("EXISTS", "caxton:{book}:answers") == 0)
        (void)process_is_silent(grow, "-", POLL_MS);
    struct process *worker = START("worker", "--queue", url_text, "--threads", "1");
    assert_int_equal(process_wait(grow), 0);
    assert_same_files("one.bin", "again.bin");
    assert_says(process_errors(grow), "the queue was emptied; trying again\n");
    process_destroy(grow);
    process_destroy(worker);
    stop_server();
}

/* With an answer at hand that it cannot deliver. */
static void a_busy_worker_ends_without_a_server(void **state)
{
    (void)state;
    SKIP_WITHOUT_REDIS();
    start_server("");
    struct process *grow = START(GROW, "-o", path_of("away.bin"), "--queue", url_text);
    while (TELL("EXISTS", "caxton:{book}:run") == 0) /* for which the worker waits a second */
        (void)process_is_silent(grow, "-", POLL_MS);
    struct process *worker = START("worker", "--queue", url_text, "--wait", "1", "--threads", "1");
    while (TELL("EXISTS", "caxton:{book}:workers") == 0)
        (void)process_is_silent(worker, "-", POLL_MS);
    stop_server();
    assert_int_equal(process_wait(worker), 1);
    process_destroy(worker);
    process_signal(grow, SIGINT);
    assert_int_equal(process_wait(grow), 1);
    process_destroy(grow);
}

static void fails(int status, const char *why)
{
    assert_int_equal(result.status, status);
    assert_says(result.errors, why);
    assert_int_equal(strcspn(result.errors, "\n") + 1, strlen(result.errors)); /* one line */
    assert_string_equal(result.output, "");
    assert_false(exists("bad.bin"));
}

static void wrong_passwords(void **state)
{
    (void)state;
    SKIP_WITHOUT_REDIS();
    char with[URL_MAX];
    start_server("secret");
    (void)RUN(GROW, "-o", path_of("bad.bin"), "--queue", url_text);
    fails(1, "/socket/book: NOAUTH ");
    (void)RUN("worker", "--queue", url_text);
    fails(1, "/socket/book: NOAUTH ");
    (void)snprintf(with, sizeof with, "unix://:guess@%s/book", path_of("socket"));
    (void)RUN(GROW, "-o", path_of("bad.bin"), "--queue", with);
    fails(1, "/socket/book: WRONGPASS ");
    assert_null(strstr(result.errors, "guess"));
    write_text("password", "secret\n");
    struct process *worker = START("worker", "--queue", url_text, "--queue-password",
                                   path_of("password"), "--threads", "1");
    assert_int_equal(setenv("CAXTON_QUEUE_PASSWORD", "secret", 1), 0);
    assert_int_equal(RUN(GROW, "-o", path_of("secret.bin"), "--queue", url_text), 0);
    /* Another's engine does not get to know it. */
    char engine[1024];
    (void)snprintf(engine, sizeof engine,
                   "sh -c 'if env | grep -q QUEUE_PASSWORD; then >%s; fi; >%s'", path_of("known"),
                   path_of("asked"));
    (void)RUN(GROW, "-o", path_of("no.bin"), "--queue", url_text, "--engine", engine);
    assert_true(exists("asked"));
    assert_false(exists("known"));
    assert_int_equal(unsetenv("CAXTON_QUEUE_PASSWORD"), 0);
    assert_same_files("one.bin", "secret.bin");
    process_destroy(worker);
    stop_server();
}

static void bad_input(void **state)
{
    (void)state;
    SKIP_WITHOUT_REDIS();
    const char *out = path_of("bad.bin");
    (void)RUN("worker");
    fails(2, "for which queue? --queue says it");
    (void)RUN("worker", "--queue", "host/name");
    fails(2, "--queue: a queue is named by redis://");
    (void)RUN(GROW, "-o", out, "--queue", "redis://host");
    fails(2, "--queue: the queue has no name");
    (void)RUN(GROW, "-o", out, "--queue", url_text, "--threads", "2");
    fails(2, "with --queue the workers search");
    (void)RUN(GROW, "-o", out, "--queue", url_text, "--queue-password", path_of("none"));
    fails(2, "none: No such file");
    (void)RUN(GROW, "-o", out, "--queue", url_text); /* no server is there */
    fails(1, "/socket/book: No such file");
    (void)RUN(GROW, "-o", out, "--queue", "redis://127.0.0.1:1/x");
    fails(1, "redis://127.0.0.1:1/x: Connection refused");
    (void)RUN("worker", "--queue", "redis://127.0.0.1:1/x", "--wait", "1");
    assert_int_equal(result.status, 1);
    assert_string_equal(
        "makebook worker: redis://127.0.0.1:1/x: Connection refused\n"
        "makebook worker: redis://127.0.0.1:1/x: the server was away for too long\n",
        result.errors);
    start_server("");
    assert_int_equal(TELL("CONFIG", "SET", "maxmemory", "1"), 0);
    (void)RUN(GROW, "-o", out, "--queue", url_text);
    fails(1, "/socket/book: OOM command not allowed");
    assert_int_equal(TELL("CONFIG", "SET", "maxmemory", "0"), 0);
    assert_int_equal(TELL("SET", "caxton:{book}:jobs", "x"), 0);
    (void)RUN("worker", "--queue", url_text, "--wait", "1", "--threads", "1");
    assert_int_equal(result.status, 0); /* it looks for a run only */
    stop_server();
}

static int tear_down(void **state)
{
    process_destroy(server);
    (void)unlink(path_of("socket"));
    return remove_folder(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(workers_do_not_matter),
        cmocka_unit_test(without_a_run),
        cmocka_unit_test(another_worker_is_refused),
        cmocka_unit_test(a_server_that_fails),
        cmocka_unit_test(answers_that_are_lost),
        cmocka_unit_test(a_busy_worker_ends_without_a_server),
        cmocka_unit_test(wrong_passwords),
        cmocka_unit_test(bad_input),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
