#include "book/makebook/cli/filtering.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "book/count/filter/date_range.h"
#include "book/count/filter/filter_table.h"
#include "book/makebook/cli/command.h"

size_t filtering_rows(struct filtering *filtering, struct option_row *rows)
{
    int places[FILTER_ROWS_MAX];
    size_t count = 0;
    for (size_t i = 0; i < filter_row_count; i++) {
        const struct filter_row *filter = &filter_rows[i];
        if (!filter->name)
            continue;
        size_t at = count++;
        for (; at > 0 && places[at - 1] > filter->help_place; at--) {
            rows[at] = rows[at - 1];
            places[at] = places[at - 1];
        }
        places[at] = filter->help_place;
        rows[at] = filter_option(filter, &filtering->settings[i]);
    }
    return count;
}

enum exit_status filtering_read(const struct command_line *line, const struct filtering *filtering,
                                struct filter *out)
{
    struct filter filter = filter_default();
    for (size_t i = 0; i < filter_row_count; i++) {
        struct diag diag = {.text = ""};
        if (filter_rows[i].name &&
            filter_set(&filter, filter_rows[i].name, &filtering->settings[i], &diag) != STATUS_OK)
            return command_misuse(line, "--%s: %s", filter_rows[i].name, diag.text);
        if (diag.text[0])
            (void)command_fail(line, "--%s: %s", filter_rows[i].name, diag.text);
    }
    struct diag diag = {.text = ""};
    if (filter_check(&filter, &diag) != STATUS_OK)
        return command_misuse(line, "%s", diag.text);
    *out = filter;
    return EXIT_DONE;
}

/* Games that count in parts ------------------------------------------------------------------ */

/* Today in Greenwich, or the day that SOURCE_DATE_EPOCH names to builds that shall be repeatable
 * (reproducible-builds.org/specs/source-date-epoch), as YYYYMMDD. 0 = unknown. */
static int64_t today(void)
{
    const int64_t end_of_9999 = 253402300799;
    const char *epoch = getenv("SOURCE_DATE_EPOCH");
    int64_t seconds;
    if (!epoch || !*epoch)
        return clock_today();
    if (span_to_int(span_of(epoch), 0, end_of_9999, &seconds) != STATUS_OK)
        return 0;
    return clock_date(seconds);
}

static enum exit_status read_half_life(const struct command_line *line, const struct ageing *ageing,
                                       bool stats, struct filter *filter)
{
    if (stats && !ageing->as_of)
        return command_misuse(line, "--stats with --half-life wants --as-of DATE, so that other "
                                    "statistics can be added");
    struct diag diag = {.text = ""};
    filter->amounts.as_of = today();
    if (ageing->as_of) {
        struct date_range range;
        if (date_range_read(ageing->as_of, &range, &diag) != STATUS_OK)
            return command_misuse(line, "--as-of: %s", diag.text);
        filter->amounts.as_of = range.last;
    }
    if (!filter->amounts.as_of)
        return command_fail(line, "what day is it? SOURCE_DATE_EPOCH is no time; use --as-of DATE");
    filter->amounts.half_life = ageing->half_life;
    return EXIT_DONE;
}

enum exit_status ageing_read(const struct command_line *line, const struct ageing *ageing,
                             bool stats, struct filter *filter)
{
    filter->amounts.elo_points = ageing->elo_points;
    filter->amounts.elo_unknown = ageing->elo_unknown;
    filter->amounts.elo_reference = ageing->elo_reference;
    return ageing->half_life ? read_half_life(line, ageing, stats, filter) : EXIT_DONE;
}

const char *ageing_games_text(uint64_t count, uint64_t unit, int decimals, char out[GAMES_TEXT_MAX])
{
    __extension__ typedef unsigned __int128 wide;
    uint64_t scale = 1;
    if (unit == 1)
        decimals = 0;
    for (int i = 0; i < decimals; i++)
        scale *= 10;
    wide scaled = ((wide)count * scale + unit / 2) / unit;
    int size = snprintf(out, GAMES_TEXT_MAX, "%llu", (unsigned long long)(scaled / scale));
    if (decimals)
        (void)snprintf(out + size, GAMES_TEXT_MAX - (size_t)size, ".%0*llu", decimals,
                       (unsigned long long)(scaled % scale));
    return out;
}

/* Facets ----------------------------------------------------------------------------------- */

/* A rating where a group begins, as its number; `out` is the usual one for "". */
static bool read_group(struct span text, int *out)
{
    int64_t rating;
    if (text.size == 0)
        return true;
    if (span_to_int(text, 0, RATING_MAX, &rating) != STATUS_OK)
        return false;
    *out = rating_group_of((unsigned)rating);
    return rating_group_starts[*out] == rating;
}

/* "1600..2000": the groups from 1600 to the end of that before 2000. */
static bool read_groups(const char *text, uint32_t *groups)
{
    const char *dots = strstr(text, "..");
    int first = 1;
    int end = RATING_GROUPS;
    if (!dots || !read_group(span_make(text, (size_t)(dots - text)), &first) ||
        !read_group(span_of(dots + 2), &end) || first >= end)
        return false;
    *groups = (1u << end) - (1u << first);
    return true;
}

static bool read_speeds(const char *text, uint32_t *speeds)
{
    struct span list = span_of(text);
    *speeds = 0;
    for (struct span name; span_item(&list, &name);) {
        int speed = SPEED_UNKNOWN + 1;
        while (speed < SPEEDS && !span_equal_nocase(name, speed_names[speed]))
            speed++;
        if (speed == SPEEDS)
            return false;
        *speeds |= 1u << speed;
    }
    return true;
}

/* A month, no day, which statistics do not know. is_last: of a year alone the last one, else the
 * first. */
static bool read_month(const char *text, bool is_last, uint32_t *month)
{
    enum { YEAR = 10000, MONTH = 100 };
    struct date_range days;
    if (date_range_read(text, &days, NULL) != STATUS_OK || days.first == days.last)
        return false;
    int64_t day = is_last ? days.last : days.first;
    *month = month_make((unsigned)(day / YEAR), (unsigned)(day / MONTH % MONTH));
    return true;
}

bool facets_asked_read(const struct command_line *line, struct facet_filter *out, unsigned *needs)
{
    const char *rating = options_text(line, "rating");
    const char *speed = options_text(line, "speed");
    const char *since = options_text(line, "since");
    const char *until = options_text(line, "until");
    *out = facet_filter_all;
    *needs = (rating ? FACET_RATING : 0) | (speed ? FACET_SPEED : 0) |
             (since || until ? FACET_MONTH : 0);
    if (rating && !read_groups(rating, &out->groups))
        return command_refuse(line,
                              "--rating %s: LOW..HIGH of 0, 1000, 1200, 1400, 1600, 1800, "
                              "2000, 2200, 2500; either may be left out",
                              rating);
    if (speed && !read_speeds(speed, &out->speeds))
        return command_refuse(line,
                              "--speed %s: a list of ultraBullet, bullet, blitz, rapid, "
                              "classical, correspondence",
                              speed);
    if ((since && !read_month(since, false, &out->since)) ||
        (until && !read_month(until, true, &out->until)) || out->since > out->until)
        return command_refuse(line,
                              "--since %s --until %s: months, \"2023\" or \"2023-05\", the "
                              "first not after the last",
                              since ? since : "..", until ? until : "..");
    return true;
}
