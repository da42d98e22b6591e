/* Statistics files put together: nothing depends on order or groups, sums are exact. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "book/statistics/wld_merge.h"
#include "tests/unit/book/wld_bytes.h"

static struct tally made[TALLIES_MAX];

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
    static const struct tally half = {.key = 1, .counts = {TALLY_GAMES_MAX / 2 + 1, 0, 0}};
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
        cmocka_unit_test(merging_knows_no_order_and_no_groups),
        cmocka_unit_test(merging_adds_exactly),
        cmocka_unit_test(a_sum_too_large_is_an_error),
        cmocka_unit_test(options_unite_as_a_sorted_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
