#include "engine/board.h"

/* In the order of piece codes, the empty square last. The filled symbols serve both sides where
 * colour tells them apart. */
static const char *const letters[] = {"P", "p", "N", "n", "B", "b", "R",
                                      "r", "Q", "q", "K", "k", "."};
static const char *const symbols[] = {"♙", "♟", "♘", "♞", "♗", "♝", "♖",
                                      "♜", "♕", "♛", "♔", "♚", "·"};
static const char *const filled[] = {"♟", "♟", "♞", "♞", "♝", "♝", "♜",
                                     "♜", "♛", "♛", "♚", "♚", " "};

static bool is_marked(move last, int square)
{
    return last != MOVE_NONE && (square == move_from(last) || square == move_to(last));
}

static void draw_square(struct text_buffer *text, const struct position *pos, int square,
                        bool marked, struct board_style style)
{
    int piece = pos->board[square];
    const char *const *shapes = !style.unicode ? letters : style.color ? filled : symbols;
    const char *shape = shapes[piece];
    if (!style.color) {
        text_append(text, marked ? "[%s]" : " %s ", shape);
        return;
    }
    bool light = (square_file(square) + square_rank(square)) % 2 != 0;
    int background = marked ? (light ? 179 : 136) : light ? 109 : 66;
    int foreground = piece != NO_PIECE && piece_color(piece) == WHITE ? 231 : 16;
    text_append(text, "\033[48;5;%d;38;5;%dm %s \033[0m", background, foreground,
                piece == NO_PIECE ? " " : shape);
}

void board_draw(struct text_buffer *text, const struct position *pos, move last,
                struct board_style style)
{
    for (int row = 7; row >= 0; row--) {
        int rank = style.flipped ? 7 - row : row;
        text_append(text, " %d ", rank + 1);
        for (int column = 0; column < 8; column++) {
            int square = square_make(style.flipped ? 7 - column : column, rank);
            draw_square(text, pos, square, is_marked(last, square), style);
        }
        text_append(text, "\n");
    }
    text_append(text, "    %s\n",
                style.flipped ? "h  g  f  e  d  c  b  a" : "a  b  c  d  e  f  g  h");
}
