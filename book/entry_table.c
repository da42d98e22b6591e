#include "book/entry_table.h"
#include "book/book_move.h"
#include "book/polyglot_entry.h"

#include <stdlib.h>

#include "base/array.h"
#include "chess/movegen.h"
#include "chess/zobrist.h"

/* Below this many entries doubling the memory is cheaper than joining. */
enum { JOIN_MIN = 1 << 16 };

static int compare(const void *a, const void *b)
{
    const struct book_entry *x = a;
    const struct book_entry *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    if (x->move != y->move)
        return x->move < y->move ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

void entry_list_sort(struct entry_list *list)
{
    if (list->count > 1)
        qsort(list->entries, list->count, sizeof *list->entries, compare);
}

void entry_join(struct book_entry *first, const struct book_entry *later)
{
    first->styles |= later->styles;
    first->learn = later->learn > first->learn ? later->learn : first->learn;
    if (later->stated != first->stated) {
        first->weight = later->stated ? later->weight : first->weight;
        first->stated = true;
    } else if (first->stated) {
        first->weight = later->weight > first->weight ? later->weight : first->weight;
    } else {
        uint32_t room = UINT32_MAX - first->weight;
        first->weight += later->weight < room ? later->weight : room;
    }
}

void entry_list_join(struct entry_list *list)
{
    size_t kept = 0;
    entry_list_sort(list);
    for (size_t i = 0; i < list->count; i++) {
        const struct book_entry *entry = &list->entries[i];
        struct book_entry *last = kept ? &list->entries[kept - 1] : NULL;
        if (last && last->key == entry->key && last->move == entry->move)
            entry_join(last, entry);
        else
            list->entries[kept++] = *entry;
    }
    list->count = kept;
}

static enum caxton_status make_room(struct entry_list *list)
{
    if (list->count < list->capacity)
        return STATUS_OK;
    if (list->count >= JOIN_MIN && !list->separate)
        entry_list_join(list);
    if (list->count < list->capacity / 2)
        return STATUS_OK;
    size_t needed = list->capacity + 1; /* twice as much, even where joining has made room */
    if (!ARRAY_GROW(list->entries, list->capacity, needed))
        return STATUS_NO_MEMORY;
    return STATUS_OK;
}

enum caxton_status entry_list_append(struct entry_list *list, const struct book_entry *entry)
{
    enum caxton_status status = make_room(list);
    if (status == STATUS_OK)
        list->entries[list->count++] = *entry;
    return status;
}

enum caxton_status entry_list_add(struct entry_list *list, const struct position *pos, move m,
                                  struct book_entry entry)
{
    entry.key = pos->key;
    entry.move = polyglot_from_move(m);
    return entry_list_append(list, &entry);
}

void entry_list_free(struct entry_list *list)
{
    free(list->entries);
    *list = (struct entry_list){0};
}

struct entry_table entry_table_from_list(struct entry_list *list)
{
    entry_list_join(list);
    struct entry_table table = {.entries = list->entries,
                                .count = list->count,
                                .ordered = list->ordered,
                                .unchecked = list->unchecked};
    *list = (struct entry_list){0};
    return table;
}

void entry_table_free(struct entry_table *table)
{
    free(table->entries);
    *table = (struct entry_table){0};
}

struct book_entry entry_table_at(const struct entry_table *table, size_t index)
{
    if (!table->bytes)
        return table->entries[index];
    struct polyglot_entry entry = polyglot_decode(table->bytes + index * POLYGLOT_ENTRY_SIZE);
    return (struct book_entry){
        .key = entry.key, .weight = entry.weight, .learn = entry.learn, .move = entry.move};
}

static uint64_t key_at(const struct entry_table *table, size_t index)
{
    return table->bytes ? polyglot_key(table->bytes + index * POLYGLOT_ENTRY_SIZE)
                        : table->entries[index].key;
}

size_t entry_table_find(const struct entry_table *table, uint64_t key)
{
    size_t at;
    ARRAY_SEARCH(at, 0, table->count, key_at(table, at) < key);
    return at;
}

static int probe_key(const struct entry_table *table, const struct position *pos, uint64_t key,
                     struct book_move *out)
{
    int count = 0; /* no more than there are legal moves */
    for (size_t i = entry_table_find(table, key); i < table->count; i++) {
        struct book_entry entry = entry_table_at(table, i);
        if (entry.key != key)
            break;
        move m = polyglot_to_move(pos, entry.move);
        if (m == MOVE_NONE)
            continue;
        int at = 0;
        while (at < count && out[at].move != m)
            at++;
        if (at == count)
            out[count++] = (struct book_move){.move = m, .place = table->ordered ? entry.place : 0};
        /* 65,538 full entries of one move would wrap. */
        uint32_t room = UINT32_MAX - out[at].weight;
        out[at].styles |= entry.styles;
        out[at].learn = entry.learn > out[at].learn ? entry.learn : out[at].learn;
        out[at].weight += entry.weight < room ? entry.weight : room;
    }
    return count;
}

/* Some programs leave the file of a capture en passant that would bare the king out of their books,
 * or out of the FEN that they send. */
int entry_table_probe(const struct entry_table *table, const struct position *pos,
                      struct book_move *out)
{
    uint64_t keys[2];
    int count = probe_key(table, pos, pos->key, out);
    return count == 0 && movegen_keys(pos, keys) > 1 ? probe_key(table, pos, keys[1], out) : count;
}

enum caxton_status entries_list(const struct entry_table *table, struct entry_list *out)
{
    enum caxton_status status = STATUS_OK;
    out->separate = true;
    out->unchecked |= table->unchecked;
    for (size_t i = 0; i < table->count && status == STATUS_OK; i++) {
        struct book_entry entry = entry_table_at(table, i);
        entry.place = (uint32_t)i;
        status = entry_list_append(out, &entry);
    }
    return status;
}

static int compare_weights(const void *left, const void *right)
{
    const struct book_entry *a = left;
    const struct book_entry *b = right;
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    if (a->weight != b->weight)
        return a->weight > b->weight ? -1 : 1;
    if (a->move != b->move)
        return a->move < b->move ? -1 : 1;
    return (a->place > b->place) - (a->place < b->place);
}

void entries_sort_by_weight(struct entry_list *list)
{
    if (list->count)
        qsort(list->entries, list->count, sizeof *list->entries, compare_weights);
}

struct entry_table entries_table(const struct entry_list *list)
{
    return (struct entry_table){.entries = list->entries, .count = list->count};
}

size_t entries_of_position(const struct entry_table *table, size_t first)
{
    uint64_t key = entry_table_at(table, first).key;
    size_t end = first + 1;
    while (end < table->count && entry_table_at(table, end).key == key)
        end++;
    return end - first;
}
