#include "book/statistics/wld_merge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "book/statistics/tally_merge.h"

enum caxton_status wld_merge(struct wld_reader *const *readers, size_t count, tally_sink sink,
                             void *context, struct diag *diag)
{
    struct tally_input *inputs = calloc(count ? count : 1, sizeof *inputs);
    if (!inputs) {
        diag_set(diag, 0, 0, "out of memory");
        return STATUS_NO_MEMORY;
    }
    for (size_t i = 0; i < count; i++)
        inputs[i] = (struct tally_input){.next = wld_reader_next, .context = readers[i]};
    enum caxton_status status = tally_merge(inputs, count, sink, context, diag);
    free(inputs);
    return status;
}

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
