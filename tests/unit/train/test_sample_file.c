/* Files of samples: they grow by whole blocks, and nothing in them is lost by opening them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/text.h"
#include "chess/attacks.h"
#include "eval/train/sample_file.h"

enum { HEADER = 32, FILE_MAX = 1 << 20 };

static char folder[256];
static char path[300];
static uint8_t content[FILE_MAX];

static int set_up(void **state)
{
    (void)state;
    const char *parent = getenv("TMPDIR");
    struct text_buffer text = text_buffer_on(folder, sizeof folder);
    text_append(&text, "%s/caxton-test-XXXXXX", parent && *parent ? parent : "/tmp");
    if (text.cut || !mkdtemp(folder))
        return -1;
    text = text_buffer_on(path, sizeof path);
    text_append(&text, "%s/games.cxd", folder);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    (void)unlink(path);
    return rmdir(folder);
}

static int without_file(void **state)
{
    (void)state;
    (void)unlink(path);
    return 0;
}

/* A block's worth of samples that differ from one block to the next. */
static const uint8_t *samples_make(size_t count, uint8_t seed)
{
    static uint8_t samples[SAMPLE_BLOCK_MAX * SAMPLE_SIZE];
    for (size_t i = 0; i < count * SAMPLE_SIZE; i++)
        samples[i] = (uint8_t)(i * 7 + i / 251 + seed);
    return samples;
}

static uint64_t opened(struct sample_file **file)
{
    uint64_t count = 0;
    struct diag diag = {0};
    if (sample_file_open(path, file, &count, &diag) != STATUS_OK)
        fail_msg("%s", diag.text);
    return count;
}

static void append(struct sample_file *file, size_t count, uint8_t seed)
{
    struct diag diag;
    assert_int_equal(sample_file_append(file, samples_make(count, seed), count, &diag), STATUS_OK);
}

static void closed(struct sample_file *file)
{
    struct diag diag;
    assert_int_equal(sample_file_close(file, &diag), STATUS_OK);
}

/* A file of blocks of so many samples each, up to 0. */
static void file_of(const size_t *counts)
{
    struct sample_file *file;
    assert_int_equal(opened(&file), 0);
    for (; *counts; counts++)
        append(file, *counts, (uint8_t)*counts);
    closed(file);
}

/* Reads the whole file into `content`. */
static size_t load(void)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t size = fread(content, 1, FILE_MAX, file);
    assert_int_equal(fclose(file), 0);
    return size;
}

static void store(const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

/* Opening must fail with a message that names the file and says `what`, and change nothing. */
static void assert_refused(const char *what)
{
    static uint8_t before[FILE_MAX];
    size_t size = load();
    memcpy(before, content, size);
    struct sample_file *file = NULL;
    uint64_t count;
    struct diag diag = {0};
    assert_int_equal(sample_file_open(path, &file, &count, &diag), STATUS_FORMAT);
    assert_null(file);
    assert_non_null(strstr(diag.text, path));
    if (!strstr(diag.text, what))
        fail_msg("'%s' does not say '%s'", diag.text, what);
    assert_int_equal(load(), size);
    assert_memory_equal(content, before, size);
}

static void a_file_grows_and_is_continued(void **state)
{
    (void)state;
    struct sample_file *file;
    assert_int_equal(opened(&file), 0);
    append(file, 3, 1);
    append(file, 1, 2);
    closed(file);
    assert_int_equal(load(), 2 * HEADER + 4 * SAMPLE_SIZE);

    assert_int_equal(opened(&file), 4);
    closed(file);
    assert_int_equal(opened(&file), 4);
    append(file, SAMPLE_BLOCK_MAX / 8, 3);
    closed(file);
    assert_int_equal(opened(&file), 4 + SAMPLE_BLOCK_MAX / 8);
    closed(file);
    assert_int_equal(load(), 3 * HEADER + (4 + SAMPLE_BLOCK_MAX / 8) * SAMPLE_SIZE);
    assert_memory_equal(content + HEADER, samples_make(3, 1), 3 * SAMPLE_SIZE);
}

static void the_largest_block(void **state)
{
    (void)state;
    struct sample_file *file;
    assert_int_equal(opened(&file), 0);
    append(file, SAMPLE_BLOCK_MAX, 1);
    closed(file);
    assert_int_equal(opened(&file), SAMPLE_BLOCK_MAX);
    closed(file);
}

static void the_header_is_as_documented(void **state)
{
    (void)state;
    file_of((const size_t[]){300, 0});
    assert_int_equal(load(), HEADER + 300 * SAMPLE_SIZE);
    static const uint8_t start[24] = {'C', 'X', 'T', 'N', 'D', 'A', 'T', '1', 300 & 255, 300 >> 8};
    assert_memory_equal(content, start, sizeof start);
    uint64_t sum = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < 300 * SAMPLE_SIZE; i++)
        sum = (sum ^ content[HEADER + i]) * UINT64_C(0x100000001b3);
    for (int i = 0; i < 8; i++)
        assert_int_equal(content[24 + i], sum >> 8 * i & 255);
}

/* Whatever is there of the last block when the machine stops. */
static void a_torn_end_is_cut_off(void **state)
{
    (void)state;
    static uint8_t whole[FILE_MAX];
    file_of((const size_t[]){5, 9, 0});
    size_t size = load();
    size_t first = HEADER + 5 * SAMPLE_SIZE;
    memcpy(whole, content, size);
    for (size_t left = 0; left < size; left++) {
        struct sample_file *file;
        store(whole, left);
        uint64_t expected = left < first ? 0 : 5;
        size_t kept = left < first ? 0 : first;
        assert_int_equal(opened(&file), expected);
        if (left % 16 == 0)
            append(file, 1, 77);
        closed(file);
        assert_int_equal(load(), kept + (left % 16 == 0 ? HEADER + SAMPLE_SIZE : 0));
        assert_memory_equal(content, whole, kept);
        assert_int_equal(opened(&file), expected + (left % 16 == 0));
        closed(file);
    }
}

/* Two blocks, of which every byte in turn is wrong. */
static void damage_is_refused(void **state)
{
    (void)state;
    static uint8_t whole[FILE_MAX];
    file_of((const size_t[]){5, 9, 0});
    size_t size = load();
    size_t first = HEADER + 5 * SAMPLE_SIZE;
    memcpy(whole, content, size);
    struct text_buffer text;
    char at[40];
    for (size_t i = 0; i < size; i++) {
        whole[i] ^= 4;
        store(whole, size);
        whole[i] ^= 4;
        text = text_buffer_on(at, sizeof at);
        text_append(&text, "offset %zu", i < first ? (size_t)0 : first);
        assert_refused(at);
    }
}

static void counts_that_cannot_be(void **state)
{
    (void)state;
    file_of((const size_t[]){5, 9, 7, 0});
    size_t size = load();
    /* None, and more than a block may hold. */
    content[8] = 0;
    store(content, size);
    assert_refused("offset 0");
    content[8] = 1;
    content[10] = 1;
    store(content, size);
    assert_refused("offset 0");
    /* One that reaches beyond the end: not taken for a torn block, which would cost the rest. */
    content[8] = 5;
    content[9] = 200;
    content[10] = 0;
    store(content, size);
    assert_refused("offset 0");
    /* Likewise in the last block. */
    content[9] = 0;
    content[size - 7 * SAMPLE_SIZE - HEADER + 9] = 1;
    store(content, size);
    assert_refused("offset 512");
}

static void other_files_are_refused(void **state)
{
    (void)state;
    static const char text[] = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5";
    store(text, sizeof text - 1);
    assert_refused("offset 0");
    store(text, 5); /* shorter than a header, too */
    assert_refused("offset 0");
    store("CXTNDAT2", 8);
    assert_refused("offset 0");
}

static void one_writer_at_a_time(void **state)
{
    (void)state;
    struct sample_file *file;
    assert_int_equal(opened(&file), 0);
    append(file, 2, 1);
    (void)fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct sample_file *second;
        uint64_t count;
        struct diag diag = {0};
        enum caxton_status status = sample_file_open(path, &second, &count, &diag);
        bool told = strstr(diag.text, path) && strstr(diag.text, "another program");
        _exit(status == STATUS_IO && told ? 0 : 1);
    }
    int ended;
    assert_int_equal(waitpid(child, &ended, 0), child);
    assert_true(WIFEXITED(ended) && WEXITSTATUS(ended) == 0);
    append(file, 2, 2);
    closed(file);
    assert_int_equal(opened(&file), 4);
    closed(file);
}

static void files_that_cannot_be_opened(void **state)
{
    (void)state;
    struct sample_file *file = NULL;
    uint64_t count;
    struct diag diag = {0};
    char missing[400];
    struct text_buffer text = text_buffer_on(missing, sizeof missing);
    text_append(&text, "%s/no/such/folder", folder);
    assert_int_equal(sample_file_open(missing, &file, &count, &diag), STATUS_IO);
    assert_non_null(strstr(diag.text, missing));
    assert_int_equal(sample_file_open(folder, &file, &count, &diag), STATUS_IO);
    assert_non_null(strstr(diag.text, folder));
}

int main(void)
{
    chess_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_file_grows_and_is_continued, without_file),
        cmocka_unit_test_setup(the_largest_block, without_file),
        cmocka_unit_test_setup(the_header_is_as_documented, without_file),
        cmocka_unit_test_setup(a_torn_end_is_cut_off, without_file),
        cmocka_unit_test_setup(damage_is_refused, without_file),
        cmocka_unit_test_setup(counts_that_cannot_be, without_file),
        cmocka_unit_test_setup(other_files_are_refused, without_file),
        cmocka_unit_test_setup(one_writer_at_a_time, without_file),
        cmocka_unit_test_setup(files_that_cannot_be_opened, without_file),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
