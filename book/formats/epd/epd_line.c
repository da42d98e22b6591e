#include "book/formats/epd/epd_line.h"

#include <string.h>

#include "chess/notation.h"

/* Reads "e4=20", parted at `equals`, whose move must be legal. */
static bool read_weight(const struct position *pos, size_t equals, struct epd_weight *out)
{
    struct span word = span_trim(span_make(out->text.data, equals));
    struct span number = span_trim(span_from(out->text, equals + 1));
    int64_t weight;
    move m;
    if (move_from_text(pos, word, &m) != STATUS_OK || !number.size)
        return false;
    if (span_to_int(number, 0, UINT32_MAX, &weight) == STATUS_OK) {
        out->m = m;
        out->weight = (uint32_t)weight;
        return true;
    }
    out->bad = memchr("+-.0123456789", number.data[0], 13) != NULL;
    return false;
}

struct epd_weight epd_take_weight(const struct position *pos, struct span *list)
{
    const char *comma = memchr(list->data, ',', list->size);
    size_t size = comma ? (size_t)(comma - list->data) : list->size;
    struct epd_weight out = {.text = span_trim(span_make(list->data, size)), .m = MOVE_NONE};
    *list = span_from(*list, size + (comma != NULL));
    size_t last = out.text.size;
    while (last > 0 && out.text.data[last - 1] != '=')
        last--;
    const char *first = last ? memchr(out.text.data, '=', last) : NULL;
    /* The last sign is meant, e8=Q=12; at the first one it shows that a comma is missing. */
    if (first && !read_weight(pos, last - 1, &out) && !out.bad)
        (void)read_weight(pos, (size_t)(first - out.text.data), &out);
    return out;
}

bool epd_is_comment(struct span opcode)
{
    return opcode.size == 2 && opcode.data[0] == 'c' && opcode.data[1] >= '0' &&
           opcode.data[1] <= '9';
}

struct span epd_weights(struct span opcode, struct span operands)
{
    struct span list = span_trim(operands);
    if (list.size >= 2 && list.data[0] == '"' && list.data[list.size - 1] == '"')
        list = span_make(list.data + 1, list.size - 2);
    if (!epd_is_comment(opcode) || memchr(list.data, '"', list.size))
        list.size = 0;
    return list;
}

struct span epd_take_operation(struct span *rest)
{
    bool quoted = false;
    size_t size = 0;
    while (size < rest->size && (quoted || rest->data[size] != ';'))
        quoted ^= rest->data[size++] == '"';
    struct span operation = span_make(rest->data, size);
    size += size < rest->size;
    *rest = span_trim(span_from(*rest, size));
    return operation;
}

enum caxton_status epd_split(struct span text, struct epd_line *out, struct diag *diag)
{
    struct span rest = text;
    out->move = span_token(&rest);
    if (memchr(out->move.data, '/', out->move.size)) {
        out->move.size = 0;
        rest = text;
    }
    out->board = span_trim(rest);
    return fen_parse_epd(out->board, &out->pos, &out->operations, diag);
}

bool epd_is_content(struct span line)
{
    return line.size && line.data[0] != '#' && line.data[0] != ';';
}

void epd_board_text(const struct position *pos, char out[FEN_MAX])
{
    fen_format(pos, out);
    int blanks = 0;
    for (char *at = out; *at; at++)
        if (*at == ' ' && ++blanks == 4)
            *at = '\0';
}
