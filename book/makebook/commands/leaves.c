#include "book/makebook/commands/leaves.h"
#include "book/book.h"
#include "book/polyglot_entry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "book/formats/statistics/wld_format.h"
#include "book/graph/stats.h"
#include "chess/movegen.h"

enum { KEY_SIZE = 8 };

/* A walk through a book. */
struct walk {
    uint8_t *bytes; /* sorted entries, as in the file */
    size_t count;
    uint8_t *seen; /* a bit for the first entry of each position */
    bool one_side;
    struct position *waiting; /* positions of the book whose moves are still to be followed */
    size_t waiting_count;
    size_t waiting_capacity;
    struct leaves leaves;
};

static bool same_key(const struct walk *walk, size_t a, size_t b)
{
    return memcmp(walk->bytes + a * POLYGLOT_ENTRY_SIZE, walk->bytes + b * POLYGLOT_ENTRY_SIZE,
                  KEY_SIZE) == 0;
}

static uint64_t key_at(const struct walk *walk, size_t index)
{
    return polyglot_key(walk->bytes + index * POLYGLOT_ENTRY_SIZE);
}

/* The first entry of the position, walk->count when it is not in the book. Keys are random numbers:
 * the place of one is close to where it would be if they lay evenly. */
static size_t find(const struct walk *walk, uint64_t key)
{
    __extension__ typedef unsigned __int128 wide;
    size_t low = (size_t)(((wide)key * walk->count) >> 64);
    size_t high = low;
    for (size_t step = 16; low > 0 && key_at(walk, low) >= key; step *= 2)
        low -= low < step ? low : step;
    for (size_t step = 16; high < walk->count && key_at(walk, high) < key; step *= 2)
        high += walk->count - high < step ? walk->count - high : step;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (key_at(walk, middle) < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < walk->count && key_at(walk, low) == key ? low : walk->count;
}

/* Puts the position on the list if the book has it; *found tells. */
static enum caxton_status enter(struct walk *walk, const struct position *pos, bool *found)
{
    size_t at = find(walk, pos->key);
    *found = at < walk->count;
    if (!*found || walk->seen[at / 8] & 1 << at % 8)
        return STATUS_OK;
    if (walk->waiting_count == walk->waiting_capacity) {
        size_t capacity = walk->waiting_capacity ? 2 * walk->waiting_capacity : 64;
        struct position *waiting = realloc(walk->waiting, capacity * sizeof *waiting);
        if (!waiting)
            return STATUS_NO_MEMORY;
        walk->waiting = waiting;
        walk->waiting_capacity = capacity;
    }
    walk->seen[at / 8] |= (uint8_t)(1 << at % 8);
    walk->waiting[walk->waiting_count++] = *pos;
    walk->leaves.unreached--;
    return STATUS_OK;
}

static enum caxton_status enter_replies(struct walk *walk, const struct position *pos, bool *found)
{
    move moves[MOVES_MAX];
    int count = movegen_legal(pos, moves);
    enum caxton_status status = STATUS_OK;
    for (int i = 0; i < count && status == STATUS_OK; i++) {
        struct position after = *pos;
        struct undo undo;
        bool known;
        position_make(&after, moves[i], &undo);
        status = enter(walk, &after, &known);
        *found |= known;
    }
    return status;
}

/* Looks at every move of the position; an illegal one leads nowhere and is not counted. */
static enum caxton_status follow(struct walk *walk, const struct position *pos)
{
    size_t first = find(walk, pos->key);
    enum caxton_status status = STATUS_OK;
    for (size_t i = first; i < walk->count && same_key(walk, first, i) && status == STATUS_OK;
         i++) {
        struct polyglot_entry entry = polyglot_decode(walk->bytes + i * POLYGLOT_ENTRY_SIZE);
        move m = polyglot_to_move(pos, entry.move);
        if (m == MOVE_NONE)
            continue;
        struct position after = *pos;
        struct undo undo;
        bool found;
        position_make(&after, m, &undo);
        status = enter(walk, &after, &found);
        if (status == STATUS_OK && !found && walk->one_side)
            status = enter_replies(walk, &after, &found);
        walk->leaves.leaves += !found;
    }
    return status;
}

static enum caxton_status walk_from(struct walk *walk, const struct position *root)
{
    for (size_t i = 0; i < walk->count; i++)
        walk->leaves.unreached += i == 0 || !same_key(walk, i - 1, i);
    bool found;
    enum caxton_status status = enter(walk, root, &found);
    if (status == STATUS_OK && !found && walk->one_side)
        status = enter_replies(walk, root, &found);
    while (status == STATUS_OK && walk->waiting_count > 0) {
        struct position pos = walk->waiting[--walk->waiting_count];
        status = follow(walk, &pos);
    }
    return status;
}

/* False when the file is none that can be read whole in so much memory. */
static bool read_size(const char *path, size_t memory_bytes, size_t *count)
{
    struct stat info;
    if (stat(path, &info) != 0 || !S_ISREG(info.st_mode))
        return false;
    *count = (size_t)info.st_size / POLYGLOT_ENTRY_SIZE;
    return *count <= memory_bytes / (POLYGLOT_ENTRY_SIZE + 1);
}

static enum caxton_status read_book(const char *path, struct walk *walk)
{
    walk->bytes = malloc(walk->count ? walk->count * POLYGLOT_ENTRY_SIZE : 1);
    walk->seen = calloc(walk->count / 8 + 1, 1);
    if (!walk->bytes || !walk->seen)
        return STATUS_NO_MEMORY;
    FILE *file = fopen(path, "rb");
    if (!file)
        return STATUS_IO;
    size_t got = fread(walk->bytes, POLYGLOT_ENTRY_SIZE, walk->count, file);
    return fclose(file) == 0 && got == walk->count ? STATUS_OK : STATUS_IO;
}

enum caxton_status leaves_count(const char *path, size_t memory_bytes, const struct position *root,
                                bool one_side, struct leaves *out)
{
    struct walk walk = {.one_side = one_side};
    *out = (struct leaves){.known = false};
    if (!read_size(path, memory_bytes, &walk.count))
        return STATUS_OK;
    enum caxton_status status = read_book(path, &walk);
    if (status == STATUS_OK)
        status = walk_from(&walk, root);
    if (status == STATUS_OK) {
        *out = walk.leaves;
        out->known = true;
    }
    free(walk.bytes);
    free(walk.seen);
    free(walk.waiting);
    return status;
}

/* Statistics ---------------------------------------------------------------------------------- */

/* A wld_source. */
static enum caxton_status read_file(void *context, char *buffer, size_t capacity, size_t *size)
{
    *size = fread(buffer, 1, capacity, context);
    return ferror((FILE *)context) ? STATUS_IO : STATUS_OK;
}

static enum caxton_status open_counts(const char *path, struct book **book)
{
    struct wld_reader *reader = NULL;
    FILE *file = fopen(path, "rb");
    if (!file)
        return STATUS_IO;
    enum caxton_status status = wld_reader_create(read_file, file, path, &reader, NULL);
    if (status == STATUS_OK)
        status = wld_format_counts(reader, path, NULL, book, NULL);
    wld_reader_destroy(reader);
    (void)fclose(file); /* only read from */
    return status;
}

static enum caxton_status count_book(const struct book *book, const struct position *root,
                                     struct leaves *out)
{
    struct book_graph graph = {0};
    struct book_stats *stats = malloc(sizeof *stats);
    enum caxton_status status =
        stats ? book_graph_create(book, root, &graph, NULL) : STATUS_NO_MEMORY;
    if (status == STATUS_OK)
        status = book_stats_take(&graph, stats);
    if (status == STATUS_OK && stats->one_side)
        *out = (struct leaves){true, stats->leaves, stats->unreached};
    else if (status == STATUS_OK)
        *out = (struct leaves){true, stats->own_leaves, stats->passed + stats->unreached};
    book_graph_destroy(&graph);
    free(stats);
    return status;
}

enum caxton_status leaves_count_stats(const char *path, size_t memory_bytes,
                                      const struct position *root, struct leaves *out)
{
    enum { BYTES_PER_BYTE = 16 }; /* about: in memory, of what one of the file stands for */
    struct stat info;
    struct book *book = NULL;
    *out = (struct leaves){.known = false};
    if (stat(path, &info) != 0 || !S_ISREG(info.st_mode) ||
        (uint64_t)info.st_size > memory_bytes / BYTES_PER_BYTE)
        return STATUS_OK;
    enum caxton_status status = open_counts(path, &book);
    if (status == STATUS_OK)
        status = count_book(book, root, out);
    book_close(book);
    return status;
}
