#include "book/grow/told_lines.h"

#include <stdio.h>

void told_lines_add(struct told_lines *lines, const char *format, va_list arguments)
{
    if (lines->count < TOLD_LINES_MAX)
        (void)vsnprintf(lines->lines[lines->count], TOLD_LINE_SIZE, format, arguments);
    lines->count++;
}

void told_lines_take(struct told_lines *lines, struct told_lines *out)
{
    *out = *lines;
    lines->count = 0;
    if (out->count <= TOLD_LINES_MAX)
        return;
    (void)snprintf(out->lines[TOLD_LINES_MAX - 1], TOLD_LINE_SIZE, "%zu more such lines",
                   out->count - TOLD_LINES_MAX + 1);
    out->count = TOLD_LINES_MAX;
}
