/* Statistics files: bytes, round trips, and damage of every kind. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/xxh64.h"
#include "tests/unit/book/wld_bytes.h"

/* Reads all; the status that ends it, STATUS_END for a whole file. */
static enum caxton_status read_tallies(struct file *file, struct tally *out, size_t *count,
                                       struct diag *diag)
{
    struct wld_reader *reader;
    file->at = 0;
    *count = 0;
    enum caxton_status status = wld_reader_create(read_file, file, "test.wld", &reader, diag);
    if (status != STATUS_OK)
        return status;
    struct tally tally;
    while ((status = wld_reader_next(reader, &tally, diag)) == STATUS_OK) {
        assert_true(*count < TALLIES_MAX);
        out[(*count)++] = tally;
    }
    if (status == STATUS_END) /* again and again */
        assert_int_equal(wld_reader_next(reader, &tally, diag), STATUS_END);
    wld_reader_destroy(reader);
    return status;
}

static void put(uint8_t *to, uint64_t value, size_t size)
{
    for (size_t i = 0; i < size; i++)
        to[i] = (uint8_t)(value >> 8 * i);
}

static const struct tally documented[] = {
    {.key = 0x0102, .move = 0x0abc, .counts = {1, 0, 0}},
    {.key = 0x0102, .move = 0x0abd, .counts = {0, 300, 127}},
    {.key = 0x0202, .move = 0x0001, .counts = {0, 0, 128}},
};
static const uint8_t documented_records[] = {
    0x82, 2,    0xbc, 0x0a, 1,    0, 0,      /* 0x102 */
    0,    0xbd, 0x0a, 0,    0xac, 2, 127,    /* the same key */
    0x80, 2,    1,    0,    0,    0, 0x80, 1 /* 0x100 further */
};

/* A file of one block of these records, the first of which has this key. */
static struct file file_of_block(const char *options, uint64_t key, const uint8_t *records,
                                 size_t size, uint64_t count)
{
    struct file file = {.bytes = calloc(FILE_MAX, 1)};
    uint8_t *bytes = file.bytes;
    assert_non_null(bytes);
    size_t length = strlen(options);
    memcpy(bytes, "CAXWLD\r\n", 8);
    put(bytes + 8, 2, 4);
    put(bytes + 12, length, 4);
    memcpy(bytes + 16, options, length);
    size_t block = 16 + length + 8;
    uint64_t header = xxh64(bytes, block - 8, 0);
    put(bytes + block - 8, header, 8);
    put(bytes + block, size, 4);
    put(bytes + block + 4, count, 4);
    memcpy(bytes + block + 8, records, size);
    size_t at = block + 8 + size;
    put(bytes + at, xxh64(bytes + block, 8 + size, 0), 8);
    uint64_t digest = xxh64(bytes + at, 8, 0);
    at += 16;                /* with the mark */
    put(bytes + at, key, 8); /* the index */
    put(bytes + at + 8, block, 8);
    put(bytes + at + 16, xxh64(bytes + at, 16, 0), 8);
    at += 24;
    put(bytes + at, count, 8); /* the end */
    put(bytes + at + 8, 1, 8);
    put(bytes + at + 16, digest, 8);
    put(bytes + at + 24, xxh64(bytes + at, 24, header), 8);
    file.size = at + 32;
    return file;
}

static void bytes_are_as_documented(void **state)
{
    (void)state;
    struct file expected =
        file_of_block("a 1\n", 0x102, documented_records, sizeof documented_records, 3);
    struct file file = write_file("a 1\n", documented, 3);
    assert_int_equal(file.size, expected.size);
    assert_memory_equal(file.bytes, expected.bytes, expected.size);
    free(file.bytes);
    free(expected.bytes);
}

static struct tally made[TALLIES_MAX];
static struct tally read[TALLIES_MAX];

static void what_is_written_is_read(void **state)
{
    (void)state;
    static const size_t counts[] = {0, 1, 2, 100, 20000};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        size_t count = random_tallies(i, counts[i], 1 << 16, made);
        struct file file = write_file("max-ply 40\n", made, count);
        static const size_t steps[] = {0, 1, 1000};
        for (size_t s = 0; s < 3; s++) {
            size_t got;
            struct diag diag = {.text = ""};
            file.step = steps[s];
            assert_int_equal(read_tallies(&file, read, &got, &diag), STATUS_END);
            assert_int_equal(got, count);
            for (size_t j = 0; j < count; j++) {
                assert_int_equal(tally_compare(&made[j], &read[j]), 0);
                assert_memory_equal(made[j].counts, read[j].counts, sizeof made[j].counts);
            }
        }
        free(file.bytes);
    }
}

static void the_writer_refuses_what_no_reader_takes(void **state)
{
    (void)state;
    struct wld_writer *writer;
    FILE *stream = tmpfile();
    assert_non_null(stream);
    assert_int_equal(wld_writer_create(stream, "", &writer), STATUS_OK);
    const struct tally none = {.key = 1};
    const struct tally many = {.key = 1, .counts = {TALLY_GAMES_MAX, 1, 0}};
    const struct tally wraps = {.key = 1, .counts = {UINT64_MAX, 2, 0}};
    const struct tally all = {.key = 1, .counts = {TALLY_GAMES_MAX, 0, 0}};
    assert_int_equal(wld_writer_take(writer, &none), STATUS_RANGE);
    assert_int_equal(wld_writer_take(writer, &many), STATUS_RANGE);
    assert_int_equal(wld_writer_take(writer, &wraps), STATUS_RANGE);
    assert_int_equal(wld_writer_take(writer, &all), STATUS_OK);
    assert_int_equal(wld_writer_take(writer, &all), STATUS_FORMAT); /* twice */
    wld_writer_destroy(writer);
    assert_int_equal(fclose(stream), 0);
}

/* Any changed byte, any length but the right one, is found. */
static void damage_is_found_everywhere(void **state)
{
    (void)state;
    size_t count = random_tallies(7, 60, 30, made);
    struct file file = write_file("color white\nmax-ply 40\n", made, count);
    struct diag diag;
    size_t got;
    for (size_t i = 0; i < file.size; i++)
        for (unsigned change = 1; change < 256; change *= 2) {
            file.bytes[i] ^= (uint8_t)change;
            diag = (struct diag){.text = ""};
            enum caxton_status status = read_tallies(&file, read, &got, &diag);
            assert_int_equal(status, i < WLD_MAGIC_SIZE ? STATUS_NOT_FOUND : STATUS_FORMAT);
            assert_non_null(strstr(diag.text, i < WLD_MAGIC_SIZE ? "test.wld: this is no statistics"
                                                                 : "test.wld: byte "));
            file.bytes[i] ^= (uint8_t)change;
        }
    size_t whole = file.size;
    for (file.size = 0; file.size < whole; file.size++) {
        enum caxton_status status = read_tallies(&file, read, &got, &diag);
        assert_int_equal(status, file.size < WLD_MAGIC_SIZE ? STATUS_NOT_FOUND : STATUS_FORMAT);
    }
    file.bytes[file.size++] = 0;
    assert_int_equal(read_tallies(&file, read, &got, &diag), STATUS_FORMAT);
    assert_string_equal(strrchr(diag.text, ':'), ": more follows after the end");
    assert_int_equal(diag.offset, whole);
    free(file.bytes);
}

/* Damage names the place; what lies in a sound block before it was given out, nothing after. */
static void damage_is_named_where_it_lies(void **state)
{
    (void)state;
    size_t count = random_tallies(3, 20000, 1 << 20, made);
    struct file file = write_file("", made, count);
    struct diag diag;
    size_t got;
    file.bytes[file.size / 2] ^= 16;
    assert_int_equal(read_tallies(&file, read, &got, &diag), STATUS_FORMAT);
    assert_true(diag.offset <= file.size / 2 && diag.offset + WLD_BLOCK_BYTES > file.size / 2);
    assert_true(got > 0 && got < count);
    for (size_t i = 0; i < got; i++)
        assert_int_equal(tally_compare(&made[i], &read[i]), 0);
    free(file.bytes);
}

/* Another version is refused by its number, also with a right checksum. */
static void other_versions_are_refused(void **state)
{
    (void)state;
    struct file file = write_file("", NULL, 0);
    struct diag diag = {.text = ""};
    size_t got;
    file.bytes[WLD_MAGIC_SIZE] = 4;
    put(file.bytes + 16, xxh64(file.bytes, 16, 0), 8);
    assert_int_equal(read_tallies(&file, read, &got, &diag), STATUS_FORMAT);
    assert_string_equal(diag.text, "test.wld: byte 8: version 4; this program reads versions 2 and "
                                   "3");
    free(file.bytes);
}

/* Nobody divides by a unit that he does not know. */
static void the_unit_is_known_or_refused(void **state)
{
    (void)state;
    static const struct {
        const char *options;
        uint64_t unit; /* 0: refused */
    } cases[] = {
        {"", 1},
        {"max-ply 40\nunited 5\n", 1},
        {"player unit 9\n", 1},
        {"max-ply 40\nunit 65536\n", 65536},
        {"a 1\nunit 65536\nzoo 2\n", 65536},
        {"unit 65535\n", 0},
        {"unit 1\n", 0},
        {"unit \n", 0},
        {"unit much\n", 0},
        {"unit 65536\nunit 65536\n", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct file file = write_file(cases[i].options, NULL, 0);
        struct wld_reader *reader = NULL;
        struct diag diag = {.text = ""};
        enum caxton_status status = wld_reader_create(read_file, &file, "x", &reader, &diag);
        assert_int_equal(status, cases[i].unit ? STATUS_OK : STATUS_FORMAT);
        if (cases[i].unit)
            assert_int_equal(wld_reader_info(reader)->unit, cases[i].unit);
        else
            assert_non_null(strstr(diag.text, "a unit unknown here"));
        wld_reader_destroy(reader);
        free(file.bytes);
    }
}

/* A block with a right checksum and one record. */
static enum caxton_status read_record(const uint8_t *record, size_t size, uint64_t records)
{
    struct file file = file_of_block("", 5, record, size, records);
    struct diag diag;
    size_t got;
    enum caxton_status status = read_tallies(&file, read, &got, &diag);
    free(file.bytes);
    return status;
}

static void records_that_no_writer_makes_are_refused(void **state)
{
    (void)state;
    static const uint8_t good[] = {5, 1, 0, 1, 0, 0};
    static const uint8_t no_games[] = {5, 1, 0, 0, 0, 0};
    static const uint8_t long_number[] = {5, 1, 0, 0x81, 0, 0, 0};
    static const uint8_t wide_number[] = {0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
                                          0x80, 2,    1,    0,    1,    0,    0};
    static const uint8_t wide_count[] = {5,    1,    0,    0x80, 0x80, 0x80, 0x80,
                                         0x80, 0x80, 0x80, 0x80, 0x20, 0,    0};
    static const uint8_t cut[] = {5, 1, 0, 1, 0, 0x80};
    static const uint8_t more[] = {5, 1, 0, 1, 0, 0, 0};
    static const uint8_t twice[] = {5, 1, 0, 1, 0, 0, 0, 1, 0, 1, 0, 0};
    assert_int_equal(read_record(good, sizeof good, 1), STATUS_END);
    assert_int_equal(read_record(good, sizeof good, 2), STATUS_FORMAT);
    assert_int_equal(read_record(no_games, sizeof no_games, 1), STATUS_FORMAT);
    assert_int_equal(read_record(long_number, sizeof long_number, 1), STATUS_FORMAT);
    assert_int_equal(read_record(wide_number, sizeof wide_number, 1), STATUS_FORMAT);
    assert_int_equal(read_record(wide_count, sizeof wide_count, 1), STATUS_FORMAT);
    assert_int_equal(read_record(cut, sizeof cut, 1), STATUS_FORMAT);
    assert_int_equal(read_record(more, sizeof more, 1), STATUS_FORMAT);
    assert_int_equal(read_record(twice, sizeof twice, 2), STATUS_FORMAT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_are_as_documented),
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(the_writer_refuses_what_no_reader_takes),
        cmocka_unit_test(damage_is_found_everywhere),
        cmocka_unit_test(damage_is_named_where_it_lies),
        cmocka_unit_test(other_versions_are_refused),
        cmocka_unit_test(records_that_no_writer_makes_are_refused),
        cmocka_unit_test(the_unit_is_known_or_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
