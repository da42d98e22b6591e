/* makebook under test, in a folder of its own. Include it once in a test program, after cmocka.h.
 */
#pragma once

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "process.h"

enum { WORDS_MAX = 40, PATHS_MAX = 64, FILE_MAX = 1 << 16 };

static char folder[64];

/* Good until PATHS_MAX more are asked for. */
static inline const char *path_of(const char *name)
{
    static char paths[PATHS_MAX][400];
    static unsigned next;
    char *path = paths[next++ % PATHS_MAX];
    (void)snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

/* "name.kind" in the folder. */
static inline const char *file_of(const char *name, const char *kind)
{
    char file[200];
    (void)snprintf(file, sizeof file, "%s.%s", name, kind);
    return path_of(file);
}

static inline void write_text(const char *name, const char *text)
{
    FILE *file = fopen(path_of(name), "wb");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static inline size_t read_bytes(const char *name, char *out)
{
    FILE *file = fopen(path_of(name), "rb");
    assert_non_null(file);
    size_t size = fread(out, 1, FILE_MAX, file);
    assert_int_equal(fclose(file), 0);
    assert_true(size < FILE_MAX);
    return size;
}

static inline bool exists(const char *name)
{
    struct stat info;
    return stat(path_of(name), &info) == 0;
}

static inline void assert_same_files(const char *a, const char *b)
{
    static char x[FILE_MAX];
    static char y[FILE_MAX];
    size_t size = read_bytes(a, x);
    assert_int_equal(size, read_bytes(b, y));
    assert_true(size > 0);
    assert_memory_equal(x, y, size);
}

static inline void assert_file(const char *name, const char *text)
{
    static char bytes[FILE_MAX];
    bytes[read_bytes(name, bytes)] = '\0';
    assert_string_equal(bytes, text);
}

static struct process_result result;

/* Runs makebook with the words up to NULL as they stand. */
static inline int run(const char *const *words)
{
    const char *arguments[WORDS_MAX + 2] = {process_binary("MAKEBOOK_BINARY")};
    int count = 1;
    for (; words[count - 1]; count++) {
        assert_true(count <= WORDS_MAX);
        arguments[count] = words[count - 1];
    }
    arguments[count] = NULL;
    process_result_free(&result);
    result = process_run(arguments, NULL);
    return result.status;
}

/* Runs makebook in the folder's files: words that end like a file of a test mean one of these. */
static inline int makebook(const char *const *words)
{
    const char *named[WORDS_MAX + 1];
    int count = 0;
    for (; words[count]; count++) {
        const char *word = words[count];
        const char *dot = strrchr(word, '.');
        bool is_file = dot && strlen(dot) == 4 && word[0] != '-' && strchr("pwbt", dot[1]);
        assert_true(count < WORDS_MAX);
        named[count] = is_file ? path_of(word) : word;
    }
    named[count] = NULL;
    return run(named);
}

#define RUN(...)      run((const char *const[]){__VA_ARGS__, NULL})
#define MAKEBOOK(...) makebook((const char *const[]){__VA_ARGS__, NULL})

static inline void assert_says(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("no \"%s\" in: %s", part, text);
}

static inline int create_folder(void)
{
    (void)snprintf(folder, sizeof folder, "/tmp/caxton-makebook.XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static inline int remove_folder(void **state)
{
    (void)state;
    process_result_free(&result);
    DIR *dir = opendir(folder);
    if (!dir)
        return -1;
    for (struct dirent *entry; (entry = readdir(dir));)
        if (entry->d_name[0] != '.')
            (void)unlink(path_of(entry->d_name));
    (void)closedir(dir);
    return rmdir(folder);
}
