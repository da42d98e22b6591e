#include "eval/train/datagen/ending.h"

#include "chess/fen.h"

/* Puts a piece on a random empty square where it may stand. */
static void place(struct rng *rng, char board[64], char piece)
{
    int square;
    do
        square = (int)rng_below(rng, 64);
    while (board[square] || ((piece == 'P' || piece == 'p') && (square < 8 || square >= 56)));
    board[square] = piece;
}

/* The board from a8 to h1 as a FEN without rights. */
static void write_fen(const char board[64], bool white, char out[FEN_MAX])
{
    struct text_buffer text = text_buffer_on(out, FEN_MAX);
    for (int square = 0, empty = 0; square < 64; square++) {
        empty += !board[square];
        bool row_ends = square % 8 == 7;
        if (empty && (board[square] || row_ends)) {
            text_append(&text, "%d", empty);
            empty = 0;
        }
        if (board[square])
            text_append(&text, "%c", board[square]);
        if (row_ends && square < 63)
            text_append(&text, "/");
    }
    text_append(&text, " %c - - 0 1", white ? 'w' : 'b');
}

void ending_random(struct rng *rng, struct position *pos)
{
    static const char kinds[] = "PPPPppppNnBbRrQq";
    char fen[FEN_MAX];
    do {
        char board[64] = {0};
        place(rng, board, 'K');
        place(rng, board, 'k');
        int others = (int)rng_below(rng, ENDING_PIECES_MAX - ENDING_PIECES_MIN + 1);
        for (int i = 0; i < ENDING_PIECES_MIN - 2 + others; i++)
            place(rng, board, kinds[rng_below(rng, sizeof kinds - 1)]);
        write_fen(board, rng_below(rng, 2) == 0, fen);
    } while (fen_parse(span_of(fen), pos, NULL) != STATUS_OK);
}
