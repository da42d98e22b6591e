#include "book/formats/thompson/tree_body.h"

#include <stdlib.h>
#include <string.h>

#include "book/formats/thompson/tree.h"
#include "chess/fen.h"

static uint32_t number(const uint8_t *bytes, int size)
{
    uint32_t value = 0;
    for (int i = 0; i < size; i++)
        value = value << 8 | bytes[i];
    return value;
}

/* Units ------------------------------------------------------------------------------------ */

/* How many bytes follow an escape; -1: it is not defined. */
static int operand_size(int code)
{
    static const int8_t sizes[TREE_START + 1] = {
        [TREE_JUMP_16] = 2,   [TREE_JUMP_32] = 4,   [TREE_STYLE] = 1, [TREE_WEIGHT_8] = 1,
        [TREE_WEIGHT_16] = 2, [TREE_WEIGHT_32] = 4, [TREE_START] = 1,
    };
    if (code <= TREE_START)
        return sizes[code];
    if (code < TREE_BACK_12 || code >= TREE_BACK_20 + 16)
        return -1;
    return code < TREE_BACK_20 ? 1 : 2;
}

static bool is_jump(int code)
{
    return code == TREE_JUMP_16 || code == TREE_JUMP_32 || code >= TREE_BACK_12;
}

/* Marks of one group exclude each other. */
static unsigned mark_group(int code)
{
    if (code <= TREE_PLACE_192)
        return 1;
    if (code >= TREE_WEIGHT_8 && code <= TREE_WEIGHT_32)
        return 2;
    return 1u << code;
}

static void set_mark(struct tree_unit *unit, int code, uint32_t operand)
{
    if (code <= TREE_PLACE_192)
        unit->place = 64 * (code + 1);
    else if (code == TREE_UNPLAYED)
        unit->unplayed = true;
    else if (code == TREE_LEAF)
        unit->last = true;
    else if (code == TREE_PASSAGE)
        unit->passage = true;
    else if (code == TREE_STYLE)
        unit->styles = (uint8_t)operand;
    else {
        unit->weighted = true;
        unit->weight = operand;
    }
}

static const char *read_jump(struct tree_unit *unit, int code, uint32_t operand, bool marked)
{
    size_t target = operand;
    if (marked)
        return "marks stand before a jump";
    if (code >= TREE_BACK_12) {
        bool is_short = code < TREE_BACK_20;
        size_t back = is_short ? operand << 4 | (uint32_t)(code - TREE_BACK_12)
                               : operand << 4 | (uint32_t)(code - TREE_BACK_20);
        if (back + 1 > unit->at)
            return "a jump leads out of the tree";
        target = unit->at - back - 1;
    }
    unit->kind = TREE_JUMP;
    unit->target = target;
    return NULL;
}

static const char *read_start(struct tree_unit *unit, const uint8_t *body, size_t size,
                              uint32_t length, bool marked)
{
    if (marked)
        return "marks stand before a start position";
    if (length > size - unit->end)
        return "the file ends within a start position";
    unit->kind = TREE_NEW;
    unit->fen = span_make((const char *)body + unit->end, length);
    unit->end += length;
    return NULL;
}

const char *tree_unit_read(const uint8_t *body, size_t size, size_t at, struct tree_unit *out)
{
    struct tree_unit unit = {.at = at, .end = at};
    unsigned groups = 0;
    for (; unit.end < size && body[unit.end] >= TREE_ESCAPE; groups |= 1u << 31) {
        int code = body[unit.end++] & TREE_PLACE;
        int operands = operand_size(code);
        if (operands < 0)
            return "an escape that is not defined";
        if ((size_t)operands > size - unit.end)
            return "the file ends within an escape";
        uint32_t operand = number(body + unit.end, operands);
        unit.end += (size_t)operands;
        const char *fault = NULL;
        if (is_jump(code) || code == TREE_START) {
            fault = is_jump(code) ? read_jump(&unit, code, operand, groups != 0)
                                  : read_start(&unit, body, size, operand, groups != 0);
            *out = unit;
            return fault;
        }
        if (groups & mark_group(code))
            return "the same mark stands twice before a move";
        groups |= mark_group(code);
        set_mark(&unit, code, operand);
    }
    if (unit.end >= size)
        return "the file ends within a line";
    uint8_t byte = body[unit.end++];
    if (unit.last && byte < TREE_MORE)
        return "the last move of a position is marked as if another choice existed";
    unit.place += byte & TREE_PLACE;
    unit.more = byte & TREE_MORE;
    unit.last |= (byte & TREE_LAST) != 0;
    *out = unit;
    return NULL;
}

/* The tree as a whole ---------------------------------------------------------------------- */

size_t tree_skip(const struct tree_book *book, const struct tree_unit *first)
{
    if (first->last)
        return first->end;
    if (first->more && book->branch_count) {
        size_t low = 0;
        for (size_t high = book->branch_count; low < high;) {
            size_t middle = low + (high - low) / 2;
            if (book->branches[middle].at < first->at)
                low = middle + 1;
            else
                high = middle;
        }
        if (low < book->branch_count && book->branches[low].at == first->at)
            return book->branches[low].end;
    }
    size_t at = first->end;
    struct tree_unit unit;
    for (size_t lines = 1; lines > 0; at = unit.end) {
        if (tree_unit_read(book->body, book->size, at, &unit) != NULL)
            return book->size; /* not in a tree that was read */
        lines += unit.kind == TREE_MOVE && unit.more;
        lines -= unit.kind == TREE_JUMP || unit.last;
    }
    return at;
}

bool tree_next_choice(const struct tree_book *book, struct tree_unit *unit)
{
    return unit->more &&
           tree_unit_read(book->body, book->size, tree_skip(book, unit), unit) == NULL &&
           unit->kind == TREE_MOVE;
}

size_t tree_resolve(const struct tree_book *book, size_t at)
{
    struct tree_unit unit;
    if (tree_unit_read(book->body, book->size, at, &unit) == NULL && unit.kind == TREE_JUMP)
        return unit.target;
    return at;
}

void tree_start_position(const struct tree_book *book, size_t index, struct position *out)
{
    struct tree_unit unit;
    uint32_t fen = book->starts[index].fen;
    position_start(out);
    if (fen != UINT32_MAX && tree_unit_read(book->body, book->size, fen, &unit) == NULL &&
        fen_parse(unit.fen, out, NULL) != STATUS_OK)
        position_start(out); /* not in a tree that was read */
}

/* Moves ------------------------------------------------------------------------------------ */

static uint32_t order_of(const struct position *pos, move m)
{
    uint32_t promotion = move_kind(m) == MOVE_PROMOTION ? (uint32_t)move_promotion(m) : 0;
    return (uint32_t)piece_type(pos->board[move_from(m)]) << 16 | (uint32_t)move_from(m) << 10 |
           (uint32_t)move_to(m) << 4 | promotion;
}

int tree_order(const struct position *pos, move out[MOVES_MAX])
{
    uint32_t orders[MOVES_MAX];
    move moves[MOVES_MAX];
    int count = movegen_legal(pos, moves);
    for (int i = 0; i < count; i++) {
        uint32_t order = order_of(pos, moves[i]);
        int j = i;
        for (; j > 0 && orders[j - 1] > order; j--) {
            orders[j] = orders[j - 1];
            out[j] = out[j - 1];
        }
        orders[j] = order;
        out[j] = moves[i];
    }
    return count;
}

int tree_place(const struct position *pos, move m)
{
    move moves[MOVES_MAX];
    uint32_t order = order_of(pos, m);
    int count = movegen_legal(pos, moves);
    int place = 0;
    for (int i = 0; i < count; i++)
        place += order_of(pos, moves[i]) < order;
    return place;
}

/* Gives the moves to play that state no weight theirs: the first is best. */
static void rank_choices(struct tree_choice *choices, const bool *stated, int count)
{
    uint32_t rank = 0;
    for (int i = count - 1; i >= 0; i--) {
        if (choices[i].weight == 0)
            continue;
        rank++;
        if (!stated[i])
            choices[i].weight = rank;
    }
}

int tree_choices(const struct tree_book *book, size_t at, const struct position *pos,
                 struct tree_choice *out)
{
    move moves[MOVES_MAX];
    bool stated[MOVES_MAX];
    bool had[MOVES_MAX] = {false};
    int legal = tree_order(pos, moves);
    int count = 0;
    struct tree_unit unit;
    bool is_choice =
        tree_unit_read(book->body, book->size, tree_resolve(book, at), &unit) == NULL &&
        unit.kind == TREE_MOVE;
    for (; is_choice; is_choice = tree_next_choice(book, &unit)) {
        if (unit.place >= legal || had[unit.place])
            continue;
        had[unit.place] = true;
        bool is_packed = book->weights && !unit.unplayed && !unit.passage && !unit.weighted;
        uint32_t weight = unit.weighted ? unit.weight : is_packed ? book->weights[unit.at] : 1;
        stated[count] = unit.weighted || is_packed;
        out[count++] = (struct tree_choice){.move = moves[unit.place],
                                            .weight = unit.unplayed || unit.passage ? 0 : weight,
                                            .styles = unit.styles,
                                            .passage = unit.passage};
    }
    rank_choices(out, stated, count);
    return count;
}
