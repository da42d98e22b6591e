#include "book/makebook/cli/entries.h"
#include "book/polyglot_entry.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/atomic_file.h"

void entries_free(struct entries *entries)
{
    free(entries->data);
    *entries = (struct entries){0};
}

enum caxton_status entries_add(struct entries *entries, const struct polyglot_entry *entry)
{
    struct polyglot_entry *data =
        array_reserve(entries->data, &entries->capacity, entries->count + 1, sizeof *data);
    if (!data)
        return STATUS_NO_MEMORY;
    entries->data = data;
    entries->data[entries->count++] = *entry;
    return STATUS_OK;
}

static int compare_moves(const void *a, const void *b)
{
    const struct polyglot_entry *x = a;
    const struct polyglot_entry *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->move < y->move ? -1 : x->move > y->move;
}

/* Adds the weights of equal (key, move) up into sums[], one for each entry that stays. */
static void add_up(struct entries *entries, uint64_t *sums)
{
    size_t kept = 0;
    for (size_t i = 0; i < entries->count; i++) {
        struct polyglot_entry entry = entries->data[i];
        if (kept && compare_moves(&entry, &entries->data[kept - 1]) == 0) {
            sums[kept - 1] += entry.weight;
            if (entries->data[kept - 1].learn < entry.learn)
                entries->data[kept - 1].learn = entry.learn;
        } else {
            sums[kept] = entry.weight;
            entries->data[kept++] = entry;
        }
    }
    entries->count = kept;
}

/* Sets the weights of one position, entries[0..count), from the sums. Returns whether they had to
 * be scaled. */
static bool scale_position(struct polyglot_entry *entries, const uint64_t *sums, size_t count)
{
    uint64_t largest = 0;
    for (size_t i = 0; i < count; i++)
        if (sums[i] > largest)
            largest = sums[i];
    bool scaled = largest > POLYGLOT_WEIGHT_MAX;
    for (size_t i = 0; i < count; i++) {
        uint64_t weight = sums[i];
        if (scaled) /* no overflow: a sum of n weights is below n * 2^16 */
            weight = (weight * POLYGLOT_WEIGHT_MAX + largest / 2) / largest;
        if (weight == 0 && sums[i])
            weight = 1;
        entries[i].weight = (uint16_t)weight;
    }
    return scaled;
}

enum caxton_status entries_combine(struct entries *entries, struct combine_report *report)
{
    *report = (struct combine_report){0};
    if (entries->count == 0)
        return STATUS_OK;
    uint64_t *sums = calloc(entries->count, sizeof *sums);
    if (!sums)
        return STATUS_NO_MEMORY;
    qsort(entries->data, entries->count, sizeof *entries->data, compare_moves);
    add_up(entries, sums);
    for (size_t first = 0, end; first < entries->count; first = end) {
        for (end = first + 1; end < entries->count; end++)
            if (entries->data[end].key != entries->data[first].key)
                break;
        report->positions++;
        report->scaled += scale_position(entries->data + first, sums + first, end - first);
    }
    free(sums);
    qsort(entries->data, entries->count, sizeof *entries->data, polyglot_compare);
    return STATUS_OK;
}

enum caxton_status entries_save(const struct entries *entries, const char *path, struct diag *diag)
{
    struct atomic_file *file = NULL;
    enum caxton_status status = atomic_file_create(path, &file, diag);
    if (status != STATUS_OK)
        return status;
    for (size_t i = 0; i < entries->count; i++) {
        uint8_t bytes[POLYGLOT_ENTRY_SIZE];
        polyglot_encode(&entries->data[i], bytes);
        if (fwrite(bytes, sizeof bytes, 1, atomic_file_stream(file)) != 1)
            break; /* commit reports it */
    }
    return atomic_file_commit(file, diag);
}

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
