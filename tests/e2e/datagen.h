/* What tests of `caxton-datagen` share: a folder for its files, runs of it, and what every file
 * that it wrote must hold. */
#pragma once

#include "engine.h"

#include <sys/stat.h>

#include "chess/attacks.h"
#include "chess/movegen.h"
#include "eval/train/datagen/starts.h"
#include "eval/train/sample_file.h"

enum { HEADER = 32, BYTES_MAX = 1 << 20, ARGUMENTS_MAX = 24 };

static struct scratch scratch;
static struct process_result result;

static inline int set_up(void **state)
{
    (void)state;
    scratch_create(&scratch);
    return 0;
}

static const char *const names[] = {"a.cxd", "b.cxd", "labeller.sh", "openings.epd", "note", NULL};

static inline int tear_down(void **state)
{
    (void)state;
    scratch_remove(&scratch, names);
    return 0;
}

static inline int clean(void **state)
{
    (void)state;
    process_result_free(&result);
    for (int i = 0; names[i]; i++)
        (void)unlink(scratch_path(&scratch, names[i]));
    return 0;
}

/* A path that stays valid through one test's few uses of it. */
static inline const char *path_of(const char *name)
{
    static char paths[8][512];
    static int next;
    char *path = paths[next++ % 8];
    text_copy(path, sizeof paths[0], span_of(scratch_path(&scratch, name)));
    return path;
}

/* Starts `caxton-datagen -o OUTPUT` with further arguments up to NULL. */
static inline struct process *start(const char *output, const char *const *more)
{
    const char *arguments[ARGUMENTS_MAX] = {process_binary("DATAGEN_BINARY"), "-o",
                                            path_of(output)};
    for (int i = 0; more[i]; i++)
        arguments[3 + i] = more[i];
    return process_start(arguments);
}

static inline int run(const char *output, const char *const *more)
{
    process_result_free(&result);
    const char *arguments[ARGUMENTS_MAX] = {process_binary("DATAGEN_BINARY"), "-o",
                                            path_of(output)};
    for (int i = 0; more[i]; i++)
        arguments[3 + i] = more[i];
    result = process_run(arguments, NULL);
    return result.status;
}

#define ARGUMENTS(...)   ((const char *const[]){__VA_ARGS__, NULL})
#define RUN(output, ...) run(output, ARGUMENTS(__VA_ARGS__))

static inline size_t read_bytes(const char *name, uint8_t *bytes)
{
    FILE *file = fopen(path_of(name), "rb");
    assert_non_null(file);
    size_t size = fread(bytes, 1, BYTES_MAX, file);
    assert_int_equal(fclose(file), 0);
    assert_true(size < BYTES_MAX);
    return size;
}

/* Every block of the file must be whole and right. How many samples there are. */
static inline uint64_t count_samples(const char *name)
{
    struct stat before;
    struct stat after;
    struct sample_file *file;
    uint64_t samples;
    struct diag diag = {0};
    assert_int_equal(stat(path_of(name), &before), 0);
    if (sample_file_open(path_of(name), &file, &samples, &diag) != STATUS_OK)
        fail_msg("%s", diag.text);
    assert_int_equal(sample_file_close(file, &diag), STATUS_OK);
    assert_int_equal(stat(path_of(name), &after), 0);
    assert_int_equal(before.st_size, after.st_size); /* no torn end was cut off */
    return samples;
}

static inline bool is_legal(const struct position *pos, move m)
{
    move moves[MOVES_MAX];
    int count = movegen_legal(pos, moves);
    for (int i = 0; i < count; i++)
        if (moves[i] == m)
            return true;
    return false;
}

struct summary {
    uint64_t samples;
    uint64_t games;
    uint64_t results[SAMPLE_NO_RESULT + 1];
    uint64_t chess960;
    uint64_t few_pieces;
};

/* Reads every sample: legal positions and moves, right flags, one result for each game. */
static inline struct summary check_samples(const char *name)
{
    static uint8_t bytes[BYTES_MAX];
    struct summary sum = {.samples = count_samples(name)};
    size_t size = read_bytes(name, bytes);
    for (size_t at = 0; at < size;) {
        size_t count = bytes[at + 8] | (size_t)bytes[at + 9] << 8 | (size_t)bytes[at + 10] << 16;
        const uint8_t *sample = bytes + at + HEADER;
        int result_of_game = -1; /* a game lies in one block */
        for (size_t i = 0; i < count; i++, sample += SAMPLE_SIZE) {
            struct position pos;
            struct sample_label label;
            uint8_t again[SAMPLE_SIZE];
            assert_int_equal(sample_unpack(sample, &pos, &label), STATUS_OK);
            assert_true(label.best == MOVE_NONE ? label.result == SAMPLE_NO_RESULT
                                                : is_legal(&pos, label.best));
            sample_pack(&pos, &label, again);
            assert_memory_equal(sample, again, SAMPLE_SIZE);
            sum.few_pieces += bb_count(position_occupied(&pos)) <= ENDING_PIECES_MAX;
            assert_in_range(label.result, 0, SAMPLE_NO_RESULT);
            sum.games += label.first;
            sum.results[label.result]++;
            if (label.first)
                result_of_game = label.result;
            if (label.result == SAMPLE_NO_RESULT)
                continue;
            assert_int_equal(label.result, result_of_game);
        }
        at += HEADER + count * SAMPLE_SIZE;
    }
    return sum;
}

/* One line on standard error, with `what` in it, and nothing else. */
static inline void assert_one_error(const char *errors, const char *what)
{
    const char *end = strchr(errors, '\n');
    assert_true(end && end[1] == '\0');
    if (strncmp(errors, "caxton-datagen: ", 16) != 0 || !strstr(errors, what))
        fail_msg("'%s' does not say '%s'", errors, what);
}
