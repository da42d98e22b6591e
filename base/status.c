#include "base/status.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

const char *status_name(enum caxton_status status)
{
    static const char *const names[] = {
        [STATUS_OK] = "ok",
        [STATUS_END] = "end of input",
        [STATUS_NOT_FOUND] = "not found",
        [STATUS_NO_MEMORY] = "out of memory",
        [STATUS_IO] = "input/output error",
        [STATUS_SYNTAX] = "syntax error",
        [STATUS_RANGE] = "out of range",
        [STATUS_ILLEGAL] = "illegal",
        [STATUS_AMBIGUOUS] = "ambiguous",
        [STATUS_FORMAT] = "unknown or damaged format",
        [STATUS_THREAD] = "thread error",
    };
    return (size_t)status < sizeof names / sizeof *names ? names[status] : "unknown status";
}

/* A byte of a UTF-8 character that is not its first. */
static bool is_inside(char c)
{
    return ((unsigned char)c & 0xC0) == 0x80;
}

/* Copies a text that is too long without its middle. */
static void copy_ends(char *out, size_t room, const char *text, size_t size)
{
    enum { HEAD = 40, DOTS = 3 };
    size_t head = HEAD;
    const char *tail = text + size - (room - 1 - HEAD - DOTS);
    while (head > 0 && is_inside(text[head]))
        head--;
    while (is_inside(*tail))
        tail++;
    (void)snprintf(out, room, "%.*s...%s", (int)head, text, tail);
}

void diag_set(struct diag *diag, size_t line, size_t column, const char *format, ...)
{
    if (!diag)
        return;
    diag->line = line;
    diag->column = column;
    diag->offset = 0;
    char whole[8192]; /* the longest path and more */
    va_list args;
    va_start(args, format);
    int size = vsnprintf(whole, sizeof whole, format, args);
    va_end(args);
    if (size < 0)
        diag->text[0] = '\0';
    else if ((size_t)size < sizeof diag->text)
        memcpy(diag->text, whole, (size_t)size + 1);
    else
        copy_ends(diag->text, sizeof diag->text, whole,
                  (size_t)size < sizeof whole ? (size_t)size : sizeof whole - 1);
}
