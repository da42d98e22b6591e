#include "engine/options.h"

#include <stddef.h>
#include <string.h>

#include "engine/session.h"

enum option_kind { OPTION_CHECK, OPTION_SPIN, OPTION_COMBO, OPTION_STRING, OPTION_BUTTON };

/* A value on its way into struct options: number for check, spin and combo, text for string. */
struct option_value {
    int number;
    const char *text;
};

struct option {
    const char *name;
    const char *alias; /* another name that is understood, or NULL */
    enum option_kind kind;
    size_t offset; /* of the value in struct options */
    int initial;   /* a combo's is an index */
    int min;
    int max;
    const char *choices[4]; /* of a combo */
    /* Puts the value into force before it is stored; false when that failed: the old one stays.
     * It has then said why. NULL: being stored is all. */
    bool (*apply)(struct session *session, const struct option_value *value);
    const char *help;
};

static bool apply_hash(struct session *session, const struct option_value *value)
{
    return session_set_hash(session, value->number);
}

static bool apply_threads(struct session *session, const struct option_value *value)
{
    return session_set_threads(session, value->number);
}

static bool apply_clear(struct session *session, const struct option_value *value)
{
    (void)value;
    session_clear_hash(session);
    return true;
}

static bool apply_book_file(struct session *session, const struct option_value *value)
{
    return session_set_book(session, value->text);
}

#define FIELD(name) offsetof(struct options, name)

static const struct option table[] = {
    {"Hash",
     NULL,
     OPTION_SPIN,
     FIELD(hash_mb),
     16,
     1,
     SEARCH_HASH_MB_MAX,
     {NULL},
     apply_hash,
     "size of the transposition table in MB"},
    {"Threads",
     NULL,
     OPTION_SPIN,
     FIELD(threads),
     1,
     1,
     SEARCH_THREADS_MAX,
     {NULL},
     apply_threads,
     "number of threads that search"},
    {"MultiPV",
     NULL,
     OPTION_SPIN,
     FIELD(multipv),
     1,
     1,
     MOVES_MAX,
     {NULL},
     NULL,
     "number of best lines to show"},
    {"Ponder",
     NULL,
     OPTION_CHECK,
     FIELD(ponder),
     false,
     0,
     1,
     {NULL},
     NULL,
     "the interface lets the engine think on the opponent's time"},
    {"Move Overhead",
     NULL,
     OPTION_SPIN,
     FIELD(overhead_ms),
     10,
     0,
     5000,
     {NULL},
     NULL,
     "milliseconds a move kept back for the interface and the network"},
    {"Clear Hash",
     NULL,
     OPTION_BUTTON,
     0,
     0,
     0,
     0,
     {NULL},
     apply_clear,
     "forget everything the search has learnt"},
    {"UCI_Chess960",
     NULL,
     OPTION_CHECK,
     FIELD(chess960),
     false,
     0,
     1,
     {NULL},
     NULL,
     "write castling as king takes rook"},
    {"UCI_ShowWDL",
     NULL,
     OPTION_CHECK,
     FIELD(show_wdl),
     false,
     0,
     1,
     {NULL},
     NULL,
     "show the chances to win, draw and lose with each score"},
    {"UCI_AnalyseMode",
     NULL,
     OPTION_CHECK,
     FIELD(analyse),
     false,
     0,
     1,
     {NULL},
     NULL,
     "the position is being analysed: the book is not used"},
    {"UCI_LimitStrength",
     NULL,
     OPTION_CHECK,
     FIELD(limit_strength),
     false,
     0,
     1,
     {NULL},
     NULL,
     "play about as well as UCI_Elo says"},
    {"UCI_Elo",
     NULL,
     OPTION_SPIN,
     FIELD(elo),
     1600,
     ELO_MIN,
     ELO_MAX,
     {NULL},
     NULL,
     "the strength meant by UCI_LimitStrength; a rough scale"},
    {"OwnBook",
     NULL,
     OPTION_CHECK,
     FIELD(own_book),
     true,
     0,
     1,
     {NULL},
     NULL,
     "play from the opening book"},
    {"BookFile",
     "Book File",
     OPTION_STRING,
     FIELD(book_file),
     0,
     0,
     0,
     {NULL},
     apply_book_file,
     "Polyglot book, several separated by `;`: the first that knows the position answers; "
     "`<empty>` is the built-in book"},
    {"BookSelection",
     NULL,
     OPTION_COMBO,
     FIELD(book_selection),
     BOOK_WEIGHTED,
     0,
     0,
     {[BOOK_BEST] = "best", [BOOK_WEIGHTED] = "weighted", [BOOK_UNIFORM] = "uniform"},
     NULL,
     "how one of several book moves is chosen"},
    {"BestBookMove",
     "Best Book Move",
     OPTION_CHECK,
     FIELD(best_book_move),
     false,
     0,
     1,
     {NULL},
     NULL,
     "always the heaviest book move, whatever BookSelection says"},
    {"BookDepth",
     "Book Depth",
     OPTION_SPIN,
     FIELD(book_depth_plies),
     255,
     0,
     255,
     {NULL},
     NULL,
     "leave the book after this many plies from the start of the game"},
    {"BookThreshold",
     NULL,
     OPTION_SPIN,
     FIELD(book_threshold_permille),
     0,
     0,
     1000,
     {NULL},
     NULL,
     "ignore book moves with a smaller share of the position's weight, in permille"},
};

enum { OPTION_COUNT = sizeof table / sizeof *table };

static void store(struct options *options, const struct option *option,
                  const struct option_value *value)
{
    char *field = (char *)options + option->offset;
    switch (option->kind) {
    case OPTION_CHECK:
        *(bool *)field = value->number != 0;
        break;
    case OPTION_SPIN:
    case OPTION_COMBO: {
        memcpy(field, &value->number, sizeof value->number);
        break;
    }
    case OPTION_STRING:
        text_copy(field, OPTION_TEXT_MAX, span_of(value->text));
        break;
    case OPTION_BUTTON:
        break;
    }
}

void options_init(struct options *options)
{
    for (int i = 0; i < OPTION_COUNT; i++)
        store(options, &table[i], &(struct option_value){table[i].initial, ""});
}

/* Listing ---------------------------------------------------------------------------------- */

static void append_initial(struct text_buffer *line, const struct option *option)
{
    switch (option->kind) {
    case OPTION_CHECK:
        text_append(line, "%s", option->initial ? "true" : "false");
        break;
    case OPTION_SPIN:
        text_append(line, "%d", option->initial);
        break;
    case OPTION_COMBO:
        text_append(line, "%s", option->choices[option->initial]);
        break;
    case OPTION_STRING:
        text_append(line, "<empty>");
        break;
    case OPTION_BUTTON:
        break;
    }
}

static const char *const kind_names[] = {"check", "spin", "combo", "string", "button"};

void options_list(struct report *report)
{
    for (int i = 0; i < OPTION_COUNT; i++) {
        const struct option *option = &table[i];
        char data[256];
        struct text_buffer line = text_buffer_on(data, sizeof data);
        text_append(&line, "option name %s type %s", option->name, kind_names[option->kind]);
        if (option->kind != OPTION_BUTTON) {
            text_append(&line, " default ");
            append_initial(&line, option);
        }
        if (option->kind == OPTION_SPIN)
            text_append(&line, " min %d max %d", option->min, option->max);
        for (int j = 0; option->choices[j]; j++)
            text_append(&line, " var %s", option->choices[j]);
        report_line(report, "%s", data);
    }
}

void options_list_markdown(struct report *report)
{
    report_line(report, "| option | type | default | meaning |");
    report_line(report, "|---|---|---|---|");
    for (int i = 0; i < OPTION_COUNT; i++) {
        const struct option *option = &table[i];
        char data[512];
        struct text_buffer line = text_buffer_on(data, sizeof data);
        text_append(&line, "| `%s`", option->name);
        if (option->alias)
            text_append(&line, " (also `%s`)", option->alias);
        text_append(&line, " | %s", kind_names[option->kind]);
        if (option->kind == OPTION_SPIN)
            text_append(&line, " %d to %d", option->min, option->max);
        for (int j = 0; option->choices[j]; j++)
            text_append(&line, "%s%s", j ? ", " : ": ", option->choices[j]);
        text_append(&line, " | ");
        if (option->kind != OPTION_BUTTON) {
            text_append(&line, "`");
            append_initial(&line, option);
            text_append(&line, "`");
        }
        report_line(report, "%s | %s |", data, option->help);
    }
}

/* Reading ---------------------------------------------------------------------------------- */

/* As much of a user's text as is quoted back. */
static int quoted(struct span text)
{
    return text.size < 80 ? (int)text.size : 80;
}

/* Takes the text before the token `value` off `rest`, which is left after that token. */
static struct span take_name(struct span *rest, bool *has_value)
{
    struct span name = span_make(rest->data, 0);
    *has_value = false;
    for (;;) {
        struct span token = span_token(rest);
        if (!token.size)
            break;
        if (span_equal_nocase(token, "value")) {
            *has_value = true;
            break;
        }
        name.size = (size_t)(token.data + token.size - name.data);
    }
    return span_trim(name);
}

static const struct option *find(struct span name)
{
    for (int i = 0; i < OPTION_COUNT; i++)
        if (span_equal_nocase(name, table[i].name) ||
            (table[i].alias && span_equal_nocase(name, table[i].alias)))
            return &table[i];
    return NULL;
}

static bool read_check(struct report *report, const struct option *option, struct span text,
                       struct option_value *value)
{
    value->number = span_equal_nocase(text, "true");
    if (value->number || span_equal_nocase(text, "false"))
        return true;
    report_string(report, "%s is true or false, not \"%.*s\"", option->name, quoted(text),
                  text.data);
    return false;
}

static bool read_spin(struct report *report, const struct option *option, struct span text,
                      struct option_value *value)
{
    int64_t number = 0;
    enum caxton_status status = span_to_int(text, INT64_MIN, INT64_MAX, &number);
    if (status == STATUS_RANGE) /* more than 64 bits */
        number = text.data[0] == '-' ? INT64_MIN : INT64_MAX;
    else if (status != STATUS_OK) {
        report_string(report, "%s is a number from %d to %d, not \"%.*s\"", option->name,
                      option->min, option->max, quoted(text), text.data);
        return false;
    }
    value->number = number < option->min   ? option->min
                    : number > option->max ? option->max
                                           : (int)number;
    if (value->number != number)
        report_string(report, "%s is a number from %d to %d: taken as %d", option->name,
                      option->min, option->max, value->number);
    return true;
}

static bool read_combo(struct report *report, const struct option *option, struct span text,
                       struct option_value *value)
{
    for (int i = 0; option->choices[i]; i++)
        if (span_equal_nocase(text, option->choices[i])) {
            value->number = i;
            return true;
        }
    report_string(report, "%s has no choice \"%.*s\"", option->name, quoted(text), text.data);
    return false;
}

/* `text_out`: room of OPTION_TEXT_MAX for a string's value. */
static bool read_value(struct report *report, const struct option *option, struct span text,
                       char *text_out, struct option_value *value)
{
    switch (option->kind) {
    case OPTION_CHECK:
        return read_check(report, option, text, value);
    case OPTION_SPIN:
        return read_spin(report, option, text, value);
    case OPTION_COMBO:
        return read_combo(report, option, text, value);
    case OPTION_STRING:
        if (text.size >= OPTION_TEXT_MAX) {
            report_string(report, "%s: longer than %d characters", option->name,
                          OPTION_TEXT_MAX - 1);
            return false;
        }
        text_copy(text_out, OPTION_TEXT_MAX,
                  span_equal_nocase(text, "<empty>") ? span_make("", 0) : text);
        value->text = text_out;
        return true;
    case OPTION_BUTTON:
        return true;
    }
    return false;
}

void options_set(struct session *session, struct span arguments, bool echo)
{
    struct report *report = session_report(session);
    struct span rest = arguments;
    if (!span_equal_nocase(span_token(&rest), "name")) {
        report_string(report, "setoption: expected \"name\"");
        return;
    }
    bool has_value;
    struct span name = take_name(&rest, &has_value);
    const struct option *option = find(name);
    if (!option) {
        report_string(report, "no option is called \"%.*s\"", quoted(name), name.data);
        return;
    }
    struct span text = span_trim(rest);
    if (option->kind != OPTION_BUTTON && !has_value) {
        report_string(report, "setoption: %s needs a value", option->name);
        return;
    }
    char stored[OPTION_TEXT_MAX];
    struct option_value value = {0};
    if (!read_value(report, option, text, stored, &value))
        return;
    if (option->apply && !option->apply(session, &value))
        return;
    store(session_options(session), option, &value);
    if (echo)
        report_string(report, "%s set", option->name);
}
