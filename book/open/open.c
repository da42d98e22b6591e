#include "book/open/open.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "book/open/builtin.h"
#include "book/open/formats.h"

/* Takes `owned` over, also on failure. */
static enum caxton_status open_bytes(const uint8_t *bytes, uint8_t *owned, size_t size,
                                     const char *name, struct book **out, struct diag *diag)
{
    return book_create(formats_find(bytes, size), bytes, owned, size, name, out, diag);
}

/* The whole of an open file; its size is known beforehand for plain files only. */
static enum caxton_status read_all(FILE *file, size_t expected, uint8_t **out, size_t *size)
{
    size_t capacity = expected + 1; /* one more than needed shows the end without another round */
    uint8_t *bytes = malloc(capacity);
    size_t used = 0;
    while (bytes) {
        used += fread(bytes + used, 1, capacity - used, file);
        if (used < capacity)
            break;
        capacity *= 2;
        uint8_t *more = realloc(bytes, capacity);
        if (!more)
            free(bytes);
        bytes = more;
    }
    if (!bytes)
        return STATUS_NO_MEMORY;
    if (ferror(file)) {
        free(bytes);
        return STATUS_IO;
    }
    *out = bytes;
    *size = used;
    return STATUS_OK;
}

enum caxton_status book_open(const char *path, struct book **out, struct diag *diag)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        diag_set(diag, 0, 0, "%s: %s", path, strerror(errno));
        return STATUS_IO;
    }
    struct stat info;
    if (fstat(fileno(file), &info) == 0 && S_ISDIR(info.st_mode)) {
        (void)fclose(file);
        diag_set(diag, 0, 0, "%s: is a folder, not a book", path);
        return STATUS_IO;
    }
    uint8_t *bytes = NULL;
    size_t size = 0;
    size_t expected = S_ISREG(info.st_mode) ? (size_t)info.st_size : 0;
    enum caxton_status status = read_all(file, expected, &bytes, &size);
    if (status != STATUS_OK)
        diag_set(diag, 0, 0, "%s: %s", path,
                 status == STATUS_IO ? strerror(errno) : status_name(status));
    (void)fclose(file); /* only read from */
    return status == STATUS_OK ? open_bytes(bytes, bytes, size, path, out, diag) : status;
}

enum caxton_status book_open_memory(const void *bytes, size_t size, const char *name,
                                    struct book **out, struct diag *diag)
{
    return open_bytes(bytes, NULL, size, name, out, diag);
}

enum caxton_status book_open_builtin(struct book **out)
{
    return open_bytes(builtin_book_start, NULL, (size_t)(builtin_book_end - builtin_book_start),
                      "built-in", out, NULL);
}
