#include "eval/train/datagen/ending.h"

#include "chess/fen.h"

/* Puts a piece on a random empty square where it may stand. */
static void place(struct rng *rng, struct position *pos, int piece)
{
    bool is_pawn = piece_type(piece) == PAWN;
    int square;
    do
        square = square_flip((int)rng_below(rng, 64));
    while (pos->board[square] != NO_PIECE ||
           (is_pawn && (bb_square(square) & (BB_RANK_1 | BB_RANK_8))));
    position_put(pos, piece, square);
}

/* Half of the pieces are pawns. */
static int random_piece(struct rng *rng)
{
    int number = (int)rng_below(rng, 16);
    return number < 8 ? piece_make(number / 4, PAWN)
                      : piece_make(number % 2, KNIGHT + (number - 8) / 2);
}

void ending_random(struct rng *rng, struct position *pos)
{
    char fen[FEN_MAX];
    do {
        struct position board;
        position_clear(&board);
        place(rng, &board, piece_make(WHITE, KING));
        place(rng, &board, piece_make(BLACK, KING));
        int others = (int)rng_below(rng, ENDING_PIECES_MAX - ENDING_PIECES_MIN + 1);
        for (int i = 0; i < ENDING_PIECES_MIN - 2 + others; i++)
            place(rng, &board, random_piece(rng));
        board.turn = rng_below(rng, 2) == 0 ? WHITE : BLACK;
        fen_format(&board, fen);
    } while (fen_parse(span_of(fen), pos, NULL) != STATUS_OK); /* e.g. the king can be taken */
}
