#include "book/book.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "book/builtin.h"
#include "book/format.h"
#include "book/formats/formats.h"
#include "book/formats/polyglot_format.h"

struct book {
    const struct book_format *format;
    void *state;
    uint8_t *owned; /* the bytes when they are not borrowed */
    size_t size;
    char *name;
};

/* Takes `owned` over, also on failure. */
static enum caxton_status open_bytes(const uint8_t *bytes, uint8_t *owned, size_t size,
                                     const char *name, struct book **out, struct diag *diag)
{
    struct book *book = calloc(1, sizeof *book);
    char *copy = strdup(name);
    if (!book || !copy) {
        free(book);
        free(copy);
        free(owned);
        diag_set(diag, 0, 0, "%s: out of memory", name);
        return STATUS_NO_MEMORY;
    }
    *book = (struct book){
        .format = formats_find(bytes, size), .owned = owned, .size = size, .name = copy};
    enum caxton_status status = book->format->open(bytes, size, copy, &book->state, diag);
    if (status != STATUS_OK) {
        book->format = NULL;
        book_close(book);
        return status;
    }
    *out = book;
    return STATUS_OK;
}

/* The whole of an open file; its size is known beforehand for plain files only. */
static enum caxton_status read_all(FILE *file, size_t expected, uint8_t **out, size_t *size)
{
    size_t capacity = expected + 1; /* one more than needed shows the end without another round */
    uint8_t *bytes = malloc(capacity);
    size_t used = 0;
    while (bytes) {
        used += fread(bytes + used, 1, capacity - used, file);
        if (used < capacity)
            break;
        capacity *= 2;
        uint8_t *more = realloc(bytes, capacity);
        if (!more)
            free(bytes);
        bytes = more;
    }
    if (!bytes)
        return STATUS_NO_MEMORY;
    if (ferror(file)) {
        free(bytes);
        return STATUS_IO;
    }
    *out = bytes;
    *size = used;
    return STATUS_OK;
}

enum caxton_status book_open(const char *path, struct book **out, struct diag *diag)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        diag_set(diag, 0, 0, "%s: %s", path, strerror(errno));
        return STATUS_IO;
    }
    struct stat info;
    if (fstat(fileno(file), &info) == 0 && S_ISDIR(info.st_mode)) {
        (void)fclose(file);
        diag_set(diag, 0, 0, "%s: is a folder, not a book", path);
        return STATUS_IO;
    }
    uint8_t *bytes = NULL;
    size_t size = 0;
    size_t expected = S_ISREG(info.st_mode) ? (size_t)info.st_size : 0;
    enum caxton_status status = read_all(file, expected, &bytes, &size);
    if (status != STATUS_OK)
        diag_set(diag, 0, 0, "%s: %s", path,
                 status == STATUS_IO ? strerror(errno) : status_name(status));
    (void)fclose(file); /* only read from */
    return status == STATUS_OK ? open_bytes(bytes, bytes, size, path, out, diag) : status;
}

enum caxton_status book_open_memory(const void *bytes, size_t size, const char *name,
                                    struct book **out, struct diag *diag)
{
    return open_bytes(bytes, NULL, size, name, out, diag);
}

enum caxton_status book_open_builtin(struct book **out)
{
    return open_bytes(builtin_book_start, NULL, (size_t)(builtin_book_end - builtin_book_start),
                      "built-in", out, NULL);
}

void book_close(struct book *book)
{
    if (!book)
        return;
    if (book->format)
        book->format->close(book->state);
    free(book->owned);
    free(book->name);
    free(book);
}

enum caxton_status book_wrap(const struct book_format *format, void *state, const char *name,
                             struct book **out)
{
    struct book *book = calloc(1, sizeof *book);
    char *copy = strdup(name);
    if (!book || !copy) {
        free(book);
        free(copy);
        return STATUS_NO_MEMORY;
    }
    *book = (struct book){.format = format, .state = state, .name = copy};
    *out = book;
    return STATUS_OK;
}

const char *book_name(const struct book *book)
{
    return book->name;
}

const char *book_format_name(const struct book *book)
{
    return book->format->name;
}

const struct book_format *book_format(const struct book *book)
{
    return book->format;
}

const void *book_state(const struct book *book)
{
    return book->state;
}

const char *book_warning(const struct book *book)
{
    return book->format->warning(book->state);
}

size_t book_entry_count(const struct book *book)
{
    return book->format->move_count(book->state);
}

struct polyglot_entry book_entry(const struct book *book, size_t index)
{
    if (book->format != &polyglot_format)
        return (struct polyglot_entry){0};
    return polyglot_format_entry(book->state, index);
}

static bool goes_before(const struct book_move *a, const struct book_move *b)
{
    if (a->weight != b->weight)
        return a->weight > b->weight;
    return a->place != b->place ? a->place < b->place : a->move < b->move;
}

static void sort_moves(struct book_move *moves, int count)
{
    for (int i = 1; i < count; i++) {
        struct book_move current = moves[i];
        int j = i;
        for (; j > 0 && goes_before(&current, &moves[j - 1]); j--)
            moves[j] = moves[j - 1];
        moves[j] = current;
    }
}

static int probe(const struct book *book, const struct position *pos, const struct game *game,
                 struct book_move *out, int capacity)
{
    /* All of them first: the heaviest may come last. */
    struct book_move found[MOVES_MAX];
    int count = book->format->probe(book->state, pos, game, found);
    sort_moves(found, count);
    int given = count < capacity ? count : capacity;
    if (given > 0)
        memcpy(out, found, (size_t)given * sizeof *out);
    return given > 0 ? given : 0;
}

int book_probe(const struct book *book, const struct position *pos, struct book_move *out,
               int capacity)
{
    return probe(book, pos, NULL, out, capacity);
}

int book_probe_game(const struct book *book, const struct game *game, struct book_move *out,
                    int capacity)
{
    return probe(book, game_position(game), game, out, capacity);
}

static uint64_t sum_weights(const struct book_move *moves, int count)
{
    uint64_t sum = 0;
    for (int i = 0; i < count; i++)
        sum += moves[i].weight;
    return sum;
}

int book_share_permille(const struct book_move *moves, int count, int index)
{
    uint64_t sum = sum_weights(moves, count);
    return sum ? (int)((moves[index].weight * UINT64_C(1000) + sum / 2) / sum) : 0;
}

void book_prefer(struct book_move *moves, int count, uint8_t styles)
{
    bool suits = false;
    for (int i = 0; i < count; i++)
        suits |= moves[i].weight > 0 && (moves[i].styles & styles);
    for (int i = 0; i < count && suits; i++)
        if (!(moves[i].styles & styles))
            moves[i].weight = 0;
}

static bool is_playable(const struct book_move *m, uint64_t sum, int threshold_permille)
{
    return m->weight > 0 && m->weight * UINT64_C(1000) >= sum * (uint64_t)threshold_permille;
}

int book_choose(const struct book_move *moves, int count, enum book_selection selection,
                int threshold_permille, struct rng *rng)
{
    uint64_t sum = sum_weights(moves, count);
    uint64_t tickets = 0;
    int first = -1;
    for (int i = 0; i < count; i++) {
        if (!is_playable(&moves[i], sum, threshold_permille))
            continue;
        if (first < 0)
            first = i;
        tickets += selection == BOOK_UNIFORM ? 1 : moves[i].weight;
    }
    if (first < 0 || selection == BOOK_BEST)
        return first; /* heaviest first */
    uint64_t drawn = rng_below(rng, tickets);
    for (int i = first; i < count; i++) {
        if (!is_playable(&moves[i], sum, threshold_permille))
            continue;
        uint64_t share = selection == BOOK_UNIFORM ? 1 : moves[i].weight;
        if (drawn < share)
            return i;
        drawn -= share;
    }
    return first;
}
