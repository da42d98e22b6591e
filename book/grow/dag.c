#include "book/grow/dag.h"

#include <stdlib.h>

#include "base/array.h"
#include "book/scoring/packed_position.h"

/* A node that the walk at hand has come to. */
struct dag_visit {
    uint32_t node;
    uint32_t up;   /* the visit that led to it; DAG_NONE: the first */
    uint32_t next; /* how many of its moves were followed */
    double gain;   /* of its probability */
};

/* Men, then how far pawns have to go, then castling rights: captures, pawn moves and lost rights
 * make it smaller, nothing makes it larger. So a cycle stays on one rank. */
static uint16_t rank_of(const struct position *pos)
{
    enum { A_MAN = 128 }; /* more than 16 pawns of 6 steps and 4 rights */
    int rank = A_MAN * bb_count(position_occupied(pos)) + bb_count(pos->castling);
    for (uint64_t pawns = position_pieces(pos, WHITE, PAWN); pawns;)
        rank += 7 - square_rank(bb_pop(&pawns));
    for (uint64_t pawns = position_pieces(pos, BLACK, PAWN); pawns;)
        rank += square_rank(bb_pop(&pawns));
    return (uint16_t)rank;
}

/* Nodes by key. ------------------------------------------------------------------------------- */

uint32_t dag_find(const struct dag *dag, uint64_t key)
{
    uint32_t index = *key_table_slot(&dag->table, dag->nodes, key);
    return index ? index - 1 : DAG_NONE;
}

/* Room for one node and one move more. */
static enum caxton_status make_room(struct dag *dag)
{
    if (dag->node_count >= DAG_NONE - 1 || dag->move_count >= DAG_NONE - 1 ||
        !ARRAY_GROW(dag->nodes, dag->node_capacity, dag->node_count + 1) ||
        !ARRAY_GROW(dag->moves, dag->move_capacity, dag->move_count + 1))
        return STATUS_NO_MEMORY;
    return key_table_reserve(&dag->table, dag->node_count + 1, dag->nodes, 0, dag->node_count);
}

static uint32_t add_node(struct dag *dag, const struct position *pos, struct dag_node node)
{
    uint32_t index = (uint32_t)dag->node_count;
    node.key = pos->key;
    node.rank = rank_of(pos);
    node.turn = (uint8_t)pos->turn;
    *key_table_slot(&dag->table, dag->nodes, node.key) = index + 1;
    dag->nodes[dag->node_count++] = node;
    return index;
}

enum caxton_status dag_create(const struct dag_root *roots, size_t count, struct dag *out)
{
    struct dag dag = {.roots = calloc(count, sizeof *dag.roots),
                      .first_from = SIZE_MAX,
                      .table.item_size = sizeof *dag.nodes};
    enum caxton_status status = dag.roots ? STATUS_OK : STATUS_NO_MEMORY;
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        struct position *root = &dag.roots[dag.root_count];
        *root = roots[i].pos;
        position_forget_clocks(root);
        status = make_room(&dag);
        if (status != STATUS_OK || dag_find(&dag, root->key) != DAG_NONE)
            continue;
        if (roots[i].first && dag.first_from > dag.root_count)
            dag.first_from = dag.root_count;
        dag.root_count++;
        (void)add_node(&dag, root,
                       (struct dag_node){.parent = DAG_NONE, .probability = roots[i].probability});
    }
    if (status == STATUS_OK)
        *out = dag;
    else
        dag_destroy(&dag);
    return status;
}

void dag_destroy(struct dag *dag)
{
    free(dag->roots);
    free(dag->nodes);
    free(dag->moves);
    free(dag->raised);
    free(dag->table.slots);
    free(dag->visits);
    *dag = (struct dag){.node_count = 0};
}

const struct position *dag_root_of(const struct dag *dag, uint32_t node)
{
    while (dag->nodes[node].parent != DAG_NONE)
        node = dag->nodes[node].parent;
    return &dag->roots[node];
}

void dag_position(const struct dag *dag, uint32_t node, struct position *pos, move *line)
{
    move moves[DAG_PLIES_MAX];
    size_t plies = dag->nodes[node].ply;
    for (size_t ply = plies; ply > 0; ply--, node = dag->nodes[node].parent)
        moves[ply - 1] = dag->nodes[node].via;
    *pos = dag->roots[node];
    for (size_t ply = 0; ply < plies; ply++) {
        if (line)
            line[ply] = moves[ply];
        position_play(pos, moves[ply]);
    }
    position_forget_clocks(pos);
}

void dag_describe(const struct dag *dag, uint32_t node, struct store_node *out)
{
    const struct dag_node *from = &dag->nodes[node];
    struct position pos;
    dag_position(dag, node, &pos, NULL);
    position_pack(&pos, &out->pos);
    out->probability = from->probability;
    out->ply = from->ply;
    out->depth = from->depth;
    out->score = from->score;
}

/* Walks through the graph. -------------------------------------------------------------------- */

static bool is_visited(const struct dag *dag, uint32_t node)
{
    uint32_t visit = dag->nodes[node].visit;
    return visit < dag->visit_count && dag->visits[visit].node == node;
}

static enum caxton_status visit(struct dag *dag, uint32_t node, uint32_t up)
{
    if (!ARRAY_GROW(dag->visits, dag->visit_capacity, dag->visit_count + 1))
        return STATUS_NO_MEMORY;
    dag->nodes[node].visit = (uint32_t)dag->visit_count;
    dag->visits[dag->visit_count++] = (struct dag_visit){.node = node, .up = up};
    return STATUS_OK;
}

/* Visits `from` and all below it that is not of a lower rank than `rank`, depth first. When a node
 * is left for good it goes to dag->raised: those below it stand before it. */
static enum caxton_status walk(struct dag *dag, uint32_t from, uint16_t rank)
{
    dag->visit_count = 0;
    dag->raised_count = 0;
    enum caxton_status status = visit(dag, from, DAG_NONE);
    for (uint32_t at = 0; status == STATUS_OK && at != DAG_NONE;) {
        struct dag_visit *here = &dag->visits[at];
        const struct dag_node *node = &dag->nodes[here->node];
        if (here->next < node->count) {
            uint32_t to = dag->moves[node->first + here->next++].to;
            if (is_visited(dag, to) || dag->nodes[to].rank < rank)
                continue;
            status = visit(dag, to, at);
            at = (uint32_t)dag->visit_count - 1;
        } else {
            if (!ARRAY_GROW(dag->raised, dag->raised_capacity, dag->raised_count + 1))
                return STATUS_NO_MEMORY;
            dag->raised[dag->raised_count++] = here->node;
            at = here->up;
        }
    }
    return status;
}

/* Would a move from `from` to `to` close a cycle: does a line lead from `to` to `from`? */
static enum caxton_status closes_cycle(struct dag *dag, uint32_t from, uint32_t to, bool *out)
{
    uint16_t rank = dag->nodes[from].rank;
    *out = false;
    if (dag->nodes[to].rank != rank || dag->nodes[to].count == 0)
        return STATUS_OK;
    enum caxton_status status = walk(dag, to, rank);
    *out = status == STATUS_OK && is_visited(dag, from);
    return status;
}

/* Raises the probability of the node that the last walk began at, and of all below it, each once: a
 * node is left after all above it have been. */
static void raise_all(struct dag *dag, double gain)
{
    dag->visits[0].gain = gain;
    for (size_t i = dag->raised_count; i-- > 0;) {
        struct dag_node *node = &dag->nodes[dag->raised[i]];
        double own = dag->visits[node->visit].gain;
        node->probability += own;
        for (uint32_t j = 0; j < node->count; j++) {
            const struct dag_move *next = &dag->moves[node->first + j];
            dag->visits[dag->nodes[next->to].visit].gain += own * next->probability;
        }
    }
}

static void append_move(struct dag *dag, uint32_t from, struct dag_move added)
{
    struct dag_node *node = &dag->nodes[from];
    if (node->count == 0)
        node->first = (uint32_t)dag->move_count;
    node->count++;
    dag->moves[dag->move_count++] = added;
}

enum caxton_status dag_add_move(struct dag *dag, uint32_t from, const struct position *pos, move m,
                                double probability, enum dag_outcome *outcome)
{
    const struct position next = position_after(pos, m);
    bool cycle = false;
    enum caxton_status status = make_room(dag);
    if (status != STATUS_OK)
        return status;
    uint32_t to = dag_find(dag, next.key);
    *outcome = to == DAG_NONE ? DAG_NEW : DAG_JOINED;
    if (to == DAG_NONE) {
        const struct dag_node *parent = &dag->nodes[from];
        to = add_node(
            dag, &next,
            (struct dag_node){.parent = from, .via = m, .ply = (uint16_t)(parent->ply + 1)});
    } else {
        status = closes_cycle(dag, from, to, &cycle);
    }
    if (status != STATUS_OK || cycle) {
        dag->raised_count = 0;
        *outcome = DAG_REFUSED;
        return status;
    }
    status = walk(dag, to, 0);
    if (status != STATUS_OK)
        return status;
    raise_all(dag, dag->nodes[from].probability * probability);
    append_move(dag, from, (struct dag_move){.probability = probability, .to = to, .move = m});
    return STATUS_OK;
}

/* The frontier. -------------------------------------------------------------------------------- */

static bool goes_before(const void *context, uint32_t a, uint32_t b)
{
    const struct dag *dag = context;
    const struct dag_node *x = &dag->nodes[a];
    const struct dag_node *y = &dag->nodes[b];
    if (dag_is_first(dag, a) || dag_is_first(dag, b))
        return dag_is_first(dag, a) && (!dag_is_first(dag, b) || a < b);
    if (x->probability > y->probability || x->probability < y->probability)
        return x->probability > y->probability;
    if (x->ply != y->ply)
        return x->ply < y->ply;
    return x->key < y->key;
}

static uint32_t *place_of(void *context, uint32_t node)
{
    const struct dag *dag = context;
    return &dag->nodes[node].place;
}

static const struct number_order by_probability = {goes_before, place_of};

void frontier_free(struct frontier *frontier)
{
    free(frontier->heap.items);
    free(frontier->places);
    *frontier = (struct frontier){0};
}

enum caxton_status frontier_put(struct frontier *frontier, struct dag *dag, uint32_t node)
{
    struct number_heap *heap = &frontier->heap;
    size_t place = dag->nodes[node].place;
    if (place > 0) {
        number_heap_up(heap, place - 1, node, &by_probability, dag);
        return STATUS_OK;
    }
    if (!ARRAY_GROW(heap->items, frontier->capacity, heap->count + 1))
        return STATUS_NO_MEMORY;
    number_heap_add(heap, node, &by_probability, dag);
    return STATUS_OK;
}

static int compare_places(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a;
    uint32_t y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* From the top down: when a place is looked at, all before it are a heap already, and what moves up
 * from it changes no place behind it. */
enum caxton_status frontier_raise(struct frontier *frontier, struct dag *dag, const uint32_t *nodes,
                                  size_t count)
{
    size_t found = 0;
    if (!ARRAY_GROW(frontier->places, frontier->place_capacity, count + 1))
        return STATUS_NO_MEMORY;
    for (size_t i = 0; i < count; i++)
        if (dag->nodes[nodes[i]].place)
            frontier->places[found++] = dag->nodes[nodes[i]].place - 1;
    qsort(frontier->places, found, sizeof *frontier->places, compare_places);
    for (size_t i = 0; i < found; i++)
        number_heap_up(&frontier->heap, frontier->places[i],
                       frontier->heap.items[frontier->places[i]], &by_probability, dag);
    return STATUS_OK;
}

uint32_t frontier_take(struct frontier *frontier, struct dag *dag)
{
    return frontier->heap.count > 0 ? number_heap_take(&frontier->heap, 0, &by_probability, dag)
                                    : DAG_NONE;
}

/* Places of the frontier's heap, as a heap of its own: those whose parents are given already. */
struct open_places {
    const struct number_heap *heap;
    const struct dag *dag;
};

static bool is_before(const void *context, uint32_t a, uint32_t b)
{
    const struct open_places *open = context;
    return goes_before(open->dag, open->heap->items[a], open->heap->items[b]);
}

size_t frontier_first(const struct frontier *frontier, const struct dag *dag, uint32_t *out,
                      size_t capacity)
{
    static const struct number_order order = {.before = is_before};
    struct open_places context = {&frontier->heap, dag};
    /* Each place that is given opens two: there is always one more open than given. */
    struct number_heap open = {calloc(capacity + 2, sizeof *open.items), 0};
    size_t given = 0;
    if (!open.items)
        return 0;
    if (frontier->heap.count > 0)
        number_heap_add(&open, 0, &order, &context);
    while (open.count > 0 && given < capacity) {
        uint32_t place = number_heap_take(&open, 0, &order, &context);
        out[given++] = frontier->heap.items[place];
        for (uint32_t next = 2 * place + 1; next <= 2 * place + 2; next++)
            if (next < frontier->heap.count)
                number_heap_add(&open, next, &order, &context);
    }
    free(open.items);
    return given;
}
