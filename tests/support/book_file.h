/* Small Polyglot books for tests. */
#pragma once

#include <stdio.h>
#include <string.h>

#include "chess/notation.h"

/* The last of these moves from the standard start is a book move of the position before it. */
struct book_line {
    const char *moves; /* UCI, blanks between */
    unsigned weight;
};

enum { BOOK_LINES_MAX = 64, BOOK_ENTRY_SIZE = 16 };

static inline void book_put_number(unsigned char *out, uint64_t value, int size)
{
    for (int i = size - 1; i >= 0; i--, value >>= 8)
        out[i] = (unsigned char)value;
}

static inline bool book_encode(const struct book_line *line, unsigned char *entry)
{
    struct position pos;
    position_start(&pos);
    uint64_t key = pos.key;
    move last = MOVE_NONE;
    struct span rest = span_of(line->moves);
    for (struct span token = span_token(&rest); token.size; token = span_token(&rest)) {
        struct undo undo;
        key = pos.key;
        if (move_from_uci(&pos, token, &last) != STATUS_OK)
            return false;
        position_make(&pos, last, &undo);
    }
    int promotion = move_kind(last) == MOVE_PROMOTION ? move_promotion(last) : 0;
    book_put_number(entry, key, 8);
    book_put_number(entry + 8, (uint64_t)(promotion << 12 | move_from(last) << 6 | move_to(last)),
                    2);
    book_put_number(entry + 10, line->weight, 2);
    book_put_number(entry + 12, 0, 4);
    return true;
}

/* Writes a sorted book; false when a line is illegal or the file cannot be written. */
static inline bool book_write(const char *path, const struct book_line *lines, int count)
{
    unsigned char entries[BOOK_LINES_MAX][BOOK_ENTRY_SIZE];
    if (count > BOOK_LINES_MAX)
        return false;
    for (int i = 0; i < count; i++) {
        unsigned char entry[BOOK_ENTRY_SIZE];
        if (!book_encode(&lines[i], entry))
            return false;
        int j = i;
        for (; j > 0 && memcmp(entries[j - 1], entry, 8) > 0; j--)
            memcpy(entries[j], entries[j - 1], BOOK_ENTRY_SIZE);
        memcpy(entries[j], entry, BOOK_ENTRY_SIZE);
    }
    FILE *file = fopen(path, "wb");
    if (!file)
        return false;
    bool written = fwrite(entries, BOOK_ENTRY_SIZE, (size_t)count, file) == (size_t)count;
    return fclose(file) == 0 && written;
}
