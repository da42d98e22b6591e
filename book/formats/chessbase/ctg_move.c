#include "book/formats/chessbase/ctg_move.h"

#include <string.h>

#include "chess/notation.h"

/* The code of every step, by man and step. Nothing in the numbers tells what they mean. */
enum {
    PAWN_STEPS = 4,   /* one, two, takes to the left, takes to the right */
    KNIGHT_STEPS = 8, /* as knight_steps */
    KING_STEPS = 10,  /* as king_steps: the last two are castling */
    LINE_STEPS = 7,   /* 1 to 7 squares */
    CODES = 8 * PAWN_STEPS + 2 * KNIGHT_STEPS + KING_STEPS + 16 * LINE_STEPS
};

/* Of two queens, rooks, bishops and knights, and of eight pawns. A step of four to the upper right
 * is the same as one to the upper left, round the board; the sources know one code for it. They
 * know none for the second queen's six to the right, and two, 0x1a and 0xf9, for six forward. */
static const uint8_t codes[CODES] = {
    /* pawns */
    0xec,
    0xdb,
    0x0c,
    0x8b,
    0x04,
    0x62,
    0xd1,
    0x96,
    0x55,
    0x9b,
    0x27,
    0x7c,
    0xcf,
    0xe6,
    0x06,
    0xeb,
    0xbb,
    0x5f,
    0xde,
    0x00,
    0xcb,
    0xb1,
    0x82,
    0x2d,
    0x18,
    0xc8,
    0xc7,
    0x5c,
    0xa3,
    0x4a,
    0x24,
    0x14,
    /* knights */
    0x34,
    0x36,
    0xe9,
    0x8a,
    0xda,
    0x0f,
    0xf7,
    0x85,
    0x4c,
    0xd2,
    0xe0,
    0x2a,
    0x30,
    0x01,
    0xd3,
    0xf3,
    /* king */
    0x13,
    0x67,
    0xbe,
    0x44,
    0x0a,
    0x8c,
    0x97,
    0xdf,
    0x6b,
    0xf6,
    /* rooks: forward, to the right */
    0x81,
    0xe8,
    0x7a,
    0x99,
    0x87,
    0x50,
    0xe1,
    0x7f,
    0xcd,
    0x98,
    0xef,
    0x6e,
    0x52,
    0x86, /* first */
    0x7d,
    0xf4,
    0xe3,
    0xc5,
    0xa5,
    0x7b,
    0x69,
    0xc4,
    0xa9,
    0x0e,
    0xad,
    0xb5,
    0xd8,
    0x21,
    /* bishops: to the upper right, upper left */
    0x2e,
    0xc1,
    0x0d,
    0x6a,
    0x15,
    0x3a,
    0x12,
    0x1b,
    0xc3,
    0x66,
    0x6a,
    0x3c,
    0xb2,
    0x26, /* first */
    0xf5,
    0xc2,
    0xb9,
    0x9f,
    0x32,
    0x09,
    0x1d,
    0x54,
    0x22,
    0xca,
    0x9f,
    0xcc,
    0x79,
    0x72,
    /* queens: forward, to the right, to the upper right, upper left */
    0x05,
    0x9d,
    0x94,
    0x37,
    0xb7,
    0x9a,
    0xfd,
    0x2f,
    0x74,
    0x31,
    0xe5,
    0x39,
    0x29,
    0x8f, /* first */
    0xf1,
    0xa2,
    0x45,
    0xe7,
    0x28,
    0x61,
    0xed,
    0xd7,
    0xd9,
    0x7e,
    0xe7,
    0x4b,
    0x80,
    0x42, /**/
    0x4d,
    0xbd,
    0xa0,
    0xb0,
    0xc6,
    0x1a,
    0xc9,
    0xf8,
    0x03,
    0xfa,
    0x08,
    0xbc,
    0xf9,
    0xf0, /* second */
    0x92,
    0xfb,
    0xae,
    0x38,
    0x41,
    0x23,
    0x6f,
    0xee,
    0x8e,
    0xfe,
    0x38,
    0x3b,
    0xab,
    0x63,
};

struct step {
    int right;
    int up;
};

static const struct step pawn_steps[PAWN_STEPS] = {{0, 1}, {0, 2}, {-1, 1}, {1, 1}};
static const struct step knight_steps[KNIGHT_STEPS] = {{1, 2},   {2, 1},   {2, -1}, {1, -2},
                                                       {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}};
static const struct step king_steps[KING_STEPS] = {{0, 1},   {1, 1},  {1, 0},  {1, -1}, {0, -1},
                                                   {-1, -1}, {-1, 0}, {-1, 1}, {2, 0},  {-2, 0}};
static const struct step line_steps[4] = {{0, 1}, {1, 0}, {1, 1}, {-1, 1}};

/* A kind of man: its part of codes[], by number and step. */
struct kind {
    int type;
    int men;
    int lines;                /* 0: it does not move along lines, but by */
    const struct step *steps; /* these, or along these */
    int step_count;
};

static const struct kind kinds[] = {
    {PAWN, 8, 0, pawn_steps, PAWN_STEPS},           {KNIGHT, 2, 0, knight_steps, KNIGHT_STEPS},
    {KING, 1, 0, king_steps, KING_STEPS},           {ROOK, 2, 2, line_steps, 2 * LINE_STEPS},
    {BISHOP, 2, 2, line_steps + 2, 2 * LINE_STEPS}, {QUEEN, 2, 4, line_steps, 4 * LINE_STEPS},
};

/* The square of White's man of that kind with that number, NO_SQUARE: there are fewer. */
static int find_man(const struct position *pos, int type, int number)
{
    uint64_t men = position_pieces(pos, WHITE, type);
    for (int file = 0; file < 8; file++)
        for (int rank = 0; rank < 8; rank++)
            if (men & bb_square(square_make(file, rank)) && number-- == 0)
                return square_make(file, rank);
    return NO_SQUARE;
}

bool ctg_move_squares(const struct position *pos, uint8_t code, int *from, int *to)
{
    const uint8_t *found = memchr(codes, code, sizeof codes);
    if (!found)
        return false;
    int place = (int)(found - codes);
    const struct kind *kind = kinds;
    for (; place >= kind->men * kind->step_count; kind++)
        place -= kind->men * kind->step_count;
    int index = place % kind->step_count;
    const struct step *step = &kind->steps[kind->lines ? index / LINE_STEPS : index];
    int times = kind->lines ? index % LINE_STEPS + 1 : 1;
    *from = find_man(pos, kind->type, place / kind->step_count);
    if (*from == NO_SQUARE)
        return false;
    *to = square_make((square_file(*from) + step->right * times) & 7,
                      (square_rank(*from) + step->up * times) & 7);
    return true;
}

move ctg_move_make(const struct position *pos, int from, int to)
{
    move m = MOVE_NONE;
    bool promotes = piece_type(pos->board[from]) == PAWN && square_rank(to) == 7;
    const char text[] = {(char)('a' + square_file(from)), (char)('1' + square_rank(from)),
                         (char)('a' + square_file(to)),   (char)('1' + square_rank(to)),
                         promotes ? 'q' : '\0',           '\0'};
    return move_from_uci(pos, span_of(text), &m) == STATUS_OK ? m : MOVE_NONE;
}
