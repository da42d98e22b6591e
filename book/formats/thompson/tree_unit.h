/* A unit of the body of a tree, as bytes and as a struct: a move with its marks, a jump, or the
 * start of a further tree. tree_format.h describes the bytes. */
#pragma once

#include "base/text.h"

enum {
    TREE_MORE = 0x80,   /* '(' */
    TREE_LAST = 0x40,   /* ')' */
    TREE_ESCAPE = 0xC0, /* both */
    TREE_PLACE = 0x3F,

    TREE_BACK_12_MAX = 1 << 12, /* bytes that the shortest jump reaches back */
    TREE_UNIT_MAX = 2 + 255,    /* bytes of the longest unit, a start */
};

enum tree_escape {
    TREE_PLACE_64,
    TREE_PLACE_128,
    TREE_PLACE_192,
    TREE_UNPLAYED,
    TREE_JUMP_16,
    TREE_JUMP_32,
    TREE_LEAF,
    TREE_NON_BOOK,
    TREE_STYLE,
    TREE_WEIGHT_8,
    TREE_WEIGHT_16,
    TREE_WEIGHT_32,
    TREE_START,
    TREE_BACK_12 = 16,
    TREE_BACK_20 = 32,
};

enum tree_kind { TREE_MOVE, TREE_JUMP, TREE_NEW };

struct tree_unit {
    size_t at;
    size_t end; /* behind it */
    enum tree_kind kind;
    size_t target;   /* of a jump */
    struct span fen; /* of a start */
    int place;
    bool more; /* '(' */
    bool last; /* ')' */
    bool unplayed;
    bool non_book;
    bool weighted;  /* `weight` is stated */
    uint8_t styles; /* 0: not stated */
    uint32_t weight;
};

/* Reads the unit at body[at], at < size. NULL when there is one, else what is wrong with it, for a
 * message. */
const char *tree_unit_read(const uint8_t *body, size_t size, size_t at, struct tree_unit *out);

/* Reads the unit behind `unit`, of {0} the first one. False at the end of the body and at a fault.
 */
bool tree_unit_next(const uint8_t *body, size_t size, struct tree_unit *unit);

/* Writes a unit whose place in the body is `at`. A jump must lead back, by no more than
 * TREE_BACK_12_MAX bytes. Weights are not written: they are packed. Returns how many bytes it
 * takes. to: room for TREE_UNIT_MAX. */
size_t tree_unit_write(const struct tree_unit *unit, uint8_t *to);
