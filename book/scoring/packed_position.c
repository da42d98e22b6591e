#include "book/scoring/packed_position.h"

#include <string.h>

#include "chess/fen.h"
#include "chess/zobrist.h"

/* Bytes 0..31: two squares each, the lower one in the low half; 32: side to move and, from bit 4,
 * castling rights; 33: the en passant square; 34..37: the rook's home of each right that is left,
 * else NO_SQUARE. */
enum { STATE_AT = 32, EP_AT, ROOKS_AT, RIGHTS = 4 };

_Static_assert(ROOKS_AT + RIGHTS == PACKED_POSITION_SIZE, "the bytes above are all");
_Static_assert(NO_PIECE < 16, "a man fits half a byte");

void position_pack(const struct position *pos, struct packed_position *out)
{
    for (int i = 0; i < STATE_AT; i++)
        out->bytes[i] = (uint8_t)(pos->board[2 * i] | pos->board[2 * i + 1] << 4);
    out->bytes[STATE_AT] = (uint8_t)(pos->turn | pos->castling << 4);
    out->bytes[EP_AT] = pos->ep;
    for (int right = 0; right < RIGHTS; right++)
        out->bytes[ROOKS_AT + right] =
            pos->castling >> right & 1 ? pos->rook_home[right] : NO_SQUARE;
}

static int man_at(const struct packed_position *packed, int square)
{
    return packed->bytes[square / 2] >> 4 * (square & 1) & 15;
}

int packed_position_turn(const struct packed_position *packed)
{
    return packed->bytes[STATE_AT] & 1;
}

uint64_t packed_position_key(const struct packed_position *packed)
{
    uint64_t key = packed_position_turn(packed) == WHITE ? zobrist_turn() : 0;
    for (int square = 0; square < 64; square++)
        if (man_at(packed, square) < NO_PIECE)
            key ^= zobrist_piece(man_at(packed, square), square);
    for (int right = 0; right < RIGHTS; right++)
        if (packed->bytes[STATE_AT] >> 4 & 1 << right)
            key ^= zobrist_castling(right);
    if (packed->bytes[EP_AT] < NO_SQUARE)
        key ^= zobrist_en_passant(square_file(packed->bytes[EP_AT]));
    return key;
}

/* Writes the board as FEN does; returns the place behind it. By hand: stores are full of them. */
static char *put_board(const struct packed_position *packed, char *to)
{
    static const char men[] = "PpNnBbRrQqKk";
    for (int rank = 7; rank >= 0; rank--) {
        char empty = 0;
        for (int file = 0; file < 8; file++) {
            int man = man_at(packed, square_make(file, rank));
            if (man >= NO_PIECE) {
                empty++;
                continue;
            }
            if (empty)
                *to++ = (char)('0' + empty);
            empty = 0;
            *to++ = men[man];
        }
        if (empty)
            *to++ = (char)('0' + empty);
        *to++ = rank ? '/' : ' ';
    }
    return to;
}

/* Side to move, castling rights by the files of their rooks, en passant. Returns the end. */
static char *put_state(const struct packed_position *packed, char *to)
{
    int rights = packed->bytes[STATE_AT] >> 4;
    int ep = packed->bytes[EP_AT];
    *to++ = packed_position_turn(packed) == WHITE ? 'w' : 'b';
    *to++ = ' ';
    for (int right = 0; right < RIGHTS; right++)
        if (rights & 1 << right)
            *to++ = (char)((right < 2 ? 'A' : 'a') + (packed->bytes[ROOKS_AT + right] & 7));
    if (!rights)
        *to++ = '-';
    *to++ = ' ';
    *to++ = ep < NO_SQUARE ? (char)('a' + square_file(ep)) : '-';
    if (ep < NO_SQUARE)
        *to++ = (char)('1' + square_rank(ep));
    return to;
}

/* The rules are those of FEN: what does not become a position by it, or not the same bytes again,
 * is none. */
bool position_unpack(const struct packed_position *packed, struct position *out)
{
    char fen[FEN_MAX];
    struct packed_position again;
    struct position pos;
    const char *end = put_state(packed, put_board(packed, fen));
    if (fen_parse(span_make(fen, (size_t)(end - fen)), &pos, NULL) != STATUS_OK)
        return false;
    position_pack(&pos, &again);
    if (memcmp(&again, packed, sizeof again) != 0)
        return false;
    *out = pos;
    position_forget_clocks(out);
    return true;
}

void position_forget_clocks(struct position *pos)
{
    pos->rule50 = 0;
    pos->fullmove = 1;
}
