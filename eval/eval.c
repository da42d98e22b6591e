#include "eval/eval.h"

#include <stdlib.h>

struct eval {
    char unused; /* no caches yet */
};

struct eval *eval_create(void)
{
    return calloc(1, sizeof(struct eval));
}

void eval_destroy(struct eval *eval)
{
    free(eval);
}

/* Material and a liking for the centre, White's view. */
static int piece_score(int piece, int square)
{
    static const int values[PIECE_TYPES] = {100, 320, 330, 500, 950, 0};
    int relative = square_relative(piece_color(piece), square);
    int file = square_file(relative);
    int rank = square_rank(relative);
    int center = 6 - (file > 3 ? file - 4 : 3 - file) - (rank > 3 ? rank - 4 : 3 - rank);
    int type = piece_type(piece);
    int score = values[type];
    score += type == PAWN ? 3 * rank + center : type == KING ? -4 * center : 5 * center;
    return piece_color(piece) == WHITE ? score : -score;
}

static int white_score(const struct position *pos)
{
    int score = 0;
    for (uint64_t set = position_occupied(pos); set;) {
        int square = bb_pop(&set);
        score += piece_score(pos->board[square], square);
    }
    return score;
}

int eval_score(struct eval *eval, const struct position *pos)
{
    (void)eval;
    int score = white_score(pos);
    return (pos->turn == WHITE ? score : -score) + 10;
}

void eval_explain(const struct position *pos, struct text_buffer *out)
{
    text_append(out, "Material and centre %d cp\n", white_score(pos));
}
