#include "book/makebook/cli/gather.h"

#include <stdlib.h>

#include "base/array.h"
#include "book/book.h"
#include "book/format.h"
#include "book/graph/graph_visit.h"
#include "book/makebook/cli/entries.h"
#include "book/polyglot_entry.h"
#include "book/position_book.h"

enum { NORMAL_TOTAL = 10000 };

enum caxton_status gather_root(struct gathering *gathering, const struct position *root)
{
    if (!ARRAY_GROW(gathering->roots, gathering->root_capacity, gathering->root_count + 1))
        return STATUS_NO_MEMORY;
    gathering->roots[gathering->root_count++] = *root;
    return STATUS_OK;
}

enum caxton_status gather_roots(struct gathering *gathering, const struct book *book,
                                struct diag *diag)
{
    enum caxton_status status = STATUS_OK;
    for (size_t i = 0; i < book->root_count && status == STATUS_OK; i++)
        status = gather_root(gathering, &book->roots[i]);
    if (status != STATUS_OK)
        diag_set(diag, 0, 0, "%s", status_name(status));
    return status;
}

/* The same as the end of gathering from the book, which went as `status` says. */
static enum caxton_status add_roots(struct gathering *gathering, const struct book *book,
                                    enum caxton_status status, struct diag *diag)
{
    if (status == STATUS_OK)
        return gather_roots(gathering, book, diag);
    diag_set(diag, 0, 0, "%s", status_name(status));
    return status;
}

/* Scales the weights of each position in a list that is sorted: their sum becomes NORMAL_TOTAL, but
 * for rounding. No positive weight becomes 0. */
static void normalise(struct entry_list *list)
{
    const struct entry_table table = entries_table(list);
    for (size_t first = 0, count; first < list->count; first += count) {
        uint64_t sum = 0;
        count = entries_of_position(&table, first);
        for (size_t i = first; i < first + count; i++)
            sum += list->entries[i].weight;
        for (size_t i = first; i < first + count; i++) {
            uint64_t weight = list->entries[i].weight;
            uint64_t scaled = sum ? (weight * NORMAL_TOTAL + sum / 2) / sum : 0;
            list->entries[i].weight = weight && !scaled ? 1 : (uint32_t)scaled;
        }
    }
}

static enum caxton_status add_list(struct entry_list *list, struct entry_list *added,
                                   enum gather_policy policy)
{
    enum caxton_status status = STATUS_OK;
    for (size_t i = 0; i < added->count; i++)
        added->entries[i].stated = false; /* of stated weights the largest would count */
    list->unchecked |= added->unchecked;
    if (policy == GATHER_PRIORITY)
        return gather_new(list, added);
    if (policy == GATHER_NORMALISED) {
        entry_list_sort(added);
        normalise(added);
    }
    for (size_t i = 0; i < added->count && status == STATUS_OK; i++)
        status = entry_list_append(list, &added->entries[i]);
    return status;
}

enum caxton_status gather_book(struct gathering *gathering, const struct book *book,
                               enum gather_policy policy, struct diag *diag)
{
    struct entry_list list = {.separate = true};
    struct book_losses losses = {0};
    enum caxton_status status = book_graph_entries(book, &list, &losses, diag);
    if (status == STATUS_OK) {
        char text[BOOK_LOSSES_TEXT_MAX];
        diag_set(diag, 0, 0, "%s", book_losses_text(&losses, text));
        status = add_list(&gathering->list, &list, policy);
        status = add_roots(gathering, book, status, diag);
    }
    entry_list_free(&list);
    return status;
}

static enum caxton_status add_node(struct gathering *gathering, const struct book_graph *graph,
                                   uint32_t index, int color)
{
    const struct book_node *node = &graph->nodes[index];
    struct position pos;
    enum caxton_status status = STATUS_OK;
    book_graph_position(graph, index, &pos, NULL);
    for (uint32_t i = 0; i < node->count && pos.turn == color && status == STATUS_OK; i++) {
        const struct book_edge *edge = &graph->edges[node->first + i];
        const struct book_entry entry = {.weight = edge->weight, .learn = edge->learn};
        status = entry_list_add(&gathering->list, &pos, edge->move, entry);
    }
    return status;
}

enum caxton_status gather_color(struct gathering *gathering, const struct book *book, int color,
                                struct diag *diag)
{
    struct book_graph graph = {0};
    enum caxton_status status = book_graph_create(book, NULL, &graph, diag);
    if (status != STATUS_OK)
        return status;
    char text[BOOK_LOSSES_TEXT_MAX];
    const struct book_losses losses = {.positions = graph.positions,
                                       .unreached = graph.positions - graph.known,
                                       .illegal = book_graph_illegal_moves(&graph)};
    diag_set(diag, 0, 0, "%s", book_losses_text(&losses, text));
    for (size_t i = 0; i < graph.node_count && status == STATUS_OK; i++)
        status = add_node(gathering, &graph, (uint32_t)i, color);
    book_graph_destroy(&graph);
    return add_roots(gathering, book, status, diag);
}

/* An addition by its position, to be found by a binary search. */
struct addition_place {
    uint64_t key;
    size_t index;
};

static int compare_places(const void *a, const void *b)
{
    const struct addition_place *x = a;
    const struct addition_place *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

/* The first place of the key or behind it. */
static size_t find_place(const struct addition_place *places, size_t count, uint64_t key)
{
    size_t at;
    ARRAY_SEARCH(at, 0, count, places[at].key < key);
    return at;
}

/* Takes the entries of the moves out of the list, and keeps their learn values, by addition. */
static void take_out(struct entry_list *list, const struct book_addition *additions,
                     const struct addition_place *places, size_t count, uint32_t *learn)
{
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++) {
        const struct book_entry *entry = &list->entries[i];
        bool is_out = false;
        for (size_t at = find_place(places, count, entry->key);
             at < count && places[at].key == entry->key; at++) {
            const struct book_addition *addition = &additions[places[at].index];
            if (polyglot_to_move(&addition->pos, entry->move) != addition->m)
                continue;
            if (entry->learn > learn[places[at].index])
                learn[places[at].index] = entry->learn;
            is_out = true;
        }
        if (!is_out)
            list->entries[kept++] = *entry;
    }
    list->count = kept;
}

enum caxton_status gather_additions(struct gathering *gathering,
                                    const struct book_addition *additions, size_t count)
{
    struct entry_list *list = &gathering->list;
    struct addition_place *places = calloc(count + 1, sizeof *places);
    uint32_t *learn = calloc(count + 1, sizeof *learn);
    enum caxton_status status = places && learn ? STATUS_OK : STATUS_NO_MEMORY;
    if (status == STATUS_OK) {
        for (size_t i = 0; i < count; i++)
            places[i] = (struct addition_place){additions[i].pos.key, i};
        qsort(places, count, sizeof *places, compare_places);
        take_out(list, additions, places, count, learn);
    }
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        const struct book_entry made = {.weight = additions[i].weight, .learn = learn[i]};
        status = gather_root(gathering, &additions[i].pos);
        if (status == STATUS_OK)
            status = entry_list_add(list, &additions[i].pos, additions[i].m, made);
    }
    free(places);
    free(learn);
    return status;
}

/* Is there no place in the table for the entry? Its position has a move that is played, or this
 * move is known, and never played. */
static bool is_taken(const struct entry_table *table, const struct book_entry *added)
{
    struct book_entry entry;
    for (size_t at = entry_table_find(table, added->key);
         at < table->count && (entry = entry_table_at(table, at)).key == added->key; at++)
        if (entry.weight > 0 || entry.move == added->move)
            return true;
    return false;
}

enum caxton_status gather_new(struct entry_list *list, const struct entry_list *added)
{
    entry_list_sort(list);
    const struct entry_table before = {.entries = list->entries, .count = list->count};
    struct entry_list fresh = {.separate = true}; /* the list moves when it grows */
    enum caxton_status status = STATUS_OK;
    for (size_t i = 0; i < added->count && status == STATUS_OK; i++)
        if (!is_taken(&before, &added->entries[i]))
            status = entry_list_append(&fresh, &added->entries[i]);
    for (size_t i = 0; i < fresh.count && status == STATUS_OK; i++)
        status = entry_list_append(list, &fresh.entries[i]);
    entry_list_free(&fresh);
    return status;
}

enum caxton_status gather_finish(struct gathering *gathering, const char *name, struct book **out)
{
    *out = position_book_create(&gathering->list, gathering->roots, gathering->root_count, name);
    if (!*out)
        return STATUS_NO_MEMORY;
    gathering->roots = NULL;
    return STATUS_OK;
}

void gather_free(struct gathering *gathering)
{
    entry_list_free(&gathering->list);
    free(gathering->roots);
    *gathering = (struct gathering){0};
}
