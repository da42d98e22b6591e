#include "engine/bench.h"

#include <assert.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/key_table.h"
#include "base/rng.h"
#include "base/thread.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/notation.h"
#include "search/search.h"

/* Openings, middlegames quiet and sharp, endings of every kind, Chess960, mates and ends. */
static const char *const positions[] = {
    /* openings */
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r1bqkbnr/1ppp1ppp/p1n5/4p3/B3P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 1 4",
    "rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 0 6",
    "rnbq1rk1/ppp1ppbp/3p1np1/8/2PPP3/2N2N2/PP2BPPP/R1BQK2R b KQ - 3 6",
    "rnbqkb1r/pp2pppp/2p2n2/3p4/2PP4/2N2N2/PP2PPPP/R1BQKB1R b KQkq - 3 4",
    "r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2PP1N2/PP3PPP/RNBQK2R b KQkq - 0 5",
    "rnbqk1nr/pp3ppp/4p3/2ppP3/1b1P4/2N5/PPP2PPP/R1BQKBNR w KQkq c6 0 5",
    "rn1qkb1r/pbpp1ppp/1p2pn2/8/2PP4/5NP1/PP2PP1P/RNBQKB1R w KQkq - 1 5",
    /* middlegames */
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r1bq1rk1/pp2bppp/2n1pn2/2pp4/2PP4/1PN1PN2/PB3PPP/R2QKB1R w KQ - 2 9",
    "2rq1rk1/pb1n1ppN/4p3/1pb5/3P1Pn1/P1N5/1PQ1B1PP/R1B2RK1 b - - 0 16",
    "r2q1rk1/1b1nbppp/pp1ppn2/8/2PNP3/1PN1BP2/P3B1PP/R2Q1RK1 w - - 4 12",
    "r1b2rk1/2q1bppp/p2ppn2/1pn5/3NPP2/P1N1B3/1PP1B1PP/R2Q1R1K w - - 2 13",
    "3r1rk1/p1q2ppp/1pn1p3/2pbP3/3p1P2/P2P2PB/1PPQN2P/R4RK1 b - - 3 18",
    "r4rk1/pp3ppp/2pb1n2/q2p1b2/3P4/2PBPN2/P2B1PPP/R2Q1RK1 b - - 4 12",
    "2r2rk1/1p1bqppp/p2ppb2/8/P2BP3/2N2P2/1PPQ2PP/3R1R1K w - - 3 18",
    "r1bq1r1k/1pp1nnbp/p2p2p1/3Ppp2/2P1P3/2N1BP2/PP1QNB1P/R4RK1 w - - 0 15",
    "4rrk1/pp1n3p/3q2pQ/2p1pb2/2PP4/2P3N1/P2B2PP/4RRK1 b - - 7 19",
    "1k1r3r/pp2qpp1/2p1b2p/4P3/3Pn3/P1Q1BN2/1P3PPP/2R2RK1 w - - 1 19",
    "r2qk2r/1p1bbppp/p1n1pn2/1N1p4/3P1B2/3BP3/PP1N1PPP/R2Q1RK1 w kq - 0 11",
    "2kr3r/ppqn1pp1/2pbp2p/8/3PQ2P/5NP1/PPPB1P2/2KRR3 b - - 2 17",
    "r5k1/pbq1bppp/1pn1p3/8/2PN4/1P2Q1P1/PB3PBP/2r1R1K1 w - - 0 21",
    /* endings */
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/8/1p1k1p2/p1pPp1p1/P1P1P1P1/1P3P2/4K3/8 w - - 0 40",
    "8/5pk1/6p1/R6p/5P1P/6P1/r4K2/8 w - - 1 45",
    "8/p4pkp/1p2b1p1/3pP3/3B1P2/1P3KP1/P6P/8 b - - 2 34",
    "6k1/5p1p/6p1/2n5/1pB5/1P3P2/5KPP/8 w - - 0 37",
    "8/8/4kpp1/1p1b4/p3PK2/P3B1P1/1P6/8 b - - 0 44",
    "1r6/5pk1/R3p1p1/3pP2p/3P1P1P/2r1N1P1/5K2/8 w - - 5 41",
    "3q2k1/5pp1/4p2p/1p1pP3/1P1P1Q2/6P1/5P1P/6K1 w - - 0 33",
    "4k3/8/8/3QK3/8/8/8/1q6 w - - 0 60",
    "8/8/8/2k5/8/2KBN3/8/8 w - - 0 80",
    "8/1P4k1/8/8/1r6/8/8/1R4K1 w - - 0 55",
    "8/3k4/2p5/1pPp1p2/pP1PpPp1/P3P1Pp/3K3P/8 w - - 0 50",
    /* Chess960 */
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9",
    "rkbb1nqr/p1pp1ppp/1pn1p3/8/2PP4/3NP3/PP3PPP/RKBB1NQR w HAha - 0 5",
    /* mates, near and done, and a stalemate */
    "r1b1k2r/ppppnppp/2n2q2/2b5/3NP3/2P1B3/PP3PPP/RN1QKB1R w KQkq - 0 7",
    "8/8/8/8/5kp1/P7/8/1K1N4 w - - 0 1",
    "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 30",
    "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
    "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
};

enum { POSITION_COUNT = sizeof positions / sizeof *positions, BEFORE_ENDINGS = 22 };

/* Searches what `request` says; all is zero when it was stopped before. */
static struct search_result run_search(struct search *search, const struct search_request *request,
                                       const atomic_bool *stopped)
{
    static const struct search_reporter silent = {0};
    struct search_result result = {0};
    search_arm(search, false, clock_ms());
    if (!atomic_load(stopped)) /* looked at after arming, which would forget search_stop() */
        search_run(search, request, &silent, &result);
    return result;
}

/* One of the positions; each is a good FEN. */
static void request_position(struct search_request *request, int index)
{
    search_request_init(request);
    enum caxton_status status = fen_parse(span_of(positions[index]), &request->root, NULL);
    assert(status == STATUS_OK);
    (void)status;
}

bool bench_run(const struct bench_task *task, struct search *search, struct output *out,
               const atomic_bool *stopped)
{
    int64_t start_ms = clock_ms();
    unsigned long long sum = 0;
    for (int i = 0; i < POSITION_COUNT; i++) {
        struct search_request request;
        request_position(&request, i);
        request.depth = task->depth;
        search_clear(search);
        uint64_t nodes = run_search(search, &request, stopped).nodes;
        if (atomic_load(stopped)) {
            report_string(out, "bench stopped");
            return true;
        }
        report_line(out, "%2d/%d %12llu  %s", i + 1, POSITION_COUNT, (unsigned long long)nodes,
                    positions[i]);
        sum += nodes;
    }
    int64_t time_ms = clock_ms() - start_ms;
    unsigned long long nps = sum * 1000 / (unsigned long long)(time_ms > 0 ? time_ms : 1);
    report_line(out, "Time:  %lld ms", (long long)time_ms);
    report_line(out, "Speed: %llu nodes per second", nps);
    report_line(out, "%llu nodes %llu nps", sum, nps); /* as OpenBench reads it */
    report_line(out, "Bench: %llu", sum);
    return true;
}

/* speedtest ------------------------------------------------------------------------------------ */

bool speedtest_run(const struct bench_task *task, struct search *search, struct output *out,
                   const atomic_bool *stopped)
{
    uint64_t sum = 0;
    int64_t start_ms = 0;
    if (search_set_hash(search, task->hash_mb) != STATUS_OK ||
        search_set_threads(search, task->threads) != STATUS_OK) {
        report_string(out, "speedtest: no %d threads or no %d MB", task->threads, task->hash_mb);
        return false;
    }
    search_clear(search);
    for (int i = -1; i < BEFORE_ENDINGS; i++) {
        struct search_request request;
        request_position(&request, i < 0 ? 0 : i);
        request.movetime_ms = INT64_C(1000) * task->seconds / BEFORE_ENDINGS;
        if (i == 0)
            start_ms = clock_ms();
        struct search_result result = run_search(search, &request, stopped);
        if (atomic_load(stopped)) {
            report_string(out, "speedtest stopped");
            return true;
        }
        if (i < 0)
            continue;
        report_line(out, "%2d/%d  depth %3d %14llu  %s", i + 1, BEFORE_ENDINGS, result.depth,
                    (unsigned long long)result.nodes, positions[i]);
        sum += result.nodes;
    }
    int64_t time_ms = clock_ms() - start_ms;
    report_line(out, "Threads:   %d of %d processors", task->threads,
                thread_processors(SEARCH_THREADS_MAX));
    report_line(out, "Hash:      %d MB", task->hash_mb);
    report_line(out, "Time:      %lld ms", (long long)time_ms);
    report_line(out, "Nodes:     %llu", (unsigned long long)sum);
    report_line(out, "Speed:     %llu nodes per second",
                (unsigned long long)(sum * 1000 / (uint64_t)(time_ms > 0 ? time_ms : 1)));
    return true;
}

/* genfens -------------------------------------------------------------------------------------- */

enum {
    RANDOM_PLIES = 8,      /* or one more, from the start of a game */
    RANDOM_BOOK_PLIES = 4, /* likewise, from a position of a book */
    GENFENS_NODES = 1000,
    GENFENS_SCORE_MAX = 300, /* centipawns */
    GENFENS_TRIES = 10000,   /* for one position */
};

/* Where the random moves begin. */
static void choose_start(const struct bench_task *task, struct rng *rng, struct position *pos)
{
    if (task->start_count > 0) {
        *pos = task->starts[rng_below(rng, task->start_count)];
    } else if (task->is_chess960) {
        unsigned white = (unsigned)rng_below(rng, 960);
        fen_double_chess960(white, (unsigned)rng_below(rng, 960), pos);
    } else {
        position_start(pos);
    }
}

/* Plays random moves; false when the game ends, or a check is to be answered. */
static bool play_random(struct position *pos, struct rng *rng, int plies)
{
    move moves[MOVES_MAX];
    for (int i = 0; i < plies; i++) {
        int count = movegen_legal(pos, moves);
        if (count == 0)
            return false;
        position_play(pos, moves[rng_below(rng, (uint64_t)count)]);
    }
    return !position_in_check(pos) && movegen_count(pos) > 0 && pos->rule50 < 100 &&
           !position_insufficient_material(pos);
}

bool genfens_run(const struct bench_task *task, struct search *search, struct output *out,
                 const atomic_bool *stopped)
{
    struct rng rng;
    struct search_request request;
    struct key_table keys = {.item_size = sizeof(uint64_t)};
    uint64_t *items = malloc((size_t)task->count * sizeof *items);
    bool good = items && search_set_hash(search, 1) == STATUS_OK &&
                key_table_reserve(&keys, (size_t)task->count, items, 0, 0) == STATUS_OK;
    if (!good)
        report_string(out, "%s", status_name(STATUS_NO_MEMORY));
    rng_seed(&rng, task->seed);
    search_request_init(&request);
    request.nodes = GENFENS_NODES;
    int plies = task->start_count > 0 ? RANDOM_BOOK_PLIES : RANDOM_PLIES;
    uint32_t count = 0;
    for (int tries = GENFENS_TRIES; good && tries > 0 && count < (uint32_t)task->count; tries--) {
        char fen[FEN_MAX];
        choose_start(task, &rng, &request.root);
        if (!play_random(&request.root, &rng, plies + (int)rng_below(&rng, 2)) ||
            *key_table_slot(&keys, items, request.root.key) != 0)
            continue;
        search_clear(search);
        int score = eval_centipawns(run_search(search, &request, stopped).score);
        if (atomic_load(stopped) || score > GENFENS_SCORE_MAX || score < -GENFENS_SCORE_MAX)
            continue;
        items[count++] = request.root.key;
        *key_table_slot(&keys, items, request.root.key) = count;
        fen_format(&request.root, fen);
        report_string(out, "genfens %s", fen);
        tries = GENFENS_TRIES;
    }
    if (good && count < (uint32_t)task->count) {
        good = atomic_load(stopped);
        report_string(out, "%s", good ? "genfens stopped" : "no more new positions were found");
    }
    free(keys.slots);
    free(items);
    return good;
}

/* perft ---------------------------------------------------------------------------------------- */

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
