#include "book/book.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "book/builtin.h"
#include "book/polyglot.h"

enum { WARNING_MAX = 200 };

struct book {
    const uint8_t *bytes; /* sorted entries, or as in the file when `sorted` holds a copy */
    uint8_t *owned;       /* what to free of them; NULL when borrowed */
    const uint8_t *sorted;
    uint8_t *owned_sorted;
    size_t count;
    char *name;
    char warning[WARNING_MAX];
};

static uint64_t key_at(const uint8_t *entries, size_t index)
{
    return polyglot_key(entries + index * POLYGLOT_ENTRY_SIZE);
}

static bool is_sorted(const struct book *book)
{
    for (size_t i = 1; i < book->count; i++)
        if (key_at(book->bytes, i) < key_at(book->bytes, i - 1))
            return false;
    return true;
}

/* Big-endian bytes compare as the numbers they stand for: by key, then move. */
static int compare_entries(const void *a, const void *b)
{
    return memcmp(a, b, POLYGLOT_ENTRY_SIZE);
}

static enum caxton_status sort_entries(struct book *book)
{
    book->sorted = book->bytes;
    if (is_sorted(book))
        return STATUS_OK;
    size_t size = book->count * POLYGLOT_ENTRY_SIZE;
    book->owned_sorted = malloc(size);
    if (!book->owned_sorted)
        return STATUS_NO_MEMORY;
    memcpy(book->owned_sorted, book->bytes, size);
    qsort(book->owned_sorted, book->count, POLYGLOT_ENTRY_SIZE, compare_entries);
    book->sorted = book->owned_sorted;
    (void)snprintf(book->warning, sizeof book->warning,
                   "%.120s: entries are not sorted by key; sorted in memory", book->name);
    return STATUS_OK;
}

/* Nothing in the format says "book", and its keys could be any numbers. But the moves of a book
 * look like moves, while in other data hardly one in thirty does. */
static size_t count_inconceivable(const struct book *book)
{
    size_t count = 0;
    for (size_t i = 0; i < book->count; i++)
        count +=
            !polyglot_is_conceivable(polyglot_decode(book->bytes + i * POLYGLOT_ENTRY_SIZE).move);
    return count;
}

static enum caxton_status check_and_sort(struct book *book, size_t size, struct diag *diag)
{
    size_t whole = book->count * POLYGLOT_ENTRY_SIZE;
    if (size == 0) {
        diag_set(diag, 0, 0, "%s: the file is empty", book->name);
        return STATUS_FORMAT;
    }
    if (size != whole) {
        diag_set(
            diag, 0, 0,
            "%s: not a Polyglot book: %zu bytes are no multiple of 16, entry at byte %zu is cut",
            book->name, size, whole);
        if (diag)
            diag->offset = whole;
        return STATUS_FORMAT;
    }
    size_t inconceivable = count_inconceivable(book);
    if (inconceivable > book->count / 2) {
        diag_set(diag, 0, 0, "%s: not a Polyglot book: %zu of %zu entries hold no possible move",
                 book->name, inconceivable, book->count);
        return STATUS_FORMAT;
    }
    enum caxton_status status = sort_entries(book);
    if (status != STATUS_OK)
        diag_set(diag, 0, 0, "%s: out of memory", book->name);
    return status;
}

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
        .bytes = bytes, .owned = owned, .count = size / POLYGLOT_ENTRY_SIZE, .name = copy};
    enum caxton_status status = check_and_sort(book, size, diag);
    if (status != STATUS_OK) {
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
    free(book->owned);
    free(book->owned_sorted);
    free(book->name);
    free(book);
}

const char *book_name(const struct book *book)
{
    return book->name;
}

const char *book_warning(const struct book *book)
{
    return book->warning;
}

size_t book_entry_count(const struct book *book)
{
    return book->count;
}

struct polyglot_entry book_entry(const struct book *book, size_t index)
{
    return polyglot_decode(book->bytes + index * POLYGLOT_ENTRY_SIZE);
}

/* Index of the first entry whose key is not below `key`. */
static size_t lower_bound(const struct book *book, uint64_t key)
{
    size_t low = 0;
    size_t high = book->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (key_at(book->sorted, middle) < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool goes_before(const struct book_move *a, const struct book_move *b)
{
    return a->weight != b->weight ? a->weight > b->weight : a->move < b->move;
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

int book_probe(const struct book *book, const struct position *pos, struct book_move *out,
               int capacity)
{
    /* All of them first: the heaviest may come last. No more than there are legal moves. */
    struct book_move found[MOVES_MAX];
    int count = 0;
    for (size_t i = lower_bound(book, pos->key); i < book->count; i++) {
        struct polyglot_entry entry = polyglot_decode(book->sorted + i * POLYGLOT_ENTRY_SIZE);
        if (entry.key != pos->key)
            break;
        move m = polyglot_to_move(pos, entry.move);
        if (m == MOVE_NONE)
            continue;
        int at = 0;
        while (at < count && found[at].move != m)
            at++;
        if (at == count)
            found[count++] = (struct book_move){m, 0, entry.learn};
        /* 65,538 full entries of one move would wrap. */
        uint32_t room = UINT32_MAX - found[at].weight;
        found[at].weight += entry.weight < room ? entry.weight : room;
    }
    sort_moves(found, count);
    int given = count < capacity ? count : capacity;
    if (given > 0)
        memcpy(out, found, (size_t)given * sizeof *out);
    return given > 0 ? given : 0;
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
