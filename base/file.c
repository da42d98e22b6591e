#include "base/file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/system.h"
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
    int file = system_open(path, SYSTEM_READ_AT_ONCE);
    struct system_info info;
    if (file < 0)
        return diag_fail(STATUS_IO, diag, "%s: %s", path, strerror(errno));
    const char *why = NULL;
    if (!system_look_open(file, &info))
        why = strerror(errno);
    else if (info.kind == SYSTEM_FOLDER)
        why = "is a folder, not a file";
    else if (info.kind != SYSTEM_REGULAR)
        why = "is a pipe or a device, not a file";
    FILE *stream = why ? NULL : fdopen(file, "rb");
    if (!stream) {
        why = why ? why : strerror(errno);
        system_close(file);
        return diag_fail(STATUS_IO, diag, "%s: %s", path, why);
    }
    enum caxton_status status = read_all(stream, path, info.size, max, bytes, size, diag);
    (void)fclose(stream); /* only read from */
    return status;
}

FILE *file_open(const char *path)
{
    int file = system_open(path, SYSTEM_READ);
    FILE *stream = file < 0 ? NULL : fdopen(file, "rb");
    if (file >= 0 && !stream) {
        int why = errno;
        system_close(file);
        errno = why;
    }
    return stream;
}

enum file_kind file_kind_of(const char *path, uint64_t *size)
{
    struct system_info info = {0};
    bool is_there = system_look(path, &info);
    if (size)
        *size = info.size;
    return !is_there                     ? FILE_ABSENT
           : info.kind == SYSTEM_REGULAR ? FILE_REGULAR
           : info.kind == SYSTEM_FOLDER  ? FILE_FOLDER
                                         : FILE_OTHER;
}

bool file_resolve(const char *path, char *out, size_t capacity)
{
    return system_resolve(path, out, capacity);
}

/* Of files that are not there yet. */
static bool will_be_same(const char *a, const char *b)
{
    char paths[2][SYSTEM_PATH_MAX];
    char folder[SYSTEM_PATH_MAX];
    const char *names[2];
    struct system_info infos[2];
    if (!file_resolve(a, paths[0], SYSTEM_PATH_MAX) || !file_resolve(b, paths[1], SYSTEM_PATH_MAX))
        return false;
    for (int i = 0; i < 2; i++) {
        names[i] = file_name_of(paths[i]);
        size_t size = (size_t)(names[i] - paths[i]);
        text_copy(folder, sizeof folder, size ? span_make(paths[i], size) : span_of("."));
        if (!system_look(folder, &infos[i]))
            return false;
    }
    return strcmp(names[0], names[1]) == 0 && system_is_same(&infos[0], &infos[1]);
}

bool file_is_same(const char *a, const char *b)
{
    struct system_info info_a;
    struct system_info info_b;
    bool is_a = system_look(a, &info_a);
    bool is_b = system_look(b, &info_b);
    if (is_a && is_b)
        return info_a.kind == SYSTEM_REGULAR && system_is_same(&info_a, &info_b);
    return !is_a && !is_b && will_be_same(a, b);
}

const char *file_name_of(const char *path)
{
    return system_file_name(path);
}

bool file_is_absolute(const char *path)
{
    return system_is_absolute(path);
}

bool file_is_terminal(FILE *stream)
{
    return system_is_terminal(stream);
}

void file_current_folder(char *out, size_t capacity)
{
    if (!system_current_folder(out, capacity))
        text_copy(out, capacity, span_of("."));
}

enum caxton_status file_make_folder(const char *path, struct diag *diag)
{
    if (system_make_folder(path) || (errno == EEXIST && file_kind_of(path, NULL) == FILE_FOLDER))
        return STATUS_OK;
    return diag_fail(STATUS_IO, diag, "%s: %s", path, strerror(errno));
}

bool file_own_path(char *out, size_t capacity)
{
    return system_own_path(out, capacity);
}

/* OPEN_WANTED: more than any merge reads side by side. OPEN_LEAST: POSIX promises 20. */
enum { OPEN_WANTED = 4096, OPEN_LEAST = 20 };

void file_raise_open_max(void)
{
    system_raise_open_max(OPEN_WANTED);
}

size_t file_open_max(void)
{
    size_t max = system_open_max();
    return max < OPEN_LEAST ? OPEN_LEAST : max < OPEN_WANTED ? max : OPEN_WANTED;
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
    {"CAXWLD\r\n", 8, "statistics of makebook (.wld)"},
    {"CAXGAM\r\n", 8, "sample games of makebook (.wld.games)"},
};

/* Text in UTF-16 without a mark has a 0 beside each of its characters. */
static bool is_utf16(const uint8_t *bytes, size_t size)
{
    size_t zeros[2] = {0};
    for (size_t i = 0; i < FILE_BEGIN_SIZE && i < size; i++)
        zeros[i & 1] += bytes[i] == 0;
    return size >= FILE_BEGIN_SIZE && zeros[0] + zeros[1] == FILE_BEGIN_SIZE / 2 &&
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

void file_begin_add(struct file_begin *begin, const void *bytes, size_t size)
{
    size_t room = FILE_BEGIN_SIZE - begin->size;
    size_t taken = size < room ? size : room;
    if (taken > 0)
        memcpy(begin->bytes + begin->size, bytes, taken);
    begin->size += taken;
}
