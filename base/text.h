/* Bounded text: spans, tokens, whole-token numbers, formatting into fixed buffers. */
#ifndef CAXTON_BASE_TEXT_H
#define CAXTON_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* Borrowed characters, not terminated. */
struct span {
    const char *data;
    size_t size;
};

static inline struct span span_make(const char *data, size_t size)
{
    return (struct span){data, size};
}

/* What is left behind the first `taken` characters, which must be there. */
static inline struct span span_from(struct span text, size_t taken)
{
    return span_make(text.data + taken, text.size - taken);
}

struct span span_of(const char *terminated);
bool span_equal(struct span a, const char *b);
/* As span_equal, ASCII letters compared without case. */
bool span_equal_nocase(struct span a, const char *b);
struct span span_trim(struct span text);
/* Is it free of control characters other than tab and line ends? */
bool span_is_text(struct span text);

/* Takes the next token, separated by blanks (space, tab, CR, LF), off the front of `rest`.
 * An empty span means that none is left. */
struct span span_token(struct span *rest);

/* The whole of `text` as a decimal number in min..max: STATUS_SYNTAX when it is not a number,
 * STATUS_RANGE when outside. A number too long for 64 bits is STATUS_RANGE. */
MUST_CHECK enum caxton_status span_to_int(struct span text, int64_t min, int64_t max, int64_t *out);

/* Copies `text` into out[0..capacity), always terminated, cut when too long. */
void text_copy(char *out, size_t capacity, struct span text);

/* A text buffer that is filled in steps: appending beyond the end is cut and remembered. */
struct text_buffer {
    char *data;
    size_t capacity;
    size_t size;
    bool cut;
};

struct text_buffer text_buffer_on(char *data, size_t capacity);
void text_append(struct text_buffer *buffer, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
