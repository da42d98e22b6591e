/* The relations that differ between two positions, as facts about the board, and the numbers that
 * either side has for a fact: those of eval/relations.h. */
#pragma once

#include "eval/relations.h"

/* A fact about two pieces: bits 0 to 5 are the square of the one that is attacked, 6 to 11 that of
 * the one that attacks, 12 to 16 a kind, and from 17 on the piece that is attacked. A kind is one
 * of these and the piece that attacks. Of two pawns on files that touch, and of two other pieces of
 * a type that attack each other, either is said to attack. */
typedef uint32_t relation_fact;

enum {
    KIND_THREAT = 0,  /* of a piece of another type */
    KIND_EQUALS = 10, /* two of one side */
    KIND_RIVALS = 20, /* the same of two sides */
    KIND_BITS = 5,
};

struct relation_changes {
    int gone, count;                      /* the facts that are no more come first */
    relation_fact facts[2 * RELATED_MAX]; /* of one position each relation once */
};

/* The relations of `before` that are none of `after`, and the other way round. Any two positions
 * will do; the fewer pieces differ, the less there is to do. */
void relation_changes_find(const struct position *before, const struct position *after,
                           struct relation_changes *out);

/* What numbers are computed from, by facts as a side sees them: a sum of two, modulo 2^16. */
struct relation_index {
    uint16_t first[12 << KIND_BITS];      /* by the piece that is attacked, and the kind */
    uint16_t place[1 << KIND_BITS << 12]; /* by the kind and the squares */
};

void relation_index_init(struct relation_index *index);

/* A fact XOR this: the fact as `perspective` sees it, whose king stands on files e to h or not. */
static inline relation_fact relation_view(int perspective, bool mirrored)
{
    relation_fact turn = (perspective == WHITE ? 0 : 56) ^ (mirrored ? 7 : 0);
    relation_fact color = (relation_fact)perspective;
    return turn | turn << 6 | color << 12 | color << 17;
}

/* The number of a fact as it is seen. */
static inline unsigned relation_number(const struct relation_index *index, relation_fact seen)
{
    return (uint16_t)(index->first[seen >> 12] + index->place[seen & 0x1FFFF]);
}
