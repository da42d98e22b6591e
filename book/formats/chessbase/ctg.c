#include "book/formats/chessbase/ctg.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/bytes.h"
#include "book/position_book.h"
#include "chess/fen.h"
#include "chess/mirror.h"
#include "chess/movegen.h"
#include "chess/notation.h"
#include "chess/position.h"

/* The positions of ChessBase's books: the board in bits. */

enum { HAS_EP = 32, HAS_CASTLING = 64, EP_BITS = 3, CASTLING_BITS = 4 };

struct ctg_bits {
    const uint8_t *bytes;
    size_t next;
    size_t end;
};

/* Behind the end all bits are 0. */
static inline unsigned take_bit(struct ctg_bits *bits)
{
    size_t at = bits->next++;
    return at < bits->end ? bits->bytes[at / 8] >> (7 - at % 8) & 1U : 0;
}

static unsigned take(struct ctg_bits *bits, int count)
{
    unsigned value = 0;
    while (count-- > 0)
        value = value << 1 | take_bit(bits);
    return value;
}

/* The piece that the next bits are; NO_PIECE: none. */
static int take_piece(struct ctg_bits *bits)
{
    static const int officers[] = {KNIGHT, BISHOP, ROOK};
    int type = PAWN;
    if (!take_bit(bits))
        return NO_PIECE;
    if (!take_bit(bits)) {
        unsigned kind = take(bits, 2);
        type = kind > 0 ? officers[kind - 1] : take_bit(bits) ? QUEEN : KING;
    }
    return piece_make((int)take_bit(bits), type);
}

static void put_board(struct ctg_bits *bits, bool flipped, struct position *pos)
{
    position_clear(pos);
    for (int file = 0; file < 8; file++)
        for (int rank = 0; rank < 8; rank++) {
            int piece = take_piece(bits);
            if (piece != NO_PIECE)
                position_put(pos, piece, square_make(flipped ? 7 - file : file, rank));
        }
}

static char *put_castling(unsigned rights, char *to)
{
    static const char names[] = "KQkq"; /* the bits are Q, K, q, k from the lowest on */
    for (unsigned i = 0; i < CASTLING_BITS; i++)
        if (rights >> (i ^ 1) & 1)
            *to++ = names[i];
    if (!rights)
        *to++ = '-';
    return to;
}

/* bytes[0 .. size): a position as it stands in the file, its first byte included. The board goes
 * from a1 up to a8, then b1 to b8, and so on; most significant bit first:
 *
 *     0 empty, 110 and 111 pawn, 10010 and 10011 knight, 10100 and 10101 bishop,
 *     10110 and 10111 rook, 100000 and 100001 king, 100010 and 100011 queen; white, then black
 *
 * Behind it zeros, and then, up to the end of the last byte: three bits for the file of the en
 * passant square if there is one; four bits for castling if there are any: black short and long,
 * white short and long.
 *
 * flipped: with left and right exchanged, what is allowed where nobody may castle. Fills *out,
 * White to move. Errors: STATUS_SYNTAX (the bits are no board), STATUS_ILLEGAL (the position is
 * against the rules). */
static enum caxton_status ctg_position_read(const uint8_t *bytes, size_t size, bool flipped,
                                            struct position *out)
{
    char state[] = "w KQkq e6";
    char *to = state + 2;
    struct position pos;
    struct ctg_bits bits = {.bytes = bytes, .next = 8, .end = size * 8};
    put_board(&bits, flipped, &pos);
    bool has_ep = bytes[0] & HAS_EP;
    bool has_castling = bytes[0] & HAS_CASTLING;
    size_t special = (has_ep ? EP_BITS : 0U) + (has_castling ? CASTLING_BITS : 0U);
    if (bits.next + special > bits.end)
        return STATUS_SYNTAX;
    bits.next = bits.end - special;
    unsigned ep = has_ep ? take(&bits, EP_BITS) : 0;
    to = put_castling(has_castling ? take(&bits, CASTLING_BITS) : 0, to);
    *to++ = ' ';
    *to++ = has_ep ? (char)('a' + (int)(flipped ? 7 - ep : ep)) : '-';
    if (has_ep)
        *to++ = '6';
    return fen_parse_state(span_make(state, (size_t)(to - state)), &pos, out, NULL);
}

/* The moves of ChessBase's books: a byte says which man of its kind moves, and how far. */

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

struct square_offset {
    int right;
    int up;
};

static const struct square_offset pawn_steps[PAWN_STEPS] = {{0, 1}, {0, 2}, {-1, 1}, {1, 1}};

static const struct square_offset knight_steps[KNIGHT_STEPS] = {
    {1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}};

static const struct square_offset king_steps[KING_STEPS] = {
    {0, 1}, {1, 1}, {1, 0}, {1, -1}, {0, -1}, {-1, -1}, {-1, 0}, {-1, 1}, {2, 0}, {-2, 0}};

static const struct square_offset line_steps[4] = {{0, 1}, {1, 0}, {1, 1}, {-1, 1}};

/* A kind of man: its part of codes[], by number and step. */
struct kind {
    int type;
    int men;
    int lines;                         /* 0: it does not move along lines, but by */
    const struct square_offset *steps; /* these, or along these */
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

/* The squares that the move `code` of `pos`, White to move, goes from and to; castling is the
 * king's journey. Men of a kind are counted from the a-file on, on each file from the first rank.
 * Steps go round the board: five to the left are three to the right. False: no such move. */
static bool ctg_move_squares(const struct position *pos, uint8_t code, int *from, int *to)
{
    const uint8_t *found = memchr(codes, code, sizeof codes);
    if (!found)
        return false;
    int place = (int)(found - codes);
    const struct kind *kind = kinds;
    for (; place >= kind->men * kind->step_count; kind++)
        place -= kind->men * kind->step_count;
    int index = place % kind->step_count;
    const struct square_offset *step = &kind->steps[kind->lines ? index / LINE_STEPS : index];
    int times = kind->lines ? index % LINE_STEPS + 1 : 1;
    *from = find_man(pos, kind->type, place / kind->step_count);
    if (*from == NO_SQUARE)
        return false;
    *to = square_make((square_file(*from) + step->right * times) & 7,
                      (square_rank(*from) + step->up * times) & 7);
    return true;
}

/* The legal move from one square to another; a pawn becomes a queen. MOVE_NONE: there is none. */
static move ctg_move_make(const struct position *pos, int from, int to)
{
    move m = MOVE_NONE;
    bool promotes = piece_type(pos->board[from]) == PAWN && square_rank(to) == 7;
    const char text[] = {(char)('a' + square_file(from)), (char)('1' + square_rank(from)),
                         (char)('a' + square_file(to)),   (char)('1' + square_rank(to)),
                         promotes ? 'q' : '\0',           '\0'};
    return move_from_uci(pos, span_of(text), &m) == STATUS_OK ? m : MOVE_NONE;
}

static const uint8_t magic[] = {0, 0x20, 0x10, 0, 0, 1, 0, 1};

enum {
    PAGE_HEADER = 4,
    LENGTH_BITS = 31,
    GAMES = 3,           /* bytes of each number of games */
    RECOMMENDATION = 30, /* from the end of the moves, */
    COMMENT = 32,        /* and this, */
    RESULTS_SIZE = 33,   /* and the next position */
    GREEN = 128,
    RED = 64,
};

/* What a person says of a move, as bits by number. */
enum { NEVER = 1 << 2 | 1 << 4, DOUBTFUL = NEVER | 1 << 5 | 1 << 6 };

/* What is known of a position, in the order of the keys. */
struct known {
    uint64_t key;
    uint32_t games;
    uint8_t recommendation;
};

/* A position as it stands in the file. */
struct stored {
    const uint8_t *bytes;
    size_t size; /* of the position alone */
    const uint8_t *moves;
    size_t move_count;
    const uint8_t *results;
    size_t offset;
};

struct ctg_reader {
    const uint8_t *bytes;
    size_t size;
    struct book_input *input;
    struct known *known;
    size_t known_count;
    size_t known_capacity;
    enum caxton_status (*take)(struct ctg_reader *reader, const struct stored *stored,
                               bool flipped);
};

/* Is it stored for its mirror image, too? */
static bool has_image(const struct stored *stored)
{
    return !(stored->bytes[0] & HAS_CASTLING);
}

/* The position at `at` of a page that ends at `end`; false: it goes on behind the end. */
static bool find_stored(const struct ctg_reader *reader, size_t at, size_t end, struct stored *out)
{
    const uint8_t *bytes = reader->bytes + at;
    size_t left = end - at;
    size_t size = left > 0 ? bytes[0] & LENGTH_BITS : 0;
    if (size == 0 || left < size + 1 + RESULTS_SIZE)
        return false;
    size_t moves = bytes[size];
    if (moves == 0 || left < size + moves + RESULTS_SIZE)
        return false;
    *out = (struct stored){.bytes = bytes,
                           .size = size,
                           .moves = bytes + size + 1,
                           .move_count = (moves - 1) / 2,
                           .results = bytes + size + moves,
                           .offset = at};
    return true;
}

static enum caxton_status take_stored(struct ctg_reader *reader, const struct stored *stored)
{
    enum caxton_status status = reader->take(reader, stored, false);
    if (status == STATUS_OK && has_image(stored))
        status = reader->take(reader, stored, true);
    return status;
}

/* Takes the positions of one page. report: for faults, the first time only. */
static enum caxton_status read_page(struct ctg_reader *reader, size_t page, bool report)
{
    size_t begin = page * CTG_PAGE;
    size_t count = bytes_get_u16be(reader->bytes + begin);
    size_t used = bytes_get_u16be(reader->bytes + begin + 2);
    size_t end = begin + (used > CTG_PAGE ? CTG_PAGE : used);
    size_t at = begin + PAGE_HEADER;
    enum caxton_status status = STATUS_OK;
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        struct stored stored;
        if (at >= end || !find_stored(reader, at, end, &stored)) {
            if (report)
                book_input_fault(reader->input, BOOK_FAULT_SIZE, 0, 0, at,
                                 "page %zu: its bytes end within position %zu of %zu", page, i + 1,
                                 count);
            return STATUS_OK;
        }
        status = take_stored(reader, &stored);
        at = (size_t)(stored.results - reader->bytes) + RESULTS_SIZE;
    }
    return status;
}

static enum caxton_status read_pages(struct ctg_reader *reader, bool report)
{
    enum caxton_status status = STATUS_OK;
    for (size_t page = 1; page < reader->size / CTG_PAGE && status == STATUS_OK; page++)
        status = read_page(reader, page, report);
    return status;
}

/* First all positions: what is known of them. ------------------------------------------------- */

static enum caxton_status take_position(struct ctg_reader *reader, const struct stored *stored,
                                        bool flipped)
{
    struct position pos;
    enum caxton_status status = ctg_position_read(stored->bytes, stored->size, flipped, &pos);
    if (status != STATUS_OK) {
        if (!flipped)
            book_input_fault(reader->input, book_fault_of(status), 0, 0, stored->offset, "%s",
                             status == STATUS_SYNTAX ? "these bits are no position"
                                                     : "a position against the rules");
        return STATUS_OK;
    }
    if (!ARRAY_GROW(reader->known, reader->known_capacity, reader->known_count + 1))
        return STATUS_NO_MEMORY;
    reader->known[reader->known_count++] =
        (struct known){.key = pos.key,
                       .games = (uint32_t)bytes_get_be(stored->results, GAMES),
                       .recommendation = stored->results[RECOMMENDATION]};
    reader->input->comments += !flipped && stored->results[COMMENT] != 0;
    return STATUS_OK;
}

static int compare_keys(const void *a, const void *b)
{
    const struct known *left = a;
    const struct known *right = b;
    return (left->key > right->key) - (left->key < right->key);
}

/* Then their moves. --------------------------------------------------------------------------- */

static const struct known *known_behind(const struct ctg_reader *reader, const struct position *pos,
                                        move m)
{
    const struct position behind = position_after(pos, m);
    const struct known wanted = {.key = position_mirror_key(&behind)};
    return bsearch(&wanted, reader->known, reader->known_count, sizeof wanted, compare_keys);
}

/* A move of a position with what is known of it. */
struct ctg_choice {
    move m;
    uint32_t weight;
    bool recommended;
};

static struct ctg_choice make_choice(const struct ctg_reader *reader, const struct position *pos,
                                     move m, unsigned remark)
{
    const struct known *known = known_behind(reader, pos, m);
    uint32_t games = known ? known->games : 0;
    unsigned said = remark < 32 ? 1U << remark : 0;
    struct ctg_choice choice = {.m = m, .weight = games ? games : 1};
    if (said & NEVER || (known && known->recommendation == RED))
        choice.weight = 0;
    choice.recommended = known && known->recommendation == GREEN && !(said & DOUBTFUL);
    return choice;
}

static void name_move(struct ctg_reader *reader, const struct stored *stored, size_t number,
                      const struct position *pos)
{
    char fen[FEN_MAX];
    fen_format(pos, fen);
    book_input_fault(reader->input, BOOK_FAULT_ILLEGAL, 0, 0,
                     (size_t)(stored->moves - reader->bytes) + 2 * number,
                     "byte 0x%02x is no legal move in %s", stored->moves[2 * number], fen);
}

/* The legal moves, each once: returns how many. */
static int read_choices(struct ctg_reader *reader, const struct stored *stored, bool flipped,
                        const struct position *pos, struct ctg_choice *out)
{
    struct position plain = *pos; /* codes count the men of the position as it is stored */
    int count = 0;
    if (flipped && ctg_position_read(stored->bytes, stored->size, false, &plain) != STATUS_OK)
        return 0;
    for (size_t i = 0; i < stored->move_count && count < MOVES_MAX; i++) {
        int from;
        int to;
        int side = flipped ? 7 : 0;
        move m = MOVE_NONE;
        if (ctg_move_squares(&plain, stored->moves[2 * i], &from, &to))
            m = ctg_move_make(pos, from ^ side, to ^ side);
        if (m != MOVE_NONE)
            out[count++] = make_choice(reader, pos, m, stored->moves[2 * i + 1]);
        else if (!flipped)
            name_move(reader, stored, i, pos);
    }
    return count;
}

static enum caxton_status take_moves(struct ctg_reader *reader, const struct stored *stored,
                                     bool flipped)
{
    struct position pos;
    struct ctg_choice choices[MOVES_MAX];
    if (ctg_position_read(stored->bytes, stored->size, flipped, &pos) != STATUS_OK)
        return STATUS_OK;
    int count = read_choices(reader, stored, flipped, &pos, choices);
    bool recommended = false;
    for (int i = 0; i < count; i++)
        recommended |= choices[i].recommended && choices[i].weight > 0;
    enum caxton_status status = STATUS_OK;
    for (int i = 0; i < count && status == STATUS_OK; i++) {
        bool played = !recommended || choices[i].recommended;
        status = entry_list_add(
            &reader->input->list, &pos, choices[i].m,
            (struct book_entry){.weight = played ? choices[i].weight : 0, .stated = true});
        reader->input->comments += !flipped && stored->moves[2 * i + 1] != 0;
    }
    return status;
}

static enum caxton_status ctg_read(const uint8_t *bytes, size_t size, struct book_input *input)
{
    struct ctg_reader reader = {
        .bytes = bytes, .size = size, .input = input, .take = take_position};
    if (size % CTG_PAGE != 0)
        book_input_fault(input, BOOK_FAULT_SIZE, 0, 0, size - size % CTG_PAGE,
                         "the file ends within page %zu", size / CTG_PAGE);
    enum caxton_status status = read_pages(&reader, true);
    if (status == STATUS_OK && reader.known_count > 0) {
        qsort(reader.known, reader.known_count, sizeof *reader.known, compare_keys);
        reader.take = take_moves;
        status = read_pages(&reader, false);
    }
    free(reader.known);
    return status;
}

static bool ctg_recognises(const uint8_t *bytes, size_t size)
{
    return size >= sizeof magic && memcmp(bytes, magic, sizeof magic) == 0;
}

const struct book_format ctg_format = {.name = "ChessBase",
                                       .extension = "ctg",
                                       .mirrored = true,
                                       .recognises = ctg_recognises,
                                       .read = ctg_read,
                                       POSITION_BOOK_FUNCTIONS};
