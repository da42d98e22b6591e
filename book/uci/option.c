#include "book/uci/option.h"

#include <stdlib.h>
#include <string.h>

const struct option *option_find(const struct option *table, struct span name)
{
    for (const struct option *option = table; option->name; option++)
        if (span_equal_nocase(name, option->name) ||
            (option->alias && span_equal_nocase(name, option->alias)))
            return option;
    return NULL;
}

void option_store(void *values, const struct option *option, const struct option_value *value)
{
    if (option->offset == OPTION_NO_FIELD)
        return;
    char *field = (char *)values + option->offset;
    if (option->type == TYPE_CHECK)
        *(bool *)field = value->number != 0;
    else if (option->type == TYPE_STRING)
        text_copy(field, OPTION_TEXT_MAX, span_of(value->text));
    else if (option->type != TYPE_BUTTON)
        memcpy(field, &value->number, sizeof value->number);
}

void option_init(void *values, const struct option *table)
{
    for (const struct option *option = table; option->name; option++)
        option_store(values, option, &(struct option_value){option->initial, ""});
}

/* The types' names in UCI. */
static const char *const type_names[] = {"check", "spin", "combo", "string", "button"};

void option_append_initial(struct text_buffer *line, const struct option *option)
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

void option_list(const struct option *table, struct output *out)
{
    for (const struct option *option = table; option->name; option++) {
        char data[REPORT_LINE_MAX];
        struct text_buffer line = text_buffer_on(data, sizeof data);
        text_append(&line, "option name %s type %s", option->name, type_names[option->type]);
        if (option->type != TYPE_BUTTON) {
            text_append(&line, " default ");
            option_append_initial(&line, option);
        }
        if (option->type == TYPE_SPIN)
            text_append(&line, " min %d max %d", option->min, option->max);
        for (int j = 0; option->choices[j]; j++)
            text_append(&line, " var %s", option->choices[j]);
        report_line(out, "%s", data);
    }
}

void option_append_type(struct text_buffer *line, const struct option *option)
{
    text_append(line, "%s", type_names[option->type]);
    if (option->type == TYPE_SPIN)
        text_append(line, " %d to %d", option->min, option->max);
    for (int j = 0; option->choices[j]; j++)
        text_append(line, "%s%s", j ? ", " : ": ", option->choices[j]);
}

struct span option_take_name(struct span *rest, bool *has_value)
{
    *has_value = false;
    if (!span_equal_nocase(span_token(rest), "name"))
        return span_make(NULL, 0);
    struct span name = span_make(rest->data, 0);
    for (struct span token; !*has_value && (token = span_token(rest)).size;) {
        *has_value = span_equal_nocase(token, "value");
        if (!*has_value)
            name.size = (size_t)(token.data + token.size - name.data);
    }
    return span_trim(name);
}

static bool read_check(struct output *out, const struct option *option, struct span text,
                       struct option_value *value)
{
    value->number = span_equal_nocase(text, "true");
    if (value->number || span_equal_nocase(text, "false"))
        return true;
    report_string(out, "%s is true or false, not \"%.*s\"", option->name, report_quote_size(text),
                  text.data);
    return false;
}

static bool read_spin(struct output *out, const struct option *option, struct span text,
                      struct option_value *value)
{
    int64_t number = 0;
    enum caxton_status status = span_to_int(text, INT64_MIN, INT64_MAX, &number);
    if (status == STATUS_RANGE) /* more than 64 bits */
        number = text.data[0] == '-' ? INT64_MIN : INT64_MAX;
    else if (status != STATUS_OK) {
        report_string(out, "%s is a number from %d to %d, not \"%.*s\"", option->name, option->min,
                      option->max, report_quote_size(text), text.data);
        return false;
    }
    value->number = number < option->min   ? option->min
                    : number > option->max ? option->max
                                           : (int)number;
    if (value->number != number)
        report_string(out, "%s is a number from %d to %d: taken as %d", option->name, option->min,
                      option->max, value->number);
    return true;
}

static bool read_combo(struct output *out, const struct option *option, struct span text,
                       struct option_value *value)
{
    struct text_nearest near = {.wanted = text};
    for (int i = 0; option->choices[i]; i++) {
        if (span_equal_nocase(text, option->choices[i])) {
            value->number = i;
            return true;
        }
        text_nearest_try(&near, span_of(option->choices[i]));
    }
    report_string(out, "%s has no choice \"%.*s\"%s%s", option->name, report_quote_size(text),
                  text.data, near.word.data ? "; did you mean " : "",
                  near.word.data ? near.word.data : "");
    return false;
}

/* A file, a list of files, or other text, as people write them: quotation marks around a name go,
 * and ~/ in front of it is their folder. False: too long. */
static bool read_text(struct span text, char out[OPTION_TEXT_MAX])
{
    const char *home = getenv("HOME");
    struct text_buffer written = text_buffer_on(out, OPTION_TEXT_MAX);
    bool is_quoted = false;
    bool is_start = true; /* of a name */
    for (size_t i = 0; i < text.size; i++) {
        char c = text.data[i];
        if (c == '"' && (is_start || is_quoted)) {
            is_quoted = !is_quoted;
            continue;
        }
        if (is_start && home && c == '~' && i + 1 < text.size && text.data[i + 1] == '/')
            text_append(&written, "%s", home);
        else
            text_append(&written, "%c", c);
        is_start = (c && strchr(";|:", c)) || (is_start && c == ' ');
    }
    return !written.cut;
}

bool option_read(struct output *out, const struct option *option, struct span text,
                 struct option_value *value)
{
    switch (option->type) {
    case TYPE_CHECK:
        return read_check(out, option, text, value);
    case TYPE_SPIN:
        return read_spin(out, option, text, value);
    case TYPE_COMBO:
        return read_combo(out, option, text, value);
    case TYPE_STRING:
        if (!read_text(text, value->text)) {
            report_string(out, "%s: longer than %d characters", option->name, OPTION_TEXT_MAX - 1);
            return false;
        }
        if (span_equal_nocase(text, "<empty>"))
            value->text[0] = '\0';
        return true;
    case TYPE_BUTTON:
        return true;
    }
    return false;
}
