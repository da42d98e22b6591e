/* The `eval` command's table. */
#include "eval/endgame.h"
#include "eval/eval.h"
#include "eval/terms_king.h"
#include "eval/trace.h"

static int32_t group_sum(const struct eval_trace *trace, int color, int first, int size)
{
    int32_t sum = 0;
    for (int i = first; i < first + size; i++)
        sum += eval_weights[i] * trace->counts[color][i];
    return sum;
}

static void line(struct text_buffer *out, const char *name, int32_t white, int32_t black)
{
    if (white || black)
        text_append(out, "%-22s %6d %6d   %6d %6d   %6d %6d\n", name, pair_mg(white),
                    pair_eg(white), pair_mg(black), pair_eg(black), pair_mg(white - black),
                    pair_eg(white - black));
}

void eval_explain(const struct position *pos, struct text_buffer *out)
{
    struct eval_trace trace;
    eval_trace(pos, &trace);
    text_append(out, "%-22s %13s   %13s   %13s\n", "term", "White mg/eg", "Black mg/eg",
                "sum mg/eg");
    int first, size;
    const char *name;
    for (int i = 0; (name = eval_group(i, &first, &size)) != NULL; i++)
        if (first < W_DANGER_BASE)
            line(out, name, group_sum(&trace, WHITE, first, size),
                 group_sum(&trace, BLACK, first, size));
    line(out, "KING_DANGER", -danger_penalty(trace.danger[WHITE]),
         -danger_penalty(trace.danger[BLACK]));
    line(out, "BARE_KING", PAIR(0, trace.extra), 0);
    text_append(out, "%-22s %13s   %13s   %6d %6d\n", "sum", "", "", trace.mg, trace.eg);
    text_append(out, "phase %d of %d, endgame scale %d of %d\n", trace.phase, PHASE_MAX,
                trace.scale, SCALE_ONE);
    text_append(out, "score %d (White's view)\n", trace.score);
}
