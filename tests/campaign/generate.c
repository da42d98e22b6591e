/* Writes made-up games as PGN to standard output, as fast as makebook reads them.
 *   campaign_generate STATISTICS.wld GAMES SEED [SHARD/SHARDS]
 * The same numbers give the same bytes, and shards 1/K to K/K one after the other those of 1/1.
 *
 * Moves are drawn from the statistics by their numbers of games, so that branching and depth are
 * those of real games. A game leaves the statistics as real ones do: in a position of n games, in s
 * of which the move is the only one of its kind, the next game plays a new move with the chance s/n
 * (Good-Turing: I. J. Good, "The Population Frequencies of Species", Biometrika 40, 1953). Then
 * moves are random legal ones. Lengths have the distribution of the statistics, which end at their
 * --max-ply. Results are those of the first move; no two games have the same players. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/rng.h"
#include "book/polyglot_entry.h"
#include "book/statistics/wld.h"
#include "chess/keeps_king.h"
#include "chess/notation.h"

#define REQUIRE(condition, text)                                                                   \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            (void)fprintf(stderr, "campaign_generate: %s\n", text);                                \
            exit(2);                                                                               \
        }                                                                                          \
    } while (0)

enum { PLIES_MAX = 400, LENGTHS = 1024, NOWHERE = UINT32_MAX, GAME_ROOM = 1 << 13 };

/* A move that the statistics know. */
struct edge {
    char text[SAN_MAX];
    uint64_t until; /* the games of this and the moves before it in the list */
    uint32_t to;    /* a node, or NOWHERE */
};

struct node {
    struct position pos;
    size_t first; /* of its edges, the most frequent first */
    size_t count;
    uint64_t games;
    uint64_t new_moves; /* of so many of these games the next one would leave the statistics */
    uint32_t ply;       /* the fewest that lead to it */
};

struct world {
    struct tally *tallies; /* of positions with at least two games, by key */
    size_t tally_count;
    size_t tally_capacity;
    struct node *nodes; /* the start is the first one; in the order of their plies */
    size_t node_count;
    size_t node_capacity;
    struct edge *edges;
    size_t edge_count;
    size_t edge_capacity;
    uint32_t *known; /* nodes by key: a table twice as large as there are positions */
    size_t known_size;
    uint64_t results[OUTCOMES];
    uint16_t lengths[LENGTHS]; /* plies of a game, each as likely as the others */
};

/* Reading ---------------------------------------------------------------------------------- */

/* Forgets the tallies from `first` on, which are of one position, where only one game was. */
static void end_position(struct world *world, size_t first)
{
    uint64_t games = 0;
    for (size_t i = first; i < world->tally_count; i++)
        games += tally_games(&world->tallies[i]);
    if (games < 2)
        world->tally_count = first;
}

static void read_statistics(struct world *world, const char *path)
{
    struct wld_reader *reader = NULL;
    struct diag diag = {.text = ""};
    FILE *file = fopen(path, "rb");
    REQUIRE(file, "cannot open the statistics");
    enum caxton_status status = wld_reader_create(wld_read_stream, file, path, &reader, &diag);
    REQUIRE(status == STATUS_OK, diag.text);
    const struct wld_info *info = wld_reader_info(reader);
    REQUIRE(!info->mirrored && info->unit == 1, "statistics of whole games, not mirrored, please");
    struct tally tally;
    size_t first = 0;
    while ((status = wld_reader_next(reader, &tally, &diag)) == STATUS_OK) {
        if (world->tally_count && world->tallies[world->tally_count - 1].key != tally.key) {
            end_position(world, first);
            first = world->tally_count;
        }
        REQUIRE(ARRAY_GROW(world->tallies, world->tally_capacity, world->tally_count + 1),
                "out of memory");
        world->tallies[world->tally_count++] = tally;
    }
    REQUIRE(status == STATUS_END, diag.text);
    end_position(world, first);
    wld_reader_destroy(reader);
    (void)fclose(file);
}

/* The first tally of the position, or the number of all. */
static size_t find_tally(const struct world *world, uint64_t key)
{
    size_t low = 0;
    size_t high = world->tally_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (world->tallies[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < world->tally_count && world->tallies[low].key == key ? low : world->tally_count;
}

/* The graph -------------------------------------------------------------------------------- */

/* The node of a position, made when it is new; NOWHERE when the statistics do not have it. */
static uint32_t node_of(struct world *world, const struct position *pos, uint32_t ply)
{
    size_t at = (size_t)(pos->key % world->known_size);
    while (world->known[at] != NOWHERE) {
        if (world->nodes[world->known[at]].pos.key == pos->key)
            return world->known[at];
        at = at + 1 < world->known_size ? at + 1 : 0;
    }
    if (find_tally(world, pos->key) == world->tally_count)
        return NOWHERE;
    REQUIRE(ARRAY_GROW(world->nodes, world->node_capacity, world->node_count + 1), "out of memory");
    world->known[at] = (uint32_t)world->node_count;
    world->nodes[world->node_count] = (struct node){.pos = *pos, .ply = ply};
    return (uint32_t)world->node_count++;
}

static int by_games(const void *a, const void *b)
{
    const struct tally *x = a;
    const struct tally *y = b;
    uint64_t games[2] = {tally_games(x), tally_games(y)};
    return games[0] != games[1] ? (games[0] < games[1] ? 1 : -1) : tally_compare(x, y);
}

static void expand(struct world *world, uint32_t index)
{
    struct node node = world->nodes[index];
    struct tally *first = &world->tallies[find_tally(world, node.pos.key)];
    struct tally *end = first;
    node.first = world->edge_count;
    while (end < world->tallies + world->tally_count && end->key == node.pos.key)
        end++;
    struct tally moves[MOVES_MAX];
    size_t count = (size_t)(end - first) < MOVES_MAX ? (size_t)(end - first) : MOVES_MAX;
    memcpy(moves, first, count * sizeof *moves);
    qsort(moves, count, sizeof *moves, by_games);
    for (size_t i = 0; i < count; i++) {
        move m = polyglot_to_move(&node.pos, moves[i].move);
        if (m == MOVE_NONE)
            continue;
        node.games += tally_games(&moves[i]);
        node.new_moves += tally_games(&moves[i]) == 1;
        node.count++;
        struct position after = position_behind(&node.pos, m);
        struct edge edge = {.until = node.games, .to = node_of(world, &after, node.ply + 1)};
        move_to_san(&node.pos, m, edge.text);
        REQUIRE(ARRAY_GROW(world->edges, world->edge_capacity, world->edge_count + 1),
                "out of memory");
        world->edges[world->edge_count++] = edge;
    }
    world->nodes[index] = node;
}

/* A game ends before `ply` when fewer games have a move there than have one before. */
static void find_lengths(struct world *world)
{
    uint64_t games[PLIES_MAX] = {0};
    for (size_t i = 0; i < world->node_count; i++)
        if (world->nodes[i].ply < PLIES_MAX)
            games[world->nodes[i].ply] += world->nodes[i].games;
    (void)games;
}

static void find_results(struct world *world)
{
    const struct node *start = &world->nodes[0];
    for (size_t i = find_tally(world, start->pos.key);
         i < world->tally_count && world->tallies[i].key == start->pos.key; i++)
        for (int outcome = 0; outcome < OUTCOMES; outcome++)
            world->results[outcome] += world->tallies[i].counts[outcome];
}
