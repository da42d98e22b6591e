#include "book/formats/white/lines_moves.h"

#include "book/formats/white/lines_word.h"

/* A place in the tree, to go on from. */
struct cursor {
    uint32_t node;
    int plies;
    struct position pos;
};

static enum caxton_status read_weight(struct lines_reader *reader, struct cursor *cursor,
                                      struct span *rest)
{
    char shown[LINES_SHOWN_MAX];
    struct lines_node *node = &reader->lines->nodes[cursor->node];
    struct span text = lines_cut_weight(reader->lines, rest);
    int64_t weight;
    if (span_to_int(text, 0, UINT32_MAX, &weight) != STATUS_OK)
        return lines_fail(reader, STATUS_RANGE, text.data,
                          "move %d: weight `%s` is no number from 0 to 4294967295", cursor->plies,
                          lines_shown(text, shown));
    if (node->has_weight && node->weight != (uint32_t)weight)
        return lines_fail(reader, STATUS_SYNTAX, text.data,
                          "move %d: weight %s, but a line before says %lu", cursor->plies,
                          lines_shown(text, shown), (unsigned long)node->weight);
    node->weight = (uint32_t)weight;
    node->has_weight = true;
    return STATUS_OK;
}

static enum caxton_status play(struct lines_reader *reader, struct cursor *cursor, struct span text)
{
    char shown[LINES_SHOWN_MAX];
    struct lines *lines = reader->lines;
    move m;
    enum caxton_status status = lines_read_move(lines, &cursor->pos, text, &m);
    if (status == STATUS_OK && cursor->plies == LINES_PLIES_MAX)
        return lines_fail(reader, STATUS_RANGE, text.data, "move %d `%s`: no line may be so long",
                          cursor->plies + 1, lines_shown(text, shown));
    if (status != STATUS_OK)
        return lines_fail(reader, status, text.data, "move %d `%s`: %s", cursor->plies + 1,
                          lines_shown(text, shown), lines_move_fault(lines, status, text));
    struct undo undo;
    position_make(&cursor->pos, m, &undo);
    cursor->plies++;
    return lines_grow(lines, cursor->node, m, cursor->pos.key, &cursor->node);
}

static struct cursor cursor_at(const struct lines_path *path, int plies)
{
    return (struct cursor){path->nodes[plies], plies, path->positions[plies]};
}

/* Reads `*n`, where there is one: the number of moves taken from `before`. */
static enum caxton_status read_share(struct lines_reader *reader, struct span *rest,
                                     const struct lines_path *before, const char *whose,
                                     int *shared)
{
    *shared = 0;
    if (!rest->size || rest->data[0] != '*')
        return STATUS_OK;
    char shown[LINES_SHOWN_MAX];
    bool bytes = reader->lines->style == LINES_WHITE;
    struct span star = span_make(rest->data, 1);
    while (star.size < rest->size && rest->data[star.size] >= '0' && rest->data[star.size] <= '9')
        star.size++;
    int64_t n;
    enum caxton_status status = span_to_int(span_from(star, 1), 0, INT32_MAX, &n);
    if (status == STATUS_SYNTAX)
        return lines_fail(reader, status, star.data, "`%s`: a number must follow the star",
                          lines_shown(star, shown));
    if (status == STATUS_OK && bytes && n % 2)
        return lines_fail(reader, STATUS_SYNTAX, star.data,
                          "`%s` counts bytes, two a move (`lines coordinate` as the first line "
                          "makes it count moves)",
                          lines_shown(star, shown));
    if (status != STATUS_OK || n / (bytes ? 2 : 1) > before->plies)
        return lines_fail(reader, STATUS_RANGE, star.data, "`%s`: %s has only %d moves",
                          lines_shown(star, shown), whose, before->plies);
    *shared = (int)n / (bytes ? 2 : 1);
    *rest = span_make(star.data + star.size, rest->size - star.size);
    return STATUS_OK;
}

/* Reads a move and its brackets off the front of `rest`. */
static enum caxton_status read_step(struct lines_reader *reader, struct span *rest, bool in_line,
                                    struct cursor *cursor)
{
    const char *open = rest->data;
    bool bracketed = *open == '(';
    if (bracketed && !in_line)
        return lines_fail(reader, STATUS_SYNTAX, open, "move %d: a rewrite has no brackets",
                          cursor->plies + 1);
    if (bracketed)
        *rest = lines_after_number(span_from(*rest, 1));
    struct span text = lines_cut_move(reader->lines, rest, bracketed);
    if (!text.size && !bracketed)
        return lines_fail(reader, STATUS_SYNTAX, open, "`:` must follow a move, no blank");
    if (!text.size)
        return lines_fail(reader, STATUS_SYNTAX, open, "move %d: brackets hold one move, no blank",
                          cursor->plies + 1);
    enum caxton_status status = play(reader, cursor, text);
    if (status != STATUS_OK)
        return status;
    struct lines_node *node = &reader->lines->nodes[cursor->node];
    node->played |= in_line && !bracketed;
    node->bracketed |= bracketed;
    if (!bracketed)
        return STATUS_OK;
    if (!rest->size || rest->data[0] != ')')
        return lines_fail(reader, STATUS_SYNTAX, open, "move %d: brackets hold one move, no blank",
                          cursor->plies);
    *rest = span_from(*rest, 1);
    if (rest->size && rest->data[0] == ':')
        return lines_fail(reader, STATUS_SYNTAX, rest->data,
                          "move %d: a move in brackets is not played and has no weight",
                          cursor->plies);
    return STATUS_OK;
}

/* Reads moves that begin with `shared` ones of `before` and go on with `rest`. Records them in
 * `record`, which may be `before`, NULL for not at all. in_line: not in a rewrite. */
static enum caxton_status read_moves(struct lines_reader *reader, struct span rest,
                                     const struct lines_path *before, int shared,
                                     struct lines_path *record, bool in_line, struct cursor *cursor)
{
    *cursor = cursor_at(before, shared);
    if (record)
        record->plies = shared;
    for (;;) {
        rest = lines_after_number(lines_after_blanks(rest));
        if (!rest.size)
            break;
        enum caxton_status status = read_step(reader, &rest, in_line, cursor);
        if (status != STATUS_OK)
            return status;
        if (record) {
            record->plies = cursor->plies;
            record->nodes[cursor->plies] = cursor->node;
            record->positions[cursor->plies] = cursor->pos;
        }
        if (!rest.size || rest.data[0] != ':')
            continue;
        if (!in_line)
            return lines_fail(reader, STATUS_SYNTAX, rest.data, "move %d: a rewrite has no weights",
                              cursor->plies);
        status = read_weight(reader, cursor, &rest);
        if (status != STATUS_OK)
            return status;
    }
    if (cursor->plies)
        return STATUS_OK;
    return lines_fail(reader, STATUS_SYNTAX, rest.data, "there are no moves");
}

static enum caxton_status read_line_of_moves(struct lines_reader *reader, struct span content,
                                             struct lines_item *item)
{
    int shared;
    struct cursor cursor;
    enum caxton_status status =
        read_share(reader, &content, reader->moves, "the line before", &shared);
    if (status == STATUS_OK)
        status = read_moves(reader, content, reader->moves, shared, reader->moves, true, &cursor);
    if (status != STATUS_OK)
        return status;
    item->shared = (uint16_t)shared;
    item->node = cursor.node;
    return STATUS_OK;
}

static enum caxton_status read_rewrite(struct lines_reader *reader, struct span left,
                                       struct span right, struct lines_item *item)
{
    const struct span sides[] = {left, right};
    int shared;
    int target_shared;
    struct cursor from;
    struct cursor to;
    enum caxton_status status =
        read_share(reader, &left, reader->rewrites, "the rewrite before", &shared);
    if (status == STATUS_OK)
        status = read_moves(reader, left, reader->rewrites, shared, reader->rewrites, false, &from);
    if (status == STATUS_OK)
        status = read_share(reader, &right, reader->rewrites, "the left side", &target_shared);
    if (status == STATUS_OK)
        status = read_moves(reader, right, reader->rewrites, target_shared, NULL, false, &to);
    if (status != STATUS_OK)
        return status;
    if (from.node == to.node)
        return lines_fail(reader, STATUS_SYNTAX, sides[1].data, "both sides are the same order");
    if (from.pos.key != to.pos.key)
        return lines_fail(reader, STATUS_ILLEGAL, sides[1].data,
                          "the two orders lead to different positions");
    if (reader->lines->nodes[from.node].jump != LINES_NONE)
        return lines_fail(reader, STATUS_SYNTAX, sides[0].data,
                          "a line before rewrites the same moves");
    reader->lines->nodes[from.node].jump = to.node;
    *item = (struct lines_item){.node = from.node,
                                .target = to.node,
                                .shared = (uint16_t)shared,
                                .target_shared = (uint16_t)target_shared};
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

enum caxton_status lines_read_orders(struct lines_reader *reader, struct span content,
                                     struct lines_item *item, enum lines_kind *kind)
{
    lines_guess_style(reader, content);
    const char *sign = find_sign(reader->lines, content);
    *kind = sign ? LINES_ITEM_REWRITE : LINES_ITEM_MOVES;
    if (!sign)
        return read_line_of_moves(reader, content, item);
    struct span left = span_make(content.data, (size_t)(sign - content.data));
    struct span right = span_make(sign + 1, content.size - left.size - 1);
    return read_rewrite(reader, span_trim(left), span_trim(right), item);
}
