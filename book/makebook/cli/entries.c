#include "book/makebook/cli/entries.h"

#include <stdlib.h>

#include "base/atomic_file.h"
#include "book/format.h"
#include "book/formats/polyglot/polyglot.h"
#include "book/makebook/cli/outputs.h"

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

bool entries_save(const struct command_line *line, struct entry_list *list,
                  const struct position *root, bool keep, const char *path,
                  struct polyglot_report *report)
{
    struct diag diag = {.text = ""};
    struct atomic_file *file = NULL;
    char lost[BOOK_LOSSES_TEXT_MAX];
    if (!outputs_create(line, path, &file))
        return false;
    enum caxton_status status =
        polyglot_write(list, root, keep, atomic_file_stream(file), report, &diag);
    if (outputs_end(line, file, status, diag.text) != EXIT_DONE)
        return false;
    if (*book_losses_text(&report->losses, lost))
        (void)command_fail(line, "warning: %s: %s", path, lost);
    return true;
}
