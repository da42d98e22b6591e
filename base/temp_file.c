#define _GNU_SOURCE /* O_TMPFILE */

#include "base/temp_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *temp_folder(void)
{
    const char *folder = getenv("TMPDIR");
    return folder && *folder ? folder : "/tmp";
}

enum caxton_status temp_file_fault(const char *folder, const char *what, struct diag *diag)
{
    return diag_fail(STATUS_IO, diag, "%s: cannot %s a temporary file: %s", folder, what,
                     strerror(errno));
}

enum caxton_status temp_file_open(const char *folder, int *file, struct diag *diag)
{
    /* Where the file system can, the file never has a name, so that not even a signal between two
     * calls leaves one behind. */
#ifdef O_TMPFILE
    int nameless = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (nameless >= 0) {
        *file = nameless;
        return STATUS_OK;
    }
#endif
    char path[4096];
    int length = snprintf(path, sizeof path, "%s/makebook.XXXXXX", folder);
    if (length < 0 || (size_t)length >= sizeof path)
        return diag_fail(STATUS_RANGE, diag, "the name of the temporary folder is too long");
    int opened = mkstemp(path);
    if (opened < 0 || unlink(path) != 0) {
        enum caxton_status status = temp_file_fault(folder, "create", diag);
        if (opened >= 0)
            (void)close(opened);
        return status;
    }
    *file = opened;
    return STATUS_OK;
}

enum caxton_status temp_file_stream(const char *folder, struct file_stream *stream, FILE **out,
                                    struct diag *diag)
{
    enum caxton_status status = temp_file_open(folder, &stream->file, diag);
    if (status != STATUS_OK)
        return status;
    *out = file_stream_open(stream);
    if (*out)
        return STATUS_OK;
    status = temp_file_fault(folder, "create", diag);
    (void)close(stream->file);
    return status;
}

enum caxton_status temp_file_write(int file, const void *bytes, size_t size, const char *folder,
                                   struct diag *diag)
{
    for (size_t done = 0; done < size;) {
        ssize_t written = write(file, (const char *)bytes + done, size - done);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return temp_file_fault(folder, "write", diag);
        done += (size_t)written;
    }
    return STATUS_OK;
}

enum caxton_status temp_file_read(int file, uint64_t start, void *bytes, size_t size,
                                  const char *folder, struct diag *diag)
{
    for (size_t done = 0; done < size;) {
        ssize_t got = pread(file, (char *)bytes + done, size - done, (off_t)(start + done));
        if (got < 0 && errno == EINTR)
            continue;
        if (got == 0)
            errno = EIO; /* the file is shorter than what was written to it */
        if (got <= 0)
            return temp_file_fault(folder, "read", diag);
        done += (size_t)got;
    }
    return STATUS_OK;
}

void temp_file_close(int file)
{
    (void)close(file);
}
