/* What a grown book is: its moves, and how far games follow them. */
#include <stdlib.h>

#include "book/grow/grow.h"
#include "book/scoring/score_store.h"

/* pos: that of the node. */
static enum store_state state_of(const struct grow *grow, uint32_t index,
                                 const struct score_store *store, const struct packed_position *pos)
{
    const struct dag_node *node = &grow_dag(grow)->nodes[index];
    struct search_limit limit;
    if (node->state != DAG_OPEN)
        return node->state == DAG_EXPANDED ? STORE_EXPANDED : STORE_ENDED;
    bool own = node->turn == grow_side(grow);
    return own && grow_limit(grow, index, &limit) && score_store_find(store, pos, limit, NULL)
               ? STORE_SEARCHED /* ahead */
               : STORE_QUEUED;
}

static void make_node(const struct grow *grow, uint32_t index, const struct score_store *store,
                      struct store_node *out)
{
    const struct dag *dag = grow_dag(grow);
    const struct dag_node *node = &dag->nodes[index];
    struct position pos;
    dag_position(dag, index, &pos, NULL);
    position_pack(&pos, &out->pos);
    out->side = grow_side(grow);
    out->state = state_of(grow, index, store, &out->pos);
    out->probability = node->probability;
    out->ply = node->ply;
    out->depth = node->depth;
    out->score = node->score;
    out->count = node->count;
    for (uint32_t i = 0; i < node->count; i++) {
        const struct dag_move *next = &dag->moves[node->first + i];
        out->moves[i] = (struct store_move){next->probability, next->move};
    }
}

static enum caxton_status keep_one(const struct grow *grow, struct score_store *store,
                                   struct store_node *node, struct diag *diag)
{
    const struct dag *dag = grow_dag(grow);
    enum caxton_status status = STATUS_OK;
    for (uint32_t i = 0; i < dag->node_count && status == STATUS_OK; i++) {
        if (dag->nodes[i].state == DAG_OPEN && !dag->nodes[i].queue)
            continue; /* too improbable */
        make_node(grow, i, store, node);
        status = score_store_add_node(store, node, diag);
    }
    return status;
}

enum caxton_status grow_keep(const struct grow *const *grown, size_t count,
                             struct score_store *store, struct diag *diag)
{
    struct store_node *node = malloc(sizeof *node);
    diag_set(diag, 0, 0, "out of memory");
    enum caxton_status status = node ? score_store_begin_graph(store, diag) : STATUS_NO_MEMORY;
    for (size_t i = 0; i < count && status == STATUS_OK; i++)
        status = keep_one(grown[i], store, node, diag);
    if (status == STATUS_OK)
        status = score_store_end_graph(store, diag);
    free(node);
    return status;
}

void grow_reach(const struct grow *grow, double *reached, size_t count)
{
    const struct dag *dag = grow_dag(grow);
    for (size_t i = 0; i < count; i++)
        reached[i] = 0;
    for (uint32_t i = 0; i < dag->node_count; i++)
        if (dag->nodes[i].ply < count && grow_own_move(grow, i) != MOVE_NONE)
            reached[dag->nodes[i].ply] += dag->nodes[i].probability;
}

enum caxton_status grow_own_entries(const struct grow *grow, struct entry_list *list)
{
    const struct dag *dag = grow_dag(grow);
    enum caxton_status status = STATUS_OK;
    for (uint32_t i = 0; i < dag->node_count; i++) {
        const struct dag_node *node = &dag->nodes[i];
        struct position pos;
        if (grow_own_move(grow, i) == MOVE_NONE)
            continue;
        dag_position(dag, i, &pos, NULL);
        for (uint32_t j = 0; j < node->count && status == STATUS_OK; j++) {
            const struct dag_move *own = &dag->moves[node->first + j];
            struct book_entry entry = {.weight =
                                           node->count == 1 ? 1 : store_weight(own->probability)};
            status = entry_list_add(list, &pos, own->move, entry);
        }
    }
    return status;
}

/* The moves of a position of the opponent's that lead to one of ours with a move. */
static enum caxton_status add_replies(const struct grow *grow, uint32_t index,
                                      struct entry_list *list)
{
    const struct dag *dag = grow_dag(grow);
    const struct dag_node *node = &dag->nodes[index];
    enum caxton_status status = STATUS_OK;
    struct position pos;
    dag_position(dag, index, &pos, NULL);
    for (uint32_t i = 0; i < node->count && status == STATUS_OK; i++) {
        const struct dag_move *reply = &dag->moves[node->first + i];
        struct book_entry entry = {.weight = store_weight(reply->probability)};
        if (grow_own_move(grow, reply->to) != MOVE_NONE)
            status = entry_list_add(list, &pos, reply->move, entry);
    }
    return status;
}

static bool has_moves(const struct entry_table *table, uint64_t key)
{
    size_t at = entry_table_find(table, key);
    return at < table->count && entry_table_at(table, at).key == key;
}

enum caxton_status grow_reply_entries(const struct grow *grow, const struct entry_table *own,
                                      struct entry_list *list)
{
    const struct dag *dag = grow_dag(grow);
    enum caxton_status status = STATUS_OK;
    for (uint32_t i = 0; i < dag->node_count && status == STATUS_OK; i++)
        if (dag->nodes[i].count > 0 && !has_moves(own, dag->nodes[i].key))
            status = add_replies(grow, i, list);
    return status;
}
