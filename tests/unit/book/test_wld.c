/* Statistics files: bytes, round trips, merging, and damage of every kind. It is long because each
 * field of a file is damaged in turn. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/xxh64.h"
#include "book/statistics/wld_options.h"
#include "book/statistics/wld_write.h"

enum { FILE_MAX = 1 << 20, TALLIES_MAX = 20000 };

struct file {
    uint8_t *bytes;
    size_t size;
    size_t at;
    size_t step; /* no read gives more; 0 = any */
};

static struct file file_take(FILE *stream)
{
    struct file file = {.bytes = malloc(FILE_MAX)};
    assert_non_null(file.bytes);
    rewind(stream);
    file.size = fread(file.bytes, 1, FILE_MAX, stream);
    assert_int_equal(fclose(stream), 0);
    return file;
}

static enum caxton_status read_file(void *context, char *buffer, size_t capacity, size_t *size)
{
    struct file *file = context;
    size_t left = file->size - file->at;
    *size = left < capacity ? left : capacity;
    if (file->step && *size > file->step)
        *size = file->step;
    memcpy(buffer, file->bytes + file->at, *size);
    file->at += *size;
    return STATUS_OK;
}

static struct file write_file(const char *options, const struct tally *tallies, size_t count)
{
    struct wld_writer *writer;
    uint64_t records = 0;
    FILE *stream = tmpfile();
    assert_non_null(stream);
    assert_int_equal(wld_writer_create(stream, options, &writer), STATUS_OK);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(wld_writer_take(writer, &tallies[i]), STATUS_OK);
    assert_int_equal(wld_writer_finish(writer, &records), STATUS_OK);
    assert_int_equal(records, count);
    wld_writer_destroy(writer);
    return file_take(stream);
}

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

static uint64_t checksum_of(const uint8_t *bytes, size_t size)
{
    uint64_t sum = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < size; i++) {
        sum ^= bytes[i];
        sum *= UINT64_C(1099511628211);
    }
    return sum;
}

static void put(uint8_t *to, uint64_t value, size_t size)
{
    for (size_t i = 0; i < size; i++)
        to[i] = (uint8_t)(value >> 8 * i);
}

/* A file of version 1 with one block, which no writer of today makes. */
static struct file old_file(const char *options, const uint8_t *block, size_t size,
                            uint64_t records)
{
    struct file file = {.bytes = malloc(FILE_MAX)};
    assert_non_null(file.bytes);
    size_t length = strlen(options);
    memcpy(file.bytes, "CAXWLD\r\n", 8);
    put(file.bytes + 8, 1, 4);
    put(file.bytes + 12, length, 4);
    memcpy(file.bytes + 16, options, length);
    size_t at = 16 + length;
    put(file.bytes + at, checksum_of(file.bytes, at), 8);
    at += 8;
    put(file.bytes + at, size, 4);
    put(file.bytes + at + 4, records, 4);
    memcpy(file.bytes + at + 8, block, size);
    at += 8 + size;
    put(file.bytes + at, checksum_of(file.bytes, at), 8);
    at += 8;
    put(file.bytes + at, 0, 8);
    put(file.bytes + at + 8, records, 8);
    at += 16;
    put(file.bytes + at, checksum_of(file.bytes, at), 8);
    file.size = at + 8;
    return file;
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

static void bytes_are_as_documented(void **state)
{
    (void)state;
    uint8_t expected[256] = {'C', 'A', 'X', 'W', 'L', 'D', '\r', '\n', 2,   0,
                             0,   0,   4,   0,   0,   0,   'a',  ' ',  '1', '\n'};
    uint64_t header = xxh64(expected, 20, 0);
    put(expected + 20, header, 8);
    size_t block = 28;
    size_t records = sizeof documented_records;
    put(expected + block, records, 4);
    put(expected + block + 4, 3, 4);
    memcpy(expected + block + 8, documented_records, records);
    uint64_t checksum = xxh64(expected + block, 8 + records, 0);
    put(expected + block + 8 + records, checksum, 8);
    size_t size = block + 8 + records + 8;
    put(expected + size, 0, 8); /* the mark */
    size += 8;
    put(expected + size, 0x102, 8); /* the index */
    put(expected + size + 8, block, 8);
    put(expected + size + 16, xxh64(expected + size, 16, 0), 8);
    size += 24;
    put(expected + size, 3, 8); /* the end */
    put(expected + size + 8, 1, 8);
    put(expected + size + 16, xxh64(expected + block + 8 + records, 8, 0), 8);
    put(expected + size + 24, xxh64(expected + size, 24, header), 8);
    size += 32;
    struct file file = write_file("a 1\n", documented, 3);
    assert_int_equal(file.size, size);
    assert_memory_equal(file.bytes, expected, size);
    free(file.bytes);
}

static void version_1_is_read(void **state)
{
    (void)state;
    struct tally got[4];
    size_t count;
    struct diag diag = {.text = ""};
    assert_int_equal(checksum_of((const uint8_t *)"a", 1), 0xaf63dc4c8601ec8c); /* published */
    struct file file = old_file("a 1\n", documented_records, sizeof documented_records, 3);
    assert_int_equal(read_tallies(&file, got, &count, &diag), STATUS_END);
    assert_int_equal(count, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(tally_compare(&got[i], &documented[i]), 0);
        assert_memory_equal(got[i].counts, documented[i].counts, sizeof got[i].counts);
    }
    for (size_t i = 8; i < file.size; i++) {
        file.bytes[i] ^= 64;
        assert_int_equal(read_tallies(&file, got, &count, &diag), STATUS_FORMAT);
        file.bytes[i] ^= 64;
    }
    free(file.bytes);
}

static uint64_t next_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state ^ *state >> 29;
}

static int compare(const void *a, const void *b)
{
    return tally_compare(a, b);
}

/* Sorted, each (key, move) once; some counts are large. */
static size_t random_tallies(uint64_t seed, size_t count, uint64_t keys, struct tally *out)
{
    for (size_t i = 0; i < count; i++) {
        out[i] =
            (struct tally){.key = (next_random(&seed) >> 20) % keys * UINT64_C(0x9E3779B97F4A7C15),
                           .move = (uint16_t)((next_random(&seed) >> 30) % 4)};
        for (int j = 0; j < OUTCOMES; j++)
            out[i].counts[j] = next_random(&seed) >> 30 & 3;
        out[i].counts[i % 3] += i % 50 == 0 ? WLD_GAMES_MAX / 8 : 1;
    }
    qsort(out, count, sizeof *out, compare);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || tally_compare(&out[kept - 1], &out[i]) != 0)
            out[kept++] = out[i];
    return kept;
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
    const struct tally many = {.key = 1, .counts = {WLD_GAMES_MAX, 1, 0}};
    const struct tally wraps = {.key = 1, .counts = {UINT64_MAX, 2, 0}};
    const struct tally all = {.key = 1, .counts = {WLD_GAMES_MAX, 0, 0}};
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

/* A later version is refused by its number, also with a right checksum. */
static void later_versions_are_refused(void **state)
{
    (void)state;
    struct file file = write_file("", NULL, 0);
    struct diag diag = {.text = ""};
    size_t got;
    file.bytes[WLD_MAGIC_SIZE] = 3;
    put(file.bytes + 16, xxh64(file.bytes, 16, 0), 8);
    assert_int_equal(read_tallies(&file, read, &got, &diag), STATUS_FORMAT);
    assert_string_equal(diag.text,
                        "test.wld: byte 8: version 3; this program reads versions 1 to 2");
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
    struct file file = old_file("", record, size, records);
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

static struct file merge_files(struct file *const *files, size_t count)
{
    struct wld_reader *readers[8];
    struct wld_writer *writer;
    struct diag diag;
    char options[WLD_OPTIONS_MAX + 1] = "";
    uint64_t records;
    FILE *stream = tmpfile();
    assert_non_null(stream);
    for (size_t i = 0; i < count; i++) {
        files[i]->at = 0;
        assert_int_equal(wld_reader_create(read_file, files[i], "x", &readers[i], &diag),
                         STATUS_OK);
        assert_int_equal(wld_unite_options(options, wld_reader_info(readers[i])->options),
                         STATUS_OK);
    }
    assert_int_equal(wld_writer_create(stream, options, &writer), STATUS_OK);
    assert_int_equal(wld_merge(readers, count, wld_writer_take, writer, &diag), STATUS_OK);
    assert_int_equal(wld_writer_finish(writer, &records), STATUS_OK);
    wld_writer_destroy(writer);
    for (size_t i = 0; i < count; i++)
        wld_reader_destroy(readers[i]);
    return file_take(stream);
}

static void assert_same(const struct file *a, const struct file *b)
{
    assert_int_equal(a->size, b->size);
    assert_memory_equal(a->bytes, b->bytes, a->size);
}

static void merging_knows_no_order_and_no_groups(void **state)
{
    (void)state;
    static const char *const options[4] = {"max-ply 40\n", "max-ply 30\n", "color white\n", ""};
    struct file f[4];
    for (size_t i = 0; i < 4; i++) {
        size_t count = random_tallies(i + 20, i < 3 ? 6000 : 0, 2000, made);
        f[i] = write_file(options[i], made, count);
    }
    struct file all = merge_files((struct file *[]){&f[0], &f[1], &f[2], &f[3]}, 4);
    struct file back = merge_files((struct file *[]){&f[3], &f[2], &f[1], &f[0]}, 4);
    struct file ab = merge_files((struct file *[]){&f[0], &f[1]}, 2);
    struct file cd = merge_files((struct file *[]){&f[2], &f[3]}, 2);
    struct file pairs = merge_files((struct file *[]){&cd, &ab}, 2);
    struct file bc = merge_files((struct file *[]){&f[2], &f[1]}, 2);
    struct file nested = merge_files((struct file *[]){&f[3], &bc, &f[0]}, 3);
    struct file alone = merge_files((struct file *[]){&f[1]}, 1);
    assert_same(&all, &back);
    assert_same(&all, &pairs);
    assert_same(&all, &nested);
    assert_same(&f[1], &alone);
    struct file *made_files[] = {&all,    &back,  &ab,   &cd,   &pairs, &bc,
                                 &nested, &alone, &f[0], &f[1], &f[2],  &f[3]};
    for (size_t i = 0; i < sizeof made_files / sizeof *made_files; i++)
        free(made_files[i]->bytes);
}

static void merging_adds_exactly(void **state)
{
    (void)state;
    static const struct tally a[] = {{.key = 1, .move = 1, .counts = {60000, 1, 2}},
                                     {.key = 5, .move = 9, .counts = {0, 0, 1}}};
    static const struct tally b[] = {{.key = 1, .move = 0, .counts = {1, 0, 0}},
                                     {.key = 1, .move = 1, .counts = {60000, 3, 4}}};
    struct file x = write_file("", a, 2);
    struct file y = write_file("", b, 2);
    struct file sum = merge_files((struct file *[]){&x, &y}, 2);
    static const struct tally expected[] = {{.key = 1, .move = 0, .counts = {1, 0, 0}},
                                            {.key = 1, .move = 1, .counts = {120000, 4, 6}},
                                            {.key = 5, .move = 9, .counts = {0, 0, 1}}};
    struct file right = write_file("", expected, 3);
    assert_same(&sum, &right);
    free(x.bytes);
    free(y.bytes);
    free(sum.bytes);
    free(right.bytes);
}

static void a_sum_too_large_is_an_error(void **state)
{
    (void)state;
    static const struct tally half = {.key = 1, .counts = {WLD_GAMES_MAX / 2 + 1, 0, 0}};
    struct file x = write_file("", &half, 1);
    struct file y = write_file("", &half, 1);
    struct wld_reader *readers[2];
    struct wld_writer *writer;
    struct diag diag;
    FILE *stream = tmpfile();
    assert_non_null(stream);
    assert_int_equal(wld_reader_create(read_file, &x, "x", &readers[0], &diag), STATUS_OK);
    assert_int_equal(wld_reader_create(read_file, &y, "y", &readers[1], &diag), STATUS_OK);
    assert_int_equal(wld_writer_create(stream, "", &writer), STATUS_OK);
    assert_int_equal(wld_merge(readers, 2, wld_writer_take, writer, &diag), STATUS_RANGE);
    wld_writer_destroy(writer);
    wld_reader_destroy(readers[0]);
    wld_reader_destroy(readers[1]);
    assert_int_equal(fclose(stream), 0);
    free(x.bytes);
    free(y.bytes);
}

static void options_unite_as_a_sorted_set(void **state)
{
    (void)state;
    char united[WLD_OPTIONS_MAX + 1] = "";
    assert_int_equal(wld_unite_options(united, "b 2\na 1\n"), STATUS_OK);
    assert_string_equal(united, "a 1\nb 2\n");
    assert_int_equal(wld_unite_options(united, "b 2\nab\nc 3\n"), STATUS_OK);
    assert_string_equal(united, "a 1\nab\nb 2\nc 3\n");
    char *large = malloc(WLD_OPTIONS_MAX + 1);
    assert_non_null(large);
    memset(large, 'x', WLD_OPTIONS_MAX);
    large[WLD_OPTIONS_MAX] = '\0';
    assert_int_equal(wld_unite_options(united, large), STATUS_RANGE);
    assert_string_equal(united, "a 1\nab\nb 2\nc 3\n");
    free(large);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_are_as_documented),
        cmocka_unit_test(version_1_is_read),
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(the_writer_refuses_what_no_reader_takes),
        cmocka_unit_test(damage_is_found_everywhere),
        cmocka_unit_test(damage_is_named_where_it_lies),
        cmocka_unit_test(later_versions_are_refused),
        cmocka_unit_test(records_that_no_writer_makes_are_refused),
        cmocka_unit_test(merging_knows_no_order_and_no_groups),
        cmocka_unit_test(merging_adds_exactly),
        cmocka_unit_test(a_sum_too_large_is_an_error),
        cmocka_unit_test(the_unit_is_known_or_refused),
        cmocka_unit_test(options_unite_as_a_sorted_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
