#define _XOPEN_SOURCE 700 /* realpath */

#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"

static enum caxton_status refuse(enum caxton_status status, const char *name, const char *why,
                                 struct diag *diag)
{
    diag_set(diag, 0, 0, "%s: %s", name, why);
    return status;
}

/* expected: the size as the system says it, 0 = not known. */
static enum caxton_status read_all(FILE *stream, const char *name, uint64_t expected, uint64_t max,
                                   uint8_t **bytes, size_t *size, struct diag *diag)
{
    enum { CAPACITY_FIRST = 1 << 16 };
    if (expected > max || expected >= SIZE_MAX / 2)
        return refuse(STATUS_RANGE, name, "too large to be read into memory", diag);
    /* One more than needed shows the end without another round. */
    size_t capacity = expected ? (size_t)expected + 1 : CAPACITY_FIRST;
    uint8_t *data = malloc(capacity);
    size_t used = 0;
    while (data) {
        used += fread(data + used, 1, capacity - used, stream);
        if (used < capacity || used > max)
            break;
        uint8_t *more = capacity < SIZE_MAX / 2 ? realloc(data, 2 * capacity) : NULL;
        if (!more)
            free(data);
        data = more;
        capacity *= 2;
    }
    if (!data)
        return refuse(STATUS_NO_MEMORY, name, "out of memory", diag);
    if (used > max || ferror(stream)) {
        int error = errno;
        free(data);
        return used > max ? refuse(STATUS_RANGE, name, "too large to be read into memory", diag)
                          : refuse(STATUS_IO, name, strerror(error), diag);
    }
    *bytes = data;
    *size = used;
    return STATUS_OK;
}

enum caxton_status file_read_stream(FILE *stream, const char *name, uint64_t max, uint8_t **bytes,
                                    size_t *size, struct diag *diag)
{
    return read_all(stream, name, 0, max, bytes, size, diag);
}

enum caxton_status file_read(const char *path, uint64_t max, uint8_t **bytes, size_t *size,
                             struct diag *diag)
{
    /* Opening a pipe would wait for its writer. */
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    struct stat info;
    if (file < 0)
        return refuse(STATUS_IO, path, strerror(errno), diag);
    const char *why = NULL;
    if (fstat(file, &info) != 0)
        why = strerror(errno);
    else if (S_ISDIR(info.st_mode))
        why = "is a folder, not a file";
    else if (!S_ISREG(info.st_mode))
        why = "is a pipe or a device, not a file";
    FILE *stream = why ? NULL : fdopen(file, "rb");
    if (!stream) {
        why = why ? why : strerror(errno);
        (void)close(file);
        return refuse(STATUS_IO, path, why, diag);
    }
    enum caxton_status status =
        read_all(stream, path, (uint64_t)info.st_size, max, bytes, size, diag);
    (void)fclose(stream); /* only read from */
    return status;
}

enum file_kind file_kind_of(const char *path, uint64_t *size)
{
    struct stat info;
    bool is_there = stat(path, &info) == 0;
    bool is_regular = is_there && S_ISREG(info.st_mode);
    if (size)
        *size = is_regular ? (uint64_t)info.st_size : 0;
    if (is_regular)
        return FILE_REGULAR;
    return !is_there ? FILE_ABSENT : S_ISDIR(info.st_mode) ? FILE_FOLDER : FILE_OTHER;
}

static bool is_same_inode(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static bool copy_path(const char *path, char *out, size_t capacity)
{
    size_t size = strlen(path) + 1;
    if (size > capacity) {
        errno = ENAMETOOLONG;
        return false;
    }
    memmove(out, path, size);
    return true;
}

/* Puts the path that the link at `path` names in its place. Relative ones begin in its folder. */
static bool follow_link(char *path, size_t capacity)
{
    char target[PATH_MAX];
    ssize_t size = readlink(path, target, sizeof target - 1);
    if (size < 0)
        return false;
    target[size] = '\0';
    char *slash = target[0] == '/' ? NULL : strrchr(path, '/');
    size_t folder = slash ? (size_t)(slash - path) + 1 : 0;
    return copy_path(target, path + folder, capacity - folder);
}

bool file_resolve(const char *path, char *out, size_t capacity)
{
    enum { LINKS_MAX = 40 }; /* as Linux follows them */
    char resolved[PATH_MAX];
    if (!*path) {
        errno = ENOENT;
        return false;
    }
    if (realpath(path, resolved))
        return copy_path(resolved, out, capacity);
    if (errno != ENOENT || !copy_path(path, out, capacity))
        return false;
    struct stat info;
    for (int i = 0; lstat(out, &info) == 0 && S_ISLNK(info.st_mode); i++) {
        if (i == LINKS_MAX) {
            errno = ELOOP;
            return false;
        }
        if (!follow_link(out, capacity))
            return false;
    }
    return true;
}

/* *name: the part of `path` behind its folder. */
static void split(const char *path, char folder[PATH_MAX], const char **name)
{
    const char *slash = strrchr(path, '/');
    size_t size = slash ? (size_t)(slash - path) + 1 : 0;
    text_copy(folder, PATH_MAX, size ? span_make(path, size) : span_of("."));
    *name = path + size;
}

/* Of files that are not there yet. */
static bool is_same_place(const char *a, const char *b)
{
    char paths[2][PATH_MAX];
    char folders[2][PATH_MAX];
    const char *names[2];
    struct stat infos[2];
    if (!file_resolve(a, paths[0], PATH_MAX) || !file_resolve(b, paths[1], PATH_MAX))
        return false;
    for (int i = 0; i < 2; i++) {
        split(paths[i], folders[i], &names[i]);
        if (stat(folders[i], &infos[i]) != 0)
            return false;
    }
    return strcmp(names[0], names[1]) == 0 && is_same_inode(&infos[0], &infos[1]);
}

bool file_is_same(const char *a, const char *b)
{
    struct stat info_a;
    struct stat info_b;
    bool is_a = stat(a, &info_a) == 0;
    bool is_b = stat(b, &info_b) == 0;
    if (is_a && is_b)
        return S_ISREG(info_a.st_mode) && is_same_inode(&info_a, &info_b);
    return !is_a && !is_b && is_same_place(a, b);
}

bool file_is_terminal(FILE *stream)
{
    return isatty(fileno(stream)) == 1;
}

void file_current_folder(char *out, size_t capacity)
{
    if (!getcwd(out, capacity))
        text_copy(out, capacity, span_of("."));
}

enum caxton_status file_make_folder(const char *path, struct diag *diag)
{
    if (mkdir(path, 0777) == 0 || (errno == EEXIST && file_kind_of(path, NULL) == FILE_FOLDER))
        return STATUS_OK;
    return refuse(STATUS_IO, path, strerror(errno), diag);
}

bool file_own_path(char *out, size_t capacity)
{
    ssize_t size = readlink("/proc/self/exe", out, capacity);
    if (size <= 0 || (size_t)size >= capacity)
        return false;
    out[size] = '\0';
    return true;
}
