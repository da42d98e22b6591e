/* The parts of a line of EPD. For the files epd*.c only. */
#ifndef CAXTON_BOOK_FORMATS_EPD_EPD_INTERNAL_H
#define CAXTON_BOOK_FORMATS_EPD_EPD_INTERNAL_H

#include "book/formats/epd/epd.h"
#include "chess/fen.h"

/* The size of the byte order mark that the text begins with. */
size_t epd_mark_size(struct span text);

/* The next line of text[*at..], without its end; false at the end of the text. */
bool epd_next_line(struct span text, size_t *at, struct span *line);

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
struct span epd_unquoted(struct span text);

/* May the operation hold weights? c0 to c9. */
bool epd_is_comment(struct span opcode);

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

/* As struct book_format.add. The move comes to the line of its position, its weight to the comment
 * that holds weights, or the first that is free. */
MUST_CHECK enum caxton_status epd_add(const uint8_t *bytes, size_t size,
                                      const struct book_addition *addition, FILE *out,
                                      struct diag *diag);

#endif
