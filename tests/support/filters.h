/* Filters set by the names of their options, and reasons by their names in JSON. */
#pragma once

#include <string.h>

#include "book/count/filter/filter.h"

/* The number of the reason `name`; FILTER_ROWS_MAX when there is none. */
static inline size_t filters_reason(const char *name)
{
    for (size_t i = 0; i < FILTER_ROWS_MAX; i++)
        if (filter_reason(i) && strcmp(filter_reason(i)->reason_name, name) == 0)
            return i;
    return FILTER_ROWS_MAX;
}

static inline enum caxton_status filters_text(struct filter *filter, const char *name,
                                              const char *text)
{
    return filter_set(filter, name, &(struct filter_setting){.text = text}, NULL);
}

static inline enum caxton_status filters_number(struct filter *filter, const char *name,
                                                int64_t number)
{
    return filter_set(filter, name, &(struct filter_setting){.number = number}, NULL);
}

static inline enum caxton_status filters_flag(struct filter *filter, const char *name)
{
    return filter_set(filter, name, &(struct filter_setting){.flag = true}, NULL);
}

static inline enum caxton_status filters_choice(struct filter *filter, const char *name, int choice)
{
    return filter_set(filter, name, &(struct filter_setting){.choice = choice}, NULL);
}
