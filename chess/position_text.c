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

/* A line as it is read. */
struct line {
    struct position root;
    struct position pos; /* after its moves */
    move *moves;         /* NULL: nobody wants them */
    size_t count;
    size_t capacity;
};

static enum caxton_status read_move(struct span word, struct line *line, struct diag *diag)
{
    move m;
    enum caxton_status status = move_from_text(&line->pos, word, &m);
    if (status != STATUS_OK) {
        diag_set(diag, 0, 0, "ply %zu: %.*s %s", line->count + 1,
                 (int)(word.size < SHOWN ? word.size : SHOWN), word.data,
                 status == STATUS_ILLEGAL     ? "is not legal here"
                 : status == STATUS_AMBIGUOUS ? "can be more than one move"
                                              : "is no move");
        return status;
    }
    if (line->moves && line->count == line->capacity)
        return diag_fail(STATUS_RANGE, diag, "more than %zu plies", line->capacity);
    if (line->moves)
        line->moves[line->count] = m;
    line->count++;
    position_play(&line->pos, m);
    return STATUS_OK;
}

static enum caxton_status read_line(struct span text, struct line *line, struct diag *diag)
{
    struct span rest = span_trim(text);
    struct span ahead = rest;
    struct span first = span_token(&ahead);
    enum caxton_status status = STATUS_OK;
    position_start(&line->root);
    if (span_equal(first, "startpos"))
        rest = ahead;
    else if (first.size && memchr(first.data, '/', first.size)) /* no move has one */
        status = read_fen(&rest, &line->root, diag);
    line->pos = line->root;
    ahead = rest;
    if (status == STATUS_OK && span_equal(span_token(&ahead), "moves"))
        rest = ahead;
    for (struct span word; status == STATUS_OK && (word = span_token(&rest)).size;) {
        word = span_from(word, move_number_size(word));
        if (word.size)
            status = read_move(word, line, diag);
    }
    return status;
}

enum caxton_status position_from_text(struct span text, struct position *pos, struct diag *diag)
{
    struct line line = {.moves = NULL};
    enum caxton_status status = read_line(text, &line, diag);
    if (status == STATUS_OK)
        *pos = line.pos;
    return status;
}

enum caxton_status line_from_text(struct span text, struct position *root, move *moves,
                                  size_t capacity, size_t *count, struct diag *diag)
{
    struct line line = {.moves = moves, .capacity = capacity};
    enum caxton_status status = read_line(text, &line, diag);
    if (status != STATUS_OK)
        return status;
    *root = line.root;
    *count = line.count;
    return STATUS_OK;
}
