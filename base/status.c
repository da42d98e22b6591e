#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>

const char *status_name(enum caxton_status status)
{
    switch (status) {
    case STATUS_OK:
        return "ok";
    case STATUS_END:
        return "end of input";
    case STATUS_NOT_FOUND:
        return "not found";
    case STATUS_NO_MEMORY:
        return "out of memory";
    case STATUS_IO:
        return "input/output error";
    case STATUS_SYNTAX:
        return "syntax error";
    case STATUS_RANGE:
        return "out of range";
    case STATUS_ILLEGAL:
        return "illegal";
    case STATUS_AMBIGUOUS:
        return "ambiguous";
    case STATUS_FORMAT:
        return "unknown or damaged format";
    case STATUS_THREAD:
        return "thread error";
    }
    return "unknown status";
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
