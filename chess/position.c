#include "chess/position.h"

#include <assert.h>
#include <string.h>

#include "chess/attacks.h"
#include "chess/zobrist.h"

void position_clear(struct position *pos)
{
    memset(pos, 0, sizeof *pos);
    memset(pos->board, NO_PIECE, sizeof pos->board);
    memset(pos->rook_home, NO_SQUARE, sizeof pos->rook_home);
    pos->ep = NO_SQUARE;
    pos->fullmove = 1;
}

void position_start(struct position *pos)
{
    static const uint8_t back_rank[8] = {ROOK, KNIGHT, BISHOP, QUEEN, KING, BISHOP, KNIGHT, ROOK};
    position_start_with(pos, back_rank, back_rank);
}

void position_start_with(struct position *pos, const uint8_t white[8], const uint8_t black[8])
{
    position_clear(pos);
    for (int file = 0; file < 8; file++) {
        position_put(pos, piece_make(WHITE, white[file]), square_make(file, 0));
        position_put(pos, piece_make(WHITE, PAWN), square_make(file, 1));
        position_put(pos, piece_make(BLACK, PAWN), square_make(file, 6));
        position_put(pos, piece_make(BLACK, black[file]), square_make(file, 7));
    }
    for (int color = WHITE; color <= BLACK; color++) {
        uint64_t rooks = position_pieces(pos, color, ROOK);
        pos->rook_home[2 * color] = (uint8_t)bb_last(rooks);
        pos->rook_home[2 * color + 1] = (uint8_t)bb_first(rooks);
    }
    pos->castling = CASTLING_ALL;
    pos->key = position_compute_key(pos);
}

uint64_t position_attackers(const struct position *pos, int square, uint64_t occupied)
{
    return (attacks_pawn(WHITE, square) & position_pieces(pos, BLACK, PAWN)) |
           (attacks_pawn(BLACK, square) & position_pieces(pos, WHITE, PAWN)) |
           (attacks_knight(square) & pos->types[KNIGHT]) |
           (attacks_bishop(square, occupied) & (pos->types[BISHOP] | pos->types[QUEEN])) |
           (attacks_rook(square, occupied) & (pos->types[ROOK] | pos->types[QUEEN])) |
           (attacks_king(square) & pos->types[KING]);
}

uint64_t position_snipers(const struct position *pos, int color)
{
    int king = position_king(pos, color);
    return ((attacks_empty(ROOK, king) & (pos->types[ROOK] | pos->types[QUEEN])) |
            (attacks_empty(BISHOP, king) & (pos->types[BISHOP] | pos->types[QUEEN]))) &
           pos->colors[!color];
}

uint64_t position_blockers(const struct position *pos, int color)
{
    int king = position_king(pos, color);
    uint64_t occupied = position_occupied(pos);
    uint64_t blockers = 0;
    for (uint64_t snipers = position_snipers(pos, color); snipers;) {
        uint64_t between = attacks_between(king, bb_pop(&snipers)) & occupied;
        if (!bb_many(between))
            blockers |= between;
    }
    return blockers;
}

uint64_t position_compute_key(const struct position *pos)
{
    uint64_t key = pos->turn == WHITE ? zobrist_turn() : 0;
    for (int square = 0; square < 64; square++)
        if (pos->board[square] != NO_PIECE)
            key ^= zobrist_piece(pos->board[square], square);
    for (int right = 0; right < 4; right++)
        if (pos->castling & 1 << right)
            key ^= zobrist_castling(right);
    if (pos->ep != NO_SQUARE)
        key ^= zobrist_en_passant(square_file(pos->ep));
    return key;
}

bool position_insufficient_material(const struct position *pos)
{
    if (pos->types[PAWN] | pos->types[ROOK] | pos->types[QUEEN])
        return false;
    uint64_t minors = pos->types[KNIGHT] | pos->types[BISHOP];
    if (!bb_many(minors))
        return true;
    return !pos->types[KNIGHT] && (!(minors & BB_DARK) || !(minors & ~BB_DARK));
}

/* Playing and taking back moves --------------------------------------------------------------- */

/* Only moves of kings and rooks, and captures of rooks, end rights. */
static inline bool may_lose_rights(int piece, int captured)
{
    const unsigned rooks = 3u << 2 * ROOK;
    const unsigned kings = 3u << 2 * KING;
    return ((rooks | kings) >> piece | rooks >> captured) & 1;
}

/* The rights that end when something leaves or enters one of the two squares. */
static uint8_t rights_lost(const struct position *pos, int from, int to, int piece)
{
    unsigned lost = 0;
    if (piece_type(piece) == KING)
        lost = (unsigned)CASTLING_WHITE << 2 * piece_color(piece);
    for (int right = 0; right < 4; right++)
        if (pos->rook_home[right] == from || pos->rook_home[right] == to)
            lost |= 1u << right;
    return (uint8_t)lost;
}

static void drop_rights(struct position *pos, uint8_t lost)
{
    unsigned gone = pos->castling & lost;
    pos->castling = (uint8_t)(pos->castling & ~lost);
    for (; gone; gone &= gone - 1)
        pos->key ^= zobrist_castling(bb_first(gone));
}

static void castle(struct position *pos, int king_from, int rook_from, bool back)
{
    int us = pos->turn;
    bool is_short = rook_from > king_from;
    int king_to = castling_king_to(us, is_short);
    int rook_to = castling_rook_to(us, is_short);
    int king = piece_make(us, KING);
    int rook = piece_make(us, ROOK);

    /* Both leave before either lands: in Chess960 the squares may overlap. */
    position_lift(pos, king, back ? king_to : king_from);
    position_lift(pos, rook, back ? rook_to : rook_from);
    position_put(pos, king, back ? king_from : king_to);
    position_put(pos, rook, back ? rook_from : rook_to);
    pos->key ^= zobrist_piece(king, king_from) ^ zobrist_piece(king, king_to) ^
                zobrist_piece(rook, rook_from) ^ zobrist_piece(rook, rook_to);
}

/* Enemy pieces that attack the king of the side to move. Few sliders stand on the king's lines, so
 * each is tested alone: that touches less memory than two look-ups of slider attacks. */
static inline uint64_t find_checkers(const struct position *pos)
{
    int us = pos->turn;
    int king = position_king(pos, us);
    uint64_t occupied = position_occupied(pos);
    uint64_t checkers = ((attacks_pawn(us, king) & pos->types[PAWN]) |
                         (attacks_knight(king) & pos->types[KNIGHT])) &
                        pos->colors[!us];
    for (uint64_t snipers = position_snipers(pos, us); snipers;) {
        int square = bb_pop(&snipers);
        if (!(attacks_between(king, square) & occupied))
            checkers |= bb_square(square);
    }
    return checkers;
}

static void pass_turn(struct position *pos)
{
    if (pos->turn == BLACK && pos->fullmove < UINT16_MAX)
        pos->fullmove++;
    pos->turn ^= 1;
    pos->key ^= zobrist_turn();
}

/* The start of a move, or of passing the turn. */
static inline void begin(struct position *pos)
{
    if (pos->rule50 < UINT16_MAX)
        pos->rule50++;
    if (pos->ep != NO_SQUARE) {
        pos->key ^= zobrist_en_passant(square_file(pos->ep));
        pos->ep = NO_SQUARE;
    }
}

static inline void save(const struct position *pos, int captured, struct undo *undo)
{
    *undo = (struct undo){pos->key,      pos->checkers, pos->rule50,
                          pos->castling, pos->ep,       (uint8_t)captured};
}

static inline int captured_by(const struct position *pos, move m)
{
    return move_kind(m) == MOVE_CASTLING ? NO_PIECE : pos->board[move_to(m)];
}

/* All that a move changes but `checkers`. Part of both who make moves, for speed. */
static inline __attribute__((always_inline)) void move_pieces(struct position *pos, move m)
{
    int us = pos->turn;
    int from = move_from(m);
    int to = move_to(m);
    enum move_kind kind = move_kind(m);
    int piece = pos->board[from];
    int captured = captured_by(pos, m);
    assert(piece != NO_PIECE && piece_color(piece) == us);
    assert(captured == NO_PIECE || piece_color(captured) != us);

    begin(pos);
    if (pos->castling && may_lose_rights(piece, captured))
        drop_rights(pos, rights_lost(pos, from, to, piece));

    if (kind == MOVE_CASTLING) {
        castle(pos, from, to, false);
    } else {
        if (captured != NO_PIECE) {
            position_lift(pos, captured, to);
            pos->key ^= zobrist_piece(captured, to);
            pos->rule50 = 0;
        } else if (kind == MOVE_EN_PASSANT) {
            int victim = to ^ 8;
            position_lift(pos, piece_make(!us, PAWN), victim);
            pos->key ^= zobrist_piece(piece_make(!us, PAWN), victim);
        }
        int landed = kind == MOVE_PROMOTION ? piece_make(us, move_promotion(m)) : piece;
        position_lift(pos, piece, from);
        position_put(pos, landed, to);
        pos->key ^= zobrist_piece(piece, from) ^ zobrist_piece(landed, to);
        if (piece_type(piece) == PAWN) {
            pos->rule50 = 0;
            int behind = (from + to) / 2;
            if ((from ^ to) == 16 && (attacks_pawn(us, behind) & position_pieces(pos, !us, PAWN))) {
                pos->ep = (uint8_t)behind;
                pos->key ^= zobrist_en_passant(square_file(behind));
            }
        }
    }
    pass_turn(pos);
    assert(pos->key == position_compute_key(pos));
}

void position_make(struct position *pos, move m, struct undo *undo)
{
    save(pos, captured_by(pos, m), undo);
    move_pieces(pos, m);
    pos->checkers = find_checkers(pos);
}

void position_follow(struct position *pos, move m)
{
    move_pieces(pos, m);
}

void position_find_checkers(struct position *pos)
{
    pos->checkers = find_checkers(pos);
}

/* The end of taking back; the turn is back already. */
static void restore(struct position *pos, const struct undo *undo)
{
    if (pos->turn == BLACK && pos->fullmove < UINT16_MAX)
        pos->fullmove--;
    pos->key = undo->key;
    pos->checkers = undo->checkers;
    pos->rule50 = undo->rule50;
    pos->castling = undo->castling;
    pos->ep = undo->ep;
}

void position_unmake(struct position *pos, move m, const struct undo *undo)
{
    pos->turn ^= 1;
    int us = pos->turn;
    int from = move_from(m);
    int to = move_to(m);
    enum move_kind kind = move_kind(m);

    if (kind == MOVE_CASTLING) {
        castle(pos, from, to, true);
    } else {
        int landed = pos->board[to];
        position_lift(pos, landed, to);
        position_put(pos, kind == MOVE_PROMOTION ? piece_make(us, PAWN) : landed, from);
        if (undo->captured != NO_PIECE)
            position_put(pos, undo->captured, to);
        else if (kind == MOVE_EN_PASSANT)
            position_put(pos, piece_make(!us, PAWN), to ^ 8);
    }
    restore(pos, undo);
    assert(pos->key == position_compute_key(pos));
}

void position_make_null(struct position *pos, struct undo *undo)
{
    assert(!pos->checkers);
    save(pos, NO_PIECE, undo);
    begin(pos);
    pass_turn(pos);
    pos->checkers = 0; /* the side that passes must not stand in check, nor may its opponent */
    assert(pos->key == position_compute_key(pos));
}

void position_unmake_null(struct position *pos, const struct undo *undo)
{
    pos->turn ^= 1;
    restore(pos, undo);
}

uint64_t position_key_after(const struct position *pos, move m)
{
    int from = move_from(m);
    int to = move_to(m);
    int piece = pos->board[from];
    uint64_t key =
        pos->key ^ zobrist_turn() ^ zobrist_piece(piece, from) ^ zobrist_piece(piece, to);
    if (pos->board[to] != NO_PIECE)
        key ^= zobrist_piece(pos->board[to], to);
    return key;
}

/* Upcoming repetitions. What every move of a piece on an empty board, and the change of turn, do to
 * the key. */
enum { SLOT_BITS = 13, SLOTS = 1 << SLOT_BITS };

static uint64_t reversible_keys[SLOTS]; /* 0: no entry */
static move reversible_moves[SLOTS];    /* either way, as both change the key alike */

/* The entry of `change`, or the free one where it belongs. */
static unsigned slot_of(uint64_t change)
{
    unsigned slot = (unsigned)(change >> (64 - SLOT_BITS));
    while (reversible_keys[slot] && reversible_keys[slot] != change)
        slot = (slot + 1) % SLOTS;
    return slot;
}

static void enter_reversible_moves(int piece, int from)
{
    for (int to = from + 1; to < 64; to++) {
        if (!(attacks_empty(piece_type(piece), from) & bb_square(to)))
            continue;
        uint64_t change = zobrist_piece(piece, from) ^ zobrist_piece(piece, to) ^ zobrist_turn();
        unsigned slot = slot_of(change);
        reversible_keys[slot] = change;
        reversible_moves[slot] = move_make(from, to);
    }
}

void chess_init(void)
{
    if (attacks_empty_table[KING][0])
        return;
    attacks_init();
    for (int piece = piece_make(WHITE, KNIGHT); piece < NO_PIECE; piece++)
        for (int square = 0; square < 64; square++)
            enter_reversible_moves(piece, square);
}

bool position_upcoming_repetition(const struct position *pos, uint64_t earlier)
{
    unsigned slot = slot_of(pos->key ^ earlier);
    if (!reversible_keys[slot])
        return false;
    int from = move_from(reversible_moves[slot]);
    int to = move_to(reversible_moves[slot]);
    int piece = pos->board[pos->board[from] != NO_PIECE ? from : to];
    return piece_color(piece) == pos->turn && !(attacks_between(from, to) & position_occupied(pos));
}
