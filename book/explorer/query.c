#include "book/explorer/query.h"

#include <stdlib.h>
#include <string.h>

#include "chess/fen.h"
#include "chess/notation.h"

enum { YEAR_FIRST = 1952, YEAR_LAST = 3000, RATINGS_END = 2800, ESCAPE = 3 };

struct query_reading {
    struct explorer_query query;
    struct span fen; /* no data: not given */
    struct span play;
    bool without_rated; /* modes */
    bool has_color;
    uint32_t seen; /* rows of the table */
};

/* Values ----------------------------------------------------------------------------------- */

static bool read_fen(struct query_reading *in, struct span value)
{
    in->fen = value;
    return true;
}

static bool read_play(struct query_reading *in, struct span value)
{
    in->play = value;
    return true;
}

static bool read_any(struct query_reading *in, struct span value)
{
    return in && value.data;
}

static bool read_number(struct span value, int64_t max, int64_t *out)
{
    bool has_sign = value.size > 0 && value.data[0] == '+';
    value = span_from(value, has_sign);
    for (size_t i = 0; i < value.size; i++)
        if (value.data[i] < '0' || value.data[i] > '9')
            return false;
    return span_to_int(value, 0, max, out) == STATUS_OK;
}

/* A number of things to list. */
static bool read_count(struct span value, uint32_t most, uint32_t *out)
{
    int64_t number;
    if (!read_number(value, INT64_MAX, &number))
        return false;
    *out = number < most ? (uint32_t)number : most;
    return true;
}

static bool read_moves(struct query_reading *in, struct span value)
{
    return read_count(value, UINT32_MAX, &in->query.moves);
}

static bool read_top_games(struct query_reading *in, struct span value)
{
    uint32_t most = in->query.kind == EXPLORER_MASTERS ? EXPLORER_TOP : EXPLORER_LICHESS_TOP;
    return read_count(value, most, &in->query.top_games);
}

static bool read_recent_games(struct query_reading *in, struct span value)
{
    return read_count(value, EXPLORER_RECENT, &in->query.recent_games);
}

/* The number of the name that `value` is, -1 for none of them. */
static int number_of(struct span value, const char *const *names, int count)
{
    for (int i = 0; i < count; i++)
        if (span_equal(value, names[i]))
            return i;
    return -1;
}

static bool read_history(struct query_reading *in, struct span value)
{
    static const char *const words[] = {"yes", "true",  "True",  "on",  "1",
                                        "no",  "false", "False", "off", "0"};
    enum { WORDS = sizeof words / sizeof *words };
    int word = number_of(value, words, WORDS);
    in->query.history = word < WORDS / 2;
    return word >= 0;
}

static bool read_variant(struct query_reading *in, struct span value)
{
    static const char *const names[] = {"standard",         "chess",        "chess960",
                                        "fromPosition",     "Standard",     "Chess960",
                                        "From Position",    "antichess",    "atomic",
                                        "crazyhouse",       "horde",        "kingOfTheHill",
                                        "racingKings",      "threeCheck",   "Antichess",
                                        "Atomic",           "Crazyhouse",   "Horde",
                                        "King of the Hill", "Racing Kings", "Three-check",
                                        "kingofthehill",    "racingkings",  "3check"};
    enum { NAMES = sizeof names / sizeof *names, CHESS = 7 };
    int name = number_of(value, names, NAMES);
    in->query.is_chess = name < CHESS;
    return name >= 0;
}

static bool read_year(const struct query_reading *in, struct span value, int64_t *out)
{
    return read_number(value, YEAR_LAST, out) &&
           *out >= (in->query.kind == EXPLORER_PAGE ? 1 : YEAR_FIRST);
}

/* A year of /masters, of which `month` counts, or "YYYY-M" elsewhere. */
static bool read_month(const struct query_reading *in, struct span value, unsigned month,
                       uint32_t *out)
{
    int64_t year;
    int64_t number;
    if (in->query.kind == EXPLORER_MASTERS) {
        if (!read_year(in, value, &year))
            return false;
        *out = month_make((unsigned)year, month);
        return true;
    }
    const char *mark = value.size ? memchr(value.data, '-', value.size) : NULL;
    if (!mark && value.size)
        mark = memchr(value.data, '/', value.size);
    if (!mark || !read_year(in, span_make(value.data, (size_t)(mark - value.data)), &year) ||
        !read_number(span_from(value, (size_t)(mark - value.data) + 1), 12, &number) || number < 1)
        return false;
    *out = month_make((unsigned)year, (unsigned)number);
    return true;
}

static bool read_since(struct query_reading *in, struct span value)
{
    return read_month(in, value, 0, &in->query.filter.since);
}

static bool read_until(struct query_reading *in, struct span value)
{
    return read_month(in, value, MONTHS_A_YEAR - 1, &in->query.filter.until);
}

static bool read_player(struct query_reading *in, struct span value)
{
    if (value.size < 1 || value.size >= EXPLORER_NAME_MAX)
        return false;
    for (size_t i = 0; i < value.size; i++) {
        uint32_t letter = (unsigned char)value.data[i];
        bool is_letter = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z');
        if (!is_letter && !(letter >= '0' && letter <= '9') && letter != '-' && letter != '_')
            return false;
        in->query.player[i] = (char)text_small_letter(letter);
    }
    in->query.player[value.size] = '\0';
    return true;
}

static bool read_color(struct query_reading *in, struct span value)
{
    in->has_color = true;
    in->query.color = span_equal(value, "white") ? WHITE : BLACK;
    return in->query.color == WHITE || span_equal(value, "black");
}

/* Lists ------------------------------------------------------------------------------------ */

static bool read_speed(struct query_reading *in, struct span item)
{
    int speed = number_of(item, speed_names + 1, SPEEDS - 1) + 1;
    in->query.filter.speeds |= 1u << speed;
    return speed > 0;
}

static bool read_rating(struct query_reading *in, struct span item)
{
    int64_t rating;
    if (!read_number(item, UINT16_MAX, &rating))
        return false;
    if (rating < RATINGS_END) /* a group of the reference that no game is in */
        in->query.filter.groups |= 1u << rating_group_of((unsigned)rating);
    return true;
}

static bool read_mode(struct query_reading *in, struct span item)
{
    if (!span_equal(item, "rated"))
        return span_equal(item, "casual");
    in->without_rated = false;
    return true;
}

typedef bool (*item_reader)(struct query_reading *in, struct span item);

static bool read_list(struct query_reading *in, struct span value, item_reader read)
{
    if (value.size == 0)
        return true;
    for (struct span item; span_item(&value, &item);)
        if (item.size == 0 || !read(in, item))
            return false;
    return true;
}

/* The table -------------------------------------------------------------------------------- */

enum {
    SITE = EXPLORER_LICHESS | EXPLORER_HISTORY | EXPLORER_PAGE,
    ALL = SITE | EXPLORER_MASTERS | EXPLORER_PLAYER
};

/* `is_list`: the reader gets each item of a list; several lists of a name become one. */
static const struct parameter {
    const char *name;
    unsigned kinds;
    bool is_list;
    item_reader read;
} parameters[] = {
    {"variant", ALL, false, read_variant},
    {"fen", ALL, false, read_fen},
    {"play", ALL, false, read_play},
    {"speeds", SITE | EXPLORER_PLAYER, true, read_speed},
    {"ratings", SITE, true, read_rating},
    {"since", ALL, false, read_since},
    {"until", ALL, false, read_until},
    {"moves", ALL, false, read_moves},
    {"topGames", SITE | EXPLORER_MASTERS, false, read_top_games},
    {"recentGames", SITE | EXPLORER_PLAYER, false, read_recent_games},
    {"history", SITE, false, read_history},
    {"player", EXPLORER_PLAYER, false, read_player},
    {"color", EXPLORER_PLAYER, false, read_color},
    {"modes", EXPLORER_PLAYER, true, read_mode},
    {"source", SITE | EXPLORER_MASTERS, false, read_any},
};

/* A list begins with nothing that passes. */
static void begin_list(struct query_reading *in, item_reader read)
{
    if (read == read_speed)
        in->query.filter.speeds = 0;
    else if (read == read_rating)
        in->query.filter.groups = 0;
    else
        in->without_rated = true;
}

/* brackets: "speeds[]", as the interface of 2021 had it: what is no such value is ignored. */
static enum caxton_status take_value(struct query_reading *in, size_t row, struct span value,
                                     bool brackets, struct diag *diag)
{
    const struct parameter *parameter = &parameters[row];
    bool again = in->seen >> row & 1;
    struct query_reading before = *in;
    in->seen |= 1u << row;
    if (again && !parameter->is_list)
        return diag_fail(STATUS_SYNTAX, diag,
                         "Failed to deserialize query string: duplicate field `%s`",
                         parameter->name);
    if (parameter->is_list && !again)
        begin_list(in, parameter->read);
    if (parameter->is_list ? read_list(in, value, parameter->read) : parameter->read(in, value))
        return STATUS_OK;
    *in = before;
    if (brackets)
        return STATUS_OK;
    return diag_fail(STATUS_SYNTAX, diag, "Failed to deserialize query string: %s: invalid value",
                     parameter->name);
}

static enum caxton_status take_pair(struct query_reading *in, struct span name, struct span value,
                                    struct diag *diag)
{
    bool brackets = name.size > 2 && memcmp(name.data + name.size - 2, "[]", 2) == 0;
    name.size -= brackets ? 2 : 0;
    for (size_t row = 0; row < sizeof parameters / sizeof *parameters; row++)
        if (parameters[row].kinds & in->query.kind && span_equal(name, parameters[row].name))
            return brackets && !parameters[row].is_list
                       ? STATUS_OK
                       : take_value(in, row, value, brackets, diag);
    return STATUS_OK;
}

/* Escapes ---------------------------------------------------------------------------------- */

static int digit_of(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)(c | 32);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Writes the text without its escapes, which is no longer, to *out and moves that behind it. */
static struct span unescape(struct span text, char **out)
{
    char *start = *out;
    for (size_t i = 0; i < text.size; i++) {
        char c = text.data[i];
        int high = c == '%' && text.size - i >= ESCAPE ? digit_of(text.data[i + 1]) : -1;
        int low = high >= 0 ? digit_of(text.data[i + 2]) : -1;
        if (low >= 0)
            i += ESCAPE - 1;
        *(*out)++ = low >= 0 ? (char)(high << 4 | low) : c == '+' ? ' ' : c;
    }
    return span_make(start, (size_t)(*out - start));
}

static enum caxton_status take_pairs(struct query_reading *in, struct span text, char *room,
                                     struct diag *diag)
{
    enum caxton_status status = STATUS_OK;
    while (text.size > 0 && status == STATUS_OK) {
        const char *end = memchr(text.data, '&', text.size);
        struct span pair = span_make(text.data, end ? (size_t)(end - text.data) : text.size);
        const char *equals = pair.size ? memchr(pair.data, '=', pair.size) : NULL;
        size_t name = equals ? (size_t)(equals - pair.data) : pair.size;
        struct span value = span_from(pair, equals ? name + 1 : name);
        struct span read = unescape(span_make(pair.data, name), &room);
        if (pair.size)
            status = take_pair(in, read, unescape(value, &room), diag);
        text = span_from(text, pair.size + (end != NULL));
    }
    return status;
}

/* The position ----------------------------------------------------------------------------- */

static enum caxton_status refuse_fen(enum caxton_status status, const struct diag *why,
                                     struct diag *diag)
{
    if (status == STATUS_ILLEGAL)
        return diag_fail(status, diag, "bad request: illegal position: %s", why->text);
    return diag_fail(STATUS_SYNTAX, diag, "Failed to deserialize query string: fen: %s", why->text);
}

static enum caxton_status place_pieces(struct query_reading *in, struct diag *diag)
{
    enum { TEXT_MAX = 2 * FEN_MAX, FIELDS_MAX = 6 };
    char text[TEXT_MAX];
    struct diag why = {.text = "more than six fields"};
    int fields = 0;
    if (!in->fen.data) {
        position_start(&in->query.pos);
        return STATUS_OK;
    }
    if (in->fen.size > FEN_MAX)
        return refuse_fen(STATUS_SYNTAX, &why, diag);
    text_copy(text, sizeof text, in->fen);
    for (char *c = text; *c; c++)
        *c = *c == '_' ? ' ' : *c;
    for (struct span rest = span_of(text); span_token(&rest).size > 0;)
        fields++;
    if (fields > FIELDS_MAX || strlen(text) != in->fen.size)
        return refuse_fen(STATUS_SYNTAX, &why, diag);
    text_copy(text + in->fen.size, sizeof text - in->fen.size, span_of(fields == 1 ? " w" : ""));
    enum caxton_status status = fen_parse_lenient(span_of(text), &in->query.pos, &why);
    return status == STATUS_OK ? status : refuse_fen(status, &why, diag);
}

static enum caxton_status play_moves(struct query_reading *in, struct diag *diag)
{
    struct position *pos = &in->query.pos;
    struct span rest = in->play;
    in->query.opening = eco_find(pos->key);
    for (struct span text; in->play.size > 0 && span_item(&rest, &text);) {
        move m;
        enum caxton_status status = move_from_uci(pos, text, &m);
        if (status == STATUS_SYNTAX)
            return diag_fail(STATUS_SYNTAX, diag,
                             "Failed to deserialize query string: play: invalid uci");
        if (status != STATUS_OK)
            return diag_fail(status, diag, "bad request: illegal uci");
        position_play(pos, m);
        const struct eco *named = eco_find(pos->key);
        in->query.opening = named ? named : in->query.opening;
    }
    return STATUS_OK;
}

static enum caxton_status finish(struct query_reading *in, struct diag *diag)
{
    struct explorer_query *query = &in->query;
    if (query->kind == EXPLORER_PLAYER && (!*query->player || !in->has_color))
        return diag_fail(STATUS_SYNTAX, diag,
                         "Failed to deserialize query string: missing field `%s`",
                         *query->player ? "color" : "player");
    if (in->without_rated)
        query->filter.groups = 0;
    if (query->kind == EXPLORER_HISTORY) {
        query->moves = query->top_games = query->recent_games = 0;
        query->history = true;
    }
    position_start(&query->pos);
    if (!query->is_chess) /* its rules are not known here */
        return STATUS_OK;
    enum caxton_status status = place_pieces(in, diag);
    return status == STATUS_OK ? play_moves(in, diag) : status;
}

enum caxton_status explorer_query_parse(struct span text, enum explorer_kind kind,
                                        struct explorer_query *out, struct diag *diag)
{
    enum { MOVES_USUAL = 12 };
    struct query_reading in = {
        .query = {.kind = kind,
                  .is_chess = true,
                  .filter = facet_filter_all,
                  .moves = kind == EXPLORER_PLAYER ? UINT32_MAX : MOVES_USUAL,
                  .top_games = kind == EXPLORER_MASTERS ? EXPLORER_TOP : EXPLORER_LICHESS_TOP,
                  .recent_games = EXPLORER_RECENT}};
    char *room = malloc(text.size + 1);
    if (!room)
        return diag_fail(STATUS_NO_MEMORY, diag, "out of memory");
    enum caxton_status status = take_pairs(&in, text, room, diag);
    if (status == STATUS_OK)
        status = finish(&in, diag);
    free(room);
    if (status == STATUS_OK)
        *out = in.query;
    return status;
}
