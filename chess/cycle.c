#include "chess/cycle.h"

#include "chess/attacks.h"
#include "chess/zobrist.h"

/* What every move of a piece on an empty board, and the change of turn, do to the key. */
enum { SLOT_BITS = 13, SLOTS = 1 << SLOT_BITS };

static uint64_t changes[SLOTS]; /* 0: no entry */
static move moves[SLOTS];       /* either way, as both change the key alike */

/* The entry of `change`, or the free one where it belongs. */
static unsigned slot_of(uint64_t change)
{
    unsigned slot = (unsigned)(change >> (64 - SLOT_BITS));
    while (changes[slot] && changes[slot] != change)
        slot = (slot + 1) % SLOTS;
    return slot;
}

static void enter_moves(int piece, int from)
{
    for (int to = from + 1; to < 64; to++) {
        if (!(attacks_empty(piece_type(piece), from) & bb_square(to)))
            continue;
        uint64_t change = zobrist_piece(piece, from) ^ zobrist_piece(piece, to) ^ zobrist_turn();
        unsigned slot = slot_of(change);
        changes[slot] = change;
        moves[slot] = move_make(from, to);
    }
}

void cycle_init(void)
{
    for (int piece = piece_make(WHITE, KNIGHT); piece < NO_PIECE; piece++)
        for (int square = 0; square < 64; square++)
            enter_moves(piece, square);
}

bool cycle_leads_back(const struct position *pos, uint64_t earlier)
{
    unsigned slot = slot_of(pos->key ^ earlier);
    if (!changes[slot])
        return false;
    int from = move_from(moves[slot]);
    int to = move_to(moves[slot]);
    int piece = pos->board[pos->board[from] != NO_PIECE ? from : to];
    return piece_color(piece) == pos->turn && !(attacks_between(from, to) & position_occupied(pos));
}
