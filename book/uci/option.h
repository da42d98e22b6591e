/* Options as rows of a table: what `uci` says of them, how `setoption` is read, and where the
 * values are kept. */
#pragma once

#include <stddef.h>

#include "book/uci/report.h"

enum { OPTION_TEXT_MAX = 4096, OPTION_CHOICES = 7 };

enum option_type { TYPE_CHECK, TYPE_SPIN, TYPE_COMBO, TYPE_STRING, TYPE_BUTTON };

/* A value on its way into a struct of values: number for check, spin and combo, text for string. */
struct option_value {
    int number;
    char text[OPTION_TEXT_MAX];
};

#define OPTION_NO_FIELD SIZE_MAX

/* A row of the table. */
struct option {
    const char *name;
    const char *alias; /* another name that is understood, or NULL */
    enum option_type type;
    size_t offset; /* of the value in the struct of values; OPTION_NO_FIELD: it is not kept */
    int initial;   /* a combo's is its first choice, 0 */
    int min;
    int max;
    const char *text;                        /* the default of a string; NULL: <empty> */
    const char *choices[OPTION_CHOICES + 1]; /* of a combo; the rest NULL */
    const char *help;
};

/* A list of options is written once, as a macro of rows of each type:
 *
 *   CHECK(field, name, alias, default, help)
 *   SPIN(field, name, alias, default, min, max, apply, help)
 *   COMBO(field, name, alias, help, choices)            the value is an index into the choices; the
 *                                                       first is the default: uci2wb forgets which
 *   STRING(field, name, alias, apply, help)             the default is "", which is <empty>
 *
 * field: the member of the struct of values. alias: another name that `setoption` understands, or
 * NULL. apply: the function that puts a value into force, or NULL when it is enough to store it.
 * help: its meaning, for docs/ENGINE.md. The members, and the rows of the table, come from it: */
/* clang-format off */
#define OPTION_CHECK_FIELD(field, ...)  bool field;
#define OPTION_SPIN_FIELD(field, ...)   int field;
#define OPTION_COMBO_FIELD(field, ...)  int field;
#define OPTION_STRING_FIELD(field, ...) char field[OPTION_TEXT_MAX];

#define OPTION_ROW(STRUCT, FIELD, NAME, ALIAS, TYPE, ...) \
    {.name = NAME, .alias = ALIAS, .type = TYPE, .offset = offsetof(STRUCT, FIELD), __VA_ARGS__},
#define OPTION_CHECK_ROW(STRUCT, FIELD, NAME, ALIAS, INITIAL, HELP) \
    OPTION_ROW(STRUCT, FIELD, NAME, ALIAS, TYPE_CHECK, .initial = INITIAL, .help = HELP)
#define OPTION_SPIN_ROW(STRUCT, FIELD, NAME, ALIAS, INITIAL, MIN, MAX, APPLY, HELP) \
    OPTION_ROW(STRUCT, FIELD, NAME, ALIAS, TYPE_SPIN, .initial = INITIAL, .min = MIN, .max = MAX, \
               .help = HELP)
#define OPTION_COMBO_ROW(STRUCT, FIELD, NAME, ALIAS, HELP, ...) \
    OPTION_ROW(STRUCT, FIELD, NAME, ALIAS, TYPE_COMBO, .choices = {__VA_ARGS__}, .help = HELP)
#define OPTION_STRING_ROW(STRUCT, FIELD, NAME, ALIAS, APPLY, HELP) \
    OPTION_ROW(STRUCT, FIELD, NAME, ALIAS, TYPE_STRING, .help = HELP)
/* clang-format on */

/* A table ends with a row without a name. */

/* The row called `name`, also by its alias, in any case; NULL when there is none. */
const struct option *option_find(const struct option *table, struct span name);

/* values: the struct whose members the rows name. */
void option_store(void *values, const struct option *option, const struct option_value *value);
/* The values at start, all but those of buttons and of rows without a field. */
void option_init(void *values, const struct option *table);

/* The `option` lines of the answer to `uci`. */
void option_list(const struct option *table, struct output *out);
/* The type with the values that it allows; the default of an option that is no button. */
void option_append_type(struct text_buffer *line, const struct option *option);
void option_append_initial(struct text_buffer *line, const struct option *option);

/* Takes "name NAME value" off the front of what follows `setoption`, and gives the name; its data
 * is NULL without the word "name". */
struct span option_take_name(struct span *rest, bool *has_value);
/* Reads a value; what had to be changed costs one `info string`. False: it was not understood,
 * which is one, too. */
bool option_read(struct output *out, const struct option *option, struct span text,
                 struct option_value *value);
