#include "chess/position_text.h"

#include <string.h>

#include "chess/fen.h"
#include "chess/notation.h"

enum { FEN_FIELDS = 6, FEN_FIELDS_LEAST = 4, SHOWN = 40 };

static bool is_number(struct span word)
{
    int64_t value;
    return span_to_int(word, INT64_MIN, INT64_MAX, &value) == STATUS_OK;
}

/* Takes the fields of a FEN off the front; the clocks, which are the last two, may be missing. */
static struct span take_fen(struct span *rest)
{
    struct span begin = *rest;
    struct span ahead = *rest;
    for (int i = 0; i < FEN_FIELDS; i++) {
        struct span word = span_token(&ahead);
        if (!word.size || (i >= FEN_FIELDS_LEAST && !is_number(word)))
            break;
        *rest = ahead;
    }
    return span_make(begin.data, begin.size - rest->size);
}

static enum caxton_status read_fen(struct span *rest, struct position *pos, struct diag *diag)
{
    struct diag fault = {.text = ""};
    enum caxton_status status = fen_parse(take_fen(rest), pos, &fault);
    if (status != STATUS_OK)
        diag_set(diag, 0, fault.column, "FEN, column %zu: %s", fault.column, fault.text);
    return status;
}

static enum caxton_status read_move(struct span word, int ply, struct position *pos,
                                    struct diag *diag)
{
    move m;
    enum caxton_status status = move_from_text(pos, word, &m);
    if (status != STATUS_OK) {
        diag_set(diag, 0, 0, "ply %d: %.*s %s", ply, (int)(word.size < SHOWN ? word.size : SHOWN),
                 word.data,
                 status == STATUS_ILLEGAL     ? "is not legal here"
                 : status == STATUS_AMBIGUOUS ? "can be more than one move"
                                              : "is no move");
        return status;
    }
    position_play(pos, m);
    return STATUS_OK;
}

enum caxton_status position_from_text(struct span text, struct position *pos, struct diag *diag)
{
    struct position read;
    struct span rest = span_trim(text);
    struct span ahead = rest;
    struct span first = span_token(&ahead);
    enum caxton_status status = STATUS_OK;
    position_start(&read);
    if (span_equal(first, "startpos"))
        rest = ahead;
    else if (first.size && memchr(first.data, '/', first.size)) /* no move has one */
        status = read_fen(&rest, &read, diag);
    ahead = rest;
    if (status == STATUS_OK && span_equal(span_token(&ahead), "moves"))
        rest = ahead;
    int ply = 1;
    for (struct span word; status == STATUS_OK && (word = span_token(&rest)).size;) {
        word = span_from(word, move_number_size(word));
        if (word.size)
            status = read_move(word, ply++, &read, diag);
    }
    if (status == STATUS_OK)
        *pos = read;
    return status;
}
