#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>

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

void diag_set(struct diag *diag, size_t line, size_t column, const char *format, ...)
{
    if (!diag)
        return;
    diag->line = line;
    diag->column = column;
    diag->offset = 0;
    va_list args;
    va_start(args, format);
    if (vsnprintf(diag->text, sizeof diag->text, format, args) < 0)
        diag->text[0] = '\0';
    va_end(args);
}
