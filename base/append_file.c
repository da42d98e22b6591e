#include "base/append_file.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/system.h"

struct append_file {
    int file;
    uint64_t size;
    char *path;
};

static enum caxton_status fault(const char *path, const char *why, struct diag *diag)
{
    diag_set(diag, 0, 0, "%s: %s", path, why);
    return STATUS_IO;
}

static enum caxton_status system_fault(const struct append_file *file, struct diag *diag)
{
    return fault(file->path, strerror(errno), diag);
}

/* Locks the open file and learns its size. */
static enum caxton_status prepare(struct append_file *file, struct diag *diag)
{
    struct system_info info;
    struct system_info named;
    if (!system_look_open(file->file, &info))
        return system_fault(file, diag);
    if (info.kind != SYSTEM_REGULAR)
        return fault(file->path, "is a pipe or a device, not a file", diag);
    if (!system_lock(file->file) && errno == EWOULDBLOCK)
        return fault(file->path, "is in use by another program", diag);
    if (!system_look_open(file->file, &info)) /* who had the lock may have added to it, */
        return system_fault(file, diag);
    if (!system_look(file->path, &named) || !system_is_same(&named, &info))
        return fault(file->path, "is in use by another program", diag); /* or replaced it */
    file->size = info.size;
    return STATUS_OK;
}

enum caxton_status append_file_open(const char *path, struct append_file **out, struct diag *diag)
{
    struct append_file *file = calloc(1, sizeof *file);
    char *copy = strdup(path);
    if (!file || !copy) {
        free(file);
        free(copy);
        diag_set(diag, 0, 0, "%s: out of memory", path);
        return STATUS_NO_MEMORY;
    }
    *file = (struct append_file){.file = system_open(path, SYSTEM_JOURNAL), .path = copy};
    enum caxton_status status = file->file < 0 ? system_fault(file, diag) : prepare(file, diag);
    if (status == STATUS_OK)
        *out = file;
    else
        append_file_close(file);
    return status;
}

uint64_t append_file_size(const struct append_file *file)
{
    return file->size;
}

enum caxton_status append_file_read(const struct append_file *file, uint64_t start, void *bytes,
                                    size_t size, struct diag *diag)
{
    size_t done = 0;
    while (done < size) {
        int64_t got = system_read_at(file->file, start + done, (char *)bytes + done, size - done);
        if (got < 0)
            return system_fault(file, diag);
        if (got == 0)
            return fault(file->path, "the file ended before its size", diag);
        done += (size_t)got;
    }
    return STATUS_OK;
}

enum caxton_status append_file_cut(struct append_file *file, uint64_t size, struct diag *diag)
{
    if (!system_cut(file->file, size))
        return system_fault(file, diag);
    file->size = size;
    return STATUS_OK;
}

/* Drops what a failed write left behind the end. Where that fails, too, it is up to readers. */
static bool drop_rest(const struct append_file *file)
{
    return system_cut(file->file, file->size);
}

enum caxton_status append_file_add(struct append_file *file, const void *bytes, size_t size,
                                   struct diag *diag)
{
    size_t done = 0;
    while (done < size) {
        int64_t written =
            system_write_at(file->file, file->size + done, (const char *)bytes + done, size - done);
        if (written <= 0) {
            enum caxton_status status = written < 0 ? system_fault(file, diag)
                                                    : fault(file->path, "cannot be written", diag);
            (void)drop_rest(file);
            return status;
        }
        done += (size_t)written;
    }
    file->size += size;
    return STATUS_OK;
}

enum caxton_status append_file_sync(struct append_file *file, struct diag *diag)
{
    return system_sync(file->file) ? STATUS_OK : system_fault(file, diag);
}

void append_file_close(struct append_file *file)
{
    if (!file)
        return;
    if (file->file >= 0)
        system_close(file->file); /* append_file_sync() has told of faults */
    free(file->path);
    free(file);
}
