/* Lines for the user that wait until somebody shows them. When there are too many, the rest is
 * counted only. Begins as {0}. */
#pragma once

#include <stdarg.h>
#include <stddef.h>

enum { TOLD_LINES_MAX = 8, TOLD_LINE_SIZE = 600 };

struct told_lines {
    char lines[TOLD_LINES_MAX][TOLD_LINE_SIZE];
    size_t count; /* may be more than are kept */
};

void told_lines_add(struct told_lines *lines, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));

/* Moves them to *out, which has no more than are kept then: the last one says how many there are
 * beside. */
void told_lines_take(struct told_lines *lines, struct told_lines *out);
