/* Bounded text: spans, tokens, whole-token numbers, formatting into fixed buffers. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

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

/* `text` without the byte order marks (U+FEFF in UTF-8) that some editors put at the front. */
struct span span_skip_bom(struct span text);

/* Takes the next line off the front of `rest`: without its end, a line feed with all carriage
 * returns before it. The last line needs none. False when nothing is left. */
bool span_line(struct span *rest, struct span *line);

/* Takes the next item of "a,b,c" off the front of `list`: what stands before a comma or the end, ""
 * too. False when nothing is left: the text was {NULL, 0}, or its last item has been taken. */
bool span_item(struct span *list, struct span *item);

/* Moves up to `capacity` bytes off the front of the `struct span` that `span` points to; *size = 0:
 * nothing was left. For readers that want a function to read by. Always STATUS_OK. */
MUST_CHECK enum caxton_status span_read(void *span, char *buffer, size_t capacity, size_t *size);

/* Takes the next token, separated by blanks (space, tab, CR, LF), off the front of `rest`.
 * An empty span means that none is left. */
struct span span_token(struct span *rest);

/* The whole of `text` as a decimal number in min..max: STATUS_SYNTAX when it is not a number,
 * STATUS_RANGE when outside. A number too long for 64 bits is STATUS_RANGE. */
MUST_CHECK enum caxton_status span_to_int(struct span text, int64_t min, int64_t max, int64_t *out);

/* Copies `text` into out[0..capacity), always terminated, cut when too long. */
void text_copy(char *out, size_t capacity, struct span text);

/* The length of the UTF-8 sequence at the terminated `text`, 0 when it is none (RFC 3629). */
int text_utf8_length(const char *text);

/* Takes the next character off the front of `text`, which is not empty: a code point of UTF-8, or a
 * single byte that is none, which is taken as Latin-1. */
uint32_t span_take_letter(struct span *text);

/* The small letter of a capital of ASCII, Latin-1, Latin Extended-A, Greek or Cyrillic; any other
 * code point as it is, but for the final sigma, which becomes a sigma. Source: Unicode's
 * UnicodeData.txt. */
uint32_t text_small_letter(uint32_t letter);

/* As text_copy(), in UTF-8: bytes that are none are taken as Latin-1. Cut between characters. */
void text_copy_utf8(char *out, size_t capacity, struct span text);

/* Copies `text` for a message, terminated: UTF-8 as it is, control characters and bytes that are no
 * UTF-8 as \xNN. What does not fit into `capacity`, at least 8, is cut, and "..." stands at the
 * end. */
void text_quote(char *out, size_t capacity, struct span text);

/* Writes `text` so that a terminal does nothing but show it: control characters and what is not
 * UTF-8 become '?'. */
void text_put_safe(FILE *out, struct span text);
/* The same in place, terminated; it grows no longer. */
void text_make_safe(char *text);

/* A safe copy of a name, for an argument of printf: text_safe(path).text. No path is longer. */
struct safe_text {
    char text[4096];
};
struct safe_text text_safe(const char *text);

/* Is it a control character, or one that turns or breaks the text around it? */
bool text_is_control(uint32_t letter);

/* A copy of `text` that is terminated, for the caller to free(); NULL: no memory. */
char *span_duplicate(struct span text);

/* The fewest letters to put in, take out, change or swap with the next one, case ignored, to make
 * `b` of `a`; `beginning`: to make any beginning of it. SIZE_MAX: too long to say.
 * Source: optimal string alignment distance. */
size_t text_distance(struct span a, struct span b, bool beginning);

/* So many letters may be wrong in a word that is taken for another one. */
size_t text_wrong_letters_max(struct span word);

/* The word that is nearest to a misspelt one: begin with .wanted alone. */
struct text_nearest {
    struct span wanted;
    struct span word; /* of those tried; no data: none is near */
    size_t distance;
};
/* A word that `wanted` begins, or a part of it behind '-', is near, too. */
void text_nearest_try(struct text_nearest *nearest, struct span word);

/* What a noun gets behind that number: "" for 1, else "s". */
const char *text_plural(uint64_t count);

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
