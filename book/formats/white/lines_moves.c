#include "book/formats/white/lines_moves.h"

#include <stdarg.h>
#include <string.h>

#include "book/formats/white/lines_word.h"
#include "book/position_book.h"

enum caxton_status lines_fail(struct lines_reader *reader, enum caxton_status status,
                              const char *at, const char *format, ...)
{
    struct lines *lines = reader->lines;
    struct diag fault = {.line = reader->number,
                         .column = (size_t)(at - reader->line) + 1,
                         .offset = (size_t)(at - lines->text)};
    va_list args;
    va_start(args, format);
    (void)vsnprintf(fault.text, sizeof fault.text, format, args);
    va_end(args);
    if (lines->faults++ == 0) {
        diag_set(&lines->fault, fault.line, fault.column, "line %zu, %s", fault.line, fault.text);
        lines->fault.offset = fault.offset;
        lines->fault_status = status;
    }
    if (reader->sink)
        reader->sink(reader->context, book_fault_of(status), &fault, NULL);
    return status;
}

const char *lines_shown(struct lines_reader *reader, struct span text)
{
    enum { SIZE = sizeof reader->shown };
    char *out = reader->shown;
    text_copy(out, SIZE, text);
    for (size_t i = 0; i < SIZE - 1 && i < text.size; i++)
        if (out[i] < ' ' || out[i] > '~')
            out[i] = '?';
    if (text.size > SIZE - 1)
        memcpy(out + SIZE - 4, "...", 4);
    return out;
}

enum caxton_status lines_fail_word(struct lines_reader *reader, enum caxton_status status,
                                   struct span word, const char *why)
{
    return lines_fail(reader, status, word.data, "`%s`: %s", lines_shown(reader, word), why);
}

void lines_guess_style(struct lines_reader *reader, struct span first)
{
    struct lines *lines = reader->lines;
    first = lines_after_number(first);
    if (first.size && first.data[0] == '(')
        first = lines_after_number(span_from(first, 1));
    if (!reader->has_style)
        lines->style = lines_has_coordinates(first) ? LINES_WHITE : LINES_SAN;
    reader->has_style = true;
    if (!reader->has_prefer && lines->style == LINES_WHITE) {
        lines->prefer_later = true;
        lines->prefer_percent = 75;
    }
    reader->has_prefer = true;
}

static enum caxton_status read_weight(struct lines_reader *reader, const struct lines_path *path,
                                      struct span *rest)
{
    const struct lines_node *node = &reader->lines->nodes[path->nodes[path->plies]];
    struct span text = lines_cut_weight(reader->lines, rest);
    int64_t weight;
    if (span_to_int(text, 0, UINT32_MAX, &weight) != STATUS_OK)
        return lines_fail(reader, STATUS_RANGE, text.data,
                          "move %d: weight `%s` is no number from 0 to 4294967295", path->plies,
                          lines_shown(reader, text));
    if (node->has_weight && node->weight != (uint32_t)weight)
        return lines_fail(reader, STATUS_SYNTAX, text.data,
                          "move %d: weight %s, but a line before says %lu", path->plies,
                          lines_shown(reader, text), (unsigned long)node->weight);
    reader->marks[path->plies].weight = (uint32_t)weight;
    reader->marks[path->plies].weighed = true;
    return STATUS_OK;
}

static enum caxton_status play(struct lines_reader *reader, struct lines_path *path,
                               struct span text)
{
    const struct position *pos = &path->positions[path->plies];
    const char *why = "no line may be so long";
    move m;
    enum caxton_status status = lines_read_move(reader->lines, pos, text, &m);
    if (status != STATUS_OK)
        why = lines_move_fault(reader->lines, status, text);
    else if (path->plies == LINES_PLIES_MAX)
        status = STATUS_RANGE;
    if (status != STATUS_OK)
        return lines_fail(reader, status, text.data, "move %d `%s`: %s", path->plies + 1,
                          lines_shown(reader, text), why);
    struct position *next = &path->positions[++path->plies];
    *next = *pos;
    position_play(next, m);
    return lines_grow(reader->lines, path->nodes[path->plies - 1], m, next->key,
                      &path->nodes[path->plies]);
}

/* Reads `*n`, where there is one: the number of moves taken from `before`. */
static enum caxton_status read_share(struct lines_reader *reader, struct span *rest,
                                     const struct lines_path *before, const char *whose,
                                     int *shared)
{
    *shared = 0;
    if (!rest->size || rest->data[0] != '*')
        return STATUS_OK;
    int unit = reader->lines->style == LINES_WHITE ? 2 : 1;
    struct span star = span_make(rest->data, 1);
    while (star.size < rest->size && rest->data[star.size] >= '0' && rest->data[star.size] <= '9')
        star.size++;
    int64_t n;
    enum caxton_status status = span_to_int(span_from(star, 1), 0, INT32_MAX, &n);
    if (status == STATUS_SYNTAX)
        return lines_fail_word(reader, status, star, "a number must follow the star");
    if (status == STATUS_OK && n % unit)
        return lines_fail(reader, STATUS_SYNTAX, star.data,
                          "`%s` counts bytes, two a move (`lines coordinate` as the first line "
                          "makes it count moves)",
                          lines_shown(reader, star));
    if (status != STATUS_OK || n / unit > before->plies)
        return lines_fail(reader, STATUS_RANGE, star.data, "`%s`: %s has only %d moves",
                          lines_shown(reader, star), whose, before->plies);
    *shared = (int)n / unit;
    *rest = span_from(*rest, star.size);
    return STATUS_OK;
}

/* Reads a move and its brackets off the front of `rest`. */
static enum caxton_status read_step(struct lines_reader *reader, struct span *rest, bool in_line,
                                    struct lines_path *path)
{
    const char *open = rest->data;
    bool bracketed = *open == '(';
    if (bracketed && !in_line)
        return lines_fail(reader, STATUS_SYNTAX, open, "move %d: a rewrite has no brackets",
                          path->plies + 1);
    if (bracketed)
        *rest = lines_after_number(span_from(*rest, 1));
    struct span text = lines_cut_move(reader->lines, rest, bracketed);
    if (!text.size && !bracketed)
        return lines_fail(reader, STATUS_SYNTAX, open, "`:` must follow a move, no blank");
    if (!text.size)
        return lines_fail(reader, STATUS_SYNTAX, open, "move %d: brackets hold one move, no blank",
                          path->plies + 1);
    enum caxton_status status = play(reader, path, text);
    if (status != STATUS_OK)
        return status;
    if (in_line)
        reader->marks[path->plies] = (struct lines_mark){.bracketed = bracketed};
    if (!bracketed)
        return STATUS_OK;
    if (!rest->size || rest->data[0] != ')')
        return lines_fail(reader, STATUS_SYNTAX, open, "move %d: brackets hold one move, no blank",
                          path->plies);
    *rest = span_from(*rest, 1);
    if (rest->size && rest->data[0] == ':')
        return lines_fail(reader, STATUS_SYNTAX, rest->data,
                          "move %d: a move in brackets is not played and has no weight",
                          path->plies);
    return STATUS_OK;
}

/* Leads `path` on by the moves of `rest`. in_line: not in a rewrite. */
static enum caxton_status read_moves(struct lines_reader *reader, struct span rest,
                                     struct lines_path *path, bool in_line)
{
    for (;;) {
        rest = lines_after_number(lines_after_blanks(rest));
        if (!rest.size)
            break;
        int plies = path->plies;
        enum caxton_status status = read_step(reader, &rest, in_line, path);
        if (status != STATUS_OK) {
            path->plies = plies; /* for the next line: up to the fault */
            return status;
        }
        if (!rest.size || rest.data[0] != ':')
            continue;
        if (!in_line)
            return lines_fail(reader, STATUS_SYNTAX, rest.data, "move %d: a rewrite has no weights",
                              path->plies);
        status = read_weight(reader, path, &rest);
        if (status != STATUS_OK)
            return status;
    }
    if (path->plies)
        return STATUS_OK;
    return lines_fail(reader, STATUS_SYNTAX, rest.data, "there are no moves");
}

/* Reads `*n`, the front part of `before`, and the moves that go on from it, into `path`, which may
 * be `before`. whose: what `before` is, for a message. */
static enum caxton_status read_order(struct lines_reader *reader, struct span text,
                                     const struct lines_path *before, const char *whose,
                                     struct lines_path *path, uint16_t *shared)
{
    int n;
    enum caxton_status status = read_share(reader, &text, before, whose, &n);
    if (status != STATUS_OK)
        return status;
    path->plies = n;
    path->nodes[n] = before->nodes[n];
    path->positions[n] = before->positions[n];
    *shared = (uint16_t)n;
    return read_moves(reader, text, path, path == &reader->moves);
}

static enum caxton_status read_rewrite(struct lines_reader *reader, struct span left,
                                       struct span right, struct lines_item *item)
{
    struct lines_path *from = &reader->rewrites;
    struct lines_path *to = &reader->targets;
    enum caxton_status status =
        read_order(reader, left, from, "the rewrite before", from, &item->shared);
    if (status == STATUS_OK)
        status = read_order(reader, right, from, "the left side", to, &item->target_shared);
    if (status != STATUS_OK)
        return status;
    item->node = from->nodes[from->plies];
    item->target = to->nodes[to->plies];
    if (item->node == item->target)
        return lines_fail(reader, STATUS_SYNTAX, right.data, "both sides are the same order");
    if (from->positions[from->plies].key != to->positions[to->plies].key)
        return lines_fail(reader, STATUS_ILLEGAL, right.data,
                          "the two orders lead to different positions");
    uint32_t *jump = &reader->lines->nodes[item->node].jump;
    if (*jump != LINES_NONE)
        return lines_fail(reader, STATUS_SYNTAX, left.data,
                          "a line before rewrites the same moves");
    *jump = item->target;
    return STATUS_OK;
}

/* The sign between two orders; SAN needs blanks around it, for it has its own in e8=Q. */
static const char *find_sign(const struct lines *lines, struct span content)
{
    for (size_t i = 0; i < content.size; i++) {
        bool before = i == 0 || lines_is_blank(content.data[i - 1]);
        bool after = i + 1 == content.size || lines_is_blank(content.data[i + 1]);
        if (content.data[i] == '=' && (lines->style != LINES_SAN || (before && after)))
            return content.data + i;
    }
    return NULL;
}

/* The moves of a line without a fault, those shared with the line before included. */
static void keep_marks(struct lines_reader *reader)
{
    for (int ply = 1; ply <= reader->moves.plies; ply++) {
        const struct lines_mark *mark = &reader->marks[ply];
        struct lines_node *node = &reader->lines->nodes[reader->moves.nodes[ply]];
        node->played |= !mark->bracketed;
        node->bracketed |= mark->bracketed;
        if (mark->weighed && !node->has_weight)
            node->weight = mark->weight;
        node->has_weight |= mark->weighed;
    }
}

enum caxton_status lines_read_orders(struct lines_reader *reader, struct span content,
                                     struct lines_item *item)
{
    struct lines_path *path = &reader->moves;
    lines_guess_style(reader, content);
    if (reader->no_start)
        return lines_fail(reader, STATUS_ILLEGAL, content.data, "its start position is at fault");
    const char *sign = find_sign(reader->lines, content);
    item->kind = sign ? LINES_ITEM_REWRITE : LINES_ITEM_MOVES;
    if (sign) {
        struct span left = span_make(content.data, (size_t)(sign - content.data));
        struct span right = span_from(content, left.size + 1);
        return read_rewrite(reader, span_trim(left), span_trim(right), item);
    }
    enum caxton_status status =
        read_order(reader, content, path, "the line before", path, &item->shared);
    if (status == STATUS_OK)
        keep_marks(reader);
    item->node = path->nodes[path->plies];
    return status;
}
