#include "book/makebook/cli/command.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "chess/position_text.h"

enum exit_status command_run(struct command_line *line, int argc, char **argv,
                             enum exit_status (*run)(void *command), void *command)
{
    enum parse_result parsed = options_parse(line, argc, argv);
    if (parsed == PARSE_RUN)
        return run(command);
    return parsed == PARSE_HELP_SHOWN ? command_end(line, EXIT_DONE) : EXIT_USAGE;
}

static void complain(const struct command_line *line, const char *format, va_list arguments)
{
    enum { TEXT_MAX = 8192 };
    char text[TEXT_MAX];
    (void)vsnprintf(text, sizeof text, format, arguments);
    (void)fprintf(stderr, "makebook %s: ", line->command);
    text_put_safe(stderr, span_of(text));
}

enum exit_status command_fail(const struct command_line *line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    complain(line, format, arguments);
    va_end(arguments);
    (void)fputc('\n', stderr);
    return EXIT_FAILED;
}

enum exit_status command_misuse(const struct command_line *line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    complain(line, format, arguments);
    va_end(arguments);
    (void)fprintf(stderr, "; see makebook %s --help\n", line->command);
    return EXIT_USAGE;
}

enum exit_status command_end(const struct command_line *line, enum exit_status status)
{
    bool failed = ferror(stdout) != 0;
    errno = EIO; /* for a write that failed and would succeed now */
    if (fflush(stdout) != 0 || failed)
        return command_fail(line, "standard output: %s", strerror(errno));
    return status;
}

enum caxton_status command_words(const struct command_line *line, const char *text,
                                 char room[ECO_LINE_MAX], struct span *out, struct diag *diag)
{
    enum caxton_status status = eco_line(span_of(text), room, out, diag);
    if (status == STATUS_OK && diag->text[0])
        (void)command_fail(line, "%s", diag->text);
    return status;
}

enum caxton_status command_position(const struct command_line *line, const char *text,
                                    struct position *pos, struct diag *diag)
{
    char room[ECO_LINE_MAX];
    struct span words;
    enum caxton_status status = command_words(line, text, room, &words, diag);
    return status == STATUS_OK ? position_from_text(words, pos, diag) : status;
}
