#include "base/program.h"

#include <string.h>

#include "base/array.h"

void program_line_begin(struct program_line *line)
{
    line->size = 0;
    line->is_cut = false;
}

void program_line_add(struct program_line *line, const char *bytes, size_t size)
{
    if (line->is_cut || size > PROGRAM_LINE_MAX - line->size ||
        !ARRAY_GROW(line->data, line->capacity, line->size + size + 1)) {
        line->is_cut = true;
        return;
    }
    memcpy(line->data + line->size, bytes, size);
    line->size += size;
    line->data[line->size] = '\0';
}

bool program_read_bytes(FILE *in, struct program_line *line)
{
    program_line_begin(line);
    for (int c; (c = getc(in)) != EOF;) {
        char byte = (char)c;
        program_line_add(line, &byte, 1);
        if (byte == '\n')
            break;
    }
    return line->size > 0 || line->is_cut;
}
