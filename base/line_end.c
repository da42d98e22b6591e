#include "base/line_end.h"

#include <string.h>

const char *line_end_of(struct span text)
{
    const char *feed = text.size ? memchr(text.data, '\n', text.size) : NULL;
    return feed && feed > text.data && feed[-1] == '\r' ? "\r\n" : "\n";
}

void line_end_put(FILE *out, struct span text, const char *end)
{
    for (size_t i = 0; i < text.size; i++) {
        if (text.data[i] == '\n')
            (void)fputs(end, out);
        else
            (void)fputc(text.data[i], out);
    }
}
