#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
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
    while (text.size && is_blank(text.data[0])) {
        text.data++;
        text.size--;
    }
    while (text.size && is_blank(text.data[text.size - 1]))
        text.size--;
    return text;
}

struct span span_token(struct span *rest)
{
    while (rest->size && is_blank(rest->data[0])) {
        rest->data++;
        rest->size--;
    }
    struct span token = span_make(rest->data, 0);
    while (rest->size && !is_blank(rest->data[0])) {
        rest->data++;
        rest->size--;
        token.size++;
    }
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

void text_copy(char *out, size_t capacity, struct span text)
{
    if (!capacity)
        return;
    size_t size = text.size < capacity - 1 ? text.size : capacity - 1;
    if (size)
        memcpy(out, text.data, size);
    out[size] = '\0';
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
