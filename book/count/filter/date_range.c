#include "book/count/filter/date_range.h"

#include <string.h>

/* The lowest and the highest number that `size` digits and question marks can mean. */
static bool read_field(struct span *text, size_t size, int64_t *low, int64_t *high)
{
    if (text->size < size)
        return false;
    *low = *high = 0;
    for (size_t i = 0; i < size; i++) {
        char c = text->data[i];
        if (c != '?' && (c < '0' || c > '9'))
            return false;
        *low = 10 * *low + (c == '?' ? 0 : c - '0');
        *high = 10 * *high + (c == '?' ? 9 : c - '0');
    }
    *text = span_from(*text, size);
    return true;
}

/* A month or a day behind its separator; all of 1..most when it is missing, in question or zero. */
static bool read_part(struct span *text, int64_t most, int64_t *low, int64_t *high)
{
    *low = 1;
    *high = most;
    if (!text->size || *text->data == ' ' || *text->data == 'T') /* a time follows */
        return true;
    if (!memchr(".-/", text->data[0], 3))
        return false;
    *text = span_from(*text, 1);
    bool single = text->size == 1 || (text->size > 1 && memchr(".-/ T", text->data[1], 5));
    if (!read_field(text, single ? 1 : 2, low, high))
        return false;
    if (*low == 0 && (*high == 0 || single))
        *high = 99;
    *low = *low < 1 && *high > *low ? 1 : *low;
    *high = *high > most && *high > *low ? most : *high;
    return *low >= 1 && *low <= *high && *high <= most;
}

static int64_t days_of(int64_t year, int64_t month)
{
    static const int8_t days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    return days[month - 1] + (month == 2 && leap);
}

bool date_range_of_tag(struct span text, struct date_range *out)
{
    int64_t year[2];
    int64_t month[2];
    int64_t day[2];
    struct span rest = text;
    if (!read_field(&rest, 4, &year[0], &year[1]) || !read_part(&rest, 12, &month[0], &month[1]) ||
        !read_part(&rest, 31, &day[0], &day[1]) ||
        (rest.size && *rest.data != ' ' && *rest.data != 'T'))
        return false;
    int64_t end = days_of(year[1], month[1]);
    if (day[0] > end && year[0] == year[1] && month[0] == month[1])
        return false;
    day[1] = day[1] < end ? day[1] : end;
    out->first = 10000 * year[0] + 100 * month[0] + day[0];
    out->last = 10000 * year[1] + 100 * month[1] + day[1];
    return true;
}

struct span date_of_game(const struct pgn_game *game)
{
    struct span date = span_trim(pgn_tag_value(game, "Date"));
    return date.size ? date : span_trim(pgn_tag_value(game, "UTCDate"));
}

struct span date_known_of_game(const struct pgn_game *game)
{
    struct span date = date_of_game(game);
    struct span utc = span_trim(pgn_tag_value(game, "UTCDate"));
    return utc.size && date.data[0] == '?' ? utc : date;
}

enum caxton_status date_range_read(const char *text, struct date_range *out, struct diag *diag)
{
    struct date_range range;
    if (strchr(text, '?') || !date_range_of_tag(span_of(text), &range) || range.first < 10000)
        return diag_fail(STATUS_SYNTAX, diag, "\"%.40s\" is no date: YYYY, YYYY.MM or YYYY.MM.DD",
                         text);
    *out = range;
    return STATUS_OK;
}
