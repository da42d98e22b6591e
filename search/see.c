#include "search/see.h"

#include "chess/attacks.h"
#include "search/moves.h"

const int see_values[PIECE_TYPES + 1] = {76, 284, 300, 464, 923, 0, 0};

/* The least valuable of `attackers`; its type goes to *type. */
static int least_attacker(const struct position *pos, uint64_t attackers, int *type)
{
    for (*type = PAWN; *type < KING; ++*type)
        if (attackers & pos->types[*type])
            return bb_first(attackers & pos->types[*type]);
    return bb_first(attackers);
}

bool see_at_least(const struct position *pos, move m, int threshold)
{
    enum move_kind kind = move_kind(m);
    if (kind == MOVE_CASTLING)
        return threshold <= 0;
    int from = move_from(m);
    int to = move_to(m);
    int mover = piece_type(pos->board[from]);
    int balance = see_values[move_victim(pos, m)] - threshold;
    uint64_t occupied = position_occupied(pos) ^ bb_square(from);
    if (kind == MOVE_EN_PASSANT) {
        occupied ^= bb_square(to ^ 8);
    } else if (kind == MOVE_PROMOTION) {
        mover = move_promotion(m);
        balance += see_values[mover] - see_values[PAWN];
    }
    if (balance < 0)
        return false;
    balance -= see_values[mover];
    if (balance >= 0)
        return true;

    occupied |= bb_square(to);
    uint64_t diagonal = pos->types[BISHOP] | pos->types[QUEEN];
    uint64_t straight = pos->types[ROOK] | pos->types[QUEEN];
    uint64_t attackers = position_attackers(pos, to, occupied);
    int side = !pos->turn;
    for (;;) {
        attackers &= occupied;
        uint64_t ours = attackers & pos->colors[side];
        if (!ours)
            break;
        int type;
        int square = least_attacker(pos, ours, &type);
        /* A king takes only what nobody defends. */
        if (type == KING && (attackers & pos->colors[!side]))
            break;
        side = !side;
        balance = -balance - 1 - see_values[type];
        if (balance >= 0)
            break;
        occupied ^= bb_square(square);
        if (type == PAWN || type == BISHOP || type == QUEEN)
            attackers |= attacks_bishop(to, occupied) & diagonal;
        if (type == ROOK || type == QUEEN)
            attackers |= attacks_rook(to, occupied) & straight;
    }
    /* The side that must not move any more has lost the exchange. */
    return side != pos->turn;
}
