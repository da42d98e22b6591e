#include "engine/perft_divide.h"

#include "base/clock.h"
#include "chess/notation.h"
#include "chess/perft.h"

/* Below this depth perft() runs uninterrupted: a fraction of a second. */
enum { UNINTERRUPTED_DEPTH = 4 };

/* The leaves below `pos`, with a line for each move to `out`; NULL: without. */
static uint64_t count_below(const struct position *pos, int depth, bool chess960,
                            struct output *out, const atomic_bool *stopped)
{
    if (!out && depth <= UNINTERRUPTED_DEPTH)
        return perft(pos, depth);
    move moves[MOVES_MAX];
    int count = movegen_legal(pos, moves);
    uint64_t sum = 0;
    for (int i = 0; i < count && !atomic_load(stopped); i++) {
        struct position next = *pos;
        position_play(&next, moves[i]);
        uint64_t below = count_below(&next, depth - 1, chess960, NULL, stopped);
        sum += below;
        if (out && !atomic_load(stopped)) {
            char text[UCI_MAX];
            move_to_uci(moves[i], chess960, text);
            report_line(out, "%s: %llu", text, (unsigned long long)below);
        }
    }
    return sum;
}

void perft_divide(const struct position *pos, int depth, bool chess960, struct output *out,
                  const atomic_bool *stopped)
{
    int64_t start_ms = clock_ms();
    uint64_t sum = count_below(pos, depth, chess960, out, stopped);
    if (atomic_load(stopped)) {
        report_string(out, "perft stopped");
        return;
    }
    int64_t time_ms = clock_ms() - start_ms;
    report_string(out, "perft %d: %lld ms, %llu nodes per second", depth, (long long)time_ms,
                  (unsigned long long)(sum * 1000 / (uint64_t)(time_ms > 0 ? time_ms : 1)));
    report_line(out, "Nodes searched: %llu", (unsigned long long)sum);
}
