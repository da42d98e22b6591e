#include "book/formats/thompson/tree_unit.h"

#include <string.h>

#include "base/bytes.h"

/* Reading ---------------------------------------------------------------------------------- */

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
    else if (code == TREE_NON_BOOK)
        unit->non_book = true;
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
        size_t back = operand << 4 | (uint32_t)(code & 15);
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
        uint32_t operand = (uint32_t)bytes_get_be(body + unit.end, operands);
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

bool tree_unit_next(const uint8_t *body, size_t size, struct tree_unit *unit)
{
    return unit->end < size && tree_unit_read(body, size, unit->end, unit) == NULL;
}

/* Writing ---------------------------------------------------------------------------------- */

/* Returns the place behind it. */
static uint8_t *put_escape(uint8_t *to, int code, uint32_t operand, int operand_bytes)
{
    *to = (uint8_t)(TREE_ESCAPE | code);
    bytes_put_be(to + 1, operand, operand_bytes);
    return to + 1 + operand_bytes;
}

static uint8_t *put_move(uint8_t *to, const struct tree_unit *unit)
{
    bool is_leaf = unit->more && unit->last;
    if (unit->non_book)
        to = put_escape(to, TREE_NON_BOOK, 0, 0);
    if (unit->unplayed)
        to = put_escape(to, TREE_UNPLAYED, 0, 0);
    if (unit->styles)
        to = put_escape(to, TREE_STYLE, unit->styles, 1);
    if (unit->place > TREE_PLACE)
        to = put_escape(to, unit->place / 64 - 1, 0, 0);
    if (is_leaf)
        to = put_escape(to, TREE_LEAF, 0, 0);
    *to++ = (uint8_t)((unit->place & TREE_PLACE) | (unit->more ? TREE_MORE : 0) |
                      (unit->last && !is_leaf ? TREE_LAST : 0));
    return to;
}

size_t tree_unit_write(const struct tree_unit *unit, uint8_t *to)
{
    uint8_t *end;
    if (unit->kind == TREE_MOVE) {
        end = put_move(to, unit);
    } else if (unit->kind == TREE_JUMP) {
        size_t back = unit->at - unit->target - 1;
        end = put_escape(to, TREE_BACK_12 + (int)(back & 15), (uint32_t)(back >> 4), 1);
    } else {
        end = put_escape(to, TREE_START, (uint32_t)unit->fen.size, 1);
        memcpy(end, unit->fen.data, unit->fen.size);
        end += unit->fen.size;
    }
    return (size_t)(end - to);
}
