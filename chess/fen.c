#include "chess/fen.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/file.h"
#include "chess/attacks.h"

const char fen_start[] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

static const char piece_letters[] = "PpNnBbRrQqKk";

/* The text being read and where faults go. */
struct fen_reader {
    struct span text;
    size_t at;
    size_t column; /* where the field being read starts */
    struct diag *diag;
    bool
        lenient; /* of castling and en passant, what the board forbids or is missing is left out, */
    bool noted;  /* and the first such field is in `diag` */
};

/* A fault at character `at` of the field. */
static enum caxton_status fault(const struct fen_reader *in, size_t at, enum caxton_status status,
                                const char *what)
{
    diag_set(in->diag, 0, in->column + at + 1, "%s", what);
    return status;
}

/* A right or a square that the board forbids, or a field that is not there. */
static enum caxton_status left_out(struct fen_reader *in, size_t at, enum caxton_status status,
                                   const char *what)
{
    if (!in->lenient)
        return fault(in, at, status, what);
    if (!in->noted)
        (void)fault(in, at, status, what);
    in->noted = true;
    return STATUS_OK;
}

/* The next field; empty at the end. */
static struct span next_field(struct fen_reader *in)
{
    struct span rest = span_from(in->text, in->at);
    struct span field = span_token(&rest);
    in->at = in->text.size - rest.size;
    in->column = in->at - field.size;
    return field;
}

static enum caxton_status read_squares(struct fen_reader *in, struct span field,
                                       struct position *pos)
{
    int file = 0;
    int rank = 7;
    bool after_digit = false;
    for (size_t i = 0; i < field.size; i++) {
        char c = field.data[i];
        const char *letter = strchr(piece_letters, c);
        if (c == '/') {
            if (file != 8)
                return fault(in, i, STATUS_SYNTAX, "a rank has fewer than eight squares");
            if (rank == 0)
                return fault(in, i, STATUS_SYNTAX, "there are more than eight ranks");
            file = 0;
            rank--;
            after_digit = false;
            continue;
        }
        int width = c >= '1' && c <= '8' ? c - '0' : 1;
        if (c >= '1' && c <= '8') {
            if (after_digit)
                return fault(in, i, STATUS_SYNTAX, "two digits stand side by side");
            after_digit = true;
        } else if (c && letter) {
            after_digit = false;
            if (file < 8)
                position_put(pos, (int)(letter - piece_letters), square_make(file, rank));
        } else {
            return fault(in, i, STATUS_SYNTAX, "not a piece letter, digit or slash");
        }
        file += width;
        if (file > 8)
            return fault(in, i, STATUS_SYNTAX, "a rank has more than eight squares");
    }
    if (rank != 0 || file != 8)
        return fault(in, field.size, STATUS_SYNTAX, "the board has missing squares");
    return STATUS_OK;
}

static enum caxton_status check_board(struct fen_reader *in, const struct position *pos)
{
    in->column = 0;
    for (int color = WHITE; color <= BLACK; color++) {
        static const int initial[] = {8, 2, 2, 2, 1};
        int kings = bb_count(position_pieces(pos, color, KING));
        int promoted = 0;
        for (int type = KNIGHT; type <= QUEEN; type++) {
            int extra = bb_count(position_pieces(pos, color, type)) - initial[type];
            promoted += extra > 0 ? extra : 0;
        }
        const char *what = kings == 0                          ? "no king"
                           : kings > 1                         ? "more than one king"
                           : bb_count(pos->colors[color]) > 16 ? "more than 16 pieces"
                           : bb_count(position_pieces(pos, color, PAWN)) + promoted > 8
                               ? "more pawns and promoted pieces than eight"
                               : NULL;
        if (what) {
            diag_set(in->diag, 0, 1, "%s has %s", color == WHITE ? "White" : "Black", what);
            return STATUS_ILLEGAL;
        }
    }
    if (pos->types[PAWN] & (BB_RANK_1 | BB_RANK_8))
        return fault(in, 0, STATUS_ILLEGAL, "a pawn stands on the first or last rank");
    return STATUS_OK;
}

static enum caxton_status read_board(struct fen_reader *in, struct span field, struct position *pos)
{
    enum caxton_status status = read_squares(in, field, pos);
    return status == STATUS_OK ? check_board(in, pos) : status;
}

static enum caxton_status read_turn(struct fen_reader *in, struct span field, struct position *pos)
{
    if (!span_equal(field, "w") && !span_equal(field, "b"))
        return fault(in, 0, STATUS_SYNTAX, "the side to move must be w or b");
    pos->turn = field.data[0] == 'w' ? WHITE : BLACK;
    uint64_t attackers =
        position_attackers(pos, position_king(pos, !pos->turn), position_occupied(pos));
    if (attackers & pos->colors[pos->turn])
        return fault(in, 0, STATUS_ILLEGAL, "the side not to move is in check");
    return STATUS_OK;
}

/* The rook that a castling letter means: K and Q the outermost one on its side of the king, a file
 * letter the one on that file. NO_SQUARE when there is none. */
static int castling_rook(const struct position *pos, int color, char letter)
{
    int king = position_king(pos, color);
    uint64_t back = color == WHITE ? BB_RANK_1 : BB_RANK_8;
    if (!(bb_square(king) & back))
        return NO_SQUARE;
    uint64_t rooks = position_pieces(pos, color, ROOK) & back;
    uint64_t right_of_king = back & ~((bb_square(king) << 1) - 1);
    uint64_t left_of_king = back & (bb_square(king) - 1);
    if (letter == 'K')
        rooks &= right_of_king;
    else if (letter == 'Q')
        rooks &= left_of_king;
    else
        rooks &= bb_file(letter - 'A');
    if (!rooks)
        return NO_SQUARE;
    return letter == 'K' ? bb_last(rooks) : bb_first(rooks);
}

static enum caxton_status read_castling(struct fen_reader *in, struct span field,
                                        struct position *pos)
{
    if (span_equal(field, "-"))
        return STATUS_OK;
    for (size_t i = 0; i < field.size; i++) {
        char c = field.data[i];
        bool upper = c >= 'A' && c <= 'Z';
        char letter = upper ? c : (char)(c - 'a' + 'A');
        if (letter != 'K' && letter != 'Q' && (letter < 'A' || letter > 'H'))
            return fault(in, i, STATUS_SYNTAX,
                         "a castling right must be one of KQkq or a rook's file");
        int color = upper ? WHITE : BLACK;
        int rook = castling_rook(pos, color, letter);
        if (rook == NO_SQUARE) {
            enum caxton_status status = left_out(
                in, i, STATUS_ILLEGAL, "a castling right without king and rook on the back rank");
            if (status != STATUS_OK)
                return status;
            continue;
        }
        int right = 2 * color + (rook > position_king(pos, color) ? 0 : 1);
        if (pos->castling & 1 << right && pos->rook_home[right] != rook)
            return fault(in, i, STATUS_SYNTAX, "a castling right is given for two rooks");
        pos->castling = (uint8_t)(pos->castling | 1 << right);
        pos->rook_home[right] = (uint8_t)rook;
    }
    return STATUS_OK;
}

static enum caxton_status read_en_passant(struct fen_reader *in, struct span field,
                                          struct position *pos)
{
    if (span_equal(field, "-"))
        return STATUS_OK;
    if (field.size != 2 || field.data[0] < 'a' || field.data[0] > 'h' || field.data[1] < '1' ||
        field.data[1] > '8')
        return fault(in, 0, STATUS_SYNTAX, "the en passant field is not - or a square");
    int us = pos->turn;
    int square = square_make(field.data[0] - 'a', field.data[1] - '1');
    int pawn = square ^ 8;
    int origin = us == WHITE ? square + 8 : square - 8;
    if (square_rank(square) != (us == WHITE ? 5 : 2))
        return left_out(in, 0, STATUS_ILLEGAL, "the en passant square is on the wrong rank");
    if (pos->board[pawn] != piece_make(!us, PAWN) || pos->board[square] != NO_PIECE ||
        pos->board[origin] != NO_PIECE)
        return left_out(in, 0, STATUS_ILLEGAL,
                        "no pawn can just have passed over the en passant square");
    if (attacks_pawn(!us, square) & position_pieces(pos, us, PAWN))
        pos->ep = (uint8_t)square;
    return STATUS_OK;
}

/* Reads a clock. Where that is none in EPD, operations begin, and `value` stays as it is. */
static enum caxton_status read_clock(struct fen_reader *in, bool epd, const char *what,
                                     uint16_t *value)
{
    size_t before = in->at;
    struct span field = next_field(in);
    int64_t number = *value;
    if (field.size && span_to_int(field, 0, 9999, &number) != STATUS_OK) {
        if (!epd)
            return fault(in, 0, STATUS_SYNTAX, what);
        in->at = before;
    }
    *value = (uint16_t)number;
    return STATUS_OK;
}

/* Reads text[0..) and, where that is wanted (EPD), returns what follows the position. board: NULL,
 * or the pieces, which the text then leaves out. */
static enum caxton_status parse(struct fen_reader *in, const struct position *board,
                                struct position *pos, struct span *rest)
{
    static const struct {
        enum caxton_status (*read)(struct fen_reader *in, struct span field, struct position *pos);
        const char *missing;
    } fields[] = {
        {read_board, "the piece placement is missing"},
        {read_turn, "the side to move is missing"},
        {read_castling, "the castling rights are missing"},
        {read_en_passant, "the en passant square is missing"},
    };
    struct position read;
    enum caxton_status status = STATUS_OK;
    if (board) {
        read = *board;
        status = check_board(in, &read);
    } else {
        position_clear(&read);
    }
    for (size_t i = board ? 1 : 0; i < sizeof fields / sizeof *fields && status == STATUS_OK; i++) {
        struct span field = next_field(in);
        bool is_board = fields[i].read == read_board || fields[i].read == read_turn;
        if (field.size)
            status = fields[i].read(in, field, &read);
        else if (is_board)
            status = fault(in, 0, STATUS_SYNTAX, fields[i].missing);
        else
            status = left_out(in, 0, STATUS_SYNTAX, fields[i].missing);
    }
    if (status == STATUS_OK)
        status = read_clock(in, rest != NULL, "the half-move clock is not a number from 0 to 9999",
                            &read.rule50);
    if (status == STATUS_OK)
        status = read_clock(in, rest != NULL, "the move number is not a number from 0 to 9999",
                            &read.fullmove);
    if (status == STATUS_OK && !rest && next_field(in).size)
        status = fault(in, 0, STATUS_SYNTAX, "more text follows the sixth field");
    if (status != STATUS_OK)
        return status;
    if (read.fullmove == 0) /* no move number, yet many programs write it */
        read.fullmove = 1;
    read.checkers =
        position_attackers(&read, position_king(&read, read.turn), position_occupied(&read)) &
        read.colors[!read.turn];
    read.key = position_compute_key(&read);
    *pos = read;
    if (rest)
        *rest = span_trim(span_from(in->text, in->at));
    return STATUS_OK;
}

enum caxton_status fen_parse(struct span text, struct position *pos, struct diag *diag)
{
    return parse(&(struct fen_reader){.text = text, .diag = diag}, NULL, pos, NULL);
}

enum caxton_status fen_parse_state(struct span text, const struct position *board,
                                   struct position *pos, struct diag *diag)
{
    return parse(&(struct fen_reader){.text = text, .diag = diag}, board, pos, NULL);
}

enum caxton_status fen_parse_lenient(struct span text, struct position *pos, struct diag *diag)
{
    diag_set(diag, 0, 0, "%s", "");
    return parse(&(struct fen_reader){.text = text, .diag = diag, .lenient = true}, NULL, pos,
                 NULL);
}

enum caxton_status fen_parse_epd(struct span text, struct position *pos, struct span *rest,
                                 struct diag *diag)
{
    return parse(&(struct fen_reader){.text = text, .diag = diag}, NULL, pos, rest);
}

struct span fen_take_operation(struct span *rest)
{
    bool quoted = false;
    size_t size = 0;
    while (size < rest->size && (quoted || rest->data[size] != ';'))
        quoted ^= rest->data[size++] == '"';
    struct span operation = span_make(rest->data, size);
    size += size < rest->size;
    *rest = span_trim(span_from(*rest, size));
    return operation;
}

/* A line with the clocks that its operations name. */
static enum caxton_status parse_line(struct span line, struct position *pos, struct diag *diag)
{
    struct span rest;
    enum caxton_status status = fen_parse_epd(span_trim(line), pos, &rest, diag);
    while (status == STATUS_OK && rest.size) {
        struct span operands = fen_take_operation(&rest);
        struct span opcode = span_token(&operands);
        bool is_clock = span_equal(opcode, "hmvc");
        int64_t number;
        if ((is_clock || span_equal(opcode, "fmvn")) &&
            span_to_int(span_trim(operands), !is_clock, 9999, &number) == STATUS_OK)
            *(is_clock ? &pos->rule50 : &pos->fullmove) = (uint16_t)number;
    }
    return status;
}

enum caxton_status fen_read_file(const char *path, struct position **out, size_t *count,
                                 struct diag *diag)
{
    uint8_t *bytes;
    size_t size;
    struct position *read = NULL;
    size_t capacity = 0;
    size_t found = 0;
    enum caxton_status status = file_read(path, UINT64_C(4) << 30, &bytes, &size, diag);
    if (status != STATUS_OK)
        return status;
    struct span rest = span_skip_bom(span_make((const char *)bytes, size));
    struct span line;
    for (size_t number = 1; status == STATUS_OK && span_line(&rest, &line); number++) {
        struct diag fault = {0};
        line = span_trim(line);
        if (!line.size || line.data[0] == '#' || line.data[0] == ';')
            continue;
        status = STATUS_NO_MEMORY;
        if (ARRAY_GROW(read, capacity, found + 1))
            status = parse_line(line, &read[found++], &fault);
        if (status != STATUS_OK)
            diag_set(diag, 0, 0, "%s:%zu: %s", path, number,
                     fault.text[0] ? fault.text : status_name(status));
    }
    free(bytes);
    if (status == STATUS_OK && !found)
        status = diag_fail(STATUS_SYNTAX, diag, "%s: there is no position in it", path);
    if (status != STATUS_OK) {
        free(read);
        return status;
    }
    *out = read;
    *count = found;
    return STATUS_OK;
}

static void format_castling(const struct position *pos, struct text_buffer *out)
{
    if (!pos->castling)
        text_append(out, "-");
    for (int right = 0; right < 4; right++) {
        if (!(pos->castling & 1 << right))
            continue;
        char letter = right & 1 ? 'Q' : 'K';
        if (castling_rook(pos, right >> 1, letter) != pos->rook_home[right])
            letter = (char)('A' + square_file(pos->rook_home[right]));
        text_append(out, "%c", right < 2 ? letter : letter - 'A' + 'a');
    }
}

void fen_format_board(const struct position *pos, struct text_buffer *out)
{
    char text[8 * 9]; /* formatted at once: a file may have as many faults as bytes */
    size_t size = 0;
    for (int rank = 7; rank >= 0; rank--) {
        int empty = 0;
        for (int file = 0; file < 8; file++) {
            int piece = pos->board[square_make(file, rank)];
            if (piece == NO_PIECE) {
                empty++;
                continue;
            }
            if (empty)
                text[size++] = (char)('0' + empty);
            empty = 0;
            text[size++] = piece_letters[piece];
        }
        if (empty)
            text[size++] = (char)('0' + empty);
        text[size++] = rank ? '/' : '\0';
    }
    text_append(out, "%s", text);
}

void fen_format(const struct position *pos, char out[FEN_MAX])
{
    struct text_buffer text = text_buffer_on(out, FEN_MAX);
    fen_format_board(pos, &text);
    text_append(&text, " %c ", pos->turn == WHITE ? 'w' : 'b');
    format_castling(pos, &text);
    if (pos->ep == NO_SQUARE)
        text_append(&text, " -");
    else
        text_append(&text, " %c%c", 'a' + square_file(pos->ep), '1' + square_rank(pos->ep));
    text_append(&text, " %u %u", pos->rule50, pos->fullmove);
}

/* Puts a piece on the n-th square of a back rank that is still free. */
static void place_nth(uint8_t back_rank[8], unsigned n, uint8_t type)
{
    for (int file = 0; file < 8; file++)
        if (back_rank[file] == PIECE_TYPES && n-- == 0) {
            back_rank[file] = type;
            return;
        }
}

static void chess960_back_rank(unsigned index, uint8_t back_rank[8])
{
    static const unsigned char knights[10][2] = {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {1, 2},
                                                 {1, 3}, {1, 4}, {2, 3}, {2, 4}, {3, 4}};
    unsigned n = index % 960;
    memset(back_rank, PIECE_TYPES, 8); /* free */
    back_rank[2 * (n % 4) + 1] = BISHOP;
    n /= 4;
    back_rank[2 * (n % 4)] = BISHOP;
    n /= 4;
    place_nth(back_rank, n % 6, QUEEN);
    n /= 6;
    place_nth(back_rank, knights[n][1], KNIGHT); /* the later one first: it shifts no count */
    place_nth(back_rank, knights[n][0], KNIGHT);
    place_nth(back_rank, 0, ROOK);
    place_nth(back_rank, 0, KING);
    place_nth(back_rank, 0, ROOK);
}

void fen_chess960(unsigned index, struct position *pos)
{
    fen_double_chess960(index, index, pos);
}

void fen_double_chess960(unsigned white, unsigned black, struct position *pos)
{
    uint8_t back_ranks[2][8];
    chess960_back_rank(white, back_ranks[WHITE]);
    chess960_back_rank(black, back_ranks[BLACK]);
    position_start_with(pos, back_ranks[WHITE], back_ranks[BLACK]);
}

/* Is it a right whose king or rook is not on its standard square? */
static bool is_odd_right(const struct position *pos, int right)
{
    int color = right >> 1;
    return pos->castling & 1 << right &&
           (position_king(pos, color) != square_relative(color, E1) ||
            pos->rook_home[right] != square_relative(color, right & 1 ? A1 : H1));
}

bool fen_is_chess960(const struct position *pos)
{
    return is_odd_right(pos, 0) || is_odd_right(pos, 1) || is_odd_right(pos, 2) ||
           is_odd_right(pos, 3);
}

bool fen_drop_odd_rights(struct span fen, struct position *pos)
{
    enum { ALL = 15 };
    struct span field = {NULL, 0};
    for (int i = 0; i < 3; i++)
        field = span_token(&fen);
    for (size_t i = 0; i < field.size; i++)
        if (!memchr("KQkq", field.data[i], 4))
            return false;
    if (pos->castling == ALL && position_king(pos, WHITE) == (position_king(pos, BLACK) ^ A8))
        return false;
    for (int right = 0; right < 4; right++) {
        if (!is_odd_right(pos, right))
            continue;
        pos->castling = (uint8_t)(pos->castling & ~(1 << right));
        pos->rook_home[right] = NO_SQUARE;
    }
    pos->key = position_compute_key(pos);
    return true;
}
