#include "book/formats/white/lines_word.h"

#include <string.h>

const char *lines_comment(struct span line)
{
    struct span rest = line;
    struct span word = span_token(&rest);
    if (word.size && word.data[0] == '#')
        return word.data;
    return line.size ? memchr(line.data, ';', line.size) : NULL;
}

bool lines_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static bool is_square(const char *text)
{
    return text[0] >= 'a' && text[0] <= 'h' && text[1] >= '1' && text[1] <= '8';
}

bool lines_has_coordinates(struct span text)
{
    return text.size >= 4 && is_square(text.data) && is_square(text.data + 2);
}

/* The letter after four of coordinates is a promotion: a `b` may also begin the next move. */
static bool is_promotion(struct span text)
{
    if (text.size < 5 || !memchr("qrbnQRBN", text.data[4], 8))
        return false;
    return text.data[4] != 'b' || text.size < 6 || text.data[5] < '1' || text.data[5] > '8';
}

struct span lines_cut_move(const struct lines *lines, struct span *rest, bool bracketed)
{
    size_t size = 0;
    if (lines->style != LINES_SAN && lines_has_coordinates(*rest))
        size = is_promotion(*rest) ? 5 : 4;
    else
        while (size < rest->size && !lines_is_blank(rest->data[size]) && rest->data[size] != ':' &&
               !(bracketed && rest->data[size] == ')'))
            size++;
    struct span text = span_make(rest->data, size);
    *rest = span_from(*rest, size);
    return text;
}

enum caxton_status lines_read_move(const struct lines *lines, const struct position *pos,
                                   struct span text, move *out)
{
    if (lines->style != LINES_SAN)
        return move_from_uci(pos, text, out);
    if (lines_has_coordinates(text))
        return STATUS_SYNTAX;
    return move_from_san(pos, text, out);
}

const char *lines_move_fault(const struct lines *lines, enum caxton_status status, struct span text)
{
    if (status == STATUS_ILLEGAL)
        return "not legal here";
    if (status == STATUS_AMBIGUOUS)
        return "could be more than one move";
    if (lines->style == LINES_SAN && lines_has_coordinates(text))
        return "coordinates, where the file is in SAN";
    return lines->style == LINES_SAN ? "not a move" : "not a move in coordinates";
}

struct span lines_after_blanks(struct span rest)
{
    while (rest.size && lines_is_blank(rest.data[0]))
        rest = span_from(rest, 1);
    return rest;
}

struct span lines_after_number(struct span rest)
{
    size_t size = move_number_size(rest);
    bool is_number = size && rest.data[size - 1] == '.'; /* else a weight without its colon */
    return is_number ? lines_after_blanks(span_from(rest, size)) : rest;
}

struct span lines_cut_weight(const struct lines *lines, struct span *rest)
{
    struct span text = span_make(rest->data + 1, 0);
    size_t left = rest->size - 1;
    for (; left && !lines_is_blank(text.data[text.size]) && text.data[text.size] != '(';
         text.size++, left--)
        if (lines->style != LINES_SAN && text.size &&
            lines_has_coordinates(span_make(text.data + text.size, left)))
            break;
    *rest = span_make(text.data + text.size, left);
    return text;
}

void lines_move_text(const struct lines *lines, const struct position *pos, move m,
                     char out[SAN_MAX])
{
    if (lines->style == LINES_SAN)
        move_to_san(pos, m, out);
    else
        move_to_uci(m, lines->chess960, out);
}
