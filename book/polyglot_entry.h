/* One entry of a Polyglot book: sixteen bytes, big-endian.
 * Source: http://hgm.nubati.net/book_format.html */
#pragma once

#include "base/bytes.h"
#include "chess/position.h"

enum { POLYGLOT_ENTRY_SIZE = 16, POLYGLOT_WEIGHT_MAX = 65535 };

struct polyglot_entry {
    uint64_t key;
    uint16_t move; /* as stored: to 0..5, from 6..11, promotion 12..14; castling takes the rook */
    uint16_t weight;
    uint32_t learn;
};

/* The key of an entry. Inline: a search through a book reads many. */
static inline uint64_t polyglot_key(const uint8_t bytes[POLYGLOT_ENTRY_SIZE])
{
    return bytes_get_u64be(bytes);
}

struct polyglot_entry polyglot_decode(const uint8_t bytes[POLYGLOT_ENTRY_SIZE]);
void polyglot_encode(const struct polyglot_entry *entry, uint8_t bytes[POLYGLOT_ENTRY_SIZE]);

/* The stored move as a legal move of `pos`, MOVE_NONE when it is none. Castling written as the
 * king's journey (e1g1), found in some books, is understood. */
move polyglot_to_move(const struct position *pos, uint16_t stored);
/* How a legal move is stored. */
static inline uint16_t polyglot_from_move(move m)
{
    unsigned promotion = 0;
    if (move_kind(m) == MOVE_PROMOTION)
        promotion = (unsigned)(move_promotion(m) - KNIGHT + 1);
    return (uint16_t)((unsigned)move_to(m) | (unsigned)move_from(m) << 6 | promotion << 12);
}
/* The same, but castling as the king's journey. */
uint16_t polyglot_journey(move m);

/* The stored move as UCI text without a position: e1h1 for castling. */
void polyglot_move_text(uint16_t stored, char out[8]);

/* Could any piece make the stored move on an empty board: a queen's line, a knight's jump, a
 * promotion where pawns promote? True of every move of a book, of 3 in 100 random ones. */
bool polyglot_is_conceivable(uint16_t stored);

/* The order of entries in a book: by key, then heaviest first, then by move. For qsort(). */
int polyglot_compare(const void *a, const void *b);
