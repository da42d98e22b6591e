#include "book/open/open.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "book/formats/statistics/wld_format.h"
#include "book/open/builtin.h"
#include "book/open/formats.h"

/* Takes `owned` over, also on failure. */
static enum caxton_status open_bytes(const uint8_t *bytes, uint8_t *owned, size_t size,
                                     const char *name, struct book **out, struct diag *diag)
{
    return book_create(formats_find(bytes, size, name), bytes, owned, size, name, out, diag);
}

static enum caxton_status open_path(const char *path, struct book **out, struct diag *diag)
{
    uint8_t *bytes;
    size_t size;
    enum caxton_status status = wld_disk_open(path, out, diag);
    if (status != STATUS_NOT_FOUND)
        return status;
    status = file_read(path, BOOK_BYTES_MAX, &bytes, &size, diag);
    return status == STATUS_OK ? open_bytes(bytes, bytes, size, path, out, diag) : status;
}

enum caxton_status book_open(const char *path, struct book **out, struct diag *diag)
{
    char *book = span_duplicate(span_of(path));
    if (!book)
        return STATUS_NO_MEMORY;
    size_t size = strlen(book);
    struct span end = span_of(size > 4 ? book + size - 4 : "");
    if (span_equal_nocase(end, ".ctb") || span_equal_nocase(end, ".cto"))
        book[size - 1] = book[size - 1] < 'a' ? 'G' : 'g';
    enum caxton_status status = open_path(book, out, diag);
    free(book);
    return status;
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

bool book_is_builtin(const struct book *book)
{
    return strcmp(book_name(book), "built-in") == 0;
}
