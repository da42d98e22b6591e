#include "base/append_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILE_MODE = 0666 }; /* less the umask */

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
    struct stat info;
    if (fstat(file->file, &info) != 0)
        return system_fault(file, diag);
    if (!S_ISREG(info.st_mode))
        return fault(file->path, "is a pipe or a device, not a file", diag);
    if (flock(file->file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        return fault(file->path, "is in use by another program", diag);
    if (fstat(file->file, &info) != 0) /* who had the lock may have added to it */
        return system_fault(file, diag);
    file->size = (uint64_t)info.st_size;
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
    /* Without O_NONBLOCK a pipe would keep us waiting. */
    *file = (struct append_file){
        .file = open(path, O_RDWR | O_CREAT | O_NONBLOCK | O_CLOEXEC, FILE_MODE), .path = copy};
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
        ssize_t got =
            pread(file->file, (char *)bytes + done, size - done, (off_t)(start + (uint64_t)done));
        if (got < 0 && errno == EINTR)
            continue;
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
    if (ftruncate(file->file, (off_t)size) != 0)
        return system_fault(file, diag);
    file->size = size;
    return STATUS_OK;
}

/* Drops what a failed write left behind the end. Where that fails, too, it is up to readers. */
static bool drop_rest(const struct append_file *file)
{
    return ftruncate(file->file, (off_t)file->size) == 0;
}

enum caxton_status append_file_add(struct append_file *file, const void *bytes, size_t size,
                                   struct diag *diag)
{
    size_t done = 0;
    while (done < size) {
        ssize_t written = pwrite(file->file, (const char *)bytes + done, size - done,
                                 (off_t)(file->size + (uint64_t)done));
        if (written < 0 && errno == EINTR)
            continue;
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
    return fsync(file->file) == 0 ? STATUS_OK : system_fault(file, diag);
}

void append_file_close(struct append_file *file)
{
    if (!file)
        return;
    if (file->file >= 0)
        (void)close(file->file); /* append_file_sync() has told of faults */
    free(file->path);
    free(file);
}
