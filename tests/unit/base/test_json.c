/* Writing JSON. */
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(objects_arrays_and_lines),
        cmocka_unit_test(without_blanks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
