#include "book/count/filter/time_class.h"

const char *const time_class_names[TIME_CLASSES] = {"",      "bullet",    "blitz",
                                                    "rapid", "classical", "correspondence"};

static bool digits(struct span *text, int64_t *value)
{
    size_t size = 0;
    while (size < text->size && text->data[size] >= '0' && text->data[size] <= '9')
        size++;
    if (!size)
        return false;
    struct span number = span_make(text->data, size);
    *text = span_from(*text, size);
    return span_to_int(number, 0, INT32_MAX, value) == STATUS_OK;
}

static bool take(struct span *text, char c)
{
    if (!text->size || text->data[0] != c)
        return false;
    *text = span_from(*text, 1);
    return true;
}

enum time_class time_class_of(struct span control)
{
    enum { BULLET_S = 180, BLITZ_S = 480, RAPID_S = 1500, CLASSICAL_S = 86400, MOVES = 40 };
    int64_t moves = MOVES;
    int64_t base;
    int64_t increment = 0;
    struct span rest = span_trim(control);
    if (span_equal(rest, "-"))
        return TIME_CORRESPONDENCE;
    if (!digits(&rest, &base))
        return TIME_UNKNOWN;
    if (take(&rest, '/')) {
        moves = base;
        if (!moves || !digits(&rest, &base))
            return TIME_UNKNOWN;
    }
    if (take(&rest, '+') && !digits(&rest, &increment))
        return TIME_UNKNOWN;
    if (rest.size && rest.data[0] != ':')
        return TIME_UNKNOWN;
    int64_t seconds = base * MOVES / moves + MOVES * increment;
    return seconds < BULLET_S       ? TIME_BULLET
           : seconds < BLITZ_S      ? TIME_BLITZ
           : seconds < RAPID_S      ? TIME_RAPID
           : seconds <= CLASSICAL_S ? TIME_CLASSICAL
                                    : TIME_CORRESPONDENCE;
}
