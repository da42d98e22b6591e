/* Writing JSON, and reading it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/json.h"
#include "base/memory_stream.h"

static void objects_arrays_and_lines(void **state)
{
    (void)state;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    struct json json = json_start(out);
    json_object(&json, NULL);
    json_text(&json, "name", "a\"b\\\xFF</script>\n\xC2\x9B\u202E\u2065");
    json_array(&json, "empty");
    json_end(&json);
    json_array(&json, "rows");
    for (int i = 0; i < 2; i++) {
        json_line(&json);
        json_object(&json, NULL);
        json_number(&json, "n", -i);
        json_text(&json, "none", NULL);
        json_end(&json);
    }
    json_line(&json);
    json_end(&json);
    json_decimal(&json, "x", 0.25, 1);
    json_literal(&json, "games", "12.50000");
    json_unsigned(&json, "most", UINT64_MAX);
    json_literal(&json, "yes", "true");
    json_end(&json);
    assert_int_equal(fclose(out), 0);
    assert_string_equal(
        text, "{\"name\": \"a\\\"b\\\\\\ufffd\\u003c/script>\\u000a\\u009b\\u202e\u2065\", "
              "\"empty\": [], "
              "\"rows\": [\n  {\"n\": 0, \"none\": null},\n  {\"n\": -1, \"none\": "
              "null}\n], \"x\": 0.2, \"games\": 12.50000, "
              "\"most\": 18446744073709551615, \"yes\": true}");
    free(text);
}

static void without_blanks(void **state)
{
    (void)state;
    struct memory_stream made;
    assert_true(memory_stream_open(&made));
    struct json json = json_start(made.file);
    json.tight = true;
    json_object(&json, NULL);
    json_number(&json, "n", 1);
    json_text(&json, "a, b", "c: d");
    json_end(&json);
    assert_true(memory_stream_close(&made));
    static const char expected[] = "{\"n\":1,\"a, b\":\"c: d\"}";
    assert_int_equal(made.size, sizeof expected - 1);
    assert_memory_equal(made.bytes, expected, made.size);
    free(made.bytes);
}

static const char *const names[] = {"fen", "evals"};

static bool is_object(const char *text)
{
    struct span values[2];
    return json_members(span_of(text), names, values, 2, false);
}

static void members_are_read(void **state)
{
    (void)state;
    struct span at[2];
    struct span text;
    static const char object[] =
        " { \"x\" : {\"fen\": [1, {}, \"]}\"]} , \"evals\":[ 1 ,\"a,b\", [2]],"
        "\"fen\": \"8/8 w\",\"fen\":0}\t";
    assert_true(json_members(span_of(object), names, at, 2, false));
    assert_true(json_plain_text(at[0], &text));
    assert_true(span_equal(text, "8/8 w"));
    static const char *const elements[] = {"1", "\"a,b\"", "[2]"};
    struct span rest = at[1];
    struct span value;
    for (int i = 0; i < 3; i++) {
        assert_true(json_element(&rest, &value));
        assert_true(span_equal(value, elements[i]));
    }
    assert_true(json_element(&rest, &value));
    assert_null(value.data);
    assert_true(json_members(span_of("{}"), names, at, 2, false));
    assert_null(at[0].data);
    rest = span_of("[]");
    assert_true(json_element(&rest, &value));
    assert_null(value.data);
    assert_false(json_plain_text(span_of("\"a\\n\""), &text)); /* an escape */
    assert_false(json_plain_text(span_of("12"), &text));
    assert_false(json_plain_text(span_make(NULL, 0), &text));
}

static void what_is_no_json_is_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {"",
                                        "[]",
                                        "{",
                                        "{\"a\"}",
                                        "{\"a\":}",
                                        "{\"a\":1",
                                        "{\"a\":1,}",
                                        "{a:1}",
                                        "{\"a\":1}}",
                                        "{\"a\":\"b}",
                                        "{\"a\":\"b\\\"}",
                                        "{\"a\":[1}",
                                        "{\"a\":{]}",
                                        "{\"a\":1 2}",
                                        "{\"a\":[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]}"};
    struct span at[2];
    struct span value;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_false(is_object(texts[i]));
    struct span rest = span_of("[1 2]");
    assert_true(json_element(&rest, &value));
    assert_false(json_element(&rest, &value));
    rest = span_of("[1");
    assert_true(json_element(&rest, &value));
    assert_false(json_element(&rest, &value));
    rest = span_of("1");
    assert_false(json_element(&rest, &value));
    /* Whoever is content with the first members does not look at the rest. */
    assert_true(json_members(span_of("{\"fen\":1,\"evals\":2,]"), names, at, 2, true));
    assert_false(json_members(span_of("{\"fen\":1,]"), names, at, 2, true));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(objects_arrays_and_lines),
        cmocka_unit_test(without_blanks),
        cmocka_unit_test(members_are_read),
        cmocka_unit_test(what_is_no_json_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
