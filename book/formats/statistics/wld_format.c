#include "book/formats/statistics/wld_format.h"
#include "book/book.h"
#include "book/book_move.h"
#include "book/polyglot_entry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "book/entry_table.h"
#include "book/statistics/wld_merge.h"
#include "book/weigh/weigh.h"
#include "chess/mirror.h"

struct wld_state {
    char *entries; /* Polyglot entries, or NULL: */
    struct entry_table table;
};

static enum caxton_status weigh_all(struct wld_reader *reader, FILE *out, struct diag *diag)
{
    const struct weigh_options options = {.unit = wld_reader_unit(reader)};
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

/* Weighs the statistics into entries that the state owns. */
static enum caxton_status read_entries(const uint8_t *bytes, size_t size, const char *name,
                                       struct wld_state *state, struct diag *diag)
{
    struct span memory = span_make((const char *)bytes, size);
    struct wld_reader *reader = NULL;
    size_t written = 0;
    enum caxton_status status = wld_reader_create(span_read, &memory, name, &reader, diag);
    if (status != STATUS_OK)
        return status;
    FILE *out = open_memstream(&state->entries, &written);
    status = out ? weigh_all(reader, out, diag) : STATUS_NO_MEMORY;
    if (out && fclose(out) != 0)
        status = STATUS_NO_MEMORY;
    wld_reader_destroy(reader);
    state->table = (struct entry_table){.bytes = (const uint8_t *)state->entries,
                                        .count = written / POLYGLOT_ENTRY_SIZE};
    return status == STATUS_IO ? STATUS_NO_MEMORY : status;
}

static void wld_close(void *opened)
{
    struct wld_state *state = opened;
    free(state->entries);
    if (!state->table.bytes)
        entry_table_free(&state->table);
    free(state);
}

static enum caxton_status wld_open(const struct book_format *format, const uint8_t *bytes,
                                   size_t size, const char *name, void **out, struct diag *diag)
{
    (void)format;
    struct diag own = {.text = ""};
    struct wld_state *state = calloc(1, sizeof *state);
    enum caxton_status status =
        state ? read_entries(bytes, size, name, state, &own) : STATUS_NO_MEMORY;
    if (status == STATUS_OK && state->table.count == 0) {
        diag_set(&own, 0, 0, "%s: statistics without a move that scored", name);
        status = STATUS_FORMAT;
    }
    if (status == STATUS_OK) {
        *out = state;
        return status;
    }
    if (status == STATUS_NO_MEMORY)
        diag_set(&own, 0, 0, "%s: out of memory", name);
    if (state)
        wld_close(state);
    if (diag)
        *diag = own;
    return status == STATUS_NO_MEMORY ? status : STATUS_FORMAT;
}

static const struct entry_table *wld_table(const void *opened)
{
    const struct wld_state *state = opened;
    return &state->table;
}

/* A position with Black to move stands in the book with colours exchanged. */
static int mirrored_probe(const void *opened, const struct position *pos, const struct game *game,
                          struct book_move *out)
{
    (void)game;
    struct position white;
    if (pos->turn == WHITE)
        return entry_table_probe(wld_table(opened), pos, out);
    position_mirror(pos, &white);
    int count = entry_table_probe(wld_table(opened), &white, out);
    for (int i = 0; i < count; i++)
        out[i].move = move_mirror(out[i].move);
    return count;
}

const struct book_format wld_format = {
    .name = "statistics",
    .extension = "wld",
    .recognises = wld_is_magic,
    .open = wld_open,
    .close = wld_close,
    .table = wld_table,
};

const struct book_format wld_mirrored_format = {
    .name = "statistics, mirrored",
    .extension = "wld",
    .recognises = wld_is_mirrored,
    .open = wld_open,
    .close = wld_close,
    .probe = mirrored_probe,
    .mirrored = wld_table,
};

/* Books out of statistics --------------------------------------------------------------------- */

static enum caxton_status wrap(struct wld_state *made, bool mirrored, const char *name,
                               struct book **out, struct diag *diag)
{
    struct wld_state *state = malloc(sizeof *state);
    enum caxton_status status = STATUS_NO_MEMORY;
    if (state) {
        *state = *made;
        status = book_wrap(mirrored ? &wld_mirrored_format : &wld_format, state, name, out);
    }
    if (status == STATUS_OK)
        return status;
    diag_set(diag, 0, 0, "%s: out of memory", name);
    free(state);
    return status;
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

static void set_weights(struct counts *counts)
{
    int shift = 0;
    while (counts->largest >> shift > UINT32_MAX)
        shift++;
    for (size_t i = 0; i < counts->list.count; i++) {
        struct book_entry *entry = &counts->list.entries[i];
        uint64_t games = ((uint64_t)entry->learn << 32 | entry->weight) >> shift;
        entry->weight = games ? (uint32_t)games : 1;
        entry->learn = 0;
        entry->stated = true;
    }
}

enum caxton_status wld_format_counts(struct wld_reader *reader, const char *name,
                                     const struct wld_watcher *watcher, struct book **out,
                                     struct diag *diag)
{
    struct counts counts = {.list = {.separate = true}};
    enum caxton_status status = read_counts(reader, watcher, &counts, diag);
    set_weights(&counts);
    struct wld_state made = {.table = {.entries = counts.list.entries, .count = counts.list.count}};
    if (status == STATUS_OK && counts.too_many)
        *out = NULL;
    else if (status == STATUS_OK)
        status = wrap(&made, wld_reader_is_mirrored(reader), name, out, diag);
    if (status != STATUS_OK)
        entry_list_free(&counts.list);
    return status;
}

enum caxton_status wld_format_mirrored(const uint8_t *entries, size_t count, const char *name,
                                       struct book **out, struct diag *diag)
{
    struct wld_state made = {.table = {.bytes = entries, .count = count}};
    return wrap(&made, true, name, out, diag);
}
