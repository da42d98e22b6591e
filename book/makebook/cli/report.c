#include "book/makebook/cli/report.h"

#include <stdarg.h>

#include "base/terminal.h"

struct report report_begin(FILE *out, bool as_json)
{
    return (struct report){.text = as_json ? NULL : out,
                           .json = json_start(as_json ? out : NULL),
                           .label_width = 16,
                           .number_width = 12};
}

struct report report_of_counts(FILE *out)
{
    return (struct report){.text = out, .number_width = 14, .thousands = true};
}

void report_say(const struct report *report, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (report->text)
        (void)vfprintf(report->text, format, arguments);
    va_end(arguments);
}

void report_number(struct report *report, const char *name, const char *label, uint64_t value,
                   const char *what)
{
    char number[THOUSANDS_MAX];
    if (name)
        json_unsigned(&report->json, name, value);
    if (!label || !report->text)
        return;
    if (!report->thousands)
        (void)snprintf(number, sizeof number, "%llu", (unsigned long long)value);
    else
        (void)terminal_thousands(value, number);
    if (report->label_width)
        report_say(report, "%-*s ", report->label_width, label);
    report_say(report, "%*s%s%s\n", report->number_width, number, *what ? "  " : "", what);
}

void report_nonzero(struct report *report, const char *name, const char *label, uint64_t value,
                    const char *what)
{
    report_number(report, name, value ? label : NULL, value, what);
}

bool report_is_cut(const struct report *report, int64_t limit, size_t shown, size_t all)
{
    if (!report->text || limit == 0 || shown < (size_t)limit || shown >= all)
        return false;
    report_say(report, "... and %zu more; --limit 0 shows all\n", all - shown);
    return true;
}
