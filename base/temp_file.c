#include "base/temp_file.h"

#include <errno.h>
#include <string.h>

#include "base/system.h"

const char *temp_folder(void)
{
    return system_temp_folder();
}

enum caxton_status temp_file_fault(const char *folder, const char *what, struct diag *diag)
{
    return diag_fail(STATUS_IO, diag, "%s: cannot %s a temporary file: %s", folder, what,
                     strerror(errno));
}

enum caxton_status temp_file_open(const char *folder, int *file, struct diag *diag)
{
    int opened = system_open_temporary(folder);
    if (opened < 0 && errno == ENAMETOOLONG)
        return diag_fail(STATUS_RANGE, diag, "the name of the temporary folder is too long");
    if (opened < 0)
        return temp_file_fault(folder, "create", diag);
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
    system_close(stream->file);
    return status;
}

enum caxton_status temp_file_write(int file, const void *bytes, size_t size, const char *folder,
                                   struct diag *diag)
{
    for (size_t done = 0; done < size;) {
        int64_t written = system_add(file, (const char *)bytes + done, size - done);
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
        int64_t got = system_read_at(file, start + done, (char *)bytes + done, size - done);
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
    system_close(file);
}
