#include "engine/go.h"

#include "chess/notation.h"

enum argument { ARGUMENT_NONE, ARGUMENT_NUMBER, ARGUMENT_MOVES };

enum keyword_id {
    GO_WTIME,
    GO_BTIME,
    GO_WINC,
    GO_BINC,
    GO_MOVESTOGO,
    GO_DEPTH,
    GO_NODES,
    GO_MATE,
    GO_MOVETIME,
    GO_PERFT,
    GO_INFINITE,
    GO_PONDER,
    GO_SEARCHMOVES,
    KEYWORD_COUNT
};

struct keyword {
    const char *name;
    enum argument argument;
    int64_t min; /* smaller numbers count as this, larger ones as max */
    int64_t max;
};

/* Longer than any game lasts, short enough to be multiplied: 100 years. */
#define LONGEST_MS (INT64_C(100) * 366 * 24 * 3600 * 1000)

static const struct keyword keywords[KEYWORD_COUNT] = {
    [GO_WTIME] = {"wtime", ARGUMENT_NUMBER, 1, LONGEST_MS},
    [GO_BTIME] = {"btime", ARGUMENT_NUMBER, 1, LONGEST_MS},
    [GO_WINC] = {"winc", ARGUMENT_NUMBER, 0, LONGEST_MS},
    [GO_BINC] = {"binc", ARGUMENT_NUMBER, 0, LONGEST_MS},
    [GO_MOVESTOGO] = {"movestogo", ARGUMENT_NUMBER, 0, 10000},
    [GO_DEPTH] = {"depth", ARGUMENT_NUMBER, 1, SEARCH_DEPTH_MAX},
    [GO_NODES] = {"nodes", ARGUMENT_NUMBER, 1, INT64_MAX},
    [GO_MATE] = {"mate", ARGUMENT_NUMBER, 1, SEARCH_DEPTH_MAX},
    [GO_MOVETIME] = {"movetime", ARGUMENT_NUMBER, 1, LONGEST_MS},
    [GO_PERFT] = {"perft", ARGUMENT_NUMBER, 1, 60},
    [GO_INFINITE] = {"infinite", ARGUMENT_NONE, 0, 0},
    [GO_PONDER] = {"ponder", ARGUMENT_NONE, 0, 0},
    [GO_SEARCHMOVES] = {"searchmoves", ARGUMENT_MOVES, 0, 0},
};

struct parser {
    struct span rest;
    const struct position *pos;
    struct report *report;
    struct go *go;
    bool is_faulty;        /* something could not be read */
    bool has_clock_detail; /* winc, binc or movestogo was given */
};

static enum keyword_id find_keyword(struct span token)
{
    int id = 0;
    while (id < KEYWORD_COUNT && !span_equal_nocase(token, keywords[id].name))
        id++;
    return (enum keyword_id)id;
}

/* Takes the next token if it is a number. */
static bool take_number(struct parser *parser, const struct keyword *keyword, int64_t *out)
{
    struct span after = parser->rest;
    struct span token = span_token(&after);
    enum caxton_status status = span_to_int(token, INT64_MIN, INT64_MAX, out);
    if (status == STATUS_RANGE)
        *out = token.data[0] == '-' ? INT64_MIN : INT64_MAX;
    else if (status != STATUS_OK) {
        parser->is_faulty = true;
        report_string(parser->report, "go: %s needs a number%s%.*s%s", keyword->name,
                      token.size ? ", not \"" : "", report_quote_size(token), token.data,
                      token.size ? "\"" : "");
        /* What is no limit either was meant to be the number: it is not read again. */
        if (token.size && find_keyword(token) == KEYWORD_COUNT)
            parser->rest = after;
        return false;
    }
    parser->rest = after;
    *out = *out < keyword->min ? keyword->min : *out > keyword->max ? keyword->max : *out;
    return true;
}

static void store_number(struct go *go, enum keyword_id id, int64_t number)
{
    struct search_request *request = &go->request;
    switch (id) {
    case GO_WTIME:
    case GO_BTIME:
        request->time_ms[id == GO_WTIME ? WHITE : BLACK] = number;
        break;
    case GO_WINC:
    case GO_BINC:
        request->increment_ms[id == GO_WINC ? WHITE : BLACK] = number;
        break;
    case GO_MOVESTOGO:
        request->moves_to_go = (int)number;
        break;
    case GO_DEPTH:
        request->depth = (int)number;
        break;
    case GO_NODES:
        request->nodes = (uint64_t)number;
        break;
    case GO_MATE:
        request->mate = (int)number;
        break;
    case GO_MOVETIME:
        request->movetime_ms = number;
        break;
    case GO_PERFT:
        go->perft_depth = (int)number;
        break;
    default:
        break;
    }
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
            report_string(parser->report, "go: \"%.*s\" in searchmoves is not a legal move here",
                          report_quote_size(token), token.data);
    }
    if (request->move_count == before)
        report_string(parser->report, "go: searchmoves names no legal move: all are searched");
}

static void take_keyword(struct parser *parser, struct span token)
{
    enum keyword_id id = find_keyword(token);
    int64_t number;
    if (id == KEYWORD_COUNT) {
        parser->is_faulty = true;
        report_string(parser->report, "go: \"%.*s\" is not known", report_quote_size(token),
                      token.data);
    } else if (id == GO_INFINITE) {
        parser->go->request.infinite = true;
    } else if (id == GO_PONDER) {
        parser->go->request.ponder = true;
    } else if (id == GO_SEARCHMOVES) {
        take_moves(parser);
    } else if (take_number(parser, &keywords[id], &number)) {
        store_number(parser->go, id, number);
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
        report_string(parser->report, "go: increment without a clock: taken for the time left");
    } else if (parser->is_faulty || parser->has_clock_detail) {
        request->depth = 1;
        if (!parser->is_faulty)
            report_string(parser->report, "go: no clock and no other limit: one ply is searched");
    } else if (!request->ponder) { /* a ponderhit ends what has no other limit */
        request->infinite = true;
    }
}

void go_parse(struct span arguments, const struct position *pos, struct report *report,
              struct go *go)
{
    struct parser parser = {.rest = arguments, .pos = pos, .report = report, .go = go};
    struct search_request *request = &go->request;
    search_request_init(request);
    request->root = *pos;
    go->perft_depth = 0;
    for (;;) {
        struct span token = span_token(&parser.rest);
        if (!token.size)
            break;
        take_keyword(&parser, token);
    }
    request->time_ms[pos->turn] = ours_or_theirs(request->time_ms, pos->turn);
    bool is_infinite = request->infinite; /* said in so many words */
    if (!has_limit(request))
        set_default_limit(&parser);
    go->has_end = go->perft_depth > 0 || is_infinite || !(request->infinite || request->ponder);
}
