/* Relations between two pieces, inputs of a network, numbered as Stockfish 19 numbers them:
 *
 *   threats  a piece attacks a piece, whichever side's they are: pawns knights and rooks; bishops
 *            and rooks all but queens and kings; knights and queens all but kings. Of two pieces of
 *            a type that attack each other, one counts.
 *   pairs    two pawns on the same file or on neighbouring ones
 *
 * They are seen from either side with the board turned so that the side plays up and mirrored so
 * that its king stands on files a to d. */
#pragma once

#include "chess/position.h"

/* Of 30 pieces beside the kings each attacks at most 8, pawns 2. Two files have 12 squares for
 * pawns and three have 18, so 12 pawns make at most 66 pairs, and 13, 14, 15 and 16 pawns 72, 79,
 * 87 and 96. With n pawns there are at most (30 - n) x 8 + n x 2 threats and these pairs: never
 * more than 240, which 0 and 16 pawns reach. */
enum { RELATED_MAX = 240 };

enum {
    RELATION_THREATS = 59808,     /* numbers of threats; those of pairs follow */
    RELATION_PAIRS = 96 * 95 / 2, /* of two pawns */
    RELATIONS = RELATION_THREATS + RELATION_PAIRS,
};

struct relations {
    int count;
    uint16_t numbers[RELATED_MAX]; /* below RELATIONS, each once, in any order */
};

/* What the numbers of relations are computed from; pieces as 6 x (own 0, enemy 1) + type. */
struct relation_table {
    int32_t first[12][12];  /* the number where those of two pieces begin; -1: they do not count */
    uint16_t place[12][64]; /* what the square of the one that attacks adds */
    uint64_t reach[12][64]; /* what a piece attacks on an empty board */
};

void relations_init(struct relation_table *table);

/* The relations of a position as `perspective` sees them. */
void relations_list(const struct relation_table *table, const struct position *pos, int perspective,
                    struct relations *out);
