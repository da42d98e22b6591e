/* The parts of a line of EPD or of Fishburn's lines. */
#pragma once

#include "base/text.h"
#include "chess/fen.h"
#include "chess/movegen.h"

/* Is the line, without blanks around it, more than a comment? */
bool epd_is_content(struct span line);

struct epd_line {
    struct span move;  /* in front of the position, in Fishburn's lines; else empty */
    struct span board; /* from the position to the end */
    struct position pos;
    struct span operations; /* what follows the position */
};

/* line: neither blank nor a comment. Errors: those of fen_parse_epd(); out->board is there. */
MUST_CHECK enum caxton_status epd_split(struct span line, struct epd_line *out, struct diag *diag);

/* Takes "OPCODE OPERANDS" off the front of `rest`, which begins with no blank; the ';' behind it
 * ends it, unless it stands in quotes. */
struct span epd_take_operation(struct span *rest);

/* Is the opcode one of c0 to c9, which may hold weights? */
bool epd_is_comment(struct span opcode);

/* What may be a list of weights: the operands of a comment, without the quotes around them. Empty
 * for another operation, and where a quote stands inside: such a list could not be written back. */
struct span epd_weights(struct span opcode, struct span operands);

/* An item of c0: "e4=20". */
struct epd_weight {
    struct span text;
    move m; /* MOVE_NONE: the item is of another form, or not legal */
    uint32_t weight;
    bool bad; /* meant as a weight, and none */
};

/* Takes an item and its comma off the front of `list`. */
struct epd_weight epd_take_weight(const struct position *pos, struct span *list);

/* The four fields that EPD has of a FEN. */
void epd_board_text(const struct position *pos, char out[FEN_MAX]);
