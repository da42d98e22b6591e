#include "book/statistics/facets.h"

#include <stdio.h>

const char *const facet_names[FACET_KINDS] = {"rating", "speed", "month"};

bool facets_read(struct span list, unsigned *facets)
{
    for (struct span name; span_item(&list, &name);) {
        int i = 0;
        while (i < FACET_KINDS && !span_equal(name, facet_names[i]))
            i++;
        if (i == FACET_KINDS)
            return false;
        *facets |= 1u << i;
    }
    return true;
}

/* Speed ------------------------------------------------------------------------------------ */

const char *const speed_names[SPEEDS] = {"",      "ultraBullet", "bullet",        "blitz",
                                         "rapid", "classical",   "correspondence"};

/* Takes a number off the front; false: there is none. */
static bool take_number(struct span *text, int64_t *out)
{
    enum { MOST = INT32_MAX }; /* seconds: no sum of two overflows */
    size_t size = 0;
    while (size < text->size && text->data[size] >= '0' && text->data[size] <= '9')
        size++;
    if (span_to_int(span_make(text->data, size), 0, MOST, out) != STATUS_OK)
        return false;
    *text = span_from(*text, size);
    return true;
}

static bool take(struct span *text, char c)
{
    if (!text->size || text->data[0] != c)
        return false;
    *text = span_from(*text, 1);
    return true;
}

enum speed speed_of_time_control(struct span control)
{
    enum { MOVES = 40 };
    static const int starts[SPEEDS] = {0, 0, 30, 180, 480, 1500, 21600};
    int64_t moves = MOVES;
    int64_t base;
    int64_t increment = 0;
    struct span rest = span_trim(control);
    if (span_equal(rest, "-"))
        return SPEED_CORRESPONDENCE;
    if (!take_number(&rest, &base))
        return SPEED_UNKNOWN;
    if (take(&rest, '/')) {
        moves = base;
        if (!moves || !take_number(&rest, &base))
            return SPEED_UNKNOWN;
    }
    if (take(&rest, '+') && !take_number(&rest, &increment))
        return SPEED_UNKNOWN;
    if (rest.size && rest.data[0] != ':')
        return SPEED_UNKNOWN;
    int64_t seconds = base * MOVES / moves + MOVES * increment;
    enum speed speed = SPEED_CORRESPONDENCE;
    while (seconds < starts[speed])
        speed--;
    return speed;
}

/* Rating ----------------------------------------------------------------------------------- */

const uint16_t rating_group_starts[RATING_GROUPS] = {0,    0,    1000, 1200, 1400,
                                                     1600, 1800, 2000, 2200, 2500};

int rating_group_of(unsigned rating)
{
    int group = RATING_GROUPS - 1;
    while (group > 1 && rating < rating_group_starts[group])
        group--;
    return group;
}

/* Months ----------------------------------------------------------------------------------- */

const char *month_text(uint32_t month, char out[MONTH_TEXT_MAX])
{
    unsigned year = month / MONTHS_A_YEAR;
    out[0] = '\0';
    if (month % MONTHS_A_YEAR)
        (void)snprintf(out, MONTH_TEXT_MAX, "%04u-%02u", year, month % MONTHS_A_YEAR);
    else if (month)
        (void)snprintf(out, MONTH_TEXT_MAX, "%04u", year);
    return out;
}

/* Filters ---------------------------------------------------------------------------------- */

const struct facet_filter facet_filter_all = {
    .groups = UINT32_MAX, .speeds = UINT32_MAX, .since = 0, .until = UINT32_MAX};

bool facet_filter_is_all(const struct facet_filter *filter)
{
    const uint32_t groups = (1u << RATING_GROUPS) - 1;
    const uint32_t speeds = (1u << SPEEDS) - 1;
    return (filter->groups & groups) == groups && (filter->speeds & speeds) == speeds &&
           filter->since == 0 && filter->until == UINT32_MAX;
}

bool facet_passes(const struct facet_filter *filter, uint32_t facet)
{
    uint32_t first = facet_month(facet);
    bool is_year = first > 0 && first % MONTHS_A_YEAR == 0;
    uint32_t last = is_year ? first + MONTHS_A_YEAR - 1 : first;
    if (!(filter->groups >> facet_group(facet) & 1) || !(filter->speeds >> facet_speed(facet) & 1))
        return false;
    if (first == 0)
        return filter->since == 0 && filter->until == UINT32_MAX;
    return first + is_year >= filter->since && last <= filter->until;
}
