#include "book/formats/chessbase/ctg_position.h"

#include "chess/fen.h"

enum { HAS_EP = 32, HAS_CASTLING = 64, EP_BITS = 3, CASTLING_BITS = 4 };

struct bits {
    const uint8_t *bytes;
    size_t next;
    size_t end;
};

/* Behind the end all bits are 0. */
static unsigned take(struct bits *bits, int count)
{
    unsigned value = 0;
    for (; count > 0; count--, bits->next++) {
        unsigned byte = bits->next < bits->end ? bits->bytes[bits->next / 8] : 0;
        value = value << 1 | (byte >> (7 - bits->next % 8) & 1);
    }
    return value;
}

/* The piece that the next bits are; NO_PIECE: none. */
static int take_piece(struct bits *bits)
{
    static const int officers[] = {KNIGHT, BISHOP, ROOK};
    int type = PAWN;
    if (!take(bits, 1))
        return NO_PIECE;
    if (!take(bits, 1)) {
        unsigned kind = take(bits, 2);
        type = kind > 0 ? officers[kind - 1] : take(bits, 1) ? QUEEN : KING;
    }
    return piece_make((int)take(bits, 1), type);
}

/* Writes the board as a FEN has it. */
static void put_board(struct bits *bits, bool flipped, struct text_buffer *out)
{
    struct position pos;
    position_clear(&pos);
    for (int file = 0; file < 8; file++)
        for (int rank = 0; rank < 8; rank++) {
            int piece = take_piece(bits);
            if (piece != NO_PIECE)
                position_put(&pos, piece, square_make(flipped ? 7 - file : file, rank));
        }
    fen_format_board(&pos, out);
}

static void put_castling(unsigned rights, struct text_buffer *out)
{
    static const char names[] = "KQkq"; /* the bits are Q, K, q, k from the lowest on */
    for (unsigned i = 0; i < CASTLING_BITS; i++)
        if (rights >> (i ^ 1) & 1)
            text_append(out, "%c", names[i]);
    if (!rights)
        text_append(out, "-");
}

enum caxton_status ctg_position_read(const uint8_t *bytes, size_t size, bool flipped,
                                     struct position *out)
{
    char fen[FEN_MAX];
    struct text_buffer text = text_buffer_on(fen, sizeof fen);
    struct bits bits = {.bytes = bytes, .next = 8, .end = size * 8};
    put_board(&bits, flipped, &text);
    bool has_ep = bytes[0] & HAS_EP;
    bool has_castling = bytes[0] & HAS_CASTLING;
    size_t special = (has_ep ? EP_BITS : 0U) + (has_castling ? CASTLING_BITS : 0U);
    if (bits.next + special > bits.end)
        return STATUS_SYNTAX;
    bits.next = bits.end - special;
    unsigned ep = has_ep ? take(&bits, EP_BITS) : 0;
    text_append(&text, " w ");
    put_castling(has_castling ? take(&bits, CASTLING_BITS) : 0, &text);
    if (has_ep)
        text_append(&text, " %c6", 'a' + (int)(flipped ? 7 - ep : ep));
    else
        text_append(&text, " -");
    return fen_parse(span_of(fen), out, NULL);
}
