/* One generator, specialised by the compiler for each use: what to list (`wanted`) and whether to
 * write the moves or only count them are constants at every call.
 *
 * Legality comes from two sets computed first: the squares where a non-king move may land (`check
 * mask`: everything, or capture-or-block squares when in check) and the pinned pieces, which may
 * only move along the line to their king. Castling and en passant are checked one by one. */
#include "chess/movegen.h"
#include "chess/zobrist.h"

#include "chess/attacks.h"

#define INLINE static inline __attribute__((always_inline))

enum wanted { WANT_NOISY = 1, WANT_QUIET = 2, WANT_ALL = 3 };

struct sink {
    move *out; /* NULL: count only */
    int count;
};

INLINE void emit(struct sink *sink, bool write, move m)
{
    if (write)
        sink->out[sink->count] = m;
    sink->count++;
}

INLINE void emit_targets(struct sink *sink, bool write, int from, uint64_t targets)
{
    if (!write) {
        sink->count += bb_count(targets);
        return;
    }
    while (targets)
        emit(sink, write, move_make(from, bb_pop(&targets)));
}

/* Pawn moves that all go by the same step. */
INLINE void emit_pawns(struct sink *sink, bool write, uint64_t targets, int step)
{
    if (!write) {
        sink->count += bb_count(targets);
        return;
    }
    while (targets) {
        int to = bb_pop(&targets);
        emit(sink, write, move_make(to - step, to));
    }
}

/* Queen promotions are noisy, the lesser ones quiet unless they capture. */
INLINE void emit_promotions(struct sink *sink, bool write, enum wanted wanted, bool capture,
                            uint64_t targets, int step)
{
    bool queen = (wanted & WANT_NOISY) != 0;
    bool lesser = (wanted & (capture ? WANT_NOISY : WANT_QUIET)) != 0;
    if (!write) {
        sink->count += bb_count(targets) * ((queen ? 1 : 0) + (lesser ? 3 : 0));
        return;
    }
    while (targets) {
        int to = bb_pop(&targets);
        if (queen)
            emit(sink, write, move_make_promotion(to - step, to, QUEEN));
        for (int type = ROOK; lesser && type >= KNIGHT; type--)
            emit(sink, write, move_make_promotion(to - step, to, type));
    }
}

/* En passant can open a rank on which two pawns stood, so it is tested on the board after it. */
static bool ep_is_legal(const struct position *pos, int from, int to)
{
    int us = pos->turn;
    int king = position_king(pos, us);
    uint64_t victim = bb_square(to ^ 8);
    uint64_t occupied = (position_occupied(pos) ^ bb_square(from) ^ victim) | bb_square(to);
    return (position_attackers(pos, king, occupied) & pos->colors[!us] & ~victim) == 0;
}

/* May the side to move, which is not in check, castle by this right (its bit number)? All squares
 * between king and rook and their new squares must be empty but for these two, and no square on the
 * king's way attacked. In Chess960 the castling rook may be the only piece that shields the king's
 * new square from a rook or queen. */
static bool can_castle(const struct position *pos, int right)
{
    int us = right >> 1;
    bool is_short = (right & 1) == 0;
    int king = position_king(pos, us);
    int rook = pos->rook_home[right];
    int king_to = castling_king_to(us, is_short);
    int rook_to = castling_rook_to(us, is_short);
    uint64_t king_way = attacks_between(king, king_to) | bb_square(king_to);
    uint64_t rook_way = attacks_between(rook, rook_to) | bb_square(rook_to);
    uint64_t others = position_occupied(pos) ^ bb_square(king) ^ bb_square(rook);
    if ((king_way | rook_way) & others)
        return false;

    for (uint64_t way = king_way; way;) {
        int square = bb_pop(&way);
        if (position_attackers(pos, square, others | bb_square(rook)) & pos->colors[!us])
            return false;
    }
    uint64_t after = others | bb_square(rook_to);
    return (position_attackers(pos, king_to, after) & pos->colors[!us]) == 0;
}

INLINE void generate_pawns(const struct position *pos, struct sink *sink, bool write,
                           enum wanted wanted, int us, uint64_t check_mask, uint64_t pinned)
{
    const int up = us == WHITE ? 8 : -8;
    const uint64_t last = us == WHITE ? BB_RANK_8 : BB_RANK_1;
    const uint64_t third = us == WHITE ? bb_rank(2) : bb_rank(5);
    uint64_t pawns = position_pieces(pos, us, PAWN);
    uint64_t enemies = pos->colors[!us];
    uint64_t empty = ~position_occupied(pos);
    int king = position_king(pos, us);

    /* A pinned pawn may push along the king's file and capture along the king's diagonals. */
    uint64_t pushers = pawns & (~pinned | bb_file(square_file(king)));
    uint64_t push = bb_forward(us, pushers) & empty;
    uint64_t jump = bb_forward(us, push & third) & empty & check_mask;
    push &= check_mask;

    uint64_t free_takers = pawns & ~pinned;
    uint64_t ahead = bb_forward(us, free_takers);
    uint64_t take_east = bb_east(ahead) & enemies & check_mask;
    uint64_t take_west = bb_west(ahead) & enemies & check_mask;
    for (uint64_t stuck = pawns & pinned; stuck;) {
        int from = bb_pop(&stuck);
        uint64_t targets = attacks_pawn(us, from) & enemies & check_mask & attacks_line(king, from);
        /* A pinned pawn has at most one such target. */
        take_east |= targets & bb_east(bb_forward(us, bb_square(from)));
        take_west |= targets & bb_west(bb_forward(us, bb_square(from)));
    }

    if (wanted & WANT_QUIET) {
        emit_pawns(sink, write, push & ~last, up);
        emit_pawns(sink, write, jump, 2 * up);
    }
    if (wanted & WANT_NOISY) {
        emit_pawns(sink, write, take_east & ~last, up + 1);
        emit_pawns(sink, write, take_west & ~last, up - 1);
    }
    if ((push | take_east | take_west) & last) {
        emit_promotions(sink, write, wanted, false, push & last, up);
        emit_promotions(sink, write, wanted, true, take_east & last, up + 1);
        emit_promotions(sink, write, wanted, true, take_west & last, up - 1);
    }
    if ((wanted & WANT_NOISY) && pos->ep != NO_SQUARE) {
        for (uint64_t takers = attacks_pawn(!us, pos->ep) & pawns; takers;) {
            int from = bb_pop(&takers);
            if (ep_is_legal(pos, from, pos->ep))
                emit(sink, write, move_make_kind(from, pos->ep, MOVE_EN_PASSANT));
        }
    }
}

INLINE void generate_king(const struct position *pos, struct sink *sink, bool write, int us,
                          uint64_t targets)
{
    int king = position_king(pos, us);
    /* Without the king: it cannot flee along the line of a check. */
    uint64_t occupied = position_occupied(pos) ^ bb_square(king);
    for (targets &= attacks_king(king) & ~attacks_pawns(!us, position_pieces(pos, !us, PAWN));
         targets;) {
        int to = bb_pop(&targets);
        if (!(position_attackers(pos, to, occupied) & pos->colors[!us]))
            emit(sink, write, move_make(king, to));
    }
}

INLINE int generate_side(const struct position *pos, move *out, enum wanted wanted, bool write,
                         int us)
{
    struct sink sink = {out, 0};
    int king = position_king(pos, us);
    uint64_t occupied = position_occupied(pos);
    uint64_t goals = 0;
    if (wanted & WANT_NOISY)
        goals |= pos->colors[!us];
    if (wanted & WANT_QUIET)
        goals |= ~occupied;

    generate_king(pos, &sink, write, us, goals);
    if (bb_many(pos->checkers))
        return sink.count;

    uint64_t check_mask = ~UINT64_C(0);
    if (pos->checkers)
        check_mask = pos->checkers | attacks_between(king, bb_first(pos->checkers));
    uint64_t pinned = position_blockers(pos, us) & pos->colors[us];
    goals &= check_mask;

    generate_pawns(pos, &sink, write, wanted, us, check_mask, pinned);

    for (uint64_t set = position_pieces(pos, us, KNIGHT) & ~pinned; set;) {
        int from = bb_pop(&set);
        emit_targets(&sink, write, from, attacks_knight(from) & goals);
    }
    uint64_t diagonal = (pos->types[BISHOP] | pos->types[QUEEN]) & pos->colors[us];
    uint64_t straight = (pos->types[ROOK] | pos->types[QUEEN]) & pos->colors[us];
    for (uint64_t set = diagonal & ~pinned; set;) {
        int from = bb_pop(&set);
        emit_targets(&sink, write, from, attacks_bishop(from, occupied) & goals);
    }
    for (uint64_t set = straight & ~pinned; set;) {
        int from = bb_pop(&set);
        emit_targets(&sink, write, from, attacks_rook(from, occupied) & goals);
    }
    for (uint64_t set = diagonal & pinned; set;) {
        int from = bb_pop(&set);
        emit_targets(&sink, write, from,
                     attacks_bishop(from, occupied) & goals & attacks_line(king, from));
    }
    for (uint64_t set = straight & pinned; set;) {
        int from = bb_pop(&set);
        emit_targets(&sink, write, from,
                     attacks_rook(from, occupied) & goals & attacks_line(king, from));
    }

    if ((wanted & WANT_QUIET) && !pos->checkers)
        for (int right = 2 * us; right < 2 * us + 2; right++)
            if ((pos->castling & 1 << right) && can_castle(pos, right))
                emit(&sink, write, move_make_kind(king, pos->rook_home[right], MOVE_CASTLING));
    return sink.count;
}

INLINE int generate(const struct position *pos, move *out, enum wanted wanted, bool write)
{
    return pos->turn == WHITE ? generate_side(pos, out, wanted, write, WHITE)
                              : generate_side(pos, out, wanted, write, BLACK);
}

int movegen_legal(const struct position *pos, move *out)
{
    return generate(pos, out, WANT_ALL, true);
}

int movegen_noisy(const struct position *pos, move *out)
{
    return generate(pos, out, WANT_NOISY, true);
}

int movegen_quiet(const struct position *pos, move *out)
{
    return generate(pos, out, WANT_QUIET, true);
}

int movegen_count(const struct position *pos)
{
    return generate(pos, NULL, WANT_ALL, false);
}

/* Questions about a single move, answered without generating the others ---------------------- */

static bool pawn_reaches(const struct position *pos, int from, int to)
{
    int us = pos->turn;
    uint64_t target = bb_square(to);
    uint64_t empty = ~position_occupied(pos);
    if (attacks_pawn(us, from) & target)
        return (pos->colors[!us] & target) != 0;
    uint64_t push = bb_forward(us, bb_square(from)) & empty;
    if (push & target)
        return true;
    uint64_t home = us == WHITE ? bb_rank(1) : bb_rank(6);
    return (bb_square(from) & home) && (bb_forward(us, push) & empty & target);
}

static bool king_is_safe_after(const struct position *pos, int from, int to)
{
    int us = pos->turn;
    int king = position_king(pos, us);
    uint64_t target = bb_square(to);
    uint64_t occupied = (position_occupied(pos) ^ bb_square(from)) | target;
    uint64_t enemies = pos->colors[!us] & ~target;
    return (position_attackers(pos, from == king ? to : king, occupied) & enemies) == 0;
}

static bool castling_is_legal(const struct position *pos, int from, int to)
{
    if (pos->checkers || from != position_king(pos, pos->turn))
        return false;
    for (int right = 2 * pos->turn; right < 2 * pos->turn + 2; right++)
        if ((pos->castling & 1 << right) && pos->rook_home[right] == to)
            return can_castle(pos, right);
    return false;
}

bool movegen_castles(const struct position *pos, int right)
{
    int king = position_king(pos, pos->turn);
    uint64_t attackers = position_attackers(pos, king, position_occupied(pos));
    return (pos->castling & 1 << right) && !(attackers & pos->colors[!pos->turn]) &&
           can_castle(pos, right);
}

bool movegen_is_legal(const struct position *pos, move m)
{
    int from = move_from(m);
    int to = move_to(m);
    int us = pos->turn;
    enum move_kind kind = move_kind(m);

    if (!(pos->colors[us] & bb_square(from)))
        return false;
    int type = piece_type(pos->board[from]);
    if (kind != MOVE_PROMOTION && m >> 14)
        return false;
    if (kind == MOVE_EN_PASSANT)
        return type == PAWN && to == pos->ep && (attacks_pawn(us, from) & bb_square(to)) &&
               ep_is_legal(pos, from, to);
    if (kind == MOVE_CASTLING)
        return castling_is_legal(pos, from, to);
    if (pos->colors[us] & bb_square(to))
        return false;
    if (type == PAWN) {
        bool last = (bb_square(to) & (BB_RANK_1 | BB_RANK_8)) != 0;
        if (last != (kind == MOVE_PROMOTION) || !pawn_reaches(pos, from, to))
            return false;
    } else if (kind != MOVE_NORMAL ||
               !(attacks_piece(type, from, position_occupied(pos)) & bb_square(to))) {
        return false;
    }
    return king_is_safe_after(pos, from, to);
}

bool movegen_gives_check(const struct position *pos, move m)
{
    int us = pos->turn;
    int from = move_from(m);
    int to = move_to(m);
    int king = position_king(pos, !us);
    enum move_kind kind = move_kind(m);
    uint64_t target = bb_square(king);

    if (kind == MOVE_NORMAL) {
        int type = piece_type(pos->board[from]);
        uint64_t occupied = (position_occupied(pos) ^ bb_square(from)) | bb_square(to);
        if (type == PAWN ? attacks_pawn(us, to) & target
                         : attacks_piece(type, to, occupied) & target)
            return type != KING;
        /* Discovered: only a slider on a line that the mover leaves. */
        if (!(attacks_line(king, from) & pos->colors[us] &
              (pos->types[BISHOP] | pos->types[ROOK] | pos->types[QUEEN])))
            return false;
        uint64_t sliders =
            (attacks_bishop(king, occupied) & (pos->types[BISHOP] | pos->types[QUEEN])) |
            (attacks_rook(king, occupied) & (pos->types[ROOK] | pos->types[QUEEN]));
        return (sliders & pos->colors[us] & ~bb_square(from)) != 0;
    }
    struct position after = *pos;
    position_play(&after, m);
    return after.checkers != 0;
}

static uint64_t count_leaves(struct position *pos, int depth)
{
    if (depth <= 1)
        return (uint64_t)movegen_count(pos);
    move moves[MOVES_MAX];
    int count = movegen_legal(pos, moves);
    uint64_t leaves = 0;
    for (int i = 0; i < count; i++) {
        struct undo undo;
        position_make(pos, moves[i], &undo);
        leaves += count_leaves(pos, depth - 1);
        position_unmake(pos, moves[i], &undo);
    }
    return leaves;
}

uint64_t perft(const struct position *pos, int depth)
{
    struct position copy = *pos;
    return depth <= 0 ? 1 : count_leaves(&copy, depth);
}

bool movegen_takes_en_passant(const struct position *pos, int square)
{
    struct position passed = *pos;
    move moves[MOVES_MAX];
    passed.ep = (uint8_t)square;
    int count = movegen_legal(&passed, moves);
    while (count > 0 && move_kind(moves[count - 1]) != MOVE_EN_PASSANT)
        count--;
    return count > 0;
}

int movegen_keys(const struct position *pos, uint64_t out[2])
{
    int pawn = piece_make(pos->turn, PAWN);
    out[0] = out[1] = pos->key;
    for (int file = 0; file < 8; file++) {
        int square = square_make(file, pos->turn == WHITE ? 5 : 2);
        int taken = square_make(file, pos->turn == WHITE ? 4 : 3);
        if ((pos->ep != NO_SQUARE && pos->ep != square) || pos->board[square] != NO_PIECE ||
            pos->board[taken] != piece_make(!pos->turn, PAWN) ||
            ((file == 0 || pos->board[taken - 1] != pawn) &&
             (file == 7 || pos->board[taken + 1] != pawn)) ||
            movegen_takes_en_passant(pos, square))
            continue;
        out[1] = pos->key ^ zobrist_en_passant(file);
        return 2;
    }
    return 1;
}
