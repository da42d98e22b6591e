#include "book/count/input/chunks.h"

#include <stdlib.h>
#include <string.h>

static const char event_tag[] = "[Event \"";
enum { EVENT_SIZE = sizeof event_tag - 1 };

static bool is_break(char c)
{
    return c == '\n' || c == '\r';
}

bool chunk_init(struct chunk *chunk)
{
    char *memory = malloc(PGN_MARGIN + CHUNK_SIZE + PGN_MARGIN);
    chunk->size = 0;
    chunk->data = memory ? memory + PGN_MARGIN : NULL;
    return memory != NULL;
}

void chunk_free(struct chunk *chunk)
{
    if (chunk->data)
        free(chunk->data - PGN_MARGIN);
    chunk->data = NULL;
}

enum caxton_status cutter_init(struct cutter *cutter, pgn_source source, void *context)
{
    *cutter = (struct cutter){.source = source, .context = context, .rest = malloc(CHUNK_SIZE)};
    return cutter->rest ? STATUS_OK : STATUS_NO_MEMORY;
}

void cutter_free(struct cutter *cutter)
{
    free(cutter->rest);
    cutter->rest = NULL;
}

/* Does the line before the one at `at` begin with a tag? Empty lines are none. */
static bool follows_a_tag(const char *data, size_t at)
{
    size_t end = at - 1; /* the line break */
    if (end > 0 && data[end] == '\n' && data[end - 1] == '\r')
        end--;
    size_t start = end;
    while (start > 0 && !is_break(data[start - 1]))
        start--;
    return start < end && data[start] == '[';
}

static bool is_brace(char c)
{
    return c == '{' || c == '}';
}

/* The last place in data[0..size) to cut, 0 when there is none. So many bytes are left behind it
 * that the reader's rule for comments can be followed: a tag is in a comment that closes within
 * PGN_COMMENT_AHEAD bytes. */
static size_t last_cut(const char *data, size_t size)
{
    if (size <= PGN_COMMENT_AHEAD)
        return 0;
    size_t start = size - PGN_COMMENT_AHEAD;
    const char *open = memchr(data + start, '{', PGN_COMMENT_AHEAD);
    const char *close =
        memchr(data + start, '}', open ? (size_t)(open - data) - start : PGN_COMMENT_AHEAD);
    const char *first = close ? close : open;
    size_t brace = first ? (size_t)(first - data) : size; /* the next one */
    for (size_t at = start; at > 0; at--) {
        if (is_brace(data[at]))
            brace = at;
        if (data[at] == '[' && is_break(data[at - 1]) &&
            memcmp(data + at, event_tag, EVENT_SIZE) == 0 && !follows_a_tag(data, at) &&
            (brace - at >= PGN_COMMENT_AHEAD || data[brace] != '}'))
            return at;
    }
    return 0;
}

enum caxton_status cutter_next(struct cutter *cutter, struct chunk *chunk)
{
    size_t size = cutter->rest_size;
    memcpy(chunk->data, cutter->rest, size);
    cutter->rest_size = 0;
    while (!cutter->at_end && size < CHUNK_SIZE) {
        size_t got = 0;
        enum caxton_status status =
            cutter->source(cutter->context, chunk->data + size, CHUNK_SIZE - size, &got);
        if (status != STATUS_OK)
            return status;
        cutter->at_end = got == 0;
        size += got;
    }
    if (size == 0)
        return STATUS_END;
    chunk->size = cutter->at_end ? size : last_cut(chunk->data, size);
    cutter->rest_size = size - chunk->size;
    memcpy(cutter->rest, chunk->data + chunk->size, cutter->rest_size);
    return STATUS_OK;
}

enum caxton_status cutter_read(void *context, char *buffer, size_t capacity, size_t *size)
{
    struct cutter *cutter = context;
    if (!cutter->rest_size) {
        enum caxton_status status = cutter->source(cutter->context, buffer, capacity, size);
        cutter->at_end = status == STATUS_OK && *size == 0;
        return status;
    }
    *size = cutter->rest_size < capacity ? cutter->rest_size : capacity;
    memcpy(buffer, cutter->rest, *size);
    cutter->rest_size -= *size;
    memmove(cutter->rest, cutter->rest + *size, cutter->rest_size);
    return STATUS_OK;
}
