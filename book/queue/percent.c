#include "book/queue/percent.h"

#include <string.h>

static bool is_plain(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (c && strchr("-._~", c));
}

void percent_encode(const char *text, struct text_buffer *out)
{
    for (; *text; text++)
        if (is_plain(*text))
            text_append(out, "%c", *text);
        else
            text_append(out, "%%%02X", (unsigned)(unsigned char)*text);
}

/* -1: it is no hexadecimal digit. */
static int digit_of(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

enum caxton_status percent_decode(struct span text, char *out, size_t capacity)
{
    char decoded[1024];
    size_t size = 0;
    if (capacity > sizeof decoded)
        capacity = sizeof decoded;
    for (size_t i = 0; i < text.size; i++) {
        int c = text.data[i];
        if (c == '%') {
            int high = text.size - i > 2 ? digit_of(text.data[i + 1]) : -1;
            int low = text.size - i > 2 ? digit_of(text.data[i + 2]) : -1;
            c = high < 0 || low < 0 ? 0 : high * 16 + low;
            i += 2;
        }
        if (c == 0)
            return STATUS_SYNTAX;
        if (size + 1 >= capacity)
            return STATUS_RANGE;
        decoded[size++] = (char)c;
    }
    memcpy(out, decoded, size);
    out[size] = '\0';
    return STATUS_OK;
}
