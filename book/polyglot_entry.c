#include "book/polyglot_entry.h"

#include <stdlib.h>

#include "chess/movegen.h"
#include "chess/notation.h"

struct polyglot_entry polyglot_decode(const uint8_t bytes[POLYGLOT_ENTRY_SIZE])
{
    return (struct polyglot_entry){
        .key = polyglot_key(bytes),
        .move = bytes_get_u16be(bytes + 8),
        .weight = bytes_get_u16be(bytes + 10),
        .learn = bytes_get_u32be(bytes + 12),
    };
}

void polyglot_encode(const struct polyglot_entry *entry, uint8_t bytes[POLYGLOT_ENTRY_SIZE])
{
    bytes_put_be(bytes, entry->key, 8);
    bytes_put_be(bytes + 8, entry->move, 2);
    bytes_put_be(bytes + 10, entry->weight, 2);
    bytes_put_be(bytes + 12, entry->learn, 4);
}

void polyglot_move_text(uint16_t stored, char out[8])
{
    static const char promotions[] = " nbrq???";
    out[0] = (char)('a' + (stored >> 6 & 7));
    out[1] = (char)('1' + (stored >> 9 & 7));
    out[2] = (char)('a' + (stored & 7));
    out[3] = (char)('1' + (stored >> 3 & 7));
    out[4] = '\0';
    if (stored >> 12 & 7) {
        out[4] = promotions[stored >> 12 & 7];
        out[5] = '\0';
    }
}

move polyglot_to_move(const struct position *pos, uint16_t stored)
{
    char text[8];
    move m;
    polyglot_move_text(stored, text);
    if (stored >> 15 || move_from_uci(pos, span_of(text), &m) != STATUS_OK)
        return MOVE_NONE;
    return m;
}

uint16_t polyglot_journey(move m)
{
    uint16_t stored = polyglot_from_move(m);
    if (move_kind(m) != MOVE_CASTLING)
        return stored;
    int file = move_to(m) > move_from(m) ? 6 : 2; /* g or c */
    return (uint16_t)((stored & ~63) | square_make(file, square_rank(move_from(m))));
}

bool polyglot_is_conceivable(uint16_t stored)
{
    int to = stored & 63;
    int from = stored >> 6 & 63;
    int promotion = stored >> 12;
    int files = abs(square_file(to) - square_file(from));
    int ranks = abs(square_rank(to) - square_rank(from));
    if (promotion) {
        bool last = (square_rank(from) == 6 && square_rank(to) == 7) ||
                    (square_rank(from) == 1 && square_rank(to) == 0);
        return promotion <= QUEEN && last && files <= 1;
    }
    return from != to && (files == 0 || ranks == 0 || files == ranks || files * ranks == 2);
}

int polyglot_compare(const void *a, const void *b)
{
    const struct polyglot_entry *x = a;
    const struct polyglot_entry *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    if (x->weight != y->weight)
        return x->weight > y->weight ? -1 : 1;
    return x->move < y->move ? -1 : x->move > y->move;
}
