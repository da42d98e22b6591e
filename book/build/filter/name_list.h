/* The values of options that are lists parted by commas: "1-0,1/2-1/2". */
#pragma once

#include "base/text.h"

/* Takes the next part of a list off its front, without blanks around it; false at the end. An empty
 * part is a part. `list` may have no data then. */
bool name_list_next(struct span *list, struct span *part);

/* Reads names[1..count) into bits: 1 << 1 for names[1] and so on. `what` says in a message what a
 * name is. Errors: STATUS_SYNTAX, *bits untouched. */
MUST_CHECK enum caxton_status name_list_read(struct span list, const char *const *names, int count,
                                             const char *what, unsigned *bits, struct diag *diag);

/* The names whose bits are set, as a line "OPTION NAME,NAME" of a statistics file. */
void name_list_describe(struct text_buffer *out, const char *option, unsigned bits,
                        const char *const *names, int count);
