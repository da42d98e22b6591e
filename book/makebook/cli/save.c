#include "book/makebook/cli/save.h"

#include <stdio.h>

#include "base/atomic_file.h"
#include "book/book.h"
#include "book/makebook/cli/command.h"
#include "book/makebook/cli/outputs.h"
#include "book/open/convert.h"

const char *save_names(void)
{
    static char names[160];
    struct text_buffer text = text_buffer_on(names, sizeof names);
    const struct book_writer *writer;
    for (size_t i = 0; (writer = formats_writer_at(i)); i++)
        text_append(&text, "%s%s", i ? ", " : "", writer->name);
    return names;
}

enum exit_status save_find_writer(const struct command_line *line, const char *output,
                                  const struct book_writer **out)
{
    if (outputs_is_stats_name(output))
        return command_misuse(line, "a book is written here, not statistics (.wld)");
    *out = formats_writer_of_path(output);
    if (!*out && outputs_are_named(line, output, "bin") != EXIT_DONE)
        return EXIT_USAGE;
    if (!*out)
        *out = formats_writer("bin");
    return EXIT_DONE;
}

enum exit_status save_book(const struct command_line *line, const struct book *book,
                           const struct book_writer *writer, const char *output)
{
    return save_with(line, book, book_convert, writer, output);
}

enum exit_status save_gathered(const struct command_line *line, struct gathering *gathering,
                               enum caxton_status status, const struct diag *why,
                               const struct book *from, const struct book_writer *writer,
                               const char *output)
{
    struct book *book = NULL;
    bool known = status != STATUS_OK && status != STATUS_NO_MEMORY && *why->text;
    if (status == STATUS_OK)
        status = gather_finish(gathering, output, &book);
    gather_free(gathering);
    if (status != STATUS_OK)
        return command_fail(line, "%s", known ? why->text : "out of memory");
    if (from)
        book_made_of(book, from);
    enum exit_status answer = save_book(line, book, writer, output);
    book_close(book);
    return answer;
}

enum exit_status save_with(const struct command_line *line, const struct book *book,
                           save_function write, const struct book_writer *writer,
                           const char *output)
{
    struct diag diag;
    struct diag why = {.text = ""};
    struct book_losses losses = {0};
    char lost[BOOK_LOSSES_TEXT_MAX];
    struct atomic_file *file = NULL;
    if (!outputs_create(line, output, &file))
        return EXIT_FAILED;
    enum caxton_status status = write(book, writer, atomic_file_stream(file), &losses, &why);
    diag_set(&diag, 0, 0, "%s: %s", output, why.text);
    if (outputs_end(line, file, status, diag.text) != EXIT_DONE)
        return EXIT_FAILED;
    if (*book_losses_text(&losses, lost))
        (void)command_fail(line, "warning: %s: %s", output, lost);
    return EXIT_DONE;
}
