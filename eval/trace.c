/* The evaluation again, counting what it adds. */
#define EVAL_TRACING 1

#include "eval/trace.h"

#include <string.h>

#include "eval/evaluate.h"

void eval_trace(const struct position *pos, struct eval_trace *trace)
{
    memset(trace, 0, sizeof *trace);
    evaluate(pos, NULL, trace);
}

const char *eval_group(int index, int *first, int *size)
{
    static const struct {
        const char *name;
        int first, size;
    } groups[] = {
#define X(name, size) {#name, W_##name, size},
        EVAL_WEIGHT_GROUPS(X)
#undef X
    };
    if (index < 0 || index >= (int)(sizeof groups / sizeof groups[0]))
        return NULL;
    *first = groups[index].first;
    *size = groups[index].size;
    return groups[index].name;
}
