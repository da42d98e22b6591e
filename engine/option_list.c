#include "engine/option_table.h"

static void append_initial(struct text_buffer *line, const struct option *option)
{
    switch (option->kind) {
    case OPTION_CHECK:
        text_append(line, "%s", option->initial ? "true" : "false");
        break;
    case OPTION_SPIN:
        text_append(line, "%d", option->initial);
        break;
    case OPTION_COMBO:
        text_append(line, "%s", option->choices[option->initial]);
        break;
    case OPTION_STRING:
        text_append(line, "<empty>");
        break;
    case OPTION_BUTTON:
        break;
    }
}

void options_list(struct report *report)
{
    for (const struct option *option = option_table; option->name; option++) {
        char data[256];
        struct text_buffer line = text_buffer_on(data, sizeof data);
        text_append(&line, "option name %s type %s", option->name, option_kind_name(option->kind));
        if (option->kind != OPTION_BUTTON) {
            text_append(&line, " default ");
            append_initial(&line, option);
        }
        if (option->kind == OPTION_SPIN)
            text_append(&line, " min %d max %d", option->min, option->max);
        for (int j = 0; option->choices[j]; j++)
            text_append(&line, " var %s", option->choices[j]);
        report_line(report, "%s", data);
    }
}

void options_list_markdown(struct report *report)
{
    report_line(report, "| option | type | default | meaning |");
    report_line(report, "|---|---|---|---|");
    for (const struct option *option = option_table; option->name; option++) {
        char data[512];
        struct text_buffer line = text_buffer_on(data, sizeof data);
        text_append(&line, "| `%s`", option->name);
        if (option->alias)
            text_append(&line, " (also `%s`)", option->alias);
        text_append(&line, " | %s", option_kind_name(option->kind));
        if (option->kind == OPTION_SPIN)
            text_append(&line, " %d to %d", option->min, option->max);
        for (int j = 0; option->choices[j]; j++)
            text_append(&line, "%s%s", j ? ", " : ": ", option->choices[j]);
        text_append(&line, " | ");
        if (option->kind != OPTION_BUTTON) {
            text_append(&line, "`");
            append_initial(&line, option);
            text_append(&line, "`");
        }
        report_line(report, "%s | %s |", data, option->help);
    }
}
