#include "book/formats/white/lines_reader.h"

#include <stdarg.h>

#include "book/formats/white/lines_word.h"

enum caxton_status lines_fail(struct lines_reader *reader, enum caxton_status status,
                              const char *at, const char *format, ...)
{
    char what[160];
    va_list args;
    va_start(args, format);
    int size = vsnprintf(what, sizeof what, format, args);
    va_end(args);
    diag_set(&reader->fault, reader->number, (size_t)(at - reader->line) + 1, "line %zu, %s",
             reader->number, size < 0 ? "fault" : what);
    reader->fault.offset = (size_t)(at - reader->lines->text);
    reader->status = status;
    return status;
}

void lines_guess_style(struct lines_reader *reader, struct span first)
{
    struct lines *lines = reader->lines;
    first = lines_after_number(first);
    if (first.size && first.data[0] == '(')
        first = lines_after_number(span_from(first, 1));
    if (!reader->has_style)
        lines->style = lines_has_coordinates(first) ? LINES_WHITE : LINES_SAN;
    reader->has_style = true;
    if (!reader->has_prefer && lines->style == LINES_WHITE) {
        lines->prefer_later = true;
        lines->prefer_percent = 75;
    }
    reader->has_prefer = true;
}
