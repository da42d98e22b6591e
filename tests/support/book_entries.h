/* Small Polyglot books in memory. Include after cmocka.h. */
#pragma once

#include "book/book.h"
#include "book/open/open.h"
#include "book/polyglot_entry.h"
#include "chess/fen.h"
#include "chess/notation.h"

/* The position after moves in UCI notation from the standard start. Fails the test on a fault. */
static inline struct position position_by_moves(const char *moves)
{
    struct position pos;
    position_start(&pos);
    struct span rest = span_of(moves);
    for (struct span token; (token = span_token(&rest)).size;) {
        move m;
        struct undo undo;
        assert_int_equal(move_from_uci(&pos, token, &m), STATUS_OK);
        position_make(&pos, m, &undo);
    }
    return pos;
}

static inline struct position position_of(const char *fen)
{
    struct position pos;
    assert_int_equal(fen_parse(span_of(fen), &pos, NULL), STATUS_OK);
    return pos;
}

/* A stored move by its squares: "e1g1", "e7e8q". */
static inline uint16_t stored_move(const char *text)
{
    static const char promotions[] = " nbrq";
    unsigned code = (unsigned)((text[0] - 'a') << 6 | (text[1] - '1') << 9 | (text[2] - 'a') |
                               (text[3] - '1') << 3);
    for (unsigned i = 1; text[4] && i < 5; i++)
        if (text[4] == promotions[i])
            code |= i << 12;
    return (uint16_t)code;
}

struct book_bytes {
    uint8_t bytes[4096];
    size_t size;
};

/* stored: as in the file, whatever it means. */
static inline void put_raw(struct book_bytes *out, uint64_t key, uint16_t stored, uint16_t weight)
{
    struct polyglot_entry entry = {.key = key, .move = stored, .weight = weight};
    assert_true(out->size + POLYGLOT_ENTRY_SIZE <= sizeof out->bytes);
    polyglot_encode(&entry, out->bytes + out->size);
    out->size += POLYGLOT_ENTRY_SIZE;
}

static inline void put(struct book_bytes *out, uint64_t key, const char *text, uint16_t weight)
{
    put_raw(out, key, stored_move(text), weight);
}

static inline struct book *open_bytes(const struct book_bytes *bytes)
{
    struct book *book = NULL;
    struct diag diag;
    assert_int_equal(book_open_memory(bytes->bytes, bytes->size, "test", &book, &diag), STATUS_OK);
    return book;
}
