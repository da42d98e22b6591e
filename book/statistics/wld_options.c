#include "book/statistics/wld_options.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

static int compare_spans(struct span a, struct span b)
{
    size_t size = a.size < b.size ? a.size : b.size;
    int order = size ? memcmp(a.data, b.data, size) : 0;
    return order ? order : (a.size > b.size) - (a.size < b.size);
}

/* Puts `line` where it belongs among the lines of united[]. */
static enum caxton_status insert_line(char *united, struct span line)
{
    size_t size = strlen(united);
    struct span rest = span_make(united, size);
    size_t at = 0;
    for (struct span other; span_line(&rest, &other);) {
        int order = compare_spans(line, other);
        if (order == 0)
            return STATUS_OK;
        if (order < 0)
            break;
        at = size - rest.size;
    }
    if (size + line.size + 1 > WLD_OPTIONS_MAX)
        return STATUS_RANGE;
    memmove(united + at + line.size + 1, united + at, size - at + 1);
    memcpy(united + at, line.data, line.size);
    united[at + line.size] = '\n';
    return STATUS_OK;
}

enum caxton_status wld_unite_options(char *united, const char *more)
{
    char result[WLD_OPTIONS_MAX + 1];
    enum caxton_status status = STATUS_OK;
    (void)snprintf(result, sizeof result, "%s", united);
    struct span rest = span_of(more);
    for (struct span line; status == STATUS_OK && span_line(&rest, &line);)
        if (line.size)
            status = insert_line(result, line);
    if (status == STATUS_OK)
        memcpy(united, result, strlen(result) + 1);
    return status;
}

static bool have(const char *options, struct span line)
{
    struct span rest = span_of(options);
    for (struct span other; span_line(&rest, &other);)
        if (compare_spans(line, other) == 0)
            return true;
    return false;
}

bool wld_options_have(const char *options, const char *line)
{
    return have(options, span_of(line));
}

void wld_options_drop(char *options, const char *line)
{
    struct span rest = span_of(options);
    for (struct span other; span_line(&rest, &other);) {
        if (!span_equal(other, line))
            continue;
        memmove(options + (other.data - options), rest.data, rest.size + 1);
        return;
    }
}

static struct span first_line_without(const char *options, const char *others)
{
    struct span rest = span_of(options);
    for (struct span line; span_line(&rest, &line);)
        if (line.size && !have(others, line))
            return line;
    return span_make(NULL, 0);
}

bool wld_options_differ(const char *one, const char *other, struct span *only_one,
                        struct span *only_other)
{
    *only_one = first_line_without(one, other);
    *only_other = first_line_without(other, one);
    return only_one->size > 0 || only_other->size > 0;
}
