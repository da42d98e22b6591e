#include "book/vet/vet_map.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "eval/eval.h"
#include "search/score.h"

enum { CHUNK = 1024 /* questions at a time */ };

/* Places by key. ------------------------------------------------------------------------------ */

static enum caxton_status make_room(struct vet_map *map)
{
    size_t nodes = map->graph->node_count;
    if (!ARRAY_GROW(map->places, map->capacity, map->count + 1))
        return STATUS_NO_MEMORY;
    return key_table_reserve(&map->table, map->count - nodes + 1, map->places, nodes,
                             map->count - nodes);
}

/* The place of a position that stands behind `m`. */
static enum caxton_status find_or_add(struct vet_map *map, uint32_t parent, move m,
                                      const struct position *pos, uint32_t *out)
{
    uint32_t node = book_graph_find(map->graph, pos->key);
    *out = node;
    if (node != BOOK_GRAPH_NONE)
        return STATUS_OK;
    enum caxton_status status = make_room(map);
    if (status != STATUS_OK)
        return status;
    uint32_t *slot = key_table_slot(&map->table, map->places, pos->key);
    if (!*slot) {
        map->places[map->count++] = (struct vet_place){.key = pos->key, .parent = parent, .via = m};
        *slot = (uint32_t)map->count;
    }
    *out = *slot - 1;
    return STATUS_OK;
}

/* The position of a place. */
static void vet_map_position(const struct vet_map *map, uint32_t place, struct position *out)
{
    move line[BOOK_GRAPH_PLIES_MAX];
    size_t plies = 0;
    for (; place >= map->graph->node_count; place = map->places[place].parent)
        line[plies++] = map->places[place].via;
    book_graph_position(map->graph, place, out, NULL);
    while (plies > 0)
        position_play(out, line[--plies]);
}

enum caxton_status vet_map_behind(struct vet_map *map, uint32_t place, move m, uint32_t *out)
{
    struct position pos;
    vet_map_position(map, place, &pos);
    position_play(&pos, m);
    return find_or_add(map, place, m, &pos, out);
}

/* Making one. --------------------------------------------------------------------------------- */

static enum caxton_status add_leaves(struct vet_map *map)
{
    const struct book_graph *graph = map->graph;
    enum caxton_status status = STATUS_OK;
    for (uint32_t i = 0; i < graph->node_count; i++) {
        const struct book_node *node = &graph->nodes[i];
        struct position pos;
        if (node->count > 0)
            book_graph_position(graph, i, &pos, NULL);
        for (uint32_t e = node->first; e < node->first + node->count && status == STATUS_OK; e++) {
            map->behind[e] = graph->edges[e].to;
            if (map->behind[e] != BOOK_GRAPH_NONE)
                continue;
            const struct position after = position_after(&pos, graph->edges[e].move);
            status = find_or_add(map, i, graph->edges[e].move, &after, &map->behind[e]);
        }
    }
    return status;
}

/* A walk depth first, without recursion. */
struct descent {
    struct vet_map *map;
    uint32_t *line;     /* nodes of the line at hand */
    uint32_t *next;     /* by node: its moves looked at */
    uint32_t *non_book; /* by node: the next node behind a non-book move */
    uint8_t *states;
    size_t depth;
    size_t ordered;
};

enum { NODE_NEW, NODE_ON_LINE, NODE_DONE };

static void descend(struct descent *descent, uint32_t node)
{
    if (descent->states[node] != NODE_NEW)
        return;
    descent->states[node] = NODE_ON_LINE;
    descent->non_book[node] = descent->map->graph->nodes[node].child;
    descent->line[descent->depth++] = node;
}

/* One step: into a node that is new, or back. */
static void walk_on(struct descent *descent)
{
    struct vet_map *map = descent->map;
    uint32_t at = descent->line[descent->depth - 1];
    const struct book_node *node = &map->graph->nodes[at];
    if (descent->next[at] < node->count) {
        uint32_t edge = node->first + descent->next[at]++;
        uint32_t to = map->graph->edges[edge].to;
        if (to == BOOK_GRAPH_NONE)
            return;
        map->closes[edge] = descent->states[to] == NODE_ON_LINE;
        descend(descent, to);
    } else if (descent->non_book[at] != BOOK_GRAPH_NONE) {
        uint32_t to = descent->non_book[at];
        descent->non_book[at] = map->graph->nodes[to].next;
        map->returns[to] = descent->states[to] == NODE_ON_LINE;
        descend(descent, to);
    } else {
        descent->states[at] = NODE_DONE;
        descent->depth--;
        map->order[descent->ordered++] = at;
    }
}

static enum caxton_status find_order(struct vet_map *map)
{
    size_t count = map->graph->node_count;
    struct descent descent = {.map = map,
                              .line = calloc(count + 1, sizeof *descent.line),
                              .next = calloc(count + 1, sizeof *descent.next),
                              .non_book = calloc(count + 1, sizeof *descent.non_book),
                              .states = calloc(count + 1, 1)};
    bool enough = descent.line && descent.next && descent.non_book && descent.states;
    for (uint32_t root = 0; enough && root < count; root++) {
        descend(&descent, root);
        while (descent.depth > 0)
            walk_on(&descent);
    }
    free(descent.line);
    free(descent.next);
    free(descent.non_book);
    free(descent.states);
    return enough ? STATUS_OK : STATUS_NO_MEMORY;
}

enum caxton_status vet_map_create(const struct book_graph *graph, struct vet_map *out)
{
    struct vet_map map = {
        .graph = graph, .count = graph->node_count, .table.item_size = sizeof *map.places};
    map.capacity = graph->node_count + graph->edge_count + 1;
    map.places = calloc(map.capacity, sizeof *map.places);
    map.behind = calloc(graph->edge_count + 1, sizeof *map.behind);
    map.closes = calloc(graph->edge_count + 1, sizeof *map.closes);
    map.returns = calloc(graph->node_count + 1, sizeof *map.returns);
    map.order = calloc(graph->node_count + 1, sizeof *map.order);
    enum caxton_status status = STATUS_NO_MEMORY;
    if (map.places && map.behind && map.closes && map.returns && map.order) {
        for (size_t i = 0; i < graph->node_count; i++)
            map.places[i] = (struct vet_place){.key = graph->nodes[i].key, .parent = VET_NONE};
        status = add_leaves(&map);
    }
    if (status == STATUS_OK)
        status = find_order(&map);
    if (status == STATUS_OK)
        *out = map;
    else
        vet_map_destroy(&map);
    return status;
}

void vet_map_destroy(struct vet_map *map)
{
    free(map->places);
    free(map->behind);
    free(map->closes);
    free(map->returns);
    free(map->order);
    free(map->wanted);
    free(map->table.slots);
    *map = (struct vet_map){0};
}

/* Searching. ---------------------------------------------------------------------------------- */

enum caxton_status vet_map_want(struct vet_map *map, uint32_t place, struct search_limit limit)
{
    struct vet_place *at = &map->places[place];
    if (at->over || at->wanted || at->effort >= limit.value)
        return STATUS_OK;
    if (!ARRAY_GROW(map->wanted, map->wanted_capacity, map->wanted_count + 1))
        return STATUS_NO_MEMORY;
    at->wanted = true;
    map->wanted[map->wanted_count++] = place;
    return STATUS_OK;
}

static int cut(int cp, int most)
{
    return cp > most ? most : cp < -most ? -most : cp;
}

static int16_t score_of(int score)
{
    return (int16_t)cut(score_is_mate(score) ? score : eval_centipawns(score), VET_CP_MAX);
}

/* A game that is over needs no search. */
static bool is_over(struct vet_place *place, const struct position *pos)
{
    move moves[MOVES_MAX];
    if (movegen_legal(pos, moves) > 0)
        return false;
    place->over = true;
    place->score_cp = place->value_cp = position_in_check(pos) ? -VET_CP_MAX : 0;
    return true;
}

struct question_chunk {
    struct scorer_question questions[CHUNK];
    struct search_answer answers[CHUNK];
    uint32_t places[CHUNK];
    size_t count;
};

static void fill_chunk(struct vet_map *map, struct search_limit limit, size_t *from,
                       struct question_chunk *chunk)
{
    for (chunk->count = 0; chunk->count < CHUNK && *from < map->wanted_count; ++*from) {
        uint32_t index = map->wanted[*from];
        struct position pos;
        map->places[index].wanted = false;
        vet_map_position(map, index, &pos);
        if (is_over(&map->places[index], &pos))
            continue;
        chunk->questions[chunk->count] = scorer_question_of(&pos, limit);
        chunk->places[chunk->count++] = index;
    }
}

static void take_answers(struct vet_map *map, struct search_limit limit,
                         const struct question_chunk *chunk)
{
    for (size_t i = 0; i < map->answered; i++) {
        struct vet_place *place = &map->places[chunk->places[i]];
        place->effort = limit.value;
        int score = chunk->answers[i].score;
        int moves = score > 0 ? (SCORE_MATE + 1 - score) / 2 : -(SCORE_MATE + score) / 2;
        place->mate = score_is_mate(score) ? (int16_t)moves : 0;
        place->best = chunk->answers[i].best;
        place->score_cp = place->value_cp = score_of(score);
    }
}

enum caxton_status vet_map_search(struct vet_map *map, struct scorer *scorer,
                                  struct search_limit limit, struct diag *diag)
{
    struct question_chunk *chunk = malloc(sizeof *chunk);
    enum caxton_status status = chunk ? STATUS_OK : STATUS_NO_MEMORY;
    map->finished = map->answered = 0;
    for (size_t from = 0; from < map->wanted_count && status == STATUS_OK;) {
        map->finished = from;
        map->answered = 0;
        if (map->progress)
            map->progress(map->context);
        fill_chunk(map, limit, &from, chunk);
        status = scorer_ask_all(scorer, chunk->questions, chunk->count, chunk->answers,
                                &map->answered, diag);
        take_answers(map, limit, chunk);
    }
    map->wanted_count = 0;
    free(chunk);
    return status;
}

/* Values. ------------------------------------------------------------------------------------- */

int vet_loss(int better_cp, int score_cp)
{
    return cut(better_cp, VET_WON_CP) - cut(score_cp, VET_WON_CP);
}

int vet_map_edge_score(const struct vet_map *map, uint32_t edge)
{
    return -map->places[map->behind[edge]].score_cp;
}

int vet_map_edge_value(const struct vet_map *map, uint32_t edge)
{
    return map->closes[edge] ? vet_map_edge_score(map, edge)
                             : -map->places[map->behind[edge]].value_cp;
}

static void back_up_node(struct vet_map *map, uint32_t at)
{
    const struct book_graph *graph = map->graph;
    const struct book_node *node = &graph->nodes[at];
    struct vet_place *place = &map->places[at];
    bool has_best = false;
    int value = -VET_CP_MAX - 1;
    move line = MOVE_NONE;
    for (uint32_t e = node->first; e < node->first + node->count; e++) {
        int worth = vet_map_edge_value(map, e);
        has_best |= graph->edges[e].move == place->best;
        if (worth > value) {
            value = worth;
            line = graph->edges[e].move;
        }
    }
    for (uint32_t to = node->child; to != BOOK_GRAPH_NONE; to = graph->nodes[to].next) {
        int worth = -(map->returns[to] ? map->places[to].score_cp : map->places[to].value_cp);
        has_best |= graph->nodes[to].via == place->best;
        if (worth > value) {
            value = worth;
            line = graph->nodes[to].via;
        }
    }
    bool by_search = !has_best && place->score_cp > value;
    place->value_cp = by_search ? place->score_cp : (int16_t)value;
    place->line = by_search ? MOVE_NONE : line;
}

void vet_map_back_up(struct vet_map *map)
{
    for (size_t i = 0; i < map->graph->node_count; i++)
        back_up_node(map, map->order[i]);
    for (size_t i = map->graph->node_count; i < map->count; i++)
        map->places[i].value_cp = map->places[i].score_cp;
}
