/* Statistics files in memory, of tallies that a test makes up. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "book/statistics/wld_file.h"

enum { FILE_MAX = 1 << 20, TALLIES_MAX = 20000 };

struct file {
    uint8_t *bytes;
    size_t size;
    size_t at;
    size_t step; /* no read gives more; 0 = any */
};

/* The bytes of `stream`, which is closed. */
static inline struct file file_take(FILE *stream)
{
    struct file file = {.bytes = malloc(FILE_MAX)};
    assert_non_null(file.bytes);
    rewind(stream);
    file.size = fread(file.bytes, 1, FILE_MAX, stream);
    assert_int_equal(fclose(stream), 0);
    return file;
}

/* A wld_reader reads a struct file by it. */
static inline enum caxton_status read_file(void *context, char *buffer, size_t capacity,
                                           size_t *size)
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

/* The statistics file of `tallies`, which are sorted. The caller frees its bytes. */
static inline struct file write_file(const char *options, const struct tally *tallies, size_t count)
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

static inline uint64_t next_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state ^ *state >> 29;
}

static inline int compare(const void *a, const void *b)
{
    return tally_compare(a, b);
}

/* Sorted, each (key, move) once; some counts are large. */
static inline size_t random_tallies(uint64_t seed, size_t count, uint64_t keys, struct tally *out)
{
    for (size_t i = 0; i < count; i++) {
        out[i] =
            (struct tally){.key = (next_random(&seed) >> 20) % keys * UINT64_C(0x9E3779B97F4A7C15),
                           .move = (uint16_t)((next_random(&seed) >> 30) % 4)};
        for (int j = 0; j < OUTCOMES; j++)
            out[i].counts[j] = next_random(&seed) >> 30 & 3;
        out[i].counts[i % 3] += i % 50 == 0 ? TALLY_GAMES_MAX / 8 : 1;
    }
    qsort(out, count, sizeof *out, compare);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || tally_compare(&out[kept - 1], &out[i]) != 0)
            out[kept++] = out[i];
    return kept;
}
