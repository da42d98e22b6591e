#include "book/makebook/cli/outputs.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "book/open/formats.h"

enum { TEXT_MAX = 400 };

bool outputs_are_one(const char *a, const char *b)
{
    return a && b && strcmp(a, "-") != 0 && strcmp(b, "-") != 0 && file_is_same(a, b);
}

int outputs_spare_inputs(const struct command_line *line, int inputs, const char *output)
{
    char text[TEXT_MAX];
    for (int i = 0; i < inputs; i++) {
        if (!outputs_are_one(line->operands[i], output))
            continue;
        (void)snprintf(text, sizeof text, "%s is read: it would be lost", output);
        return command_misuse(line, text);
    }
    return EXIT_DONE;
}

static struct span ending_of(const char *path)
{
    const char *dot = strrchr(path, '.');
    return span_of(dot && !strchr(dot, '/') ? dot + 1 : "");
}

int outputs_are_named(const struct command_line *line, const char *output, const char *kind)
{
    char text[TEXT_MAX];
    if (!output || span_equal_nocase(ending_of(output), kind))
        return EXIT_DONE;
    bool is_other = span_equal_nocase(ending_of(output), "wld");
    const struct book_writer *writer;
    for (size_t i = 0; (writer = formats_writer_at(i)); i++)
        is_other |= span_equal_nocase(ending_of(output), writer->name);
    if (!is_other)
        return EXIT_DONE;
    (void)snprintf(text, sizeof text, "%s: what is written here is %s; makebook convert makes %s",
                   output,
                   strcmp(kind, "wld") == 0 ? "statistics (.wld)" : "a Polyglot book (.bin)",
                   strcmp(kind, "wld") == 0 ? "books of them" : "other kinds of it");
    return command_misuse(line, text);
}

bool outputs_is_stats_name(const char *path)
{
    return path && span_equal_nocase(ending_of(path), "wld");
}
