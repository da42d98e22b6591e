#include "engine/setoption.h"

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
    OPTION_ROWS(CHECK, SPIN, COMBO, STRING, BUTTON, DECLARED)
        BOOK_OPTION_ROWS(CHECK, SPIN, COMBO, STRING, session_set_book)};

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
    const struct option row = {
        .name = param->name, .type = TYPE_SPIN, .min = param->min, .max = param->max};
    struct option_value value = {0};
    if (option_read(session_out(session), &row, text, &value))
        *param->value = value.number;
}

void setoption_command(struct session *session, struct span arguments, bool echo)
{
    session_finish(session);
    struct output *out = session_out(session);
    struct span rest = arguments;
    bool has_value;
    struct span name = option_take_name(&rest, &has_value);
    if (!name.data) {
        report_string(out, "setoption: expected \"name\"");
        return;
    }
    struct span text = span_trim(rest);
    const struct option *option = option_find(option_table, name);
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
    if (!option_read(out, option, text, &value) || !apply(session, option, &value))
        return;
    option_store(session_options(session), option, &value);
    if (echo)
        report_string(out, "%s set", option->name);
}
