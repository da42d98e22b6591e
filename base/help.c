#include "base/help.h"

#include <stdbool.h>
#include <string.h>

#include "base/text.h"

enum help_form help_form_of(const char *word)
{
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
        return HELP_TEXT;
    if (strcmp(word, "--help=man") == 0)
        return HELP_MAN;
    return strcmp(word, "--help=words") == 0 ? HELP_WORDS : HELP_NONE;
}

/* A line of text, with what man(7) would take for its own escaped. */
static void put_man_line(FILE *out, struct span line)
{
    bool is_bold = false;
    if (line.size > 0 && (line.data[0] == '.' || line.data[0] == '\''))
        (void)fputs("\\&", out);
    for (size_t i = 0; i < line.size; i++) {
        switch (line.data[i]) {
        case '\\':
            (void)fputs("\\e", out);
            break;
        case '-':
            (void)fputs("\\-", out);
            break;
        case '^':
            (void)fputs("\\(ha", out);
            break;
        case '~':
            (void)fputs("\\(ti", out);
            break;
        case '`':
            is_bold = !is_bold;
            (void)fputs(is_bold ? "\\fB" : "\\fR", out);
            break;
        default:
            (void)fputc(line.data[i], out);
        }
    }
    (void)fputc('\n', out);
}

void help_man_text(FILE *out, const char *text)
{
    struct span rest = span_of(text);
    struct span line;
    bool was_indented = false;
    while (span_line(&rest, &line)) {
        bool is_indented = line.size > 0 && line.data[0] == ' ';
        if (line.size == 0)
            (void)fputs(".PP\n", out);
        else if (was_indented && !is_indented)
            (void)fputs(".br\n", out);
        if (line.size > 0)
            put_man_line(out, line);
        was_indented = is_indented;
    }
}

void help_man_begin(FILE *out, const char *name, const char *section, const char *summary)
{
    (void)fputs(".TH ", out);
    for (const char *at = name; *at; at++)
        (void)fputc(*at >= 'a' && *at <= 'z' ? *at - 'a' + 'A' : *at, out);
    (void)fprintf(out, " %.1s \"\" \"Caxton %s\" \"%s\"\n.nh\n.ad l\n", section, CAXTON_VERSION,
                  section + 2);
    help_man_heading(out, ".SH", "NAME");
    (void)fprintf(out, "%s \\- %s\n", name, summary);
}

void help_man_heading(FILE *out, const char *macro, const char *title)
{
    (void)fprintf(out, "%s ", macro);
    put_man_line(out, span_of(title));
}

void help_row(FILE *out, enum help_form form, int width, const char *name, const char *values,
              const char *help)
{
    if (form == HELP_MAN) {
        (void)fputs(".TP\n.B ", out);
        put_man_line(out, span_of(name));
        help_man_text(out, help);
    } else if (form == HELP_TEXT) {
        (void)fprintf(out, "  %-*s %s\n", width, name, help);
    } else if (*name && !(*name >= 'A' && *name <= 'Z')) {
        (void)fprintf(out, "%.*s\t%s\t%s\n", (int)strcspn(name, " "), name, values, help);
    }
}
