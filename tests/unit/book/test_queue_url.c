/* Addresses of queues. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "book/scoring/queue/queue_url.h"

static struct queue_url parse(const char *text)
{
    struct queue_url url;
    struct diag diag = {.text = ""};
    enum caxton_status status = queue_url_parse(span_of(text), &url, &diag);
    if (status != STATUS_OK)
        fail_msg("%s: %s", text, diag.text);
    return url;
}

static void good_ones(void **state)
{
    (void)state;
    struct queue_url url = parse("redis://cache/book");
    assert_false(url.tls);
    assert_string_equal(url.host, "cache");
    assert_int_equal(url.port, 6379);
    assert_string_equal(url.name, "book");
    assert_string_equal(url.user, "");
    assert_string_equal(url.password, "");
    assert_string_equal(url.shown, "redis://cache:6379/book");

    url = parse("rediss://me:s%40me%2Fthing@10.0.0.1:7000/a-b_c.9");
    assert_true(url.tls);
    assert_string_equal(url.host, "10.0.0.1");
    assert_int_equal(url.port, 7000);
    assert_string_equal(url.user, "me");
    assert_string_equal(url.password, "s@me/thing");
    assert_string_equal(url.name, "a-b_c.9");
    assert_string_equal(url.shown, "rediss://10.0.0.1:7000/a-b_c.9");

    url = parse("redis://:secret@[::1]/x");
    assert_string_equal(url.host, "::1");
    assert_int_equal(url.port, 6379);
    assert_string_equal(url.password, "secret");
    assert_string_equal(url.shown, "redis://[::1]:6379/x");
    assert_int_equal(parse("redis://[fe80::1]:99/x").port, 99);

    url = parse("unix:///run/redis/redis.sock/x");
    assert_string_equal(url.host, "/run/redis/redis.sock");
    assert_int_equal(url.port, 0);
    assert_string_equal(url.shown, "unix:///run/redis/redis.sock/x");
    assert_string_equal(parse("unix://u:p@/run/s/x").password, "p");
}

static void bad_ones(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *why;
    } rows[] = {
        {"", "a queue is named by redis://"},
        {"http://host/name", "a queue is named by redis://"},
        {"redis:/host/name", "a queue is named by redis://"},
        {"redis://host", "the queue has no name"},
        {"redis://host/", "the queue has no name"},
        {"redis:///name", "on which host?"},
        {"redis://a/b/name", "on which host?"},
        {"redis://host:0/name", "the port is no number"},
        {"redis://host:65536/name", "the port is no number"},
        {"redis://host:/name", "the port is no number"},
        {"redis://host:x/name", "the port is no number"},
        {"redis://host/na me", "a blank or a control character"},
        {"redis://ho\tst/name", "a blank or a control character"},
        {"redis://host/na*me", "letters, digits and -_."},
        {"redis://host/{x}", "letters, digits and -_."},
        {"redis://[::1/name", "on which host?"},
        {"redis://[::1]x/name", "behind the ]"},
        {"redis://u:secret%@host/name", "two hexadecimal digits"},
        {"redis://u:secret%4@host/name", "two hexadecimal digits"},
        {"redis://u:secret%00@host/name", "two hexadecimal digits"},
        {"unix://host/name", "absolute path"},
        {"unix:///name", "absolute path"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct queue_url url = {.port = 12345};
        struct diag diag = {.text = ""};
        assert_int_not_equal(queue_url_parse(span_of(rows[i].text), &url, &diag), STATUS_OK);
        if (!strstr(diag.text, rows[i].why))
            fail_msg("%s: %s", rows[i].text, diag.text);
        assert_null(strstr(diag.text, "secret"));
        assert_int_equal(url.port, 12345);
    }
}

static void too_long(void **state)
{
    (void)state;
    enum { SIZE = 2000 };
    static const char *const forms[] = {"redis://%s/x", "redis://h/%s", "redis://%s@h/x",
                                        "redis://:%s@h/x", "unix:///%s/x"};
    char many[SIZE];
    memset(many, 'a', sizeof many - 1);
    many[sizeof many - 1] = '\0';
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        char text[SIZE + 64];
        struct queue_url url;
        struct text_buffer buffer = text_buffer_on(text, sizeof text);
        const char *at = strchr(forms[i], '%');
        text_append(&buffer, "%.*s%s%s", (int)(at - forms[i]), forms[i], many, at + 2);
        assert_int_not_equal(queue_url_parse(span_of(text), &url, NULL), STATUS_OK);
    }
}

static void passwords(void **state)
{
    (void)state;
    char many[QUEUE_WORD_MAX + 1];
    struct queue_url url = parse("redis://host/name");
    assert_int_equal(queue_url_set_password(&url, span_of("from a file\nnot this\n"), NULL),
                     STATUS_OK);
    assert_string_equal(url.password, "from a file");
    assert_int_equal(queue_url_set_password(&url, span_of("\nx\n"), NULL), STATUS_SYNTAX);
    assert_int_equal(queue_url_set_password(&url, span_of(""), NULL), STATUS_SYNTAX);
    memset(many, 'a', sizeof many - 1);
    many[sizeof many - 1] = '\0';
    assert_int_equal(queue_url_set_password(&url, span_of(many), NULL), STATUS_RANGE);
    assert_string_equal(url.password, "from a file");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_ones),
        cmocka_unit_test(bad_ones),
        cmocka_unit_test(too_long),
        cmocka_unit_test(passwords),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
