#include "book/makebook/cli/outputs.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "book/open/formats.h"

bool outputs_are_one(const char *a, const char *b)
{
    return a && b && strcmp(a, "-") != 0 && strcmp(b, "-") != 0 && file_is_same(a, b);
}

enum exit_status outputs_protect(const struct command_line *line, const char *input,
                                 const char *output)
{
    if (outputs_are_one(input, output))
        return command_misuse(line, "%s is read: it would be lost", output);
    return EXIT_DONE;
}

enum exit_status outputs_protect_inputs(const struct command_line *line, int inputs,
                                        const char *output)
{
    enum exit_status result = EXIT_DONE;
    for (int i = 0; i < inputs && result == EXIT_DONE; i++)
        result = outputs_protect(line, line->operands[i], output);
    return result;
}

/* Terminated. */
static struct span ending_of(const char *path)
{
    const char *dot = strrchr(file_name_of(path), '.');
    return span_of(dot ? dot + 1 : "");
}

static bool names_a_kind(struct span ending)
{
    const struct book_writer *writer;
    for (size_t i = 0; (writer = formats_writer_at(i)); i++)
        if (span_equal_nocase(ending, writer->name))
            return true;
    return span_equal_nocase(ending, "wld");
}

enum exit_status outputs_are_named(const struct command_line *line, const char *output,
                                   const char *kind)
{
    const struct book_writer *writer = formats_writer(kind);
    const char *about = writer ? writer->about : "statistics";
    struct span ending = ending_of(output ? output : "");
    enum file_kind place = output ? file_kind_of(output, NULL) : FILE_ABSENT;
    if (place == FILE_FOLDER || place == FILE_OTHER) /* the first is refused when it is written */
        return EXIT_DONE;
    if (!ending.size || span_equal_nocase(ending, kind))
        return EXIT_DONE;
    if (names_a_kind(ending))
        return command_misuse(line,
                              "%s: what is written here is %s (.%s); makebook convert makes %s",
                              output, about, kind, writer ? "other kinds of it" : "books of them");
    if (writer)
        return command_misuse(
            line,
            "%s: no book that can be written ends in .%.*s; what is written here is %s "
            "(.%s)",
            output, (int)ending.size, ending.data, about, kind);
    return EXIT_DONE;
}

enum exit_status outputs_are_pages(const struct command_line *line, const char *output)
{
    struct span ending = ending_of(output);
    if (!ending.size || span_equal_nocase(ending, "html") || span_equal_nocase(ending, "htm"))
        return EXIT_DONE;
    return command_misuse(line, "%s: what is written here is a page (.html)", output);
}

bool outputs_end_alike(const char *a, const char *b)
{
    return span_equal_nocase(ending_of(a), ending_of(b).data);
}

bool outputs_is_standard(const char *path)
{
    return path && strcmp(path, "-") == 0;
}

FILE *outputs_report(const char *path)
{
    return outputs_is_standard(path) ? stderr : stdout;
}

bool outputs_is_stats_name(const char *path)
{
    return path && span_equal_nocase(ending_of(path), "wld");
}

bool outputs_try(const struct command_line *line, const char *path)
{
    struct diag diag = {.text = ""};
    return !path || atomic_file_try(path, &diag) == STATUS_OK ||
           command_refuse(line, "%s", diag.text);
}

bool outputs_create(const struct command_line *line, const char *path, struct atomic_file **out)
{
    struct diag diag = {.text = ""};
    return !path || atomic_file_create(path, out, &diag) == STATUS_OK ||
           command_refuse(line, "%s", diag.text);
}

enum exit_status outputs_end(const struct command_line *line, struct atomic_file *file,
                             enum caxton_status status, const char *why)
{
    struct diag diag = {.text = ""};
    if (status != STATUS_OK) {
        bool failed = atomic_file_has_failed(file, &diag);
        atomic_file_abort(file);
        return command_fail(line, "%s", failed ? diag.text : why);
    }
    return atomic_file_commit(file, &diag) == STATUS_OK ? EXIT_DONE
                                                        : command_fail(line, "%s", diag.text);
}

struct output_wait {
    const struct command_line *line;
    const char *path;
};

static void say_waiting(void *context)
{
    const struct output_wait *waiting = context;
    (void)command_fail(waiting->line, "%s: another program writes in this folder: waiting for it",
                       waiting->path);
}

int outputs_lock(const struct command_line *line, const char *path)
{
    struct output_wait waiting = {line, path};
    int lock = atomic_file_lock(path, say_waiting, &waiting);
    if (lock < 0 && !outputs_is_standard(path) && file_kind_of(path, NULL) == FILE_REGULAR)
        (void)command_fail(line,
                           "warning: %s: its folder cannot be locked: two programs that change it "
                           "at once would lose the work of one",
                           path);
    return lock;
}
