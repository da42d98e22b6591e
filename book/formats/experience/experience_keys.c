/* The keys of experience files. */
#include "book/formats/experience/experience.h"
#include "chess/zobrist.h"

/* xorshift64*, as the programs fill their tables. Source: Marsaglia, "Xorshift RNGs" (2003); Vigna,
 * "An experimental exploration of Marsaglia's xorshift generators, scrambled" (2016). */
static uint64_t next_random(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * UINT64_C(2685821657736338717);
}

void experience_keys_make(enum experience_family family, struct experience_keys *out)
{
    uint64_t state = 1070372;
    for (int color = WHITE; color <= BLACK; color++)
        for (int type = PAWN; type < PIECE_TYPES; type++)
            for (int square = A1; square <= H8; square++)
                out->pieces[color][type][square] = next_random(&state);
    for (int file = 0; file < 8; file++)
        out->files[file] = next_random(&state);
    for (int rights = 0; rights <= CASTLING_ALL; rights++) {
        int others = rights & (rights - 1); /* without the lowest */
        if (family == EXPERIENCE_KEYS_B || (rights && !others))
            out->castling[rights] = next_random(&state);
        else
            out->castling[rights] =
                rights ? out->castling[others] ^ out->castling[rights ^ others] : 0;
    }
    out->black = next_random(&state);
}

/* What the plies since a capture or pawn move change in a key: from 14 on, every 8. */
static uint64_t key_of_clock(unsigned rule50)
{
    return rule50 < 14
               ? 0
               : (rule50 - 14) / 8 * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
}

uint64_t experience_key(const struct experience_keys *keys, const struct position *pos)
{
    uint64_t key = keys->castling[pos->castling & CASTLING_ALL] ^ key_of_clock(pos->rule50);
    for (uint64_t left = position_occupied(pos); left; left &= left - 1) {
        int square = bb_first(left);
        int piece = pos->board[square];
        key ^= keys->pieces[piece_color(piece)][piece_type(piece)][square];
    }
    if (pos->ep != NO_SQUARE)
        key ^= keys->files[square_file(pos->ep)];
    return pos->turn == BLACK ? key ^ keys->black : key;
}

int experience_possible_keys(const struct experience_keys *keys, const struct position *pos,
                             uint64_t out[EXPERIENCE_KEYS_MAX])
{
    const uint64_t clocks[] = {key_of_clock(pos->rule50), 0, key_of_clock(14)};
    uint64_t polyglot[2];
    int count = movegen_keys(pos, polyglot);
    out[0] = experience_key(keys, pos);
    for (int file = 0; file < 8 && count > 1; file++)
        if ((polyglot[0] ^ polyglot[1]) == zobrist_en_passant(file))
            out[1] = out[0] ^ keys->files[file];
    int found = count;
    for (int c = clocks[0] ? 1 : 2; c < 3; c++)
        for (int i = 0; i < count; i++)
            out[found++] = out[i] ^ clocks[0] ^ clocks[c];
    return found;
}
