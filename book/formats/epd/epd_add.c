#include "book/formats/epd/epd.h"

#include <string.h>

#include "base/line_end.h"
#include "book/formats/epd/epd_line.h"
#include "chess/notation.h"

/* What the file has of the position and the move. */
struct survey {
    size_t lines;      /* that can be read */
    size_t move_lines; /* of these, with a move in front */
    size_t target;     /* the line to be changed, from 1; 0 for none */
    bool open_quote;   /* in it */
    size_t listed;     /* lines that list the move among others, */
    size_t alone;      /* and that are in front of the position what Fishburn's lines have */
};

struct adding {
    const struct book_addition *addition;
    char san[SAN_MAX];
    struct span text;
    FILE *out;
};

static bool is_move(const struct adding *adding, struct span word)
{
    move m;
    return move_from_text(&adding->addition->pos, word, &m) == STATUS_OK &&
           m == adding->addition->m;
}

static bool lists_moves(struct span opcode)
{
    return span_equal(opcode, "bm") || span_equal(opcode, "am");
}

static bool lists_move(const struct adding *adding, struct span operations)
{
    struct span rest = span_trim(operations);
    while (rest.size) {
        struct span operation = epd_take_operation(&rest);
        if (!lists_moves(span_token(&operation)))
            continue;
        for (struct span word; (word = span_token(&operation)).size;)
            if (is_move(adding, word))
                return true;
    }
    return false;
}

static bool has_open_quote(struct span operations)
{
    bool open = false;
    for (size_t i = 0; i < operations.size; i++)
        open ^= operations.data[i] == '"';
    return open;
}

static void look_at(const struct adding *adding, const struct epd_line *parts, size_t number,
                    struct survey *survey)
{
    survey->lines++;
    survey->move_lines += parts->move.size > 0;
    if (parts->pos.key != adding->addition->pos.key)
        return;
    bool listed = lists_move(adding, parts->operations);
    survey->alone += parts->move.size && is_move(adding, parts->move);
    if (listed ? !survey->listed : !survey->target && !parts->move.size) {
        survey->target = number;
        survey->open_quote = has_open_quote(parts->operations);
    }
    survey->listed += listed;
}

static struct survey look(const struct adding *adding)
{
    struct survey survey = {.lines = 0};
    struct span rest = span_skip_bom(adding->text);
    size_t number = 0;
    for (struct span line; span_line(&rest, &line);) {
        struct epd_line parts;
        number++;
        line = span_trim(line);
        if (epd_is_content(line) && epd_split(line, &parts, NULL) == STATUS_OK)
            look_at(adding, &parts, number, &survey);
    }
    return survey;
}

static void put(const struct adding *adding, struct span text)
{
    (void)fwrite(text.data, 1, text.size, adding->out);
}

/* A list of moves without the move; or, when `take` says so, with it, where it stood or last. */
static void write_list(const struct adding *adding, struct span opcode, struct span words,
                       bool take)
{
    bool any = false;
    for (struct span word; (word = span_token(&words)).size || take;) {
        bool it = !word.size || is_move(adding, word);
        if (it && !take)
            continue;
        take &= !it;
        if (!any) {
            (void)fputc(' ', adding->out);
            put(adding, opcode);
        }
        (void)fputc(' ', adding->out);
        put(adding, it ? span_of(adding->san) : word);
        any = true;
    }
    if (any)
        (void)fputc(';', adding->out);
}

static bool holds_weights(const struct adding *adding, struct span list)
{
    while (list.size)
        if (epd_take_weight(&adding->addition->pos, &list).m != MOVE_NONE)
            return true;
    return false;
}

/* digit: of the operation, c0 to c9. */
static void write_weights(const struct adding *adding, char digit, struct span list, bool take)
{
    bool any = false;
    while (list.size || take) {
        struct epd_weight item = {.m = adding->addition->m};
        if (list.size)
            item = epd_take_weight(&adding->addition->pos, &list);
        bool it = item.m == adding->addition->m;
        if (it ? !take : !item.text.size)
            continue;
        take &= !it;
        if (any)
            (void)fputs(", ", adding->out);
        else
            (void)fprintf(adding->out, " c%c \"", digit);
        any = true;
        if (it)
            (void)fprintf(adding->out, "%s=%lu", adding->san,
                          (unsigned long)adding->addition->weight);
        else
            put(adding, item.text);
    }
    if (any)
        (void)fputs("\";", adding->out);
}

/* The operations with the move; others stay as they are. */
static void write_operations(const struct adding *adding, struct span rest)
{
    uint32_t weight = adding->addition->weight;
    const char *wanted = weight ? "bm" : "am";
    bool listed = false;
    bool weighed = weight == 0;
    unsigned comments = 0; /* a bit for each of c0 to c9 */
    rest = span_trim(rest);
    while (rest.size) {
        struct span whole = epd_take_operation(&rest);
        struct span operation = whole;
        struct span opcode = span_token(&operation);
        struct span weights = epd_weights(opcode, operation);
        if (epd_is_comment(opcode))
            comments |= 1u << (opcode.data[1] - '0');
        if (lists_moves(opcode)) {
            bool take = !listed && span_equal(opcode, wanted);
            write_list(adding, opcode, operation, take);
            listed |= take;
        } else if (holds_weights(adding, weights)) {
            write_weights(adding, opcode.data[1], weights, !weighed);
            weighed = true;
        } else if (opcode.size) {
            (void)fputc(' ', adding->out);
            put(adding, span_trim(whole));
            (void)fputc(';', adding->out);
        }
    }
    if (!listed)
        (void)fprintf(adding->out, " %s %s;", wanted, adding->san);
    char digit = '0';
    while (digit < '9' && (comments & 1u << (digit - '0')))
        digit++;
    if (!weighed && weight != 1)
        write_weights(adding, digit, span_make("", 0), true);
}

/* line: of the file, without its end. */
static void write_target(const struct adding *adding, struct span line)
{
    struct epd_line parts;
    if (epd_split(span_trim(line), &parts, NULL) != STATUS_OK)
        return; /* it was read before */
    struct span before = span_make(line.data, (size_t)(parts.operations.data - line.data));
    while (before.size && memchr(" \t\r", before.data[before.size - 1], 3))
        before.size--;
    put(adding, before);
    write_operations(adding, parts.operations);
}

static void write_all(const struct adding *adding, const struct survey *survey)
{
    struct span rest = span_skip_bom(adding->text);
    const char *line_end = line_end_of(adding->text);
    size_t number = 0;
    put(adding, span_make(adding->text.data, adding->text.size - rest.size));
    for (struct span line; span_line(&rest, &line);) {
        const char *end = line.data + line.size; /* the line end: "\r\n", "\n", none */
        if (++number == survey->target)
            write_target(adding, line);
        else
            put(adding, line);
        put(adding, span_make(end, (size_t)(rest.data - end)));
        if (rest.data[-1] != '\n' && !survey->target)
            (void)fputs(line_end, adding->out);
    }
    if (survey->target)
        return;
    char board[FEN_MAX];
    epd_board_text(&adding->addition->pos, board);
    if (survey->move_lines && survey->move_lines == survey->lines) {
        (void)fprintf(adding->out, "%s %s%s", adding->san, board, line_end);
        return;
    }
    (void)fputs(board, adding->out);
    write_operations(adding, span_make("", 0));
    (void)fputs(line_end, adding->out);
}

enum caxton_status epd_add(const uint8_t *bytes, size_t size, const struct book_addition *addition,
                           FILE *out, struct diag *diag)
{
    struct adding adding = {
        .addition = addition, .text = span_make((const char *)bytes, size), .out = out};
    move_to_san(&addition->pos, addition->m, adding.san);
    struct survey survey = look(&adding);
    bool unchanged = !survey.listed && survey.alone && survey.alone == addition->weight;
    if (!unchanged && survey.listed + survey.alone > 1) {
        diag_set(diag, 0, 0, "%s stands in %zu lines (makebook verify --repair makes one of them)",
                 adding.san, survey.listed + survey.alone);
        return STATUS_RANGE;
    }
    if (!unchanged && survey.open_quote) {
        diag_set(diag, survey.target, 0, "line %zu: a quote is not closed", survey.target);
        return STATUS_SYNTAX;
    }
    bool plain = survey.alone || (survey.lines && survey.move_lines == survey.lines);
    if (!unchanged && plain && (survey.alone || addition->weight != 1)) {
        diag_set(diag, 0, 0, "lines of a move and its position have no weights (in EPD they have)");
        return STATUS_RANGE;
    }
    if (unchanged)
        put(&adding, adding.text);
    else
        write_all(&adding, &survey);
    return STATUS_OK;
}
