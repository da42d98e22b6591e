/* The text of options, and a filter as text. */
#include <string.h>

#include "book/build/filter/filter_internal.h"
#include "chess/position_text.h"

static const char *const time_names[TIME_CLASSES] = {[TIME_UNKNOWN] = "",
                                                     [TIME_BULLET] = "bullet",
                                                     [TIME_BLITZ] = "blitz",
                                                     [TIME_RAPID] = "rapid",
                                                     [TIME_CLASSICAL] = "classical",
                                                     [TIME_CORRESPONDENCE] = "correspondence"};
static const char *const result_names[] = {
    [PGN_UNKNOWN] = "", [PGN_WHITE_WINS] = "1-0", [PGN_BLACK_WINS] = "0-1", [PGN_DRAW] = "1/2-1/2"};
enum { RESULT_NAMES = sizeof result_names / sizeof *result_names };

/* Takes the next part of a list off its front; false at the end. An empty part is one. */
static bool next_part(struct span *list, struct span *part)
{
    if (!list->data)
        return false;
    const char *comma = list->size ? memchr(list->data, ',', list->size) : NULL;
    size_t size = comma ? (size_t)(comma - list->data) : list->size;
    *part = span_trim(span_make(list->data, size));
    *list = comma ? span_make(comma + 1, list->size - size - 1) : span_make(NULL, 0);
    return true;
}

/* Reads a list of names into bits. */
static enum caxton_status read_names(const char *text, const char *const *names, int count,
                                     const char *what, unsigned *bits, struct diag *diag)
{
    struct span list = span_of(text);
    unsigned found = 0;
    for (struct span part; next_part(&list, &part);) {
        int index = 1;
        while (index < count && !span_equal(part, names[index]))
            index++;
        if (index == count) {
            diag_set(diag, 0, 0, "\"%.*s\" is no %s", (int)(part.size < 40 ? part.size : 40),
                     part.data, what);
            return STATUS_SYNTAX;
        }
        found |= 1u << index;
    }
    *bits = found;
    return STATUS_OK;
}

enum caxton_status filter_read_results(struct filter *filter, const char *text, struct diag *diag)
{
    return read_names(text, result_names, RESULT_NAMES, "result (1-0, 0-1, 1/2-1/2)",
                      &filter->results, diag);
}

enum caxton_status filter_read_times(struct filter *filter, const char *text, struct diag *diag)
{
    return read_names(text, time_names, TIME_CLASSES,
                      "class of time control (bullet, blitz, rapid, classical, correspondence)",
                      &filter->times, diag);
}

/* Dates ------------------------------------------------------------------------------------ */

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

/* A month or a day behind its separator; all of 1..most when it is missing or in question. */
static bool read_part(struct span *text, int64_t most, int64_t *low, int64_t *high)
{
    *low = 1;
    *high = most;
    if (!text->size)
        return true;
    if (!memchr(".-/", text->data[0], 3))
        return false;
    *text = span_from(*text, 1);
    if (!read_field(text, 2, low, high))
        return false;
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

bool filter_date_range(struct span text, bool as_tag, int64_t *first, int64_t *last)
{
    int64_t year[2];
    int64_t month[2];
    int64_t day[2];
    struct span rest = text;
    if (!read_field(&rest, 4, &year[0], &year[1]) || !read_part(&rest, 12, &month[0], &month[1]) ||
        !read_part(&rest, 31, &day[0], &day[1]) || rest.size ||
        (!as_tag && (!year[0] || memchr(text.data, '?', text.size))))
        return false;
    int64_t end = days_of(year[1], month[1]);
    if (day[0] > end && year[0] == year[1] && month[0] == month[1])
        return false;
    day[1] = day[1] < end ? day[1] : end;
    *first = 10000 * year[0] + 100 * month[0] + day[0];
    *last = 10000 * year[1] + 100 * month[1] + day[1];
    return true;
}

static enum caxton_status read_day(const char *text, bool want_last, int64_t *day,
                                   struct diag *diag)
{
    int64_t first;
    int64_t last;
    if (!filter_date_range(span_of(text), false, &first, &last)) {
        diag_set(diag, 0, 0, "\"%.40s\" is no date: YYYY, YYYY.MM or YYYY.MM.DD", text);
        return STATUS_SYNTAX;
    }
    *day = want_last ? last : first;
    return STATUS_OK;
}

enum caxton_status filter_read_since(struct filter *filter, const char *text, struct diag *diag)
{
    return read_day(text, false, &filter->since, diag);
}

enum caxton_status filter_read_until(struct filter *filter, const char *text, struct diag *diag)
{
    return read_day(text, true, &filter->until, diag);
}

enum caxton_status filter_read_as_of(struct filter *filter, const char *text, struct diag *diag)
{
    return read_day(text, true, &filter->amounts.as_of, diag);
}

/* Openings --------------------------------------------------------------------------------- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

int filter_eco_code(struct span text)
{
    if (text.size < 3 || text.data[0] < 'A' || text.data[0] > 'E' || !is_digit(text.data[1]) ||
        !is_digit(text.data[2]))
        return -1;
    return 100 * (text.data[0] - 'A') + 10 * (text.data[1] - '0') + text.data[2] - '0';
}

enum caxton_status filter_read_eco(struct filter *filter, const char *text, struct diag *diag)
{
    bool wanted[FILTER_ECO_CODES] = {false};
    struct span list = span_of(text);
    for (struct span part; next_part(&list, &part);) {
        bool is_range = part.size == 7 && part.data[3] == '-';
        int first = filter_eco_code(part);
        int last = is_range ? filter_eco_code(span_make(part.data + 4, 3)) : first;
        if (first < 0 || last < first || (!is_range && part.size != 3)) {
            diag_set(diag, 0, 0, "\"%.*s\" is no ECO code or range such as C42 or B20-B99",
                     (int)(part.size < 40 ? part.size : 40), part.data);
            return STATUS_SYNTAX;
        }
        for (int code = first; code <= last; code++)
            wanted[code] = true;
    }
    memcpy(filter->eco, wanted, sizeof wanted);
    filter->has_eco = true;
    return STATUS_OK;
}

/* Start position --------------------------------------------------------------------------- */

enum caxton_status filter_read_start(struct filter *filter, const char *text, struct diag *diag)
{
    struct position pos;
    enum caxton_status status = position_from_text(span_of(text), &pos, diag);
    if (status != STATUS_OK)
        return status;
    filter->start = pos.key;
    filter->start_pos = pos;
    filter->has_start = true;
    return STATUS_OK;
}

/* Filters as text -------------------------------------------------------------------------- */

static void describe_name(struct text_buffer *out, const char *name, const char *value)
{
    if (!value)
        return;
    text_append(out, "%s ", name);
    for (; *value; value++) /* nothing of it may end the line */
        text_append(out, "%c", *value == '\n' || *value == '\r' ? ' ' : *value);
    text_append(out, "\n");
}

static void describe_bits(struct text_buffer *out, const char *name, unsigned bits,
                          const char *const *names, int count)
{
    const char *before = " ";
    if (!bits)
        return;
    text_append(out, "%s", name);
    for (int i = 0; i < count; i++)
        if (bits & 1u << i) {
            text_append(out, "%s%s", before, names[i]);
            before = ",";
        }
    text_append(out, "\n");
}

static void describe_number(struct text_buffer *out, const char *name, bool is_set, int64_t value)
{
    if (is_set)
        text_append(out, "%s %lld\n", name, (long long)value);
}

static void describe_eco(struct text_buffer *out, const struct filter *filter)
{
    const char *before = "eco ";
    for (int first = 0; filter->has_eco && first < FILTER_ECO_CODES; first++) {
        int last = first;
        if (!filter->eco[first])
            continue;
        while (last + 1 < FILTER_ECO_CODES && filter->eco[last + 1])
            last++;
        text_append(out, "%s%c%02d", before, 'A' + first / 100, first % 100);
        if (last > first)
            text_append(out, "-%c%02d", 'A' + last / 100, last % 100);
        before = ",";
        first = last;
    }
    if (filter->has_eco)
        text_append(out, "\n");
}

void filter_describe(const struct filter *filter, struct text_buffer *out)
{
    if (!filter->colors[WHITE] || !filter->colors[BLACK])
        text_append(out, "color %s\n", filter->colors[WHITE] ? "white" : "black");
    describe_name(out, "player", filter->player);
    describe_name(out, "player-white", filter->player_as[WHITE]);
    describe_name(out, "player-black", filter->player_as[BLACK]);
    describe_name(out, "unfinished", filter->unfinished ? "draws" : NULL);
    describe_name(out, "fen-games", filter->fen_games ? "counted" : NULL);
    describe_name(out, "variant", filter->chess960 ? "chess960" : NULL);
    describe_name(out, "annotated-blunders", filter->no_blunders ? "excluded" : NULL);
    describe_name(out, "bad-games",
                  filter->bad_games == BAD_GAMES_KEEP_PREFIX ? "keep-prefix"
                  : filter->bad_games == BAD_GAMES_DROP      ? "drop"
                                                             : NULL);
    describe_bits(out, "result", filter->results, result_names, RESULT_NAMES);
    describe_bits(out, "time-control", filter->times, time_names, TIME_CLASSES);
    describe_number(out, "min-elo", filter->min_elo > 0, filter->min_elo);
    describe_number(out, "max-elo-diff", filter->max_elo_diff >= 0, filter->max_elo_diff);
    describe_number(out, "since", filter->since > 0, filter->since);
    describe_number(out, "until", filter->until > 0, filter->until);
    describe_number(out, "min-plies", filter->min_plies > 0, (int64_t)filter->min_plies);
    describe_eco(out, filter);
    if (filter->has_start)
        text_append(out, "start %016llx\n", (unsigned long long)filter->start);
    amount_describe(&filter->amounts, out);
}
