#include "base/raw_file.h"

#include <errno.h>
#include <string.h>

#include "base/system.h"

enum { STDIN = 0 }; /* its descriptor */

static enum caxton_status fault(struct diag *diag)
{
    return diag_fail(STATUS_IO, diag, "%s", strerror(errno));
}

enum caxton_status raw_file_open(const char *path, struct raw_file *out, struct diag *diag)
{
    struct raw_file file = {.standard = strcmp(path, "-") == 0};
    file.file = file.standard ? STDIN : system_open(path, SYSTEM_READ);
    struct system_info info;
    if (file.file < 0)
        return fault(diag);
    if (!system_look_open(file.file, &info)) {
        enum caxton_status status = fault(diag);
        raw_file_close(&file);
        return status;
    }
    /* Pipes are welcome; a device such as /dev/zero may have no end. */
    bool is_device =
        info.kind == SYSTEM_BLOCKS || (info.kind == SYSTEM_CHARACTERS && !file.standard);
    if (info.kind == SYSTEM_FOLDER || is_device) {
        raw_file_close(&file);
        return diag_fail(STATUS_IO, diag, is_device ? "is a device, not a file" : "is a folder");
    }
    file.size = info.size;
    *out = file;
    return STATUS_OK;
}

enum caxton_status raw_file_read(const struct raw_file *file, void *buffer, size_t capacity,
                                 size_t *size, struct diag *diag)
{
    int64_t got = system_read(file->file, buffer, capacity);
    if (got < 0)
        return fault(diag);
    *size = (size_t)got;
    return STATUS_OK;
}

enum caxton_status raw_file_read_at(const struct raw_file *file, uint64_t start, void *bytes,
                                    size_t size, struct diag *diag)
{
    for (size_t done = 0; done < size;) {
        int64_t got =
            system_read_at(file->file, start + done, (uint8_t *)bytes + done, size - done);
        if (got < 0)
            return fault(diag);
        if (got == 0)
            return diag_fail(STATUS_FORMAT, diag, "the file is cut short");
        done += (size_t)got;
    }
    return STATUS_OK;
}

void raw_file_close(struct raw_file *file)
{
    if (!file->standard)
        system_close(file->file); /* only read from */
}
