/* Lines, marks, and text made safe for a terminal or for JSON. */
#define _GNU_SOURCE /* open_memstream */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/json.h"
#include "base/text.h"

static void lines_of_any_ending(void **state)
{
    (void)state;
    struct span rest = span_of("one\ntwo\r\n\nthree\r\r\nfour");
    static const char *const lines[] = {"one", "two", "", "three", "four"};
    struct span line;
    for (size_t i = 0; i < 5; i++) {
        assert_true(span_line(&rest, &line));
        assert_true(span_equal(line, lines[i]));
    }
    assert_false(span_line(&rest, &line));
}

static void byte_order_mark(void **state)
{
    (void)state;
    assert_true(span_equal(span_skip_bom(span_of("\xEF\xBB\xBF"
                                                 "text")),
                           "text"));
    assert_true(span_equal(span_skip_bom(span_of("text")), "text"));
    assert_true(span_equal(span_skip_bom(span_of("\xEF\xBB")), "\xEF\xBB"));
}

/* What `put` writes of `text`; the caller frees it. */
static char *written(void (*put)(FILE *out, const char *text), const char *text)
{
    char *data = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&data, &size);
    assert_non_null(out);
    put(out, text);
    assert_int_equal(fclose(out), 0);
    return data;
}

static void put_safe(FILE *out, const char *text)
{
    text_put_safe(out, span_of(text));
}

static void print_safe(FILE *out, const char *text)
{
    (void)fprintf(out, "%s%s", text_safe(text).text, text_safe("").text);
}

static void assert_written(void (*put)(FILE *out, const char *text), const char *text,
                           const char *expected)
{
    char *found = written(put, text);
    assert_string_equal(found, expected);
    free(found);
}

static void terminals_get_no_commands(void **state)
{
    (void)state;
    assert_written(put_safe, "K\xC3\xB6nig", "K\xC3\xB6nig");
    assert_written(put_safe, "\x1b[31mred\a\n", "?[31mred??");
    assert_written(put_safe,
                   "\xC2\x9B"
                   "31m",
                   "?31m"); /* the same in one character */
    assert_written(put_safe, "\xFF\xC3", "??");
    /* What would show a name as another one: U+202E turns the letters behind it. */
    assert_written(put_safe, "a\u202Enib.b\u2066\u2069\u200E\u200F\u061C\u2028\u2029z",
                   "a?nib.b???????z");
    assert_written(put_safe, "\u2027\u202F\u2030\u2065", "\u2027\u202F\u2030\u2065");
    assert_written(print_safe, "K\xC3\xB6nig\n\x1b[31m\xC2\x9B\u202E\xFF\xC3",
                   "K\xC3\xB6nig??[31m????");
    char longest[5000];
    (void)memset(longest, 'x', sizeof longest);
    longest[sizeof longest - 1] = '\0';
    assert_int_equal(strlen(text_safe(longest).text), 4095);
}

static void put_quote(FILE *out, const char *text)
{
    char quote[12];
    text_quote(quote, sizeof quote, span_of(text));
    (void)fputs(quote, out);
}

static void messages_quote_bytes(void **state)
{
    (void)state;
    assert_written(put_quote, "", "");
    assert_written(put_quote, "\u2658f3 \u2a72", "\u2658f3 \u2a72");
    assert_written(put_quote, "\x1b[1m", "\\x1b[1m");
    assert_written(put_quote, "\xC2\x9B", "\\xc2\\x9b"); /* a control character of two bytes */
    assert_written(put_quote, "\u2066", "\\xe2\\x81...");
    assert_written(put_quote, "a\xFF\x80z", "a\\xff\\x80z");
    assert_written(put_quote, "12345678901", "12345678901");
    assert_written(put_quote, "123456789012", "12345678...");
    assert_written(put_quote, "1234567\u265a\u265a", "1234567...");
    assert_written(put_quote, "12345\xFF\xFF", "12345...");
}

/* The letters of `text`, small ones, in UTF-8. */
static void put_small(FILE *out, const char *text)
{
    for (struct span rest = span_of(text); rest.size;) {
        uint32_t letter = text_small_letter(span_take_letter(&rest));
        if (letter < 0x80)
            (void)fputc((int)letter, out);
        else
            (void)fprintf(out, "<%x>", (unsigned)letter);
    }
}

static void letters_of_any_script(void **state)
{
    (void)state;
    assert_written(put_small, "Az[\u00c0\u00d6\u00d7\u00de\u00df\u00ff",
                   "az[<e0><f6><d7><fe><df><ff>");
    assert_written(put_small, "\u010c\u010d\u0141\u0142\u0130\u0178\u017d",
                   "<10d><10d><142><142>i<ff><17e>");
    assert_written(put_small, "\u0386\u039f\u03a3\u03c2\u0401\u0419\u0490\u0491",
                   "<3ac><3bf><3c3><3c3><451><439><491><491>");
    assert_written(put_small, "\u4e2d\U0001F600", "<4e2d><1f600>");
    assert_written(put_small, "M\xdcLLER\xc3", "m<fc>ller<e3>"); /* Latin-1 */
}

static void copies_are_whole_utf8(void **state)
{
    (void)state;
    char out[8];
    text_copy_utf8(out, sizeof out, span_of("K\xf6nig\xc3"));
    assert_string_equal(out, "K\u00f6nig");
    text_copy_utf8(out, sizeof out, span_of("\u265a\u265a\u265a"));
    assert_string_equal(out, "\u265a\u265a");
    text_copy_utf8(out, 1, span_of("a"));
    assert_string_equal(out, "");
}

static void json_strings(void **state)
{
    (void)state;
    assert_written(json_put_text, "a\"b\\c\n\xFF<", "\"a\\\"b\\\\c\\u000a\\ufffd\\u003c\"");
}

static void put_document(FILE *out, const char *text)
{
    struct json json = json_start(out);
    json_object(&json, NULL);
    json_text(&json, "book", text);
    json_array(&json, "moves");
    json_number(&json, NULL, -3);
    json_unsigned(&json, NULL, UINT64_MAX);
    json_end(&json);
    json_object(&json, "empty");
    json_end(&json);
    json_literal(&json, "sound", "true");
    json_text(&json, "start", NULL);
    json_decimal(&json, "share", 0.25, 3);
    json_end(&json);
}

static void json_documents(void **state)
{
    (void)state;
    assert_written(put_document, "b.bin",
                   "{\"book\": \"b.bin\", \"moves\": [-3, 18446744073709551615], \"empty\": {}, "
                   "\"sound\": true, \"start\": null, \"share\": 0.250}");
}

static void check_nearest(const char *wanted, const char *expected)
{
    static const char *const words[] = {"build", "show", "explore", "min-elo", "json", "grow", "o"};
    struct text_nearest near = {.wanted = span_of(wanted)};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        text_nearest_try(&near, span_of(words[i]));
    assert_true(expected ? near.word.data && span_equal(near.word, expected) : !near.word.data);
}

static void misspelt_words_have_a_nearest_one(void **state)
{
    (void)state;
    check_nearest("biuld", "build");
    check_nearest("shwo", "show");
    check_nearest("Show", "show");
    check_nearest("groww", "grow");
    check_nearest("expl", "explore"); /* a beginning */
    check_nearest("elo", "min-elo");  /* a part */
    check_nearest("jsn", "json");
    check_nearest("js", "json");
    check_nearest("explroer", "explore");
    check_nearest("frobnicate", NULL);
    check_nearest("b", NULL);
    check_nearest("", NULL);
    check_nearest("a-word-that-is-much-longer-than-all-others-are", NULL);
}

static void letters_are_counted(void **state)
{
    (void)state;
    assert_int_equal(text_distance(span_of("abc"), span_of("ABC"), false), 0);
    assert_int_equal(text_distance(span_of("abc"), span_of("acb"), false), 1);
    assert_int_equal(text_distance(span_of("abc"), span_of("abcdef"), false), 3);
    assert_int_equal(text_distance(span_of("abc"), span_of("abcdef"), true), 0);
    assert_int_equal(text_distance(span_of(""), span_of("ab"), false), 2);
    assert_int_equal(text_distance(span_of("kitten"), span_of("sitting"), false), 3);
}

static void items(void **state)
{
    (void)state;
    static const char *const rows[][4] = {
        {"a,bc,d", "a", "bc", "d"}, {"", ""}, {"a", "a"}, {"a,", "a", ""}, {",b", "", "b"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct span list = span_of(rows[i][0]);
        struct span item;
        for (int k = 1; k < 4 && rows[i][k]; k++) {
            assert_true(span_item(&list, &item));
            assert_true(span_equal(item, rows[i][k]));
        }
        assert_false(span_item(&list, &item));
    }
    struct span nothing = span_make(NULL, 0);
    assert_false(span_item(&nothing, &nothing));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(items),
        cmocka_unit_test(lines_of_any_ending),
        cmocka_unit_test(byte_order_mark),
        cmocka_unit_test(terminals_get_no_commands),
        cmocka_unit_test(messages_quote_bytes),
        cmocka_unit_test(letters_of_any_script),
        cmocka_unit_test(copies_are_whole_utf8),
        cmocka_unit_test(json_strings),
        cmocka_unit_test(json_documents),
        cmocka_unit_test(misspelt_words_have_a_nearest_one),
        cmocka_unit_test(letters_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
