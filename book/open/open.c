#include "book/open/open.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory_stream.h"
#include "book/formats/statistics/wld_format.h"
#include "book/open/builtin.h"
#include "book/open/formats.h"
#include "book/polyglot_entry.h"
#include "book/weigh/weigh.h"

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

/* Statistics as a stream, which the caller closes after the reader. */
static enum caxton_status read_statistics(const char *path, FILE **file, struct wld_reader **reader,
                                          struct diag *diag)
{
    *file = file_open(path);
    if (!*file)
        return diag_fail(STATUS_IO, diag, "%s: %s", path, strerror(errno));
    return wld_reader_create(wld_read_stream, *file, path, reader, diag);
}

static void close_statistics(FILE *file, struct wld_reader *reader)
{
    wld_reader_destroy(reader);
    if (file)
        (void)fclose(file); /* only read from */
}

enum caxton_status book_open_whole(const char *path, struct book **out, struct diag *diag)
{
    const struct wld_book_options options = {.weights = WLD_WEIGHTS_GAMES};
    FILE *file = NULL;
    struct wld_reader *reader = NULL;
    enum caxton_status status = read_statistics(path, &file, &reader, diag);
    if (status == STATUS_OK)
        status = wld_book_read(reader, path, &options, out, diag);
    close_statistics(file, reader);
    return status == STATUS_NOT_FOUND ? book_open(path, out, diag) : status;
}

enum caxton_status book_open_weighed(const char *path, struct weigh_options options,
                                     struct book **out, struct diag *diag)
{
    FILE *file = NULL;
    struct wld_reader *reader = NULL;
    struct weigh_report report;
    struct memory_stream made;
    enum caxton_status status = read_statistics(path, &file, &reader, diag);
    if (!memory_stream_open(&made) && status == STATUS_OK)
        status = diag_fail(STATUS_NO_MEMORY, diag, "%s: out of memory", path);
    if (status == STATUS_OK) {
        options.unit = wld_reader_info(reader)->unit;
        status = wld_weigh(reader, &options, made.file, &report, diag);
    }
    if (status == STATUS_OK && report.entries == 0)
        status = diag_fail(STATUS_NOT_FOUND, diag, "%s: no move is left", path);
    if (!memory_stream_close(&made) && status == STATUS_OK)
        status = diag_fail(STATUS_NO_MEMORY, diag, "%s: out of memory", path);
    if (status == STATUS_OK)
        status = book_open_entries(&made, wld_reader_info(reader)->mirrored, path, out, diag);
    else
        free(made.bytes);
    close_statistics(file, reader);
    return status;
}

enum caxton_status book_open_entries(struct memory_stream *made, bool mirrored, const char *name,
                                     struct book **out, struct diag *diag)
{
    uint8_t *bytes = (uint8_t *)made->bytes;
    made->bytes = NULL;
    if (!mirrored)
        return open_bytes(bytes, bytes, made->size, name, out, diag);
    enum caxton_status status =
        wld_format_mirrored(bytes, made->size / POLYGLOT_ENTRY_SIZE, name, out, diag);
    if (status == STATUS_OK)
        (*out)->owned = bytes;
    else
        free(bytes);
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
