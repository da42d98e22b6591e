/* A report that is described once, and written as text for people or as JSON for programs: whoever
 * describes it names each value for both. */
#pragma once

#include "base/json.h"

struct report {
    FILE *text;       /* NULL: it is JSON */
    struct json json; /* writes nothing when it is text */
    int label_width;  /* of the text; 0: numbers stand in front, without labels */
    int number_width;
    bool thousands; /* "1,234" */
};

/* Text is laid out as in "games read            1234  what". */
struct report report_begin(FILE *out, bool as_json);
/* Text whose numbers stand in front: "         1,234  what". */
struct report report_of_counts(FILE *out);

/* Text alone, as printf(). */
void report_say(const struct report *report, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A number. name: in JSON; label: in text, with `what` behind the number. NULL: not there. */
void report_number(struct report *report, const char *name, const char *label, uint64_t value,
                   const char *what);
/* The same of what text leaves out when it is 0. */
void report_nonzero(struct report *report, const char *name, const char *label, uint64_t value,
                    const char *what);

/* Is a list for people at its end, after `limit` of `all` items (0: all of them)? Then the rest is
 * counted in a line. JSON has all items. */
bool report_is_cut(const struct report *report, int64_t limit, size_t shown, size_t all);
