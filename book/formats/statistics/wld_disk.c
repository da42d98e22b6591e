#include "book/formats/statistics/wld_disk.h"

#include "book/entry_table.h"
#include "book/format.h"
#include "book/polyglot_entry.h"
#include "book/statistics/wld_file.h"
#include "book/weigh/weigh.h"
#include "chess/mirror.h"

/* The moves of one position as they are found. */
struct found {
    size_t count;
    struct tally tallies[MOVES_MAX];
};

/* A tally_sink. What is beyond MOVES_MAX is of another position with the same key. */
static enum caxton_status take(void *context, const struct tally *tally)
{
    struct found *found = context;
    if (found->count < MOVES_MAX)
        found->tallies[found->count++] = *tally;
    return STATUS_OK;
}

static int probe_white(const struct wld_file *file, const struct position *pos,
                       struct book_move *out)
{
    struct found found = {.count = 0};
    struct polyglot_entry weighed[WEIGH_MOVES_MAX];
    struct book_entry entries[MOVES_MAX];
    const struct weigh_options options = {.unit = wld_file_header(file)->info.unit};
    if (wld_file_find(file, pos->key, take, &found, NULL) != STATUS_OK)
        return 0; /* a damaged block: the engine plays without it */
    size_t count = weigh_position(&options, found.tallies, found.count, weighed);
    for (size_t i = 0; i < count; i++)
        entries[i] = (struct book_entry){
            .key = pos->key, .move = weighed[i].move, .weight = weighed[i].weight};
    const struct entry_table table = {.entries = entries, .count = count};
    return entry_table_probe(&table, pos, out);
}

static int probe(const void *state, const struct position *pos, const struct game *game,
                 struct book_move *out)
{
    const struct wld_file *file = state;
    struct position white;
    (void)game;
    if (!wld_file_header(file)->info.mirrored || pos->turn == WHITE)
        return probe_white(file, pos, out);
    position_mirror(pos, &white);
    int count = probe_white(file, &white, out);
    for (int i = 0; i < count; i++)
        out[i].move = move_mirror(out[i].move);
    return count;
}

static void close(void *state)
{
    wld_file_close(state);
}

/* It has no table, as a book of lines, and no bytes to recognise it by: it is opened by its path.
 */
static const struct book_format disk_format = {
    .name = "statistics", .extension = "wld", .is_lines = true, .close = close, .probe = probe};

enum caxton_status wld_disk_open(const char *path, struct book **out, struct diag *diag)
{
    struct wld_file *file = NULL;
    enum caxton_status status = wld_file_open(path, &file, diag);
    if (status != STATUS_OK)
        return status;
    if (wld_file_records(file) == 0) {
        wld_file_close(file);
        return diag_fail(STATUS_FORMAT, diag, "%s: statistics without a move that scored", path);
    }
    struct book *book = book_new(&disk_format, path);
    if (!book) {
        wld_file_close(file);
        return diag_fail(STATUS_NO_MEMORY, diag, "%s: out of memory", path);
    }
    book->state = file;
    book->move_count = (size_t)wld_file_records(file);
    *out = book;
    return STATUS_OK;
}
