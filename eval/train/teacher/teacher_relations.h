/* Relations between two pieces, inputs of a teacher's network since Stockfish 19:
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
#include "eval/train/teacher/teacher_net.h"

/* 30 pieces beside the kings, 16 of them pawns: 14 x 8 + 16 x 2 threats, 16 x 15 / 2 pairs. Without
 * pawns it is 30 x 8. */
enum { TEACHER_RELATED_MAX = 264 };

struct teacher_relations {
    int count;
    uint16_t numbers[TEACHER_RELATED_MAX]; /* below TEACHER_RELATIONS, each once, in any order */
};

/* What the numbers of relations are computed from; pieces as 6 x (own 0, enemy 1) + type. */
struct teacher_relation_table {
    int32_t first[12][12];  /* the number where those of two pieces begin; -1: they do not count */
    uint16_t place[12][64]; /* what the square of the one that attacks adds */
    uint64_t reach[12][64]; /* what a piece attacks on an empty board */
};

void teacher_relations_init(struct teacher_relation_table *table);

/* The relations of a position as `perspective` sees them. */
void teacher_relations_list(const struct teacher_relation_table *table, const struct position *pos,
                            int perspective, struct teacher_relations *out);
