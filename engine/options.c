#include "engine/options.h"

#include <stddef.h>
#include <string.h>

#include "base/help.h"

/* clang-format off */
#define ROW(FIELD, NAME, ALIAS, TYPE, ...)                                                         \
    {.name = NAME, .alias = ALIAS, .type = TYPE, .offset = offsetof(struct options, FIELD),        \
     __VA_ARGS__},
#define CHECK(FIELD, NAME, ALIAS, INITIAL, HELP)                                                   \
    ROW(FIELD, NAME, ALIAS, TYPE_CHECK, .initial = INITIAL, .help = HELP)
#define SPIN(FIELD, NAME, ALIAS, INITIAL, MIN, MAX, APPLY, HELP)                                   \
    ROW(FIELD, NAME, ALIAS, TYPE_SPIN, .initial = INITIAL, .min = MIN, .max = MAX, .help = HELP)
#define COMBO(FIELD, NAME, ALIAS, HELP, ...)                                                       \
    ROW(FIELD, NAME, ALIAS, TYPE_COMBO, .choices = {__VA_ARGS__}, .help = HELP)
#define STRING(FIELD, NAME, ALIAS, APPLY, HELP) ROW(FIELD, NAME, ALIAS, TYPE_STRING, .help = HELP)
#define BUTTON(NAME, APPLY, HELP) {.name = NAME, .type = TYPE_BUTTON, .help = HELP},
#define DECLARED(NAME, TYPE, INITIAL, MIN, MAX, TEXT, HELP)                                        \
    {.name = NAME, .type = TYPE, .offset = OPTION_NO_FIELD, .initial = INITIAL, .min = MIN,        \
     .max = MAX, .text = TEXT, .help = HELP},
/* clang-format on */

const struct option option_table[] = {OPTION_ROWS(CHECK, SPIN, COMBO, STRING, BUTTON, DECLARED){0}};

const struct option *option_find(struct span name)
{
    for (const struct option *option = option_table; option->name; option++)
        if (span_equal_nocase(name, option->name) ||
            (option->alias && span_equal_nocase(name, option->alias)))
            return option;
    return NULL;
}

void option_store(struct options *options, const struct option *option,
                  const struct option_value *value)
{
    if (option->offset == OPTION_NO_FIELD)
        return;
    char *field = (char *)options + option->offset;
    if (option->type == TYPE_CHECK)
        *(bool *)field = value->number != 0;
    else if (option->type == TYPE_STRING)
        text_copy(field, OPTION_TEXT_MAX, span_of(value->text));
    else if (option->type != TYPE_BUTTON)
        memcpy(field, &value->number, sizeof value->number);
}

void options_init(struct options *options)
{
    for (const struct option *option = option_table; option->name; option++)
        option_store(options, option, &(struct option_value){option->initial, ""});
}

/* The types' names in UCI. */
static const char *const type_names[] = {"check", "spin", "combo", "string", "button"};

/* The default of an option that is no button. */
static void append_initial(struct text_buffer *line, const struct option *option)
{
    if (option->type == TYPE_SPIN)
        text_append(line, "%d", option->initial);
    else if (option->type == TYPE_CHECK)
        text_append(line, "%s", option->initial ? "true" : "false");
    else
        text_append(line, "%s",
                    option->type == TYPE_COMBO ? option->choices[0]
                    : option->text             ? option->text
                                               : "<empty>");
}

void options_list(struct output *out)
{
    for (const struct option *option = option_table; option->name; option++) {
        char data[256];
        struct text_buffer line = text_buffer_on(data, sizeof data);
        text_append(&line, "option name %s type %s", option->name, type_names[option->type]);
        if (option->type != TYPE_BUTTON) {
            text_append(&line, " default ");
            append_initial(&line, option);
        }
        if (option->type == TYPE_SPIN)
            text_append(&line, " min %d max %d", option->min, option->max);
        for (int j = 0; option->choices[j]; j++)
            text_append(&line, " var %s", option->choices[j]);
        report_line(out, "%s", data);
    }
    for (const struct param *param = param_table; param->name; param++)
        report_line(out, "option name %s type spin default %d min %d max %d", param->name,
                    *param->value, param->min, param->max);
}

void options_list_spsa(FILE *stream, const struct param *params)
{
    struct output out = {.stream = stream};
    for (const struct param *param = params; param->name; param++)
        report_line(&out, "%s, int, %d, %d, %d, %d, 0.002", param->name, *param->value, param->min,
                    param->max, param->step);
}

/* The type with the values it allows. */
static void append_type(struct text_buffer *line, const struct option *option)
{
    text_append(line, "%s", type_names[option->type]);
    if (option->type == TYPE_SPIN)
        text_append(line, " %d to %d", option->min, option->max);
    for (int j = 0; option->choices[j]; j++)
        text_append(line, "%s%s", j ? ", " : ": ", option->choices[j]);
}

void options_list_man(FILE *out)
{
    for (const struct option *option = option_table; option->name; option++) {
        char data[512];
        struct text_buffer line = text_buffer_on(data, sizeof data);
        text_append(&line, "%s (", option->name);
        append_type(&line, option);
        if (option->type != TYPE_BUTTON) {
            text_append(&line, "; ");
            append_initial(&line, option);
        }
        text_append(&line, ")");
        help_row(out, HELP_MAN, 0, data, "-", option->help);
    }
}

void options_list_markdown(FILE *stream)
{
    struct output out = {.stream = stream};
    report_line(&out, "| option | type | default | meaning |");
    report_line(&out, "|---|---|---|---|");
    for (const struct option *option = option_table; option->name; option++) {
        char data[512];
        struct text_buffer line = text_buffer_on(data, sizeof data);
        text_append(&line, "| `%s`", option->name);
        if (option->alias)
            text_append(&line, " (also `%s`)", option->alias);
        text_append(&line, " | ");
        append_type(&line, option);
        text_append(&line, " | ");
        if (option->type != TYPE_BUTTON) {
            text_append(&line, "`");
            append_initial(&line, option);
            text_append(&line, "`");
        }
        report_line(&out, "%s | %s |", data, option->help);
    }
}
