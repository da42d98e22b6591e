#include "book/makebook/cli/outputs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"
#include "book/open/formats.h"

enum { TEXT_MAX = 400 };

static bool same_inode(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* The folder of a path, to be freed; *name is what follows it. NULL without memory. */
static char *folder_of(const char *path, const char **name)
{
    const char *slash = strrchr(path, '/');
    *name = slash ? slash + 1 : path;
    return slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
}

/* Of files that are not there yet. */
static bool same_place(const char *a, const char *b)
{
    const char *name_a;
    const char *name_b;
    struct stat info_a;
    struct stat info_b;
    char *folder_a = folder_of(a, &name_a);
    char *folder_b = folder_of(b, &name_b);
    bool same = folder_a && folder_b && strcmp(name_a, name_b) == 0 &&
                stat(folder_a, &info_a) == 0 && stat(folder_b, &info_b) == 0 &&
                same_inode(&info_a, &info_b);
    free(folder_a);
    free(folder_b);
    return same;
}

bool outputs_are_one(const char *a, const char *b)
{
    struct stat info_a;
    struct stat info_b;
    if (!a || !b || strcmp(a, "-") == 0 || strcmp(b, "-") == 0)
        return false;
    bool is_a = stat(a, &info_a) == 0;
    bool is_b = stat(b, &info_b) == 0;
    if (is_a && is_b)
        return S_ISREG(info_a.st_mode) && same_inode(&info_a, &info_b);
    return !is_a && !is_b && same_place(a, b);
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
