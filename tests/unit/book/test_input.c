/* Packed files, each of two frames or members: the same bytes whatever the packing; damage is
 * named. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <unistd.h>

#include "book/count/input/input.h"

#define PACKED TEST_DATA_DIR "/packed/games.pgn"
enum { TEXT_MAX = 1 << 14 };

static char plain[TEXT_MAX];
static size_t plain_size;

/* Everything behind `path`, asked for `step` bytes at a time. */
static enum caxton_status read_all(const char *path, size_t step, char *out, size_t *size,
                                   char fault[200], const char **packing)
{
    struct input *input;
    struct diag diag;
    *size = 0;
    enum caxton_status status = input_open(path, &input, &diag);
    if (status != STATUS_OK) {
        (void)snprintf(fault, 200, "%s", diag.text);
        return status;
    }
    for (size_t got = 1; status == STATUS_OK && got > 0; *size += got) {
        assert_true(*size + step <= TEXT_MAX);
        got = 0;
        status = input_read(input, out + *size, step, &got);
    }
    (void)snprintf(fault, 200, "%s", input_fault(input));
    const char *name = input_packing(input);
    *packing = name;
    assert_true(status != STATUS_OK || input_bytes_read(input) == input_bytes_total(input));
    input_close(input);
    return status;
}

static const struct {
    const char *path;
    const char *packing;
} files[] = {
    {PACKED, "plain"},    {PACKED ".gz", "gzip"},  {PACKED ".bz2", "bzip2"},
    {PACKED ".xz", "xz"}, {PACKED ".zst", "zstd"}, {PACKED ".zip", "ZIP"},
};

static bool was_built_without(const char *fault)
{
    return strstr(fault, "built without") != NULL;
}

static int read_plain(void **state)
{
    (void)state;
    FILE *file = fopen(PACKED, "rb");
    if (!file)
        return -1;
    plain_size = fread(plain, 1, sizeof plain, file);
    return fclose(file);
}

static void all_packings_read_alike(void **state)
{
    (void)state;
    char text[TEXT_MAX];
    char fault[200];
    const char *packing;
    size_t size;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        for (size_t step = 1; step <= 1024; step += 1023) {
            enum caxton_status status = read_all(files[i].path, step, text, &size, fault, &packing);
            if (status == STATUS_FORMAT && was_built_without(fault)) {
                print_message("%s\n", fault);
                continue;
            }
            assert_int_equal(status, STATUS_OK);
            assert_string_equal(packing, files[i].packing);
            assert_int_equal(size, plain_size);
            assert_memory_equal(text, plain, size);
        }
}

/* Copies the first `size` bytes of a file, byte `flip` changed. */
static void write_damaged(const char *from, const char *to, size_t size, size_t flip)
{
    uint8_t bytes[TEXT_MAX];
    FILE *file = fopen(from, "rb");
    assert_non_null(file);
    size_t read = fread(bytes, 1, sizeof bytes, file);
    assert_int_equal(fclose(file), 0);
    size = size < read ? size : read;
    if (flip < size)
        bytes[flip] ^= 0x55;
    file = fopen(to, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void damage_is_named(void **state)
{
    (void)state;
    char path[] = "/tmp/caxton_input_XXXXXX";
    char text[TEXT_MAX];
    char fault[200];
    const char *packing;
    size_t size;
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0 && close(descriptor) == 0);
    for (size_t i = 1; i < sizeof files / sizeof *files; i++) {
        write_damaged(files[i].path, path, 60, SIZE_MAX);
        enum caxton_status status = read_all(path, 1024, text, &size, fault, &packing);
        assert_int_equal(status, STATUS_FORMAT);
        assert_true(was_built_without(fault) || strstr(fault, "cut"));
        assert_non_null(strstr(fault, files[i].packing));

        write_damaged(files[i].path, path, SIZE_MAX, 60);
        status = read_all(path, 1024, text, &size, fault, &packing);
        assert_int_equal(status, STATUS_FORMAT);
        assert_non_null(strstr(fault, files[i].packing));
    }
    assert_int_equal(unlink(path), 0);
}

/* What a file of these bytes is said to have wrong. */
static enum caxton_status read_bytes(const uint8_t *bytes, size_t size, uint64_t memory,
                                     char fault[200])
{
    char path[] = "/tmp/caxton_input_XXXXXX";
    char text[64];
    struct input *input;
    struct diag diag;
    FILE *file = fdopen(mkstemp(path), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    enum caxton_status status = input_open_within(path, memory, &input, &diag);
    (void)snprintf(fault, 200, "%s", diag.text);
    if (status == STATUS_OK) {
        status = input_read(input, text, sizeof text, &size);
        (void)snprintf(fault, 200, "%s", input_fault(input));
        input_close(input);
    }
    assert_int_equal(unlink(path), 0); /* an open file stays on Windows */
    return status;
}

/* The first bytes of an xz file, up to the dictionary; a zstd frame with an empty block. */
#define XZ(...)                                                                                    \
    {                                                                                              \
        0xFD, '7', 'z', 'X', 'Z', 0, 0, 1, 0x69, 0x22, 0xDE, 0x36, 2, 0, 0x21, 1, __VA_ARGS__      \
    }
#define ZSTD(...)                                                                                  \
    {                                                                                              \
        0x28, 0xB5, 0x2F, 0xFD, __VA_ARGS__, 1, 0, 0                                               \
    }

static void memory_has_a_limit(void **state)
{
    (void)state;
    static const struct {
        uint8_t bytes[28];
        size_t size;
        uint64_t memory_mb; /* 0: no option says it */
        const char *fault;  /* NULL: none but that an xz file ends here */
    } wants[] = {
        {XZ(0x1C, 0, 0, 0, 0x10, 0xCF, 0x58, 0xCC), 24, 0, NULL}, /* xz -9: 64 MB */
        {XZ(0x1C, 0, 0, 0, 0x10, 0xCF, 0x58, 0xCC), 24, 64,
         "takes 65 MB of memory, more than the "
         "64 MB allowed: unpack it first, or "
         "--memory 65"},
        {XZ(0x1C, 0, 0, 0, 0x10, 0xCF, 0x58, 0xCC), 24, 65, NULL},
        {XZ(0x24, 0, 0, 0, 0x5E, 0x1F, 0xC7, 0xF9), 24, 256, "by xz takes 1025 MB"},
        {XZ(0x28, 0, 0, 0, 0xE6, 0xA0, 0x11, 0xB3), 24, 0, "by xz takes 4097 MB"},
        {ZSTD(0, 0x68), 9, 1, NULL}, /* 8 MB */
        {ZSTD(0, 0x88), 9, 0, NULL}, /* zstd --ultra -22: 128 MB */
        {ZSTD(0, 0x88), 9, 64, "more than the 64 MB allowed: unpack it first, or --memory 128"},
        {ZSTD(0, 0x89), 9, 128, "by zstd takes 256 MB"},
        {ZSTD(0, 0xA0), 9, 0, "by zstd takes 1024 MB"},
        {ZSTD(0xE0, 0, 0, 0, 0x40, 0, 0, 0, 0), 16, 0, "by zstd takes 1024 MB"},
        {ZSTD(0, 0xF8), 9, 0, "damaged zstd data near byte 0: "},
    };
    for (size_t i = 0; i < sizeof wants / sizeof *wants; i++) {
        char fault[200];
        bool is_xz = wants[i].bytes[0] == 0xFD;
        enum caxton_status status =
            read_bytes(wants[i].bytes, wants[i].size, wants[i].memory_mb << 20, fault);
        if (status == STATUS_FORMAT && was_built_without(fault))
            continue;
        assert_int_equal(status, wants[i].fault || is_xz ? STATUS_FORMAT : STATUS_OK);
        if (wants[i].fault || is_xz)
            assert_non_null(strstr(fault, wants[i].fault ? wants[i].fault : "cut xz data"));
        assert_true(wants[i].memory_mb || !strstr(fault, "--memory"));
    }
}

static void closing_early_is_allowed(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct input *input;
        char byte;
        size_t size;
        if (input_open(files[i].path, &input, NULL) != STATUS_OK)
            continue;
        assert_int_equal(input_read(input, &byte, 1, &size), STATUS_OK);
        input_close(input);
    }
}

static void what_is_no_file_is_named(void **state)
{
    (void)state;
    struct input *input;
    struct diag diag = {.text = ""};
    assert_int_equal(input_open("/no/such/file", &input, &diag), STATUS_IO);
    assert_non_null(strstr(diag.text, "/no/such/file"));
    assert_int_equal(input_open("/tmp", &input, &diag), STATUS_IO);
    assert_non_null(strstr(diag.text, "folder"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_packings_read_alike),  cmocka_unit_test(damage_is_named),
        cmocka_unit_test(memory_has_a_limit),       cmocka_unit_test(closing_early_is_allowed),
        cmocka_unit_test(what_is_no_file_is_named),
    };
    return cmocka_run_group_tests(tests, read_plain, NULL);
}
