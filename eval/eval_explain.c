#include "eval/eval_explain.h"

#include "eval/bare_king.h"
#include "eval/eval_internal.h"

struct network_outputs {
    int used;                    /* the one that counts here */
    int values[NETWORK_OUTPUTS]; /* centipawns, White's view */
};

static struct network_outputs outputs_of(const struct network *network, const struct position *pos)
{
    const struct infer *infer = infer_kind(0);
    struct accumulator accumulator;
    struct network_outputs outputs = {.used = network_output(bb_count(position_occupied(pos)))};
    accumulator_make(network, infer, pos, &accumulator);
    for (int i = 0; i < NETWORK_OUTPUTS; i++) {
        int value = eval_centipawns(accumulator_output(network, infer, &accumulator, pos->turn, i));
        outputs.values[i] = pos->turn == WHITE ? value : -value;
    }
    return outputs;
}

/* What the score loses when the piece is not there, White's view. */
static int contribution(const struct network *network, const struct position *pos, int square)
{
    struct position without = *pos;
    int piece = pos->board[square];
    position_lift(&without, piece, square);
    struct network_outputs all = outputs_of(network, pos);
    struct network_outputs rest = outputs_of(network, &without);
    return all.values[all.used] - rest.values[rest.used];
}

static void board_with_contributions(const struct network *network, const struct position *pos,
                                     struct text_buffer *out)
{
    static const char letters[] = "PpNnBbRrQqKk.";
    for (int rank = 7; rank >= 0; rank--) {
        text_append(out, " %d ", rank + 1);
        for (int file = 0; file < 8; file++)
            text_append(out, "%7c", letters[pos->board[square_make(file, rank)]]);
        text_append(out, "\n   ");
        for (int file = 0; file < 8; file++) {
            int piece = pos->board[square_make(file, rank)];
            if (piece == NO_PIECE || piece_type(piece) == KING)
                text_append(out, "%7s", "");
            else
                text_append(out, "%+7d", contribution(network, pos, square_make(file, rank)));
        }
        text_append(out, "\n");
    }
    text_append(out, "   ");
    for (int file = 0; file < 8; file++)
        text_append(out, "%7c", "abcdefgh"[file]);
    text_append(out, "\n");
}

void eval_explain(const struct network *network, const struct position *pos,
                  struct text_buffer *out)
{
    int score;
    if (bare_king_score(pos, &score)) {
        text_append(
            out, "a bare king: scored by rule, the network is not asked\nscore %d (White's view)\n",
            eval_centipawns(pos->turn == WHITE ? score : -score));
        return;
    }
    struct network_outputs outputs = outputs_of(network, pos);
    text_append(out, "network %s\n", network->description);
    text_append(out, "under each piece the centipawns that the score would lose without it\n");
    board_with_contributions(network, pos, out);
    for (int i = 0; i < NETWORK_OUTPUTS; i++)
        text_append(out, "output %d, %2d to %2d pieces %+7d%s\n", i + 1, 4 * i + 2,
                    i == NETWORK_OUTPUTS - 1 ? 32 : 4 * i + 5, outputs.values[i],
                    i == outputs.used ? "  <- used" : "");
    text_append(out, "score %d (White's view)\n", outputs.values[outputs.used]);
}
