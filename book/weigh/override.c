#include "book/weigh/override.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "book/polyglot_entry.h"
#include "chess/mirror.h"
#include "chess/notation.h"

enum { FAULTS_MAX = 100 }; /* that are named */

struct parse {
    struct overrides made;
    size_t capacity;
    struct diag faults[FAULTS_MAX]; /* the first that are found */
    size_t fault_count;             /* of all */
    const char *line_start;
    size_t line;
    bool mirror;
};

static void add_fault(struct parse *parse, const struct diag *diag)
{
    if (parse->fault_count < FAULTS_MAX)
        parse->faults[parse->fault_count] = *diag;
    parse->fault_count++;
}

static void complain(struct parse *parse, const char *at, const char *what, struct span which)
{
    struct diag diag;
    size_t column = (size_t)(at - parse->line_start) + 1;
    int size = which.size < 40 ? (int)which.size : 40;
    diag_set(&diag, parse->line, column, "%.*s%s%s", size, which.data, size ? " " : "", what);
    add_fault(parse, &diag);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static struct span without_comment(struct span line)
{
    for (size_t i = 0; i < line.size; i++)
        if (line.data[i] == '#' && (i == 0 || is_blank(line.data[i - 1])))
            return span_make(line.data, i);
    return line;
}

/* Plays the moves; fills key and move of `out` with the last. */
static bool read_moves(struct parse *parse, struct span text, struct override *out)
{
    struct position pos;
    position_start(&pos);
    bool any = false;
    struct span rest = text;
    for (struct span word; (word = span_token(&rest)).size;) {
        word = span_from(word, move_number_size(word));
        if (word.size == 0)
            continue;
        move m;
        enum caxton_status status = move_from_text(&pos, word, &m);
        if (status != STATUS_OK) {
            complain(parse, word.data,
                     status == STATUS_ILLEGAL     ? "is not legal here"
                     : status == STATUS_AMBIGUOUS ? "can be more than one move"
                                                  : "is no move",
                     word);
            return false;
        }
        bool turned = parse->mirror && pos.turn == BLACK;
        move stored = turned ? move_mirror(m) : m;
        out->key = turned ? position_mirror_key(&pos) : pos.key;
        out->move = polyglot_from_move(stored);
        out->journey = polyglot_journey(stored);
        position_play(&pos, m);
        any = true;
    }
    if (!any)
        complain(parse, text.data, "no moves before the colon", span_of(""));
    return any;
}

static bool read_decision(struct parse *parse, struct span text, struct override *out)
{
    struct span word = span_trim(text);
    int64_t weight = 0;
    if (span_equal_nocase(word, "never")) {
        out->kind = OVERRIDE_NEVER;
    } else if (span_equal_nocase(word, "always")) {
        out->kind = OVERRIDE_ALWAYS;
        weight = POLYGLOT_WEIGHT_MAX;
    } else if (span_to_int(word, 0, POLYGLOT_WEIGHT_MAX, &weight) == STATUS_OK) {
        out->kind = OVERRIDE_WEIGHT;
    } else {
        complain(parse, word.size ? word.data : text.data,
                 word.size ? "is neither a weight from 0 to 65535 nor never nor always"
                           : "a weight, never or always is missing after the colon",
                 word);
        return false;
    }
    out->weight = (uint16_t)weight;
    return true;
}

static enum caxton_status read_line(struct parse *parse, struct span line)
{
    struct overrides *made = &parse->made;
    line = without_comment(line);
    if (span_trim(line).size == 0)
        return STATUS_OK;
    size_t colon = line.size;
    while (colon > 0 && line.data[colon - 1] != ':')
        colon--;
    if (colon == 0) {
        complain(parse, line.data, "a colon is missing: MOVES : WEIGHT, never or always",
                 span_of(""));
        return STATUS_OK;
    }
    struct override override = {.line = parse->line};
    struct span decision = span_from(line, colon);
    bool good = read_moves(parse, span_make(line.data, colon - 1), &override);
    if (!read_decision(parse, decision, &override) || !good)
        return STATUS_OK;
    if (!ARRAY_GROW(made->list, parse->capacity, made->count + 1))
        return STATUS_NO_MEMORY;
    made->list[made->count++] = override;
    return STATUS_OK;
}

/* By key, then move, then line. */
static int compare(const void *a, const void *b)
{
    const struct override *x = a;
    const struct override *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    if (x->move != y->move)
        return x->move < y->move ? -1 : 1;
    return x->line < y->line ? -1 : x->line > y->line;
}

static void complain_about(struct parse *parse, size_t line, const char *what, size_t other)
{
    struct diag diag;
    diag_set(&diag, line, 0, "%s line %zu", what, other);
    add_fault(parse, &diag);
}

/* Names lines that contradict one another within a position, list[0..count). */
static void check_position(struct parse *parse, const struct override *list, size_t count)
{
    const struct override *always = NULL;
    for (size_t i = 0; i < count; i++)
        if (list[i].kind == OVERRIDE_ALWAYS && (!always || list[i].line < always->line))
            always = &list[i];
    for (size_t i = 0; i < count; i++) {
        if (i > 0 && list[i].move == list[i - 1].move)
            complain_about(parse, list[i].line, "the same move in the same position as in",
                           list[i - 1].line);
        else if (always && list[i].kind == OVERRIDE_WEIGHT)
            complain_about(parse, list[i].line,
                           "a weight is no use in a position with \"always\", see", always->line);
    }
}

static void check_conflicts(struct parse *parse)
{
    const struct overrides *made = &parse->made;
    for (size_t first = 0, end; first < made->count; first = end) {
        for (end = first + 1; end < made->count; end++)
            if (made->list[end].key != made->list[first].key)
                break;
        check_position(parse, made->list + first, end - first);
    }
}

/* By line, then column. */
static int compare_faults(const void *a, const void *b)
{
    const struct diag *x = a;
    const struct diag *y = b;
    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    return x->column < y->column ? -1 : x->column > y->column;
}

/* Faults within lines are found before lines that contradict one another. */
static enum caxton_status name_faults(struct parse *parse, override_fault fault, void *context)
{
    size_t count = parse->fault_count < FAULTS_MAX ? parse->fault_count : FAULTS_MAX;
    struct diag more;
    if (count == 0)
        return STATUS_OK;
    qsort(parse->faults, count, sizeof *parse->faults, compare_faults);
    for (size_t i = 0; i < count; i++)
        fault(context, &parse->faults[i]);
    diag_set(&more, parse->line, 0, "there are %zu more faults", parse->fault_count - count);
    if (parse->fault_count > count)
        fault(context, &more);
    return STATUS_SYNTAX;
}

enum caxton_status overrides_parse(struct span text, bool mirror, override_fault fault,
                                   void *context, struct overrides *out)
{
    struct parse parse = {.mirror = mirror};
    enum caxton_status status = STATUS_OK;
    text = span_skip_bom(text);
    for (struct span line; status == STATUS_OK && span_line(&text, &line);) {
        parse.line++;
        parse.line_start = line.data;
        status = read_line(&parse, line);
    }
    if (status == STATUS_OK && parse.made.count) {
        qsort(parse.made.list, parse.made.count, sizeof *parse.made.list, compare);
        check_conflicts(&parse);
    }
    if (status == STATUS_OK)
        status = name_faults(&parse, fault, context);
    if (status == STATUS_OK)
        *out = parse.made;
    else
        overrides_free(&parse.made);
    return status;
}

void overrides_free(struct overrides *overrides)
{
    free(overrides->list);
    *overrides = (struct overrides){0};
}
