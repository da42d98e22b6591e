#include "book/open/entry_options.h"

#include <string.h>

enum { DEPTH_MAX = 255, PERMILLE_MAX = 1000, VALUES_MAX = 4 };

/* An option: words for its values, in order, or a number from 0 to max. */
struct row {
    const char *name;
    const char *values[VALUES_MAX];
    int64_t max;
    size_t offset; /* of its field */
};

#define FIELD(name) offsetof(struct entry_options, name)

static const struct row rows[] = {
    {"color", {[WHITE] = "white", [BLACK] = "black"}, 0, FIELD(color)},
    {"depth", {NULL}, DEPTH_MAX, FIELD(depth_plies)},
    {"selection",
     {[BOOK_BEST] = "best", [BOOK_WEIGHTED] = "weighted", [BOOK_UNIFORM] = "uniform"},
     0,
     FIELD(selection)},
    {"threshold", {NULL}, PERMILLE_MAX, FIELD(threshold_permille)},
};

struct entry_options entry_options_none(void)
{
    return (struct entry_options){
        .color = -1, .depth_plies = -1, .selection = -1, .threshold_permille = -1};
}

/* Where `wanted` stands in the text; its size: nowhere. */
static size_t find(struct span text, char wanted)
{
    const char *at = text.size ? memchr(text.data, wanted, text.size) : NULL;
    return at ? (size_t)(at - text.data) : text.size;
}

struct span entry_options_split(struct span entry, struct span *text)
{
    size_t at = entry.size;
    while (at > 0 && entry.data[at - 1] != '?')
        at--;
    *text = span_from(entry, at);
    if (at > 0 && find(*text, '=') < text->size)
        return span_trim(span_make(entry.data, at - 1));
    *text = span_make(entry.data + entry.size, 0);
    return entry;
}

/* False: there is no such value. */
static bool read_value(const struct row *row, struct span value, int *out)
{
    int64_t number = 0;
    if (!row->values[0]) {
        bool good = span_to_int(value, 0, row->max, &number) == STATUS_OK;
        *out = good ? (int)number : *out;
        return good;
    }
    for (int i = 0; i < VALUES_MAX && row->values[i]; i++)
        if (span_equal_nocase(value, row->values[i])) {
            *out = i;
            return true;
        }
    return false;
}

enum caxton_status entry_options_next(struct span *text, struct entry_options *options,
                                      struct diag *diag)
{
    enum { SHOWN_MAX = 40 };
    size_t end = find(*text, '&');
    struct span option = span_trim(span_make(text->data, end));
    *text = span_from(*text, end + (end < text->size));
    size_t equals = find(option, '=');
    struct span name = span_trim(span_make(option.data, equals));
    struct span value =
        span_trim(span_from(option, equals < option.size ? equals + 1 : option.size));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        void *field = (char *)options + rows[i].offset;
        if (span_equal_nocase(name, rows[i].name) && read_value(&rows[i], value, field))
            return STATUS_OK;
    }
    return diag_fail(STATUS_SYNTAX, diag,
                     "\"%.*s\" is none of color=white|black, depth=0..255, "
                     "selection=best|weighted|uniform, threshold=0..1000",
                     (int)(option.size < SHOWN_MAX ? option.size : SHOWN_MAX), option.data);
}
