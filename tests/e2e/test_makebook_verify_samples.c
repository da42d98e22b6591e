/* makebook verify, of sample games: beside their statistics and alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/bytes.h"
#include "base/xxh64.h"
#include "book/statistics/samples_file.h"
#include "book/statistics/wld_file.h"
#include "makebook.h"

static const char games[] = "[White \"Anna\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 1-0\n\n"
                            "[White \"Cleo\"]\n[Result \"0-1\"]\n\n1. e4 e5 2. Nc3 0-1\n";

static char bytes[FILE_MAX];
static size_t size;

static void write_samples(const void *from, size_t count)
{
    FILE *file = fopen(path_of("few.wld.games"), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(from, 1, count, file), count);
    assert_int_equal(fclose(file), 0);
}

static int make_few(void **state)
{
    (void)state;
    write_text("few.pgn", games);
    int status = MAKEBOOK("build", "few.pgn", "-o", "few.wld", "--samples", "2", "-q");
    size = status == 0 ? read_bytes("few.wld.games", bytes) : 0;
    return status;
}

static int make_folder(void **state)
{
    (void)state;
    return create_folder();
}

static void assert_one_line(const char *text)
{
    const char *end = strchr(text, '\n');
    assert_non_null(end);
    assert_string_equal(end, "\n");
}

static void sound_files_are_counted(void **state)
{
    (void)state;
    assert_int_equal(MAKEBOOK("verify", "few.wld"), 0);
    assert_says(result.output, "few.wld: statistics, 4 moves in 3 positions\n");
    assert_says(result.output, "few.wld.games: 6 sample games of 3 positions, at most 2 of one, "
                               "in 1 file\n");
    assert_says(result.output, "few.wld: 0 faults\n");
    assert_int_equal(RUN("verify", path_of("few.wld.games")), 0);
    assert_one_line(result.output);
    assert_says(result.output, "few.wld.games: 6 sample games of 3 positions");
    assert_string_equal(result.errors, "");
    assert_int_equal(unlink(path_of("few.wld.games")), 0);
    assert_int_equal(MAKEBOOK("verify", "few.wld"), 0);
    assert_null(strstr(result.output, "sample games"));
}

/* Both as verify names it: in one line with the file and the byte. */
static void assert_damage_is_named(bool is_known)
{
    assert_int_equal(MAKEBOOK("verify", "few.wld"), 1);
    assert_one_line(result.errors);
    assert_says(result.errors, "few.wld.games: byte ");
    assert_says(result.output, "few.wld: 1 fault\n");
    assert_null(strstr(result.output, "sample games"));
    assert_int_equal(RUN("verify", path_of("few.wld.games")), 1);
    assert_one_line(result.errors);
    assert_says(result.errors, is_known ? "few.wld.games: byte " : "few.wld.games: ");
}

static void damage_at_any_byte_is_named(void **state)
{
    (void)state;
    for (size_t i = 0; i < size; i += 7) {
        bytes[i] ^= 1;
        write_samples(bytes, size);
        assert_damage_is_named(i >= SAMPLES_MAGIC_SIZE);
        bytes[i] ^= 1;
        write_samples(bytes, i);
        assert_damage_is_named(i >= SAMPLES_MAGIC_SIZE);
    }
}

/* With right checksums. */
static void an_index_that_lies_is_named(void **state)
{
    (void)state;
    enum { ENTRY = 16 };
    uint8_t *page = (uint8_t *)bytes + size - SAMPLES_FOOT_SIZE - ENTRY - 8;
    for (size_t i = 0; i < ENTRY; i += 8) {
        page[i] ^= 1;
        bytes_put_le(page + ENTRY, xxh64(page, ENTRY, 0), 8);
        write_samples(bytes, size);
        assert_damage_is_named(true);
        assert_says(result.errors, "the index does not fit this block");
        page[i] ^= 1;
    }
}

static void those_of_other_statistics_are_named(void **state)
{
    (void)state;
    assert_int_equal(MAKEBOOK("build", "few.pgn", "-o", "few.wld", "--max-ply", "2", "-q"), 0);
    assert_int_equal(MAKEBOOK("verify", "few.wld"), 1);
    assert_one_line(result.errors);
    assert_says(result.errors, "few.wld.games belongs to other statistics than ");
    assert_int_equal(RUN("verify", path_of("few.wld.games")), 0);
}

/* A sample_source that never ends. */
static enum caxton_status next_set(void *context, struct sample_set *out, struct diag *diag)
{
    uint64_t *key = context;
    (void)diag;
    *out = (struct sample_set){.key = ++*key, .count = 1};
    return STATUS_OK;
}

/* A file in order, but of positions 1 and 2, which no game comes to. */
static void games_of_other_positions_are_named(void **state)
{
    (void)state;
    struct samples_info info = {.rule = {1, false}, .plies = 10};
    struct samples_writer *writer;
    struct wld_file *statistics;
    struct diag diag = {.text = ""};
    uint64_t key = 0;
    FILE *file = fopen(path_of("few.wld.games"), "wb");
    assert_non_null(file);
    assert_int_equal(wld_file_open(path_of("few.wld"), &statistics, &diag), STATUS_OK);
    const struct wld_identity identity = wld_file_identity(statistics);
    assert_int_equal(sample_names_add(&info.names, "few.pgn"), STATUS_OK);
    assert_int_equal(samples_writer_create(file, &info, next_set, &key, &writer), STATUS_OK);
    assert_int_equal(samples_writer_follow(writer, 1, &diag), STATUS_OK);
    assert_int_equal(samples_writer_follow(writer, 2, &diag), STATUS_OK);
    assert_int_equal(samples_writer_finish(writer, &identity), STATUS_OK);
    samples_writer_destroy(writer);
    sample_names_free(&info.names);
    wld_file_close(statistics);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(MAKEBOOK("verify", "few.wld"), 1);
    assert_one_line(result.errors);
    assert_says(result.errors, "few.wld.games: byte 56: games of position 0000000000000001, which "
                               "the statistics do not have: 2 such positions\n");
    assert_int_equal(RUN("verify", path_of("few.wld.games")), 0);
}

/* Positions of damaged statistics are no fault of the games. */
static void damaged_statistics_are_named_alone(void **state)
{
    (void)state;
    char statistics[FILE_MAX];
    size_t count = read_bytes("few.wld", statistics);
    statistics[count / 2] ^= 1;
    FILE *file = fopen(path_of("few.wld"), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(statistics, 1, count, file), count);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(MAKEBOOK("verify", "few.wld"), 1);
    assert_says(result.errors, "few.wld: byte ");
    assert_null(strstr(result.errors, ".games"));
}

static void there_is_nothing_to_repair(void **state)
{
    (void)state;
    const char *path = path_of("few.wld.games");
    assert_int_equal(RUN("verify", path, "--repair", "-o", path_of("new.wld.games")), 1);
    assert_one_line(result.errors);
    assert_false(exists("new.wld.games"));
    assert_int_equal(RUN("verify", path, "--start", "1. e4"), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(sound_files_are_counted, make_few),
        cmocka_unit_test_setup(damage_at_any_byte_is_named, make_few),
        cmocka_unit_test_setup(an_index_that_lies_is_named, make_few),
        cmocka_unit_test_setup(those_of_other_statistics_are_named, make_few),
        cmocka_unit_test_setup(games_of_other_positions_are_named, make_few),
        cmocka_unit_test_setup(damaged_statistics_are_named_alone, make_few),
        cmocka_unit_test_setup(there_is_nothing_to_repair, make_few),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
