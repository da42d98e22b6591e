/* What a grown book is: its moves, and how far games follow them. */
#include "book/grow/grow.h"
#include "book/store/score_store.h"

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
