/* The values of options that are lists parted by commas: "1-0,1/2-1/2". */
#pragma once

#include "base/text.h"

/* Takes the next part of a list off its front, without blanks around it; false at the end. An empty
 * part is a part. `list` may have no data then. */
bool name_list_next(struct span *list, struct span *part);

struct name_set {
    const char *const *names; /* names[1..count) */
    int count;
    const char *what; /* what a name is, for a message */
};

/* Reads names into bits: 1 << 1 for names[1] and so on. Errors: STATUS_SYNTAX, *bits untouched. */
MUST_CHECK enum caxton_status name_list_read(struct span list, const struct name_set *set,
                                             unsigned *bits, struct diag *diag);

/* The names whose bits are set, as a line "OPTION NAME,NAME" of a statistics file. */
void name_list_describe(struct text_buffer *out, const char *option, unsigned bits,
                        const struct name_set *set);
