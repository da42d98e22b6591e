#include "book/formats/store/store_moves.h"

#include <stdlib.h>

#include "book/polyglot_entry.h"
#include "book/store/deepest_answers.h"

/* A move of an own position has this weight when it is the only one: grow gives the same. */
enum { WEIGHT_ONLY = 1 };

static enum caxton_status append(struct entry_list *list, uint64_t key, move m, uint32_t weight)
{
    return entry_list_append(
        list, &(struct book_entry){
                  .key = key, .weight = weight, .move = polyglot_from_move(m), .stated = true});
}

static bool has_key(const struct entry_table *table, uint64_t key)
{
    size_t at = entry_table_find(table, key);
    return at < table->count && entry_table_at(table, at).key == key;
}

/* Searches alone. ----------------------------------------------------------------------------- */

/* An answer, by the key of its position. */
struct answer_place {
    uint64_t key;
    uint32_t number; /* cursor of score_store_next_answer() */
    move best;
};

static int compare_places(const void *a, const void *b)
{
    const struct answer_place *x = a;
    const struct answer_place *y = b;
    if (x->key != y->key)
        return x->key > y->key ? 1 : -1;
    return x->number > y->number ? 1 : -1;
}

/* All answers with a move, sorted; to be freed. NULL: out of memory. */
static struct answer_place *sort_answers(const struct score_store *store, size_t *count)
{
    struct answer_place *list = calloc(score_store_count(store) + 1, sizeof *list);
    struct packed_position pos;
    struct search_limit limit;
    struct search_answer answer;
    size_t cursor = 0;
    *count = 0;
    while (list && score_store_next_answer(store, &cursor, &pos, &limit, &answer))
        if (answer.best != MOVE_NONE)
            list[(*count)++] = (struct answer_place){.key = packed_position_key(&pos),
                                                     .number = (uint32_t)cursor - 1,
                                                     .best = answer.best};
    if (list)
        qsort(list, *count, sizeof *list, compare_places);
    return list;
}

/* The move of the deepest of these answers to one position. */
static move deepest_move(const struct score_store *store, const struct answer_place *places,
                         size_t count)
{
    struct packed_position pos;
    struct search_limit limit;
    struct search_limit best_limit = {SEARCH_TO_DEPTH, 0};
    struct search_answer answer;
    struct search_answer best = {.best = places[0].best, .depth = -1};
    for (size_t i = 0; i < count && count > 1; i++) {
        size_t cursor = places[i].number;
        if (score_store_next_answer(store, &cursor, &pos, &limit, &answer) &&
            answer_is_deeper(limit, &answer, best_limit, &best)) {
            best = answer;
            best_limit = limit;
        }
    }
    return best.best;
}

/* But where a move is chosen. */
static enum caxton_status add_answers(const struct score_store *store,
                                      const struct entry_table *chosen, struct entry_list *list)
{
    size_t count;
    struct answer_place *places = sort_answers(store, &count);
    enum caxton_status status = places ? STATUS_OK : STATUS_NO_MEMORY;
    for (size_t i = 0, end; i < count && status == STATUS_OK; i = end) {
        for (end = i + 1; end < count && places[end].key == places[i].key;)
            end++;
        if (!has_key(chosen, places[i].key))
            status =
                append(list, places[i].key, deepest_move(store, &places[i], end - i), WEIGHT_ONLY);
    }
    free(places);
    return status;
}

/* Graphs. ------------------------------------------------------------------------------------- */

static enum caxton_status add_own(const struct score_store *store, const struct store_node *node,
                                  struct entry_list *list)
{
    enum caxton_status status = STATUS_OK;
    if (score_store_chosen(store, &node->pos, NULL))
        return STATUS_OK; /* that one is added instead */
    for (int i = 0; i < node->count && status == STATUS_OK; i++) {
        const struct store_move *own = &node->moves[i];
        uint32_t weight = node->count == 1 ? WEIGHT_ONLY : store_weight(own->probability);
        status = append(list, packed_position_key(&node->pos), own->move, weight);
    }
    return status;
}

static enum caxton_status add_chosen(const struct score_store *store, struct entry_list *list)
{
    struct packed_position pos;
    struct chosen_move chosen;
    size_t cursor = 0;
    enum caxton_status status = STATUS_OK;
    while (status == STATUS_OK && score_store_next_chosen(store, &cursor, &pos, &chosen))
        status = append(list, packed_position_key(&pos), chosen.move, WEIGHT_ONLY);
    return status;
}

/* The keys of positions with own moves: replies are looked up by the million. */
struct key_set {
    uint64_t *slots; /* 0: free; a power of two of them */
    size_t mask;
};

static size_t slot_of(const struct key_set *set, uint64_t key)
{
    size_t at = (size_t)key & set->mask;
    while (set->slots[at] && set->slots[at] != key)
        at = (at + 1) & set->mask;
    return at;
}

/* The slots are to be freed. */
static bool make_key_set(const struct entry_list *list, struct key_set *out)
{
    size_t size = 2;
    while (size < 2 * list->count + 2)
        size *= 2;
    *out = (struct key_set){.slots = calloc(size, sizeof *out->slots), .mask = size - 1};
    for (size_t i = 0; out->slots && i < list->count; i++)
        out->slots[slot_of(out, list->entries[i].key)] = list->entries[i].key;
    return out->slots != NULL;
}

static bool is_own(const struct key_set *own, uint64_t key)
{
    return own->slots[slot_of(own, key)] == key;
}

static enum caxton_status add_replies(const struct store_node *node, const struct key_set *own,
                                      struct entry_list *list)
{
    struct position pos;
    move legal[MOVES_MAX];
    enum caxton_status status = STATUS_OK;
    if (!position_unpack(&node->pos, &pos))
        return STATUS_OK;
    int count = movegen_legal(&pos, legal);
    for (int i = 0; i < node->count && status == STATUS_OK; i++) {
        move m = node->moves[i].move;
        int at = 0;
        while (at < count && legal[at] != m)
            at++;
        if (at == count)
            continue;
        const struct position behind = position_behind(&pos, m);
        if (is_own(own, behind.key))
            status = append(list, pos.key, m, store_weight(node->moves[i].probability));
    }
    return status;
}

static enum caxton_status add_all_replies(const struct score_store *store, struct store_node *node,
                                          struct entry_list *list)
{
    struct entry_list replies = {.separate = true};
    struct key_set own;
    size_t cursor = 0;
    if (!make_key_set(list, &own))
        return STATUS_NO_MEMORY;
    enum caxton_status status = STATUS_OK;
    while (status == STATUS_OK && score_store_next_node(store, &cursor, node))
        if (!store_node_is_own(node) && !is_own(&own, packed_position_key(&node->pos)))
            status = add_replies(node, &own, &replies);
    for (size_t i = 0; i < replies.count && status == STATUS_OK; i++)
        status = entry_list_append(list, &replies.entries[i]);
    entry_list_free(&replies);
    free(own.slots);
    return status;
}

static enum caxton_status add_graph(const struct score_store *store, struct store_node *node,
                                    struct entry_list *list)
{
    size_t cursor = 0;
    enum caxton_status status = add_chosen(store, list);
    while (status == STATUS_OK && score_store_next_own(store, &cursor, node))
        status = add_own(store, node, list);
    return status == STATUS_OK ? add_all_replies(store, node, list) : status;
}

/* Answers, and the chosen moves instead where there are some. */
static enum caxton_status add_searches(const struct score_store *store, struct entry_list *list)
{
    struct entry_list chosen = {.separate = true};
    enum caxton_status status = add_chosen(store, &chosen);
    entry_list_sort(&chosen);
    const struct entry_table table = {.entries = chosen.entries, .count = chosen.count};
    if (status == STATUS_OK)
        status = add_answers(store, &table, list);
    for (size_t i = 0; i < chosen.count && status == STATUS_OK; i++)
        status = entry_list_append(list, &chosen.entries[i]);
    entry_list_free(&chosen);
    return status;
}

enum caxton_status store_moves(const struct score_store *store, struct entry_list *out)
{
    if (!score_store_has_graph(store))
        return add_searches(store, out);
    struct store_node *node = malloc(sizeof *node);
    enum caxton_status status = node ? add_graph(store, node, out) : STATUS_NO_MEMORY;
    free(node);
    return status;
}
