#include "book/grow/grow_keep.h"

#include <stdlib.h>

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
