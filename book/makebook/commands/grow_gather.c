#include "book/makebook/commands/grow_gather.h"

/* Names the positions where games begin elsewhere than usual. */
static enum caxton_status add_roots(const struct dag *dag, struct gathering *gathering)
{
    struct position usual;
    enum caxton_status status = STATUS_OK;
    position_start(&usual);
    for (size_t i = 0; i < dag->root_count && status == STATUS_OK; i++)
        if (dag->roots[i].key != usual.key)
            status = gather_root(gathering, &dag->roots[i]);
    return status;
}

enum caxton_status grow_gather(const struct grow_gather *what, struct gathering *gathering,
                               struct diag *diag)
{
    struct entry_list *list = &gathering->list;
    struct entry_list own = {.separate = true};
    struct entry_list replies = {.separate = true};
    enum caxton_status status = STATUS_OK;
    for (int i = 0; i < GROW_SIDES && what->grown[i] && status == STATUS_OK; i++) {
        status = grow_own_gather(what->own, grow_side(what->grown[i]), gathering, diag);
        if (status == STATUS_OK)
            status = add_roots(grow_dag(what->grown[i]), gathering);
        if (status == STATUS_OK)
            status = grow_own_entries(what->grown[i], &own);
    }
    if (status == STATUS_OK)
        status = gather_new(list, &own);
    entry_list_sort(list);
    const struct entry_table ours = {.entries = list->entries, .count = list->count};
    for (int i = 0; i < GROW_SIDES && what->grown[i] && status == STATUS_OK && what->replies; i++)
        status = grow_reply_entries(what->grown[i], &ours, &replies);
    for (size_t i = 0; i < replies.count && status == STATUS_OK; i++)
        status = entry_list_append(list, &replies.entries[i]);
    entry_list_free(&own);
    entry_list_free(&replies);
    return status;
}
