#define _XOPEN_SOURCE 700 /* realpath */

#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/text.h"

/* expected: the size as the system says it. */
static enum caxton_status read_all(FILE *stream, const char *name, uint64_t expected, uint64_t max,
                                   uint8_t **bytes, size_t *size, struct diag *diag)
{
    if (expected > max || expected >= SIZE_MAX / 2)
        return diag_fail(STATUS_RANGE, diag, "%s: too large to be read into memory", name);
    uint8_t *data = NULL;
    size_t used = 0;
    size_t capacity = 0;
    size_t needed = (size_t)expected + 1; /* one more shows the end without another round */
    do {
        if (!ARRAY_GROW(data, capacity, needed)) {
            free(data);
            return diag_fail(STATUS_NO_MEMORY, diag, "%s: out of memory", name);
        }
        used += fread(data + used, 1, capacity - used, stream);
        needed = used + 1;
    } while (used == capacity && used <= max);
    if (used > max || ferror(stream)) {
        const char *why = used > max ? "too large to be read into memory" : strerror(errno);
        diag_set(diag, 0, 0, "%s: %s", name, why);
        free(data);
        return used > max ? STATUS_RANGE : STATUS_IO;
    }
    *bytes = data;
    *size = used;
    return STATUS_OK;
}

enum caxton_status file_read(const char *path, uint64_t max, uint8_t **bytes, size_t *size,
                             struct diag *diag)
{
    /* Opening a pipe would wait for its writer. */
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    struct stat info;
    if (file < 0)
        return diag_fail(STATUS_IO, diag, "%s: %s", path, strerror(errno));
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
        return diag_fail(STATUS_IO, diag, "%s: %s", path, why);
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
    return diag_fail(STATUS_IO, diag, "%s: %s", path, strerror(errno));
}

bool file_own_path(char *out, size_t capacity)
{
    ssize_t size = readlink("/proc/self/exe", out, capacity);
    if (size <= 0 || (size_t)size >= capacity)
        return false;
    out[size] = '\0';
    return true;
}

/* OPEN_WANTED: more than any merge reads side by side. OPEN_LEAST: POSIX promises 20. */
enum { OPEN_WANTED = 4096, OPEN_LEAST = 20 };

void file_raise_open_max(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= OPEN_WANTED)
        return;
    limit.rlim_cur = limit.rlim_max < OPEN_WANTED ? limit.rlim_max : OPEN_WANTED;
    (void)setrlimit(RLIMIT_NOFILE, &limit); /* what there is must do */
}

size_t file_open_max(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur < OPEN_LEAST)
        return OPEN_LEAST;
    return limit.rlim_cur < OPEN_WANTED ? (size_t)limit.rlim_cur : OPEN_WANTED;
}

static const struct {
    const char *magic;
    size_t size;
    const char *name;
} file_types[] = {
    {"\x1F\x8B", 2, "packed by gzip: unpack it first"},
    {"BZh", 3, "packed by bzip2: unpack it first"},
    {"\3757zXZ\0", 6, "packed by xz: unpack it first"}, /* octal: no more than three digits */
    {"\x28\xB5\x2F\xFD", 4, "packed by zstd: unpack it first"},
    {"PK\3\4", 4, "a ZIP archive: unpack it first"},
    {"PK\5\6", 4, "an empty ZIP archive"},
    {"7z\xBC\xAF\x27\x1C", 6, "a 7z archive: unpack it first"},
    {"Rar!\x1A\7", 6, "a RAR archive: unpack it first"},
    {"\177ELF", 4, "a program (ELF)"},
    {"MZ", 2, "a program (EXE)"},
    {"\xFF\xFE", 2, "text in UTF-16: save it as UTF-8"},
    {"\xFE\xFF", 2, "text in UTF-16: save it as UTF-8"},
    {"%PDF-", 5, "a PDF document"},
    {"\x89PNG", 4, "a PNG picture"},
    {"\xFF\xD8\xFF", 3, "a JPEG picture"},
    {"SQLite format 3", 16, "an SQLite database"},
};

/* Text in UTF-16 without a mark has a 0 beside each of its characters. */
static bool is_utf16(const uint8_t *bytes, size_t size)
{
    enum { LOOKED_AT = 32 };
    size_t zeros[2] = {0};
    for (size_t i = 0; i < LOOKED_AT && i < size; i++)
        zeros[i & 1] += bytes[i] == 0;
    return size >= LOOKED_AT && zeros[0] + zeros[1] == LOOKED_AT / 2 &&
           (zeros[0] == 0 || zeros[1] == 0);
}

const char *file_type_name(const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < sizeof file_types / sizeof *file_types; i++)
        if (size >= file_types[i].size &&
            memcmp(bytes, file_types[i].magic, file_types[i].size) == 0)
            return file_types[i].name;
    return is_utf16(bytes, size) ? "text in UTF-16: save it as UTF-8" : NULL;
}
