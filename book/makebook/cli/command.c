#include "book/makebook/cli/command.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

bool command_start(struct command_line *line, int argc, char **argv, int *status)
{
    line->program = "makebook";
    line->operands = calloc((size_t)argc + 1, sizeof *line->operands);
    if (!line->operands) {
        *status = command_fail(line, "out of memory");
        return false;
    }
    enum parse_result parsed = options_parse(line, argc, argv);
    if (parsed == PARSE_RUN)
        return true;
    free(line->operands);
    line->operands = NULL;
    *status = parsed == PARSE_HELP_SHOWN ? command_end(line, EXIT_DONE) : EXIT_USAGE;
    return false;
}

int command_fail(const struct command_line *line, const char *format, ...)
{
    enum { TEXT_MAX = 8192 };
    char text[TEXT_MAX];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    (void)fprintf(stderr, "makebook %s: ", line->command);
    text_put_safe(stderr, span_of(text));
    (void)fputc('\n', stderr);
    return EXIT_FAILED;
}

int command_misuse(const struct command_line *line, const char *text)
{
    (void)command_fail(line, "%s; see makebook %s --help", text, line->command);
    return EXIT_USAGE;
}

int command_end(const struct command_line *line, int status)
{
    bool failed = ferror(stdout) != 0;
    errno = EIO; /* for a write that failed and would succeed now */
    if (fflush(stdout) != 0 || failed)
        return command_fail(line, "standard output: %s", strerror(errno));
    return status;
}
