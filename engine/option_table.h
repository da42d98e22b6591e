/* The rows behind options.h; for the files that list and read options. */
#ifndef CAXTON_ENGINE_OPTION_TABLE_H
#define CAXTON_ENGINE_OPTION_TABLE_H

#include "engine/options.h"

enum option_kind { OPTION_CHECK, OPTION_SPIN, OPTION_COMBO, OPTION_STRING, OPTION_BUTTON };

/* A value on its way into struct options: number for check, spin and combo, text for string. */
struct option_value {
    int number;
    const char *text;
};

enum { OPTION_CHOICES = 7 };

struct option {
    const char *name;
    const char *alias; /* another name that is understood, or NULL */
    enum option_kind kind;
    size_t offset; /* of the value in struct options */
    int initial;   /* a combo's is an index */
    int min;
    int max;
    const char *choices[OPTION_CHOICES + 1]; /* of a combo; the rest NULL */
    /* Puts the value into force before it is stored; false when that failed: the old one stays.
     * It has then said why. NULL: being stored is all. */
    bool (*apply)(struct session *session, const struct option_value *value);
    const char *help;
};

/* Ends with a row without a name. */
extern const struct option option_table[];

/* The row called `name`, also by its alias, in any case; NULL when there is none. */
const struct option *option_find(struct span name);

void option_store(struct options *options, const struct option *option,
                  const struct option_value *value);

/* "check", "spin", .. as UCI says it. */
const char *option_kind_name(enum option_kind kind);

#endif
