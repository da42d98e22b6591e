#include "book/count/filter/name_list.h"

#include <string.h>

bool name_list_next(struct span *list, struct span *part)
{
    if (!list->data)
        return false;
    const char *comma = list->size ? memchr(list->data, ',', list->size) : NULL;
    size_t size = comma ? (size_t)(comma - list->data) : list->size;
    *part = span_trim(span_make(list->data, size));
    *list = comma ? span_from(*list, size + 1) : span_make(NULL, 0);
    return true;
}

enum caxton_status name_list_read(struct span list, const struct name_set *set, unsigned *bits,
                                  struct diag *diag)
{
    enum { SHOWN_MAX = 40 };
    unsigned found = 0;
    for (struct span part; name_list_next(&list, &part);) {
        int index = 1;
        while (index < set->count && !span_equal(part, set->names[index]))
            index++;
        if (index == set->count)
            return diag_fail(STATUS_SYNTAX, diag, "\"%.*s\" is no %s",
                             (int)(part.size < SHOWN_MAX ? part.size : SHOWN_MAX), part.data,
                             set->what);
        found |= 1u << index;
    }
    *bits = found;
    return STATUS_OK;
}

void name_list_describe(struct text_buffer *out, const char *option, unsigned bits,
                        const struct name_set *set)
{
    const char *before = " ";
    text_append(out, "%s", option);
    for (int i = 0; i < set->count; i++)
        if (bits & 1u << i) {
            text_append(out, "%s%s", before, set->names[i]);
            before = ",";
        }
    text_append(out, "\n");
}
