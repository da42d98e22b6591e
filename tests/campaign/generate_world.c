#include "tests/campaign/generate_world.h"

#include <string.h>

#include "base/array.h"
#include "book/polyglot_entry.h"
#include "book/statistics/wld_file.h"
#include "chess/movegen.h"

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
    const char *depth = strstr(info->options, "max-ply ");
    world->depth = depth ? strtoull(depth + strlen("max-ply "), NULL, 10) : 0;
    REQUIRE(world->depth > PLIES_LEAST && world->depth <= PLIES_MAX,
            "a depth of 21 to 400, please");
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
        world->plies += tally_games(&tally);
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
static uint32_t node_of(struct world *world, const struct position *pos)
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
    world->nodes[world->node_count] = (struct node){.pos = *pos};
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
        node.lonely += tally_games(&moves[i]) == 1;
        struct position after = position_after(&node.pos, m);
        struct edge edge = {.until = node.games, .m = m, .to = node_of(world, &after)};
        move_to_san(&node.pos, m, edge.text);
        edge.size = (uint8_t)strlen(edge.text);
        REQUIRE(ARRAY_GROW(world->edges, world->edge_capacity, world->edge_count + 1),
                "out of memory");
        world->edges[world->edge_count++] = edge;
    }
    REQUIRE(node.games > 0 && node.games <= UINT32_MAX,
            "a position without moves, or with too many");
    world->nodes[index] = node;
}

static void make_graph(struct world *world)
{
    struct position start;
    position_start(&start);
    world->known_size = 2 * world->tally_count + 1;
    world->known = malloc(world->known_size * sizeof *world->known);
    REQUIRE(world->known, "out of memory");
    memset(world->known, 0xFF, world->known_size * sizeof *world->known);
    REQUIRE(node_of(world, &start) == 0, "the statistics do not have the usual start");
    for (size_t i = 0; i < world->node_count; i++)
        expand(world, (uint32_t)i);
    for (size_t i = find_tally(world, start.key);
         i < world->tally_count && world->tallies[i].key == start.key; i++)
        for (int outcome = 0; outcome < OUTCOMES; outcome++)
            world->results[outcome] += world->tallies[i].counts[outcome];
    /* mean = share * depth + (1 - share) * (least + depth) / 2 */
    double mean = (double)world->plies / (double)world->nodes[0].games;
    double half = (double)(world->depth + PLIES_LEAST) / 2;
    double share = (mean - half) / ((double)world->depth - half);
    world->full_share = (uint64_t)((share < 0 ? 0 : share > 1 ? 1 : share) * 4294967296.0);
}

void world_free(struct world *world)
{
    free(world->tallies);
    free(world->nodes);
    free(world->edges);
    free(world->known);
}

void world_read(struct world *world, const char *path)
{
    read_statistics(world, path);
    make_graph(world);
}
