#include "book/build/input/chunks.h"

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

enum caxton_status cutter_next(struct cutter *cutter, struct chunk *chunk, bool *whole)
{
    memcpy(chunk->data, cutter->rest, cutter->rest_size);
    chunk->size = cutter->rest_size;
    cutter->rest_size = 0;
    while (!cutter->at_end && chunk->size < CHUNK_SIZE) {
        size_t got = 0;
        enum caxton_status status = cutter->source(cutter->context, chunk->data + chunk->size,
                                                   CHUNK_SIZE - chunk->size, &got);
        if (status != STATUS_OK)
            return status;
        cutter->at_end = got == 0;
        chunk->size += got;
    }
    if (chunk->size == 0)
        return STATUS_END;
    *whole = cutter->at_end;
    size_t cut = cutter->at_end ? 0 : last_cut(chunk->data, chunk->size);
    if (cut) {
        *whole = true;
        cutter->rest_size = chunk->size - cut;
        memcpy(cutter->rest, chunk->data + cut, cutter->rest_size);
        chunk->size = cut;
    }
    return STATUS_OK;
}
