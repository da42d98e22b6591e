#include "base/raw_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static enum caxton_status fault(struct diag *diag)
{
    return diag_fail(STATUS_IO, diag, "%s", strerror(errno));
}

enum caxton_status raw_file_open(const char *path, struct raw_file *out, struct diag *diag)
{
    struct raw_file file = {.standard = strcmp(path, "-") == 0};
    file.file = file.standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    struct stat info;
    if (file.file < 0)
        return fault(diag);
    if (fstat(file.file, &info) != 0) {
        enum caxton_status status = fault(diag);
        raw_file_close(&file);
        return status;
    }
    /* Pipes are welcome; a device such as /dev/zero may have no end. */
    bool is_device = S_ISBLK(info.st_mode) || (S_ISCHR(info.st_mode) && !file.standard);
    if (S_ISDIR(info.st_mode) || is_device) {
        raw_file_close(&file);
        return diag_fail(STATUS_IO, diag, is_device ? "is a device, not a file" : "is a folder");
    }
    file.size = S_ISREG(info.st_mode) ? (uint64_t)info.st_size : 0;
    *out = file;
    return STATUS_OK;
}

enum caxton_status raw_file_read(const struct raw_file *file, void *buffer, size_t capacity,
                                 size_t *size, struct diag *diag)
{
    ssize_t got;
    do
        got = read(file->file, buffer, capacity);
    while (got < 0 && errno == EINTR);
    if (got < 0)
        return fault(diag);
    *size = (size_t)got;
    return STATUS_OK;
}

void raw_file_close(struct raw_file *file)
{
    if (!file->standard)
        (void)close(file->file); /* only read from */
}
