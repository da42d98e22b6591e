#include "engine/options.h"

#include "base/help.h"

/* clang-format off */
#define CHECK(FIELD, ...)  OPTION_CHECK_ROW(struct options, FIELD, __VA_ARGS__)
#define SPIN(FIELD, ...)   OPTION_SPIN_ROW(struct options, FIELD, __VA_ARGS__)
#define COMBO(FIELD, ...)  OPTION_COMBO_ROW(struct options, FIELD, __VA_ARGS__)
#define STRING(FIELD, ...) OPTION_STRING_ROW(struct options, FIELD, __VA_ARGS__)
#define BUTTON(NAME, APPLY, HELP) {.name = NAME, .type = TYPE_BUTTON, .help = HELP},
#define DECLARED(NAME, TYPE, INITIAL, MIN, MAX, TEXT, HELP)                                        \
    {.name = NAME, .type = TYPE, .offset = OPTION_NO_FIELD, .initial = INITIAL, .min = MIN,        \
     .max = MAX, .text = TEXT, .help = HELP},
#define BOOK_CHECK(FIELD, ...)  CHECK(book.FIELD, __VA_ARGS__)
#define BOOK_SPIN(FIELD, ...)   SPIN(book.FIELD, __VA_ARGS__)
#define BOOK_COMBO(FIELD, ...)  COMBO(book.FIELD, __VA_ARGS__)
#define BOOK_STRING(FIELD, ...) STRING(book.FIELD, __VA_ARGS__)

const struct option option_table[] = {
    OPTION_ROWS(CHECK, SPIN, COMBO, STRING, BUTTON, DECLARED)
    BOOK_OPTION_ROWS(BOOK_CHECK, BOOK_SPIN, BOOK_COMBO, BOOK_STRING, NULL){0}};
/* clang-format on */

void options_init(struct options *options)
{
    option_init(options, option_table);
}

void options_list(struct output *out)
{
    option_list(option_table, out);
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

void options_list_man(FILE *out)
{
    for (const struct option *option = option_table; option->name; option++) {
        char data[512];
        struct text_buffer line = text_buffer_on(data, sizeof data);
        text_append(&line, "%s (", option->name);
        option_append_type(&line, option);
        if (option->type != TYPE_BUTTON) {
            text_append(&line, "; ");
            option_append_initial(&line, option);
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
        option_append_type(&line, option);
        text_append(&line, " | ");
        if (option->type != TYPE_BUTTON) {
            text_append(&line, "`");
            option_append_initial(&line, option);
            text_append(&line, "`");
        }
        report_line(&out, "%s | %s |", data, option->help);
    }
}
