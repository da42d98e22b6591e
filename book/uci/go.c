#include "book/uci/go.h"

#include <string.h>

#include "base/command_line.h"
#include "chess/notation.h"

/* clang-format off */
enum keyword_id {
    GO_WTIME, GO_BTIME, GO_WINC, GO_BINC, GO_MOVESTOGO, GO_DEPTH, GO_NODES, GO_MATE, GO_MOVETIME,
    GO_PERFT, GO_INFINITE, GO_PONDER, GO_SEARCHMOVES, KEYWORD_COUNT
};
/* clang-format on */

enum { UNSAID = -1 }; /* a time or a limit that may be 0 */

struct keyword {
    const char *name;
    int64_t min; /* smaller numbers count as this, larger ones as max; settle_*() */
    int64_t max;
};

/* Longer than any game lasts, short enough to be multiplied: 100 years. */
#define LONGEST_MS (INT64_C(100) * 366 * 24 * 3600 * 1000)

static const struct keyword keywords[KEYWORD_COUNT] = {
    [GO_WTIME] = {"wtime", 0, LONGEST_MS},       [GO_BTIME] = {"btime", 0, LONGEST_MS},
    [GO_WINC] = {"winc", 0, LONGEST_MS},         [GO_BINC] = {"binc", 0, LONGEST_MS},
    [GO_MOVESTOGO] = {"movestogo", 0, 10000},    [GO_DEPTH] = {"depth", 0, SEARCH_DEPTH_MAX},
    [GO_NODES] = {"nodes", 0, INT64_MAX},        [GO_MATE] = {"mate", 0, SEARCH_DEPTH_MAX},
    [GO_MOVETIME] = {"movetime", 0, LONGEST_MS}, [GO_PERFT] = {"perft", 1, 60},
    [GO_INFINITE] = {"infinite", 0, 0},          [GO_PONDER] = {"ponder", 0, 0},
    [GO_SEARCHMOVES] = {"searchmoves", 0, 0},
};

struct parser {
    struct span rest;
    const struct position *pos;
    struct output *out;
    struct go *go;
    int64_t numbers[KEYWORD_COUNT]; /* given with the keywords; 0 or UNSAID without */
    bool is_faulty;                 /* something could not be read */
    bool has_clock_detail;          /* winc, binc or movestogo was given */
};

static enum keyword_id find_keyword(struct span token)
{
    int id = 0;
    while (id < KEYWORD_COUNT && !span_equal_nocase(token, keywords[id].name))
        id++;
    return (enum keyword_id)id;
}

/* Takes the next token if it is a number. */
static bool take_number(struct parser *parser, enum keyword_id id)
{
    const struct keyword *keyword = &keywords[id];
    int64_t number;
    struct span after = parser->rest;
    struct span token = span_token(&after);
    enum caxton_status status = span_to_int(token, INT64_MIN, INT64_MAX, &number);
    if (status == STATUS_RANGE)
        number = token.data[0] == '-' ? INT64_MIN : INT64_MAX;
    else if (status != STATUS_OK) {
        parser->is_faulty = true;
        report_string(parser->out, "go: %s needs a number%s%.*s%s", keyword->name,
                      token.size ? ", not \"" : "", report_quote_size(token), token.data,
                      token.size ? "\"" : "");
        /* What is no limit either was meant to be the number: it is not read again. */
        if (token.size && find_keyword(token) == KEYWORD_COUNT)
            parser->rest = after;
        return false;
    }
    parser->rest = after;
    parser->numbers[id] = number < keyword->min   ? keyword->min
                          : number > keyword->max ? keyword->max
                                                  : number;
    return true;
}

/* Clocks of 0 without increments, beside a depth, nodes or a mate, are none; others of 0 have run
 * out. */
static void settle_clocks(int64_t numbers[KEYWORD_COUNT])
{
    bool is_none = numbers[GO_WTIME] <= 0 && numbers[GO_BTIME] <= 0 && numbers[GO_WINC] == 0 &&
                   numbers[GO_BINC] == 0 &&
                   (numbers[GO_DEPTH] > 0 || numbers[GO_NODES] > 0 || numbers[GO_MATE] > 0);
    for (enum keyword_id id = GO_WTIME; id <= GO_BTIME; id++)
        if (numbers[id] == 0)
            numbers[id] = is_none ? UNSAID : 1;
}

/* A program that fills in every limit says 0 for "none". Without any other limit it is the least.
 */
static void settle_zeros(struct parser *parser)
{
    static const enum keyword_id ids[] = {GO_DEPTH, GO_NODES, GO_MATE, GO_MOVETIME};
    enum { COUNT = sizeof ids / sizeof *ids };
    int64_t *numbers = parser->numbers;
    bool has_other = parser->go->request.infinite || numbers[GO_WTIME] >= 0 ||
                     numbers[GO_BTIME] >= 0 || parser->has_clock_detail;
    for (int i = 0; i < COUNT; i++)
        has_other |= numbers[ids[i]] > 0;
    for (int i = 0; i < COUNT; i++)
        if (numbers[ids[i]] == 0)
            numbers[ids[i]] = has_other ? UNSAID : 1;
}

static int64_t or_zero(int64_t number)
{
    return number == UNSAID ? 0 : number;
}

static void store_numbers(struct go *go, const int64_t numbers[KEYWORD_COUNT])
{
    struct search_request *request = &go->request;
    request->time_ms[WHITE] = numbers[GO_WTIME];
    request->time_ms[BLACK] = numbers[GO_BTIME];
    request->increment_ms[WHITE] = numbers[GO_WINC];
    request->increment_ms[BLACK] = numbers[GO_BINC];
    request->moves_to_go = (int)numbers[GO_MOVESTOGO];
    request->depth = (int)or_zero(numbers[GO_DEPTH]);
    request->nodes = (uint64_t)or_zero(numbers[GO_NODES]);
    request->mate = (int)or_zero(numbers[GO_MATE]);
    request->movetime_ms = numbers[GO_MOVETIME];
    go->perft_depth = (int)numbers[GO_PERFT];
}

static void add_move(struct search_request *request, move m)
{
    for (int i = 0; i < request->move_count; i++)
        if (request->moves[i] == m)
            return;
    request->moves[request->move_count++] = m;
}

/* Takes moves up to the next limit. */
static void take_moves(struct parser *parser)
{
    struct search_request *request = &parser->go->request;
    int before = request->move_count;
    for (;;) {
        struct span after = parser->rest;
        struct span token = span_token(&after);
        if (!token.size || find_keyword(token) != KEYWORD_COUNT)
            break;
        parser->rest = after;
        move m;
        if (move_from_uci(parser->pos, token, &m) == STATUS_OK)
            add_move(request, m);
        else
            report_string(parser->out, "go: \"%.*s\" in searchmoves is not a legal move here",
                          report_quote_size(token), token.data);
    }
    if (request->move_count == before)
        report_string(parser->out, "go: searchmoves names no legal move: all are searched");
}

static void take_keyword(struct parser *parser, struct span token)
{
    enum keyword_id id = find_keyword(token);
    if (id == KEYWORD_COUNT) {
        parser->is_faulty = true;
        report_string(parser->out, "go: \"%.*s\" is not known", report_quote_size(token),
                      token.data);
    } else if (id == GO_INFINITE) {
        parser->go->request.infinite = true;
    } else if (id == GO_PONDER) {
        parser->go->request.ponder = true;
    } else if (id == GO_SEARCHMOVES) {
        take_moves(parser);
    } else if (take_number(parser, id)) {
        parser->has_clock_detail |= id == GO_WINC || id == GO_BINC || id == GO_MOVESTOGO;
    }
}

static bool has_limit(const struct search_request *request)
{
    return request->infinite || request->depth || request->mate || request->nodes ||
           request->movetime_ms >= 0 || request->time_ms[request->root.turn] >= 0;
}

/* What the other side has is better than nothing. */
static int64_t ours_or_theirs(const int64_t ms[2], int us)
{
    return ms[us] > 0 ? ms[us] : ms[!us];
}

/* Decides what a `go` without a limit is meant to be; see go.h. */
static void set_default_limit(const struct parser *parser)
{
    struct search_request *request = &parser->go->request;
    int us = request->root.turn;
    int64_t increment_ms = ours_or_theirs(request->increment_ms, us);
    if (increment_ms > 0) {
        request->time_ms[us] = request->increment_ms[us] = increment_ms;
        report_string(parser->out, "go: increment without a clock: taken for the time left");
    } else if (parser->is_faulty || parser->has_clock_detail) {
        request->depth = 1;
        if (!parser->is_faulty)
            report_string(parser->out, "go: no clock and no other limit: one ply is searched");
    } else if (!request->ponder) { /* a ponderhit ends what has no other limit */
        request->infinite = true;
    }
}

void go_parse(struct span arguments, const struct position *pos, struct output *out, struct go *go)
{
    struct parser parser = {
        .rest = arguments,
        .pos = pos,
        .out = out,
        .go = go,
        .numbers = {[GO_WTIME] = UNSAID,
                    [GO_BTIME] = UNSAID,
                    [GO_DEPTH] = UNSAID,
                    [GO_NODES] = UNSAID,
                    [GO_MATE] = UNSAID,
                    [GO_MOVETIME] = UNSAID},
    };
    struct search_request *request = &go->request;
    search_request_init(request);
    request->root = *pos;
    for (struct span token; (token = span_token(&parser.rest)).size;)
        take_keyword(&parser, token);
    settle_clocks(parser.numbers);
    settle_zeros(&parser);
    store_numbers(go, parser.numbers);
    request->time_ms[pos->turn] = ours_or_theirs(request->time_ms, pos->turn);
    go->is_faulty = parser.is_faulty;
    bool is_infinite = request->infinite; /* said in so many words */
    if (!has_limit(request))
        set_default_limit(&parser);
    go->has_end = go->perft_depth > 0 || is_infinite || !(request->infinite || request->ponder);
}

/* Clocks ------------------------------------------------------------------------------------- */

static bool read_seconds(struct span text, int64_t *ms)
{
    enum { DAY_MS = 24 * 3600 * 1000 };
    char data[32];
    struct text_buffer number = text_buffer_on(data, sizeof data);
    /* ".5" as well as "0.5" */
    text_append(&number, "%s%.*s", text.size && text.data[0] == '.' ? "0" : "", (int)text.size,
                text.data);
    return !number.cut && options_read_decimal(data, 3, DAY_MS, ms);
}

bool time_control_read(const char *text, struct time_control *out)
{
    const char *plus = strchr(text, '+');
    struct span base = plus ? span_make(text, (size_t)(plus - text)) : span_of(text);
    struct time_control control = {0};
    if (!read_seconds(base, &control.base_ms) || control.base_ms == 0 ||
        (plus && !read_seconds(span_of(plus + 1), &control.increment_ms)))
        return false;
    *out = control;
    return true;
}
