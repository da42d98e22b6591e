#include "search/params.h"

#ifdef CAXTON_TUNE

#include <string.h>

#define PARAM_DEFINE(name, value, min, max, step) int name = (value);
SEARCH_PARAMS(PARAM_DEFINE)

struct row {
    const char *name;
    int *value;
    int min;
    int max;
    int step;
};

#define PARAM_ROW(name, value, min, max, step) {#name, &name, min, max, step},
static const struct row rows[] = {SEARCH_PARAMS(PARAM_ROW)};

int params_count(void)
{
    return (int)(sizeof rows / sizeof *rows);
}

struct param params_at(int index)
{
    const struct row *row = &rows[index];
    return (struct param){row->name, *row->value, row->min, row->max, row->step};
}

enum caxton_status params_set(const char *name, int value)
{
    for (int i = 0; i < params_count(); i++) {
        if (strcmp(rows[i].name, name) != 0)
            continue;
        if (value < rows[i].min || value > rows[i].max)
            return STATUS_RANGE;
        *rows[i].value = value;
        return STATUS_OK;
    }
    return STATUS_NOT_FOUND;
}

#else

int params_count(void)
{
    return 0;
}

struct param params_at(int index)
{
    (void)index;
    return (struct param){0};
}

enum caxton_status params_set(const char *name, int value)
{
    (void)name;
    (void)value;
    return STATUS_NOT_FOUND;
}

#endif
