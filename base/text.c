#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static char to_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

struct span span_of(const char *terminated)
{
    return span_make(terminated, strlen(terminated));
}

bool span_equal(struct span a, const char *b)
{
    return strlen(b) == a.size && (a.size == 0 || memcmp(a.data, b, a.size) == 0);
}

bool span_equal_nocase(struct span a, const char *b)
{
    if (strlen(b) != a.size)
        return false;
    for (size_t i = 0; i < a.size; i++)
        if (to_lower(a.data[i]) != to_lower(b[i]))
            return false;
    return true;
}

bool span_is_text(struct span text)
{
    for (size_t i = 0; i < text.size; i++)
        if ((unsigned char)text.data[i] < ' ' && !memchr("\t\r\n", text.data[i], 3))
            return false;
    return true;
}

struct span span_trim(struct span text)
{
    while (text.size && is_blank(text.data[0]))
        text = span_from(text, 1);
    while (text.size && is_blank(text.data[text.size - 1]))
        text.size--;
    return text;
}

struct span span_skip_bom(struct span text)
{
    static const char mark[] = "\xEF\xBB\xBF";
    const size_t size = sizeof mark - 1;
    return text.size >= size && memcmp(text.data, mark, size) == 0 ? span_from(text, size) : text;
}

bool span_line(struct span *rest, struct span *line)
{
    if (!rest->size)
        return false;
    const char *end = memchr(rest->data, '\n', rest->size);
    size_t size = end ? (size_t)(end - rest->data) : rest->size;
    *line = span_make(rest->data, size);
    *rest = span_from(*rest, end ? size + 1 : size);
    while (line->size && line->data[line->size - 1] == '\r')
        line->size--;
    return true;
}

enum caxton_status span_read(void *span, char *buffer, size_t capacity, size_t *size)
{
    struct span *rest = span;
    *size = rest->size < capacity ? rest->size : capacity;
    if (*size > 0)
        memcpy(buffer, rest->data, *size);
    *rest = span_from(*rest, *size);
    return STATUS_OK;
}

struct span span_token(struct span *rest)
{
    while (rest->size && is_blank(rest->data[0]))
        *rest = span_from(*rest, 1);
    size_t size = 0;
    while (size < rest->size && !is_blank(rest->data[size]))
        size++;
    struct span token = span_make(rest->data, size);
    *rest = span_from(*rest, size);
    return token;
}

enum caxton_status span_to_int(struct span text, int64_t min, int64_t max, int64_t *out)
{
    bool negative = text.size && text.data[0] == '-';
    size_t i = negative || (text.size && text.data[0] == '+');
    if (i == text.size)
        return STATUS_SYNTAX;

    bool too_long = false;
    int64_t value = 0; /* kept negative: INT64_MIN has no positive twin */
    for (; i < text.size; i++) {
        char c = text.data[i];
        if (c < '0' || c > '9')
            return STATUS_SYNTAX;
        if (value < (INT64_MIN + (c - '0')) / 10)
            too_long = true;
        else
            value = value * 10 - (c - '0');
    }
    if (too_long || (!negative && value == INT64_MIN))
        return STATUS_RANGE;
    value = negative ? value : -value;
    if (value < min || value > max)
        return STATUS_RANGE;
    *out = value;
    return STATUS_OK;
}

char *span_duplicate(struct span text)
{
    char *copy = malloc(text.size + 1);
    if (copy)
        text_copy(copy, text.size + 1, text);
    return copy;
}

void text_copy(char *out, size_t capacity, struct span text)
{
    if (!capacity)
        return;
    size_t size = text.size < capacity - 1 ? text.size : capacity - 1;
    if (size)
        memcpy(out, text.data, size);
    out[size] = '\0';
}

int text_utf8_length(const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    int length = *at < 0x80   ? 1
                 : *at < 0xC2 ? 0
                 : *at < 0xE0 ? 2
                 : *at < 0xF0 ? 3
                 : *at < 0xF5 ? 4
                              : 0;
    for (int i = 1; i < length; i++)
        if ((at[i] & 0xC0) != 0x80)
            return 0;
    bool is_too_long = (*at == 0xE0 && at[1] < 0xA0) || (*at == 0xF0 && at[1] < 0x90);
    bool is_no_letter = (*at == 0xED && at[1] >= 0xA0) || (*at == 0xF4 && at[1] >= 0x90);
    return is_too_long || is_no_letter ? 0 : length;
}

void text_put_safe(FILE *out, struct span text)
{
    while (text.size) {
        char next[5] = ""; /* terminated, so that a cut sequence is none */
        memcpy(next, text.data, text.size < 4 ? text.size : 4);
        int length = text_utf8_length(next);
        unsigned char first = (unsigned char)next[0];
        /* U+0080 to U+009F are control characters, too. */
        bool is_control =
            first < 0x20 || first == 0x7F || (first == 0xC2 && (unsigned char)next[1] < 0xA0);
        if (length == 0 || is_control)
            (void)fputc('?', out);
        else
            (void)fwrite(text.data, 1, (size_t)length, out);
        text = span_from(text, length ? (size_t)length : 1);
    }
}

const char *text_plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

struct text_buffer text_buffer_on(char *data, size_t capacity)
{
    if (capacity)
        data[0] = '\0';
    return (struct text_buffer){.data = data, .capacity = capacity};
}

void text_append(struct text_buffer *buffer, const char *format, ...)
{
    size_t room = buffer->capacity - buffer->size;
    va_list args;
    va_start(args, format);
    int wanted = vsnprintf(room ? buffer->data + buffer->size : NULL, room, format, args);
    va_end(args);
    if (wanted < 0) {
        buffer->cut = true;
    } else if ((size_t)wanted >= room) {
        buffer->cut = true;
        buffer->size = buffer->capacity ? buffer->capacity - 1 : 0;
    } else {
        buffer->size += (size_t)wanted;
    }
}
