#include "book/formats/statistics/wld_format.h"
#include "book/book.h"
#include "book/book_move.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/memory_stream.h"
#include "book/entry_table.h"
#include "book/polyglot_entry.h"
#include "book/statistics/wld_file.h"
#include "book/weigh/threshold.h"
#include "book/weigh/weigh.h"
#include "chess/mirror.h"

/* Counts, in memory or on disk; neither: nothing is known of them. */
struct counted {
    const struct wld_file *file;
    struct wld_file *owned; /* the same, when it is closed with the book */
    struct tally *tallies;  /* each facet apart, in the order of tally_compare() */
    size_t count;
    size_t capacity;
    uint8_t *entries; /* Polyglot's, of a book that was weighed into memory */
    struct wld_info info;
    const struct facet_filter *filter; /* of the games that count; NULL: all */
};

static void close(void *state)
{
    struct counted *self = state;
    if (!self)
        return;
    wld_file_close(self->owned);
    free(self->tallies);
    free(self->entries);
    free(self);
}

/* Facts --------------------------------------------------------------------------------------- */

/* Finds the position; without one, what is under `key`. */
static enum caxton_status find(const struct counted *self, const struct position *pos, uint64_t key,
                               struct wld_moves *out, struct diag *diag)
{
    uint64_t keys[2] = {key};
    int count = pos ? movegen_keys(pos, keys) : 1;
    enum caxton_status status = STATUS_OK;
    out->count = 0;
    out->filter = self->filter;
    for (int i = 0; i < count && status == STATUS_OK; i++) {
        size_t at;
        if (self->file) {
            status = wld_file_find_facets(self->file, keys[i], wld_moves_take, out, diag);
            continue;
        }
        ARRAY_SEARCH(at, 0, self->count, self->tallies[at].key < keys[i]);
        for (; at < self->count && self->tallies[at].key == keys[i]; at++)
            (void)wld_moves_take(out, &self->tallies[at]);
    }
    return status;
}

/* The position as it stands in the statistics. Is that with colours exchanged? */
static bool turn(const struct counted *self, const struct position *pos, struct position *out)
{
    if (!self->info.mirrored || pos->turn == WHITE) {
        *out = *pos;
        return false;
    }
    position_mirror(pos, out);
    return true;
}

static enum caxton_status counted_facts(const void *state, uint64_t key, const struct position *pos,
                                        struct book_facts *out, struct diag *diag)
{
    const struct counted *self = state;
    struct wld_moves found;
    struct position there;
    if (!self->file && !self->tallies)
        return STATUS_OK;
    bool turned = pos && turn(self, pos, &there);
    enum caxton_status status = find(self, pos ? &there : NULL, key, &found, diag);
    book_facts_clear(out);
    out->unit = self->info.unit;
    for (size_t i = 0; i < found.count; i++) {
        const struct tally *tally = &found.sums[i];
        move m = pos ? polyglot_to_move(&there, tally->move) : MOVE_NONE;
        if (pos && m == MOVE_NONE)
            continue;
        m = turned ? move_mirror(m) : m;
        uint64_t games = tally_games(tally) / out->unit + (tally_games(tally) % out->unit > 0);
        struct book_move_facts *facts =
            book_facts_add(out, pos ? polyglot_from_move(m) : tally->move, m);
        facts->weight = games < UINT32_MAX ? (uint32_t)games : UINT32_MAX;
        facts->wins = tally->counts[OUTCOME_WIN];
        facts->draws = tally->counts[OUTCOME_DRAW];
        facts->losses = tally->counts[OUTCOME_LOSS];
        facts->rated = found.more[i].rated;
        facts->ratings[0] = tally->ratings[0];
        facts->ratings[1] = tally->ratings[1];
        facts->first_month = found.more[i].first;
        facts->last_month = found.more[i].last;
    }
    return status;
}

/* To play from -------------------------------------------------------------------------------- */

enum caxton_status wld_weigh(struct wld_reader *reader, const struct weigh_options *options,
                             FILE *out, struct weigh_report *report, struct diag *diag)
{
    struct weigher *weigher = weigher_create(out, options);
    if (!weigher)
        return STATUS_NO_MEMORY;
    enum caxton_status status = wld_reader_give(reader, weigher_take, weigher, diag);
    if (status == STATUS_OK)
        status = weigher_finish(weigher, report);
    weigher_destroy(weigher);
    return status;
}

static void fill(struct book *book, struct entry_table table, struct counted *state)
{
    book->table = table;
    book->move_count = table.count;
    book->state = state;
    book->counts = &state->info;
}

/* Weighs the statistics into Polyglot entries. What they count is looked up in the bytes, where
 * they have an index. */
static enum caxton_status read_entries(struct book *book, const uint8_t *bytes, size_t size,
                                       struct diag *diag)
{
    struct span memory = span_make((const char *)bytes, size);
    struct wld_reader *reader = NULL;
    struct memory_stream entries;
    struct counted *self = calloc(1, sizeof *self);
    if (!self)
        return STATUS_NO_MEMORY;
    enum caxton_status status = wld_reader_create(span_read, &memory, book->name, &reader, diag);
    if (status != STATUS_OK) {
        free(self);
        return status;
    }
    self->info = *wld_reader_info(reader);
    const struct weigh_options options = {.unit = self->info.unit};
    struct weigh_report report;
    status = memory_stream_open(&entries) ? wld_weigh(reader, &options, entries.file, &report, diag)
                                          : STATUS_NO_MEMORY;
    if (!memory_stream_close(&entries))
        status = STATUS_NO_MEMORY;
    wld_reader_destroy(reader);
    self->entries = (uint8_t *)entries.bytes;
    if (wld_file_open_memory(bytes, size, book->name, &self->owned, NULL) == STATUS_OK)
        self->file = self->owned;
    fill(book,
         (struct entry_table){.bytes = self->entries, .count = entries.size / POLYGLOT_ENTRY_SIZE},
         self);
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
    .close = close,
    .facts = counted_facts,
};

const struct book_format wld_mirrored_format = {
    .name = "statistics, mirrored",
    .extension = "wld",
    .recognises = wld_is_mirrored,
    .open = wld_open,
    .close = close,
    .facts = counted_facts,
    .mirrored = true,
};

/* On disk ------------------------------------------------------------------------------------- */

/* Moves with their weights as the others' are. */
static int probe_disk(const void *state, const struct position *pos, const struct game *game,
                      struct book_move *out)
{
    const struct counted *self = state;
    struct wld_moves found;
    struct position there;
    struct polyglot_entry weighed[WEIGH_MOVES_MAX];
    struct book_entry entries[MOVES_MAX];
    const struct weigh_options options = {.unit = self->info.unit};
    bool turned = turn(self, pos, &there);
    (void)game;
    if (find(self, &there, 0, &found, NULL) != STATUS_OK)
        return 0; /* a damaged block: the engine plays without it */
    size_t weighed_count = weigh_position(&options, found.sums, found.count, weighed);
    for (size_t i = 0; i < weighed_count; i++)
        entries[i] = (struct book_entry){
            .key = there.key, .move = weighed[i].move, .weight = weighed[i].weight};
    const struct entry_table table = {.entries = entries, .count = weighed_count};
    int count = entry_table_probe(&table, &there, out);
    for (int i = 0; i < count && turned; i++)
        out[i].move = move_mirror(out[i].move);
    return count;
}

/* They have no table, as books of lines, and no bytes to recognise them by: a path opens them. The
 * second is of mirrored ones. */
static const struct book_format disk_formats[] = {{.name = "statistics",
                                                   .extension = "wld",
                                                   .is_lines = true,
                                                   .close = close,
                                                   .probe = probe_disk,
                                                   .facts = counted_facts},
                                                  {.name = "statistics",
                                                   .extension = "wld",
                                                   .is_lines = true,
                                                   .close = close,
                                                   .probe = probe_disk,
                                                   .facts = counted_facts,
                                                   .mirrored = true}};

/* A book with these counts and entries yet to be filled in. */
static enum caxton_status create(const struct book_format *format, const struct wld_info *info,
                                 const char *name, struct book **out, struct diag *diag)
{
    struct counted *self = calloc(1, sizeof *self);
    *out = self ? book_new(format, name) : NULL;
    if (!*out) {
        free(self);
        return diag_fail(STATUS_NO_MEMORY, diag, "%s: out of memory", name);
    }
    self->info = *info;
    fill(*out, (struct entry_table){.count = 0}, self);
    return STATUS_OK;
}

enum caxton_status wld_book_of(const struct wld_file *file, const struct wld_info *info,
                               const struct facet_filter *filter, const char *name,
                               struct book **out, struct diag *diag)
{
    enum caxton_status status = create(&disk_formats[info->mirrored], info, name, out, diag);
    if (status != STATUS_OK || !file)
        return status;
    struct counted *self = (*out)->state;
    self->file = file;
    self->filter = filter;
    (*out)->move_count = (size_t)wld_file_moves(file);
    return STATUS_OK;
}

enum caxton_status wld_disk_open(const char *path, struct book **out, struct diag *diag)
{
    struct wld_file *file = NULL;
    enum caxton_status status = wld_file_open(path, &file, diag);
    if (status != STATUS_OK)
        return status;
    if (wld_file_records(file) == 0)
        status = diag_fail(STATUS_FORMAT, diag, "%s: statistics without a move that scored", path);
    else
        status = wld_book_of(file, &wld_file_header(file)->info, NULL, path, out, diag);
    if (status == STATUS_OK)
        ((struct counted *)(*out)->state)->owned = file;
    else
        wld_file_close(file);
    return status;
}

/* To look into -------------------------------------------------------------------------------- */

/* Statistics on their way into a list. Until the largest count is known, weight and learn hold the
 * lower and upper half of each. */
struct wld_listing {
    const struct wld_book_options *options;
    struct counted *to;
    struct entry_list list;
    uint64_t only; /* the key of options->only, as it stands there */
    uint64_t largest;
    bool too_many;
    size_t facets_before; /* in to->tallies, of complete moves */
};

/* A tally_sink of whole moves. Their facets are in the list of tallies already. */
static enum caxton_status take_move(void *context, const struct tally *tally)
{
    struct wld_listing *reading = context;
    const struct wld_book_options *options = reading->options;
    struct counted *to = reading->to;
    uint64_t games = tally_games(tally);
    if (threshold_is_rare(games, options->min_games, to->info.unit)) {
        to->count = reading->facets_before;
        return STATUS_OK;
    }
    reading->facets_before = to->count;
    if (options->most && reading->list.count == options->most && !reading->too_many) {
        if (!options->only)
            return STATUS_RANGE;
        reading->too_many = true;
        entry_list_free(&reading->list);
    }
    if (reading->too_many)
        return STATUS_OK;
    if (games > reading->largest)
        reading->largest = games;
    return entry_list_append(&reading->list,
                             &(struct book_entry){.key = tally->key,
                                                  .move = tally->move,
                                                  .weight = (uint32_t)games,
                                                  .learn = (uint32_t)(games >> 32)});
}

static enum caxton_status take_facet(struct wld_listing *reading, const struct tally *tally)
{
    struct counted *to = reading->to;
    if (!reading->options->facts && !(reading->options->only && tally->key == reading->only))
        return STATUS_OK;
    if (!ARRAY_GROW(to->tallies, to->capacity, to->count + 1))
        return STATUS_NO_MEMORY;
    to->tallies[to->count++] = *tally;
    return STATUS_OK;
}

static enum caxton_status read_counts(struct wld_reader *reader, struct wld_listing *reading,
                                      struct diag *diag)
{
    struct tally tally;
    struct position there;
    enum caxton_status status;
    if (reading->options->only) {
        (void)turn(reading->to, reading->options->only, &there);
        reading->only = there.key;
    }
    bool facets = wld_reader_info(reader)->facets != 0;
    struct tally_group moves = {.sink = take_move, .context = reading, .adds_up = true};
    while ((status = wld_reader_next_facet(reader, &tally, diag)) == STATUS_OK) {
        /* A move is complete when the first facet of the next one comes. */
        status = facets ? tally_group_take(&moves, &tally) : STATUS_OK;
        if (status == STATUS_OK)
            status = take_facet(reading, &tally);
        if (status == STATUS_OK && !facets)
            status = take_move(reading, &tally);
        if (status != STATUS_OK)
            return diag_fail(status, diag, "%s", status_name(status));
    }
    if (status != STATUS_END)
        return status;
    status = tally_group_end(&moves);
    return status == STATUS_OK ? status : diag_fail(status, diag, "%s", status_name(status));
}

/* So many of what is counted make 1. */
static void set_weights(struct wld_listing *reading, uint64_t unit)
{
    int shift = 0;
    while (reading->largest / unit >> shift >= UINT32_MAX)
        shift++;
    for (size_t i = 0; i < reading->list.count; i++) {
        struct book_entry *entry = &reading->list.entries[i];
        uint64_t count = (uint64_t)entry->learn << 32 | entry->weight;
        uint64_t games = (count / unit + (count % unit > 0)) >> shift;
        entry->weight = games ? (uint32_t)games : 1;
        entry->learn = 0;
        entry->stated = true;
    }
}

enum caxton_status wld_book_read(struct wld_reader *reader, const char *name,
                                 const struct wld_book_options *options, struct book **out,
                                 struct diag *diag)
{
    const struct wld_info *info = wld_reader_info(reader);
    struct wld_listing reading = {.options = options, .list = {.separate = true}};
    struct book *book = NULL;
    enum caxton_status status =
        create(info->mirrored ? &wld_mirrored_format : &wld_format, info, name, &book, diag);
    if (status != STATUS_OK)
        return status;
    reading.to = book->state;
    reading.to->file = options->file;
    reading.to->filter = wld_reader_filtered(reader);
    status = read_counts(reader, &reading, diag);
    if (status != STATUS_OK) {
        entry_list_free(&reading.list);
        book_close(book);
        return status;
    }
    set_weights(&reading, options->weights == WLD_WEIGHTS_GAMES ? info->unit : 1);
    fill(book, (struct entry_table){.entries = reading.list.entries, .count = reading.list.count},
         reading.to);
    *out = book;
    return STATUS_OK;
}

enum caxton_status wld_format_mirrored(const uint8_t *entries, size_t count, const char *name,
                                       struct book **out, struct diag *diag)
{
    const struct wld_info info = {.unit = 1, .mirrored = true};
    enum caxton_status status = create(&wld_mirrored_format, &info, name, out, diag);
    if (status == STATUS_OK)
        fill(*out, (struct entry_table){.bytes = entries, .count = count}, (*out)->state);
    if (status == STATUS_OK)
        (*out)->counts = NULL; /* weights were made of them */
    return status;
}
