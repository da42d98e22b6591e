/* It is long because moves are written and read here in all the ways that games have them. */
#include "chess/notation.h"

#include <string.h>

#include "chess/keeps_king.h"

static const char type_letters[] = "PNBRQK";

static char *write_square(char *out, int square)
{
    *out++ = (char)('a' + square_file(square));
    *out++ = (char)('1' + square_rank(square));
    return out;
}

void move_to_uci(move m, bool chess960, char out[UCI_MAX])
{
    if (m == MOVE_NONE || m == MOVE_NULL) {
        memcpy(out, "0000", 5);
        return;
    }
    int from = move_from(m);
    int to = move_to(m);
    if (move_kind(m) == MOVE_CASTLING && !chess960)
        to = square_make(to > from ? 6 : 2, square_rank(from));
    out = write_square(write_square(out, from), to);
    if (move_kind(m) == MOVE_PROMOTION)
        *out++ = "pnbrqk"[move_promotion(m)];
    *out = '\0';
}

/* A square at text[at], or NO_SQUARE. */
static int read_square(struct span text, size_t at)
{
    if (at + 2 > text.size)
        return NO_SQUARE;
    int file = text.data[at] - 'a';
    int rank = text.data[at + 1] - '1';
    return file >= 0 && file < 8 && rank >= 0 && rank < 8 ? square_make(file, rank) : NO_SQUARE;
}

/* The piece type of a letter in either case; -1 when it is none of NBRQ. */
static int read_type(char c)
{
    for (int type = KNIGHT; type <= QUEEN; type++)
        if (c == type_letters[type] || c == (type_letters[type] | 0x20))
            return type;
    return -1;
}

/* The castling move that is meant by a king move from -> to, or MOVE_NONE. */
static move castling_meant(const struct position *pos, int from, int to)
{
    int us = pos->turn;
    for (int right = 2 * us; right < 2 * us + 2; right++) {
        if (!(pos->castling & 1 << right))
            continue;
        int rook = pos->rook_home[right];
        /* One step is a plain king move unless it takes the rook. */
        bool to_goal = to == castling_king_to(us, rook > from) &&
                       !(attacks_king(from) & bb_square(to)) && from != to;
        if (to == rook || to_goal)
            return move_make_kind(from, rook, MOVE_CASTLING);
    }
    return MOVE_NONE;
}

enum caxton_status move_from_uci(const struct position *pos, struct span text, move *out)
{
    int from = read_square(text, 0);
    int to = read_square(text, 2);
    if (from == NO_SQUARE || to == NO_SQUARE || text.size > 5)
        return STATUS_SYNTAX;
    int promotion = text.size == 5 ? read_type(text.data[4]) : PAWN;
    if (promotion < 0)
        return STATUS_SYNTAX;

    int piece = pos->board[from];
    move m = move_make(from, to);
    if (promotion != PAWN)
        m = move_make_promotion(from, to, promotion);
    else if (piece == piece_make(pos->turn, PAWN) && to == pos->ep)
        m = move_make_kind(from, to, MOVE_EN_PASSANT);
    else if (piece == piece_make(pos->turn, KING) && castling_meant(pos, from, to) != MOVE_NONE)
        m = castling_meant(pos, from, to);
    if (!movegen_is_legal(pos, m))
        return STATUS_ILLEGAL;
    *out = m;
    return STATUS_OK;
}

/* Pieces of `type` and of the side to move that can legally go to `to` (no castling, no pawns). */
static uint64_t legal_sources(const struct position *pos, int type, int to, uint64_t among)
{
    int us = pos->turn;
    if (pos->colors[us] & bb_square(to))
        return 0;
    uint64_t sources = position_pieces(pos, us, type) & attacks_empty(type, to) & among;
    uint64_t legal = 0;
    while (sources) {
        int from = bb_pop(&sources);
        bool is_open = !(attacks_between(from, to) & position_occupied(pos));
        if (is_open && keeps_king(pos, move_make(from, to)))
            legal |= bb_square(from);
    }
    return legal;
}

/* Piece letter and, where another such piece can go there, the file, rank or both of the origin. */
static char *write_piece(const struct position *pos, move m, char *out)
{
    int from = move_from(m);
    int type = piece_type(pos->board[from]);
    *out++ = type_letters[type];
    uint64_t rivals = legal_sources(pos, type, move_to(m), ~bb_square(from));
    if (!rivals)
        return out;
    bool file_shared = (rivals & bb_file(square_file(from))) != 0;
    bool rank_shared = (rivals & bb_rank(square_rank(from))) != 0;
    if (!file_shared || rank_shared)
        *out++ = (char)('a' + square_file(from));
    if (file_shared)
        *out++ = (char)('1' + square_rank(from));
    return out;
}

void move_to_san(const struct position *pos, move m, char out[SAN_MAX])
{
    char *end = out;
    int from = move_from(m);
    int to = move_to(m);
    bool pawn = piece_type(pos->board[from]) == PAWN;

    if (move_kind(m) == MOVE_CASTLING) {
        memcpy(end, "O-O-O", 5);
        end += to > from ? 3 : 5;
    } else {
        if (!pawn)
            end = write_piece(pos, m, end);
        if (position_is_capture(pos, m)) {
            if (pawn)
                *end++ = (char)('a' + square_file(from));
            *end++ = 'x';
        }
        end = write_square(end, to);
        if (move_kind(m) == MOVE_PROMOTION) {
            *end++ = '=';
            *end++ = type_letters[move_promotion(m)];
        }
    }
    struct position after = *pos;
    position_play(&after, m);
    if (position_in_check(&after))
        *end++ = movegen_count(&after) ? '+' : '#';
    *end = '\0';
}

static enum caxton_status castling_from_san(const struct position *pos, struct span text, move *out)
{
    if (text.size != 3 && text.size != 5)
        return STATUS_SYNTAX;
    for (size_t i = 0; i < text.size; i++)
        if (text.data[i] != (i % 2 ? '-' : text.data[0]))
            return STATUS_SYNTAX;
    int right = 2 * pos->turn + (text.size == 5);
    if (!(pos->castling & 1 << right))
        return STATUS_ILLEGAL;
    move m = move_make_kind(position_king(pos, pos->turn), pos->rook_home[right], MOVE_CASTLING);
    if (!movegen_is_legal(pos, m))
        return STATUS_ILLEGAL;
    *out = m;
    return STATUS_OK;
}

static bool is_rank(char c)
{
    return c >= '1' && c <= '8';
}

/* Removes what may follow a move: "e.p.", signs of check and mate, of opinion and of evaluation. */
static struct span strip_suffix(struct span text)
{
    while (text.size && !is_rank(text.data[text.size - 1])) {
        const char *last = &text.data[text.size - 1];
        bool minus = text.size > 3 && memcmp(last - 2, "\u2212", 3) == 0;
        if (!minus && !memchr("+#!?=-/", *last, 7))
            break;
        text.size -= minus ? 3 : 1;
    }
    if (text.size <= 4 || is_rank(text.data[text.size - 1]))
        return text;
    if (memcmp(text.data + text.size - 4, "e.p.", 4) == 0)
        text.size -= 4;
    else if (memcmp(text.data + text.size - 2, "ep", 2) == 0)
        text.size -= 2;
    return text;
}

/* Takes "=Q", "(Q)", "/Q" or "Q" off the end; PAWN when there is none, -1 when it is wrong. */
static int strip_promotion(struct span *text)
{
    struct span t = *text;
    bool bracket = t.size && t.data[t.size - 1] == ')';
    if (bracket)
        t.size--;
    if (!t.size || is_rank(t.data[t.size - 1]))
        return bracket ? -1 : PAWN;
    int type = read_type(t.data[t.size - 1]);
    if (type < 0)
        return -1;
    t.size--;
    char before = t.size ? t.data[t.size - 1] : '\0';
    if (bracket ? before == '(' : before == '=' || before == '/')
        t.size--;
    else if (bracket)
        return -1;
    *text = t;
    return type;
}

/* What SAN says of a move. */
struct san {
    int type;
    int to;
    int promotion;      /* PAWN = none */
    uint64_t from_mask; /* where the mover may stand */
    bool takes;         /* a capture, or the origin is given, which allows one */
};

/* U+2654 to U+265F: king to pawn, White's before Black's. */
enum { FIGURINE_SIZE = 3, FIGURINE_FIRST = 0x94, FIGURINES = 12 };

size_t figurine_size(struct span text)
{
    bool found = text.size >= FIGURINE_SIZE && memcmp(text.data, "\xE2\x99", 2) == 0 &&
                 (uint8_t)text.data[2] >= FIGURINE_FIRST &&
                 (uint8_t)text.data[2] < FIGURINE_FIRST + FIGURINES;
    return found ? FIGURINE_SIZE : 0;
}

/* Takes the piece's letter or figurine off the front. False when there is another letter. */
static bool take_type(struct span *text, int *type)
{
    static const int figurines[] = {KING, QUEEN, ROOK, BISHOP, KNIGHT, PAWN};
    *type = PAWN;
    if (text->size && text->data[0] >= 'A' && text->data[0] <= 'Z') {
        char letter = text->data[0];
        *type = letter == 'K' ? KING : letter == 'P' ? PAWN : read_type(letter);
        *text = span_from(*text, 1);
    } else if (figurine_size(*text)) {
        *type = figurines[((uint8_t)text->data[2] - FIGURINE_FIRST) % 6];
        *text = span_from(*text, FIGURINE_SIZE);
    }
    return *type >= 0;
}

static enum caxton_status parse_san(struct span text, struct san *out)
{
    text = strip_suffix(text);
    size_t at = 0;
    out->from_mask = ~UINT64_C(0);
    if (!take_type(&text, &out->type))
        return STATUS_SYNTAX;
    out->promotion = out->type == PAWN ? strip_promotion(&text) : PAWN;
    if (out->promotion < 0 || text.size < at + 2)
        return STATUS_SYNTAX;
    out->to = read_square(text, text.size - 2);
    if (out->to == NO_SQUARE)
        return STATUS_SYNTAX;
    /* Between piece and goal square: file, rank, and one of x : - in that order, each optional. */
    size_t end = text.size - 2;
    if (at < end && text.data[at] >= 'a' && text.data[at] <= 'h')
        out->from_mask &= bb_file(text.data[at++] - 'a');
    if (at < end && is_rank(text.data[at]))
        out->from_mask &= bb_rank(text.data[at++] - '1');
    out->takes = out->from_mask != ~UINT64_C(0);
    if (at < end && (text.data[at] == 'x' || text.data[at] == ':' || text.data[at] == '-'))
        out->takes |= text.data[at++] != '-';
    return at == end ? STATUS_OK : STATUS_SYNTAX;
}

/* Pawns that can reach san->to: by a push, or by a capture where a piece stands. */
static uint64_t pawn_sources(const struct position *pos, const struct san *san)
{
    int us = pos->turn;
    uint64_t goal = bb_square(san->to);
    uint64_t pawns = position_pieces(pos, us, PAWN);
    if (san->to == pos->ep || (pos->colors[!us] & goal))
        return san->takes ? attacks_pawn(!us, san->to) & pawns & san->from_mask : 0;
    if (position_occupied(pos) & goal)
        return 0;
    uint64_t behind = bb_forward(!us, goal);
    if (!(behind & position_occupied(pos)))
        behind = bb_forward(!us, behind) & (us == WHITE ? bb_rank(1) : bb_rank(6));
    return behind & pawns & san->from_mask;
}

static enum caxton_status pawn_from_san(const struct position *pos, const struct san *san,
                                        move *out)
{
    bool last = (bb_square(san->to) & (BB_RANK_1 | BB_RANK_8)) != 0;
    if (last != (san->promotion != PAWN))
        return STATUS_ILLEGAL;
    uint64_t sources = pawn_sources(pos, san);
    move found = MOVE_NONE;
    while (sources) {
        int from = bb_pop(&sources);
        move m = move_make(from, san->to);
        if (last)
            m = move_make_promotion(from, san->to, san->promotion);
        else if (san->to == pos->ep && square_file(from) != square_file(san->to))
            m = move_make_kind(from, san->to, MOVE_EN_PASSANT);
        if (!keeps_king(pos, m))
            continue;
        if (found != MOVE_NONE)
            return STATUS_AMBIGUOUS;
        found = m;
    }
    if (found == MOVE_NONE)
        return STATUS_ILLEGAL;
    *out = found;
    return STATUS_OK;
}

enum caxton_status move_from_san(const struct position *pos, struct span text, move *out)
{
    if (text.size && (text.data[0] == 'O' || text.data[0] == '0' || text.data[0] == 'o'))
        return castling_from_san(pos, strip_suffix(text), out);
    struct san san;
    enum caxton_status status = parse_san(text, &san);
    if (status != STATUS_OK)
        return status;
    if (san.type == PAWN)
        return pawn_from_san(pos, &san, out);
    uint64_t sources = legal_sources(pos, san.type, san.to, san.from_mask);
    if (!sources)
        return STATUS_ILLEGAL;
    if (bb_many(sources))
        return STATUS_AMBIGUOUS;
    *out = move_make(bb_first(sources), san.to);
    return STATUS_OK;
}

/* Both squares, whatever stands around them: f1b5+, d8xd5, g1-f3, Ke1-g1, e7-e8=Q. */
static enum caxton_status move_from_long(const struct position *pos, struct span text, move *out)
{
    text = strip_suffix(text);
    int promotion = strip_promotion(&text);
    int type;
    bool is_named = text.size && (text.data[0] < 'a' || text.data[0] > 'h');
    if (promotion < 0 || !take_type(&text, &type) || text.size < 4)
        return STATUS_SYNTAX;
    size_t to = 2 + (memchr("x:-", text.data[2], 3) != NULL);
    if (text.size != to + 2 || read_square(text, 0) == NO_SQUARE ||
        (is_named && piece_type(pos->board[read_square(text, 0)]) != type))
        return STATUS_SYNTAX;
    char uci[] = {text.data[0], text.data[1], text.data[to], text.data[to + 1],
                  type_letters[promotion]};
    return move_from_uci(pos, span_make(uci, promotion == PAWN ? 4 : 5), out);
}

enum caxton_status move_from_text(const struct position *pos, struct span text, move *out)
{
    enum caxton_status status = move_from_san(pos, text, out);
    return status != STATUS_OK && move_from_long(pos, text, out) == STATUS_OK ? STATUS_OK : status;
}

struct span move_text_extend(struct span word, const char *end)
{
    const char *at = word.data + word.size;
    size_t left = (size_t)(end - at);
    if (left >= 3 && at[0] == '(' && (at[-1] == '8' || at[-1] == '1') && read_type(at[1]) >= 0 &&
        at[2] == ')') {
        word.size += 3;
        while (word.data + word.size < end &&
               (word.data[word.size] == '+' || word.data[word.size] == '#'))
            word.size++;
    } else if (left >= 2 && at[-1] == 'e' && at[0] == '.' && at[1] == 'p') {
        word.size += left >= 3 && at[2] == '.' ? 3 : 2;
    }
    return word;
}

bool move_is_en_passant_sign(struct span word)
{
    return span_equal(word, "e.p.") || span_equal(word, "e.p") || span_equal(word, "ep");
}

bool move_is_null_text(struct span text)
{
    return span_equal(text, "--") || span_equal(text, "Z0") || span_equal_nocase(text, "null") ||
           span_equal_nocase(text, "pass");
}

size_t move_number_size(struct span text)
{
    size_t digits = 0;
    while (digits < text.size && text.data[digits] >= '0' && text.data[digits] <= '9')
        digits++;
    size_t size = digits;
    while (size < text.size && text.data[size] == '.')
        size++;
    bool ends = size == text.size || memchr(" \t\r\n", text.data[size], 4);
    return digits && (size > digits || ends) ? size : 0;
}
