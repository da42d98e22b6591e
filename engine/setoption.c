#include "engine/setoption.h"

#include <stdlib.h>
#include <string.h>

/* What puts a value into force, beside each row of option_table. False: it failed, has said why,
 * and the old value stays. All NULL: storing the value is enough. */
struct option_action {
    bool (*number)(struct session *session, int value);
    bool (*text)(struct session *session, const char *value);
    void (*press)(struct session *session);
};

#define CHECK(...)                                               {NULL, NULL, NULL},
#define SPIN(FIELD, NAME, ALIAS, INITIAL, MIN, MAX, APPLY, HELP) {.number = APPLY},
#define COMBO(...)                                               {NULL, NULL, NULL},
#define STRING(FIELD, NAME, ALIAS, APPLY, HELP)                  {.text = APPLY},
#define BUTTON(NAME, APPLY, HELP)                                {.press = APPLY},
#define DECLARED(...)                                            {NULL, NULL, NULL},

static const struct option_action actions[] = {
    OPTION_ROWS(CHECK, SPIN, COMBO, STRING, BUTTON, DECLARED)};

/* Takes the text before the token `value` off `rest`, which is left after that token. */
static struct span take_name(struct span *rest, bool *has_value)
{
    struct span name = span_make(rest->data, 0);
    *has_value = false;
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

static bool read_value(struct output *out, const struct option *option, struct span text,
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

static bool apply(struct session *session, const struct option *option,
                  const struct option_value *value)
{
    const struct option_action *action = &actions[option - option_table];
    if (action->press)
        action->press(session);
    return (!action->number || action->number(session, value->number)) &&
           (!action->text || action->text(session, value->text));
}

/* A number of the search, in a tuning build; NULL when none is called so. */
static const struct param *find_param(struct span name)
{
    for (const struct param *param = param_table; param->name; param++)
        if (span_equal_nocase(name, param->name))
            return param;
    return NULL;
}

static void set_param(struct session *session, const struct param *param, struct span text)
{
    const struct option row = {.name = param->name, .min = param->min, .max = param->max};
    struct option_value value = {0};
    if (read_spin(session_out(session), &row, text, &value))
        *param->value = value.number;
}

void setoption_command(struct session *session, struct span arguments, bool echo)
{
    session_finish(session);
    struct output *out = session_out(session);
    struct span rest = arguments;
    if (!span_equal_nocase(span_token(&rest), "name")) {
        report_string(out, "setoption: expected \"name\"");
        return;
    }
    bool has_value;
    struct span name = take_name(&rest, &has_value);
    struct span text = span_trim(rest);
    const struct option *option = option_find(name);
    const struct param *param = option ? NULL : find_param(name);
    if (param) {
        set_param(session, param, text);
        return;
    }
    if (!option) {
        struct text_nearest near = {.wanted = name};
        for (const struct option *row = option_table; row->name; row++)
            text_nearest_try(&near, span_of(row->name));
        report_string(out, "no option is called \"%.*s\"%s%s", report_quote_size(name), name.data,
                      near.word.data ? "; did you mean " : "",
                      near.word.data ? near.word.data : "");
        return;
    }
    if (option->type != TYPE_BUTTON && !has_value) {
        report_string(out, "setoption: %s needs a value", option->name);
        return;
    }
    struct option_value value = {0};
    if (!read_value(out, option, text, &value) || !apply(session, option, &value))
        return;
    option_store(session_options(session), option, &value);
    if (echo)
        report_string(out, "%s set", option->name);
}
