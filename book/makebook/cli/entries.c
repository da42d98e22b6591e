#include "book/makebook/cli/entries.h"
#include "book/polyglot_entry.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/atomic_file.h"

enum caxton_status entries_list(const struct entry_table *table, struct entry_list *out)
{
    enum caxton_status status = STATUS_OK;
    out->separate = true;
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

/* Makes one entry of those of the same move. */
static void add_up(struct entry_list *list)
{
    size_t kept = 0;
    entry_list_sort(list);
    for (size_t i = 0; i < list->count; i++) {
        const struct book_entry *entry = &list->entries[i];
        struct book_entry *last = kept ? &list->entries[kept - 1] : NULL;
        if (!last || last->key != entry->key || last->move != entry->move) {
            list->entries[kept++] = *entry;
            continue;
        }
        uint32_t room = UINT32_MAX - last->weight;
        last->weight += entry->weight < room ? entry->weight : room;
        last->learn = entry->learn > last->learn ? entry->learn : last->learn;
    }
    list->count = kept;
}

/* Makes the weights of one position fit. Returns whether they had to be scaled. */
static bool scale_position(struct book_entry *entries, size_t count)
{
    uint64_t largest = 0;
    for (size_t i = 0; i < count; i++)
        if (entries[i].weight > largest)
            largest = entries[i].weight;
    if (largest <= POLYGLOT_WEIGHT_MAX)
        return false;
    for (size_t i = 0; i < count; i++) {
        uint64_t weight =
            (entries[i].weight * (uint64_t)POLYGLOT_WEIGHT_MAX + largest / 2) / largest;
        entries[i].weight = weight == 0 && entries[i].weight ? 1 : (uint32_t)weight;
    }
    return true;
}

void entries_combine(struct entry_list *list, struct combine_report *report)
{
    *report = (struct combine_report){0};
    add_up(list);
    const struct entry_table table = entries_table(list);
    for (size_t first = 0, count; first < list->count; first += count) {
        count = entries_of_position(&table, first);
        report->positions++;
        report->scaled += scale_position(list->entries + first, count);
    }
    entries_sort_by_weight(list);
}

enum caxton_status entries_save(const struct entry_list *list, const char *path, struct diag *diag)
{
    struct atomic_file *file = NULL;
    enum caxton_status status = atomic_file_create(path, &file, diag);
    if (status != STATUS_OK)
        return status;
    for (size_t i = 0; i < list->count; i++) {
        const struct book_entry *entry = &list->entries[i];
        const struct polyglot_entry saved = {.key = entry->key,
                                             .move = entry->move,
                                             .weight = (uint16_t)entry->weight,
                                             .learn = entry->learn};
        uint8_t bytes[POLYGLOT_ENTRY_SIZE];
        polyglot_encode(&saved, bytes);
        if (fwrite(bytes, sizeof bytes, 1, atomic_file_stream(file)) != 1)
            break; /* commit reports it */
    }
    return atomic_file_commit(file, diag);
}
