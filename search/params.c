#include "search/params.h"

#include <stddef.h>

#ifdef CAXTON_TUNE
#define PARAM_DEFINE(name, value, min, max, step) int name = (value);
SEARCH_PARAMS(PARAM_DEFINE)
#define PARAM_ROW(name, value, min, max, step) {#name, &name, min, max, step},
const struct param param_table[] = {SEARCH_PARAMS(PARAM_ROW){0}};
#else
const struct param param_table[] = {{0}};
#endif
