#include "book/formats/statistics/wld_format.h"
#include "book/book.h"
#include "book/book_move.h"
#include "book/polyglot_entry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory_stream.h"
#include "book/entry_table.h"
#include "book/statistics/wld_merge.h"
#include "book/weigh/weigh.h"
#include "chess/mirror.h"

static enum caxton_status weigh_all(struct wld_reader *reader, FILE *out, struct diag *diag)
{
    const struct weigh_options options = {.unit = wld_reader_info(reader)->unit};
    struct weigh_report report;
    struct weigher *weigher = weigher_create(out, &options);
    if (!weigher)
        return STATUS_NO_MEMORY;
    enum caxton_status status = wld_merge(&reader, 1, weigher_take, weigher, diag);
    if (status == STATUS_OK)
        status = weigher_finish(weigher, &report);
    weigher_destroy(weigher);
    return status;
}

static void fill(struct book *book, struct entry_table table)
{
    book->table = table;
    book->move_count = table.count;
}

/* Weighs the statistics into Polyglot entries, which are the state of the book. */
static enum caxton_status read_entries(struct book *book, const uint8_t *bytes, size_t size,
                                       struct diag *diag)
{
    struct span memory = span_make((const char *)bytes, size);
    struct wld_reader *reader = NULL;
    struct memory_stream entries;
    enum caxton_status status = wld_reader_create(span_read, &memory, book->name, &reader, diag);
    if (status != STATUS_OK)
        return status;
    status =
        memory_stream_open(&entries) ? weigh_all(reader, entries.file, diag) : STATUS_NO_MEMORY;
    if (!memory_stream_close(&entries))
        status = STATUS_NO_MEMORY;
    wld_reader_destroy(reader);
    book->state = entries.bytes;
    fill(book,
         (struct entry_table){.bytes = book->state, .count = entries.size / POLYGLOT_ENTRY_SIZE});
    return status == STATUS_IO ? STATUS_NO_MEMORY : status;
}

static enum caxton_status wld_open(struct book *book, const uint8_t *bytes, size_t size,
                                   struct diag *diag)
{
    struct diag own = {.text = ""};
    enum caxton_status status = read_entries(book, bytes, size, &own);
    if (status == STATUS_OK && book->move_count > 0)
        return status;
    if (status == STATUS_OK)
        diag_set(&own, 0, 0, "%s: statistics without a move that scored", book->name);
    else if (status == STATUS_NO_MEMORY)
        diag_set(&own, 0, 0, "%s: out of memory", book->name);
    if (diag)
        *diag = own;
    return status == STATUS_NO_MEMORY ? status : STATUS_FORMAT;
}

const struct book_format wld_format = {
    .name = "statistics",
    .extension = "wld",
    .recognises = wld_is_magic,
    .open = wld_open,
    .close = free,
};

const struct book_format wld_mirrored_format = {
    .name = "statistics, mirrored",
    .extension = "wld",
    .recognises = wld_is_mirrored,
    .open = wld_open,
    .close = free,
    .mirrored = true,
};

/* Books out of statistics --------------------------------------------------------------------- */

static enum caxton_status wrap(struct entry_table table, bool mirrored, const char *name,
                               struct book **out, struct diag *diag)
{
    struct book *book = book_new(mirrored ? &wld_mirrored_format : &wld_format, name);
    if (!book) {
        diag_set(diag, 0, 0, "%s: out of memory", name);
        return STATUS_NO_MEMORY;
    }
    fill(book, table);
    *out = book;
    return STATUS_OK;
}

/* Statistics on their way into a list. Until the largest count is known, weight and learn hold the
 * lower and upper half of each. */
struct counts {
    struct entry_list list;
    uint64_t largest;
    bool too_many;
};

static enum caxton_status take_tally(struct counts *counts, const struct wld_watcher *watcher,
                                     const struct tally *tally)
{
    uint64_t games = tally_games(tally);
    enum caxton_status status = watcher ? watcher->sink(watcher->context, tally) : STATUS_OK;
    if (status != STATUS_OK || counts->too_many)
        return status;
    if (watcher && counts->list.count == watcher->most) {
        counts->too_many = true;
        entry_list_free(&counts->list);
        return STATUS_OK;
    }
    if (games > counts->largest)
        counts->largest = games;
    return entry_list_append(&counts->list, &(struct book_entry){.key = tally->key,
                                                                 .move = tally->move,
                                                                 .weight = (uint32_t)games,
                                                                 .learn = (uint32_t)(games >> 32)});
}

static enum caxton_status read_counts(struct wld_reader *reader, const struct wld_watcher *watcher,
                                      struct counts *counts, struct diag *diag)
{
    struct tally tally;
    enum caxton_status status;
    while ((status = wld_reader_next(reader, &tally, diag)) == STATUS_OK) {
        status = take_tally(counts, watcher, &tally);
        if (status != STATUS_OK) {
            diag_set(diag, 0, 0, "%s", status_name(status));
            return status;
        }
    }
    return status == STATUS_END ? STATUS_OK : status;
}

/* So many of what is counted make 1. */
static void set_weights(struct counts *counts, uint64_t unit)
{
    int shift = 0;
    while (counts->largest / unit >> shift >= UINT32_MAX)
        shift++;
    for (size_t i = 0; i < counts->list.count; i++) {
        struct book_entry *entry = &counts->list.entries[i];
        uint64_t count = (uint64_t)entry->learn << 32 | entry->weight;
        uint64_t games = (count / unit + (count % unit > 0)) >> shift;
        entry->weight = games ? (uint32_t)games : 1;
        entry->learn = 0;
        entry->stated = true;
    }
}

enum caxton_status wld_format_counts(struct wld_reader *reader, const char *name,
                                     enum wld_weights weights, const struct wld_watcher *watcher,
                                     struct book **out, struct diag *diag)
{
    struct counts counts = {.list = {.separate = true}};
    enum caxton_status status = read_counts(reader, watcher, &counts, diag);
    set_weights(&counts, weights == WLD_WEIGHTS_GAMES ? wld_reader_info(reader)->unit : 1);
    struct entry_table table = {.entries = counts.list.entries, .count = counts.list.count};
    if (status == STATUS_OK && counts.too_many)
        *out = NULL;
    else if (status == STATUS_OK)
        status = wrap(table, wld_reader_info(reader)->mirrored, name, out, diag);
    if (status != STATUS_OK)
        entry_list_free(&counts.list);
    return status;
}

enum caxton_status wld_format_mirrored(const uint8_t *entries, size_t count, const char *name,
                                       struct book **out, struct diag *diag)
{
    return wrap((struct entry_table){.bytes = entries, .count = count}, true, name, out, diag);
}
