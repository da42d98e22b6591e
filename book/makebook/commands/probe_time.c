#include "book/makebook/commands/probe_time.h"
#include "book/book.h"
#include "book/book_move.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/rng.h"
#include "chess/game.h"

/* Enough positions that they do not all stay in the processor's caches together with the book. */
enum { SAMPLES_MAX = 2000, ROUNDS = 7, LONG_ROUND_NS = 300000000 };

struct samples {
    struct game *games[SAMPLES_MAX];
    int count;
};

static void destroy(struct samples *samples)
{
    for (int i = 0; i < samples->count; i++)
        game_destroy(samples->games[i]);
    free(samples);
}

/* The game to a node, with the move `m` added unless that is MOVE_NONE. NULL: out of memory. */
static struct game *game_to(const struct book_graph *graph, uint32_t node, move m)
{
    move line[BOOK_GRAPH_PLIES_MAX];
    struct position pos;
    struct game *game = game_create();
    if (!game)
        return NULL;
    enum caxton_status status = STATUS_OK;
    book_graph_position(graph, node, &pos, line);
    game_reset(game, &graph->roots[graph->nodes[node].root]);
    for (uint32_t ply = 0; ply < graph->nodes[node].ply && status == STATUS_OK; ply++)
        status = game_play(game, line[ply]);
    if (status == STATUS_OK && m != MOVE_NONE)
        status = game_play(game, m);
    if (status == STATUS_OK)
        return game;
    game_destroy(game);
    return NULL;
}

/* Random positions of the book, or of those behind its leaves. NULL: out of memory. */
static struct samples *draw(const struct book_graph *graph, bool known)
{
    struct samples *samples = calloc(1, sizeof *samples);
    struct rng rng;
    rng_seed(&rng, 1);
    for (int tries = 0; samples && tries < 20 * SAMPLES_MAX && samples->count < SAMPLES_MAX;
         tries++) {
        uint32_t at = (uint32_t)rng_below(&rng, graph->node_count);
        const struct book_node *node = &graph->nodes[at];
        if (!node->known || node->count == 0)
            continue;
        const struct book_edge *edge = &graph->edges[node->first + rng_below(&rng, node->count)];
        if (!known && edge->to != BOOK_GRAPH_NONE)
            continue;
        struct game *game = game_to(graph, at, known ? MOVE_NONE : edge->move);
        if (!game) {
            destroy(samples);
            return NULL;
        }
        samples->games[samples->count++] = game;
    }
    return samples;
}

/* Nanoseconds of a probe, as the mean of one round. *found keeps the compiler from removing the
 * probes. */
static double time_round(const struct book *book, const struct samples *samples, uint64_t *found)
{
    int64_t start = clock_ns();
    for (int i = 0; i < samples->count; i++) {
        struct book_move moves[MOVES_MAX];
        *found += (uint64_t)book_probe_game(book, samples->games[i], moves, MOVES_MAX);
    }
    return (double)(clock_ns() - start) / samples->count;
}

/* The fastest rounds are those that other programs disturbed least. */
static double time_samples(const struct book *book, const struct samples *samples, double *spread)
{
    double best = 0;
    double second = 0;
    uint64_t found = 0;
    for (int round = 0; round < ROUNDS && samples->count > 0; round++) {
        double ns = time_round(book, samples, &found);
        if (round == 0 || ns < best) {
            second = round == 0 ? ns : best;
            best = ns;
        } else if (round == 1 || ns < second)
            second = ns;
        if (ns * samples->count > LONG_ROUND_NS)
            break; /* long enough that what disturbs it is small */
    }
    *spread = second - best;
    return best;
}

enum caxton_status probe_time_take(const struct book_graph *graph, struct probe_time *out)
{
    double spread;
    struct samples *known = draw(graph, true);
    struct samples *unknown = known ? draw(graph, false) : NULL;
    if (!unknown) {
        if (known)
            destroy(known);
        return STATUS_NO_MEMORY;
    }
    struct probe_time time = {.samples = known->count};
    time.unknown_ns = time_samples(graph->book, unknown, &spread);
    time.known_ns = time_samples(graph->book, known, &time.spread_ns);
    destroy(known);
    destroy(unknown);
    *out = time;
    return STATUS_OK;
}
