#include "book/makebook/source.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "book/builtin.h"
#include "book/makebook/command.h"

/* Reads to the end; NULL with errno set when that fails. */
static uint8_t *read_all(FILE *file, size_t *size)
{
    size_t capacity = 1 << 16;
    size_t used = 0;
    uint8_t *bytes = malloc(capacity);
    while (bytes) {
        used += fread(bytes + used, 1, capacity - used, file);
        if (used < capacity)
            break;
        uint8_t *more = capacity <= SIZE_MAX / 2 ? realloc(bytes, capacity * 2) : NULL;
        if (!more) {
            free(bytes);
            errno = ENOMEM;
            return NULL;
        }
        bytes = more;
        capacity *= 2;
    }
    if (bytes && ferror(file)) {
        int error = errno;
        free(bytes);
        errno = error;
        return NULL;
    }
    *size = used;
    return bytes;
}

bool source_read(const struct command_line *line, const char *path, struct source *out)
{
    *out = (struct source){.name = path};
    if (strcmp(path, "builtin") == 0) {
        out->bytes = builtin_book_start;
        out->size = (size_t)(builtin_book_end - builtin_book_start);
        return true;
    }
    bool standard = strcmp(path, "-") == 0;
    FILE *file = standard ? stdin : fopen(path, "rb");
    if (standard)
        out->name = "standard input";
    if (file)
        out->owned = read_all(file, &out->size);
    int error = errno;
    if (file && !standard)
        (void)fclose(file); /* only read from */
    if (!out->owned)
        (void)command_fail(line, "%s: %s", out->name, strerror(error));
    out->bytes = out->owned;
    return out->owned != NULL;
}

bool source_open(const struct command_line *line, const char *path, struct source *out)
{
    struct diag diag = {.text = ""};
    if (!source_read(line, path, out))
        return false;
    if (book_open_memory(out->bytes, out->size, out->name, &out->book, &diag) != STATUS_OK) {
        (void)command_fail(line, "%s", diag.text);
        source_close(out);
        return false;
    }
    if (*book_warning(out->book))
        (void)command_fail(line, "warning: %s", book_warning(out->book));
    return true;
}

void source_close(struct source *source)
{
    book_close(source->book);
    free(source->owned);
    *source = (struct source){.name = source->name};
}
