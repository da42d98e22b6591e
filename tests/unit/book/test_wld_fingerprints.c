/* Fingerprints of games in statistics files: written and read, skipped, damaged, added up. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/xxh64.h"
#include "book/statistics/wld_file.h"
#include "book/statistics/wld_merge.h"

enum { FILE_MAX = 1 << 18, PRINTS = 2500, OPTIONS_SIZE = 15, FIRST = 16 + OPTIONS_SIZE + 8 };

static const char options[] = WLD_FINGERPRINTS_OPTION "\n";
static const struct tally only = {.key = 7, .move = 1, .counts = {1, 0, 0}};

struct bytes {
    uint8_t data[FILE_MAX];
    size_t size;
};
static struct bytes one;
static struct bytes other;

static struct fingerprint print_of(uint64_t number)
{
    return (struct fingerprint){number << 48, number};
}

/* Fingerprints first, first + step, .. */
static void write_file(struct bytes *out, uint64_t first, uint64_t step, size_t count)
{
    struct wld_writer *writer;
    uint64_t records;
    FILE *stream = tmpfile();
    assert_non_null(stream);
    assert_int_equal(wld_writer_create(stream, options, &writer), STATUS_OK);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(wld_writer_take_fingerprint(writer, print_of(first + i * step)),
                         STATUS_OK);
    assert_int_equal(wld_writer_take(writer, &only), STATUS_OK);
    assert_int_equal(wld_writer_take_fingerprint(writer, print_of(0)), STATUS_FORMAT);
    assert_int_equal(wld_writer_finish(writer, &records), STATUS_OK);
    assert_int_equal(records, 1);
    wld_writer_destroy(writer);
    rewind(stream);
    out->size = fread(out->data, 1, FILE_MAX, stream);
    assert_int_equal(fclose(stream), 0);
}

static struct wld_file *open_file(const struct bytes *bytes, const char *name)
{
    struct wld_file *file = NULL;
    struct diag diag = {.text = ""};
    assert_int_equal(wld_file_open_memory(bytes->data, bytes->size, name, &file, &diag), STATUS_OK);
    return file;
}

static struct wld_reader *open_reader(const struct wld_file *file, uint64_t first)
{
    struct wld_reader *reader = NULL;
    struct diag diag = {.text = ""};
    assert_int_equal(wld_reader_create_range(file, first, UINT64_MAX, &reader, &diag), STATUS_OK);
    return reader;
}

static void assert_only_record(struct wld_reader *reader)
{
    struct tally tally;
    struct diag diag = {.text = ""};
    assert_int_equal(wld_reader_next(reader, &tally, &diag), STATUS_OK);
    assert_int_equal(tally.key, only.key);
    assert_int_equal(wld_reader_next(reader, &tally, &diag), STATUS_END);
}

static void they_are_read_or_passed_over(void **state)
{
    (void)state;
    static const size_t counts[] = {0, 1, 1024, 1025, PRINTS};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        struct diag diag = {.text = ""};
        struct fingerprint print;
        write_file(&one, 0, 1, counts[i]);
        struct wld_file *file = open_file(&one, "one.wld");
        struct wld_reader *reader = open_reader(file, 0);
        for (size_t k = 0; k < counts[i]; k++) {
            assert_int_equal(wld_reader_next_fingerprint(reader, &print, &diag), STATUS_OK);
            assert_int_equal(fingerprint_compare(print, print_of(k)), 0);
        }
        assert_int_equal(wld_reader_next_fingerprint(reader, &print, &diag), STATUS_END);
        assert_only_record(reader);
        wld_reader_destroy(reader);
        for (uint64_t first = 0; first < 2; first++) { /* all of it, and a part */
            reader = open_reader(file, first);
            assert_only_record(reader);
            wld_reader_destroy(reader);
        }
        wld_file_close(file);
    }
}

static void note_damage(void *context, const struct diag *diag)
{
    (void)diag;
    ++*(int *)context;
}

/* A damaged one is named; moves are read all the same where that was asked for. */
static void damage_harms_no_move(void **state)
{
    (void)state;
    struct diag diag = {.text = ""};
    struct tally tally;
    int damaged = 0;
    write_file(&one, 0, 1, PRINTS);
    one.data[FIRST + 8 + 100] ^= 1;
    struct wld_file *file = open_file(&one, "one.wld");
    struct wld_reader *reader = open_reader(file, 0);
    assert_int_equal(wld_reader_next(reader, &tally, &diag), STATUS_FORMAT);
    assert_memory_equal(diag.text, "one.wld: byte 39: the checksum", 30);
    wld_reader_destroy(reader);
    reader = open_reader(file, 0);
    wld_reader_forgive(reader, note_damage, &damaged);
    assert_only_record(reader);
    assert_int_equal(damaged, 0);
    wld_reader_destroy(reader);
    wld_file_close(file);
}

/* Right checksums do not make an order that no writer makes. */
static void disorder_is_refused(void **state)
{
    (void)state;
    struct diag diag = {.text = ""};
    struct tally tally;
    write_file(&one, 0, 1, 3);
    memset(one.data + FIRST + 8 + 16, 0xff, 16);
    uint64_t sum = xxh64(one.data + FIRST, 8 + 48, 0);
    for (int i = 0; i < 8; i++)
        one.data[FIRST + 8 + 48 + i] = (uint8_t)(sum >> 8 * i);
    struct wld_file *file = open_file(&one, "one.wld");
    struct wld_reader *reader = open_reader(file, 0);
    assert_int_equal(wld_reader_next(reader, &tally, &diag), STATUS_FORMAT);
    assert_non_null(strstr(diag.text, "do not ascend"));
    wld_reader_destroy(reader);
    wld_file_close(file);
}

struct list {
    size_t count;
    struct fingerprint last;
};

static enum caxton_status take(void *context, struct fingerprint print)
{
    struct list *list = context;
    assert_true(list->count == 0 || fingerprint_compare(list->last, print) < 0);
    list->count++;
    list->last = print;
    return STATUS_OK;
}

static void sums_tell_what_is_there_twice(void **state)
{
    (void)state;
    struct diag diag = {.text = ""};
    write_file(&one, 0, 2, 1000);
    write_file(&other, 0, 3, 1000);
    struct wld_file *files[2] = {open_file(&one, "one.wld"), open_file(&other, "other.wld")};
    struct wld_reader *readers[2] = {open_reader(files[0], 0), open_reader(files[1], 0)};
    struct wld_common_games common = {0};
    struct list list = {0};
    assert_int_equal(wld_merge_fingerprints(readers, 2, take, &list, &common, &diag), STATUS_OK);
    assert_int_equal(common.games, 334); /* multiples of 6 below 2000 */
    assert_int_equal(list.count, 2000 - 334);
    assert_string_not_equal(common.one, common.other);
    for (int i = 0; i < 2; i++) {
        assert_only_record(readers[i]);
        wld_reader_destroy(readers[i]);
        wld_file_close(files[i]);
    }
}

static void options_are_compared_by_line(void **state)
{
    (void)state;
    char text[WLD_OPTIONS_MAX + 1] = "a 1\nb 2\nc 3\n";
    struct span a;
    struct span b;
    assert_true(wld_options_have(text, "b 2"));
    assert_false(wld_options_have(text, "b"));
    assert_false(wld_options_differ(text, text, &a, &b));
    assert_true(wld_options_differ(text, "a 1\nb 3\nc 3\n", &a, &b));
    assert_true(span_equal(a, "b 2") && span_equal(b, "b 3"));
    assert_true(wld_options_differ(text, "a 1\nb 2\n", &a, &b));
    assert_true(span_equal(a, "c 3") && b.size == 0);
    wld_options_drop(text, "b 2");
    assert_string_equal(text, "a 1\nc 3\n");
    wld_options_drop(text, "c 3");
    wld_options_drop(text, "c");
    assert_string_equal(text, "a 1\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_are_read_or_passed_over),
        cmocka_unit_test(damage_harms_no_move),
        cmocka_unit_test(disorder_is_refused),
        cmocka_unit_test(sums_tell_what_is_there_twice),
        cmocka_unit_test(options_are_compared_by_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
