/* Questions about a single move, answered without generating the others. */
#include "chess/attacks.h"
#include "chess/movegen.h"

/* En passant is looked up among the generated moves: simple, and seldom asked. */
static bool is_listed(const struct position *pos, move m)
{
    move moves[MOVES_MAX];
    int count = movegen_legal(pos, moves);
    for (int i = 0; i < count; i++)
        if (moves[i] == m)
            return true;
    return false;
}

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

/* King and rook change places: everything between them and their new squares must be
 * empty but for themselves, and the king's way unattacked. In Chess960 the castling rook may be all
 * that shields the king's new square from a rook or queen. */
bool movegen_can_castle(const struct position *pos, int right)
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

static bool castling_is_legal(const struct position *pos, int from, int to)
{
    if (pos->checkers || from != position_king(pos, pos->turn))
        return false;
    for (int right = 2 * pos->turn; right < 2 * pos->turn + 2; right++)
        if ((pos->castling & 1 << right) && pos->rook_home[right] == to)
            return movegen_can_castle(pos, right);
    return false;
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
    if (kind == MOVE_EN_PASSANT)
        return is_listed(pos, m);
    if (kind != MOVE_PROMOTION && m >> 14)
        return false;
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
    struct undo undo;
    position_make(&after, m, &undo);
    return after.checkers != 0;
}
