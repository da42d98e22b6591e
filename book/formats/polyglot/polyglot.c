#include "book/formats/polyglot/polyglot.h"
#include "book/book_move.h"
#include "book/polyglot_entry.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "book/entry_table.h"
#include "book/graph/graph_visit.h"

enum { TEXT_LOOKED_AT = 256 }; /* bytes that tell whether it is text */

static uint64_t key_at(const uint8_t *entries, size_t index)
{
    return polyglot_key(entries + index * POLYGLOT_ENTRY_SIZE);
}

static bool is_sorted(const uint8_t *entries, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (key_at(entries, i) < key_at(entries, i - 1))
            return false;
    return true;
}

/* Big-endian bytes compare as the numbers they stand for: by key, then move. */
static int compare_entries(const void *a, const void *b)
{
    return memcmp(a, b, POLYGLOT_ENTRY_SIZE);
}

/* A sorted copy of the entries, when they are not sorted in the file, is the state of the book. */
static enum caxton_status sort_entries(struct book *book)
{
    size_t size = book->table.count * POLYGLOT_ENTRY_SIZE;
    if (is_sorted(book->table.bytes, book->table.count))
        return STATUS_OK;
    book->state = malloc(size);
    if (!book->state)
        return STATUS_NO_MEMORY;
    memcpy(book->state, book->table.bytes, size);
    qsort(book->state, book->table.count, POLYGLOT_ENTRY_SIZE, compare_entries);
    book->table.bytes = book->state;
    return STATUS_OK;
}

/* Nothing in the format says "book", and its keys could be any numbers. But the moves of a book
 * look like moves, while in other data hardly one in thirty does. */
static size_t count_inconceivable(const uint8_t *entries, size_t count)
{
    size_t found = 0;
    for (size_t i = 0; i < count; i++)
        found += !polyglot_is_conceivable(polyglot_decode(entries + i * POLYGLOT_ENTRY_SIZE).move);
    return found;
}

/* The first byte that no text has, of a beginning that is mostly text; `size` for none. */
static size_t find_odd_byte(const uint8_t *bytes, size_t size)
{
    size_t odd = 0;
    size_t first = size;
    for (size_t i = size; i > 0; i--) {
        bool is_odd = !span_is_text(span_make((const char *)bytes + i - 1, 1));
        odd += is_odd;
        first = is_odd ? i - 1 : first;
    }
    return odd <= size / 10 ? first : size;
}

/* Of other programs' books that nobody can read here, by the ending of their name: what to say.
 * NULL: it is none. */
static const char *foreign_book(const char *name)
{
    const char *dot = strrchr(name, '.');
    if (dot && span_equal_nocase(span_of(dot), ".bkt"))
        return "a Shredder book (.bkt), whose layout is not public: take the same book as .bin, "
               ".abk or .ctg";
    if (dot && span_equal_nocase(span_of(dot), ".obk"))
        return "a Chessmaster book (.obk) of a layout that is not public";
    return NULL;
}

enum caxton_status polyglot_refuse_others(const uint8_t *bytes, size_t size, const char *name,
                                          struct diag *diag)
{
    size_t count = size / POLYGLOT_ENTRY_SIZE;
    size_t looked_at = size < TEXT_LOOKED_AT ? size : TEXT_LOOKED_AT;
    bool is_text = span_is_text(span_make((const char *)bytes, looked_at));
    size_t inconceivable = is_text ? 0 : count_inconceivable(bytes, count);
    if (!is_text && count > 0 && inconceivable <= count / 2)
        return STATUS_OK;
    size_t odd = find_odd_byte(bytes, looked_at);
    const char *type = file_type_name(bytes, size);
    const char *foreign = foreign_book(name);
    if (size == 0)
        diag_set(diag, 0, 0, "%s: the file is empty", name);
    else if (is_text)
        diag_set(diag, 0, 0,
                 "%s: a text of no kind that is known: EPD begins with a board, White's lines with "
                 "\"lines san\" or a move, PGN with a tag",
                 name);
    else if (foreign)
        diag_set(diag, 0, 0, "%s: %s", name, foreign);
    else if (type)
        diag_set(diag, 0, 0, "%s: not a book: it is %s", name, type);
    else if (odd < looked_at)
        diag_set(diag, 0, 0, "%s: not a book: a text with a byte that no text has, byte %zu", name,
                 odd);
    else if (count == 0)
        diag_set(diag, 0, 0, "%s: not a Polyglot book: %zu bytes, and an entry has 16", name, size);
    else
        diag_set(diag, 0, 0, "%s: not a Polyglot book: %zu of %zu entries hold no possible move",
                 name, inconceivable, count);
    return STATUS_FORMAT;
}

static enum caxton_status polyglot_open(struct book *book, const uint8_t *bytes, size_t size,
                                        struct diag *diag)
{
    size_t whole = size / POLYGLOT_ENTRY_SIZE * POLYGLOT_ENTRY_SIZE;
    enum caxton_status status = polyglot_refuse_others(bytes, size, book->name, diag);
    if (status != STATUS_OK)
        return status;
    book->move_count = size / POLYGLOT_ENTRY_SIZE;
    book->table = (struct entry_table){.bytes = bytes, .count = book->move_count};
    status = sort_entries(book);
    if (status != STATUS_OK)
        diag_set(diag, 0, 0, "%s: out of memory", book->name);
    struct text_buffer warning = text_buffer_on(book->warning, sizeof book->warning);
    if (size > whole || book->state)
        text_append(&warning, "%.120s: ", book->name);
    if (size > whole)
        text_append(&warning,
                    "the file ends within an entry, at byte %zu; the others are used (makebook "
                    "verify --repair leaves it out)%s",
                    whole, book->state ? "; " : "");
    if (book->state)
        text_append(&warning, "entries are not sorted by key; sorted in memory");
    return status;
}

/* Beyond doubt, though the format has no mark. */
static bool polyglot_recognises(const uint8_t *bytes, size_t size)
{
    size_t count = size / POLYGLOT_ENTRY_SIZE;
    return count > 0 && is_sorted(bytes, count) && count_inconceivable(bytes, count) == 0 &&
           !span_is_text(span_make((const char *)bytes, size));
}

/* Writing ---------------------------------------------------------------------------------- */

static uint16_t scale(uint32_t weight, uint32_t largest)
{
    if (largest <= POLYGLOT_WEIGHT_MAX || weight == 0)
        return (uint16_t)weight;
    uint64_t scaled = ((uint64_t)weight * POLYGLOT_WEIGHT_MAX + largest / 2) / largest;
    return (uint16_t)(scaled ? scaled : 1);
}

static int compare_weights(const void *a, const void *b)
{
    const struct book_entry *x = a;
    const struct book_entry *y = b;
    if (x->weight != y->weight)
        return x->weight > y->weight ? -1 : 1;
    return (x->move > y->move) - (x->move < y->move);
}

/* Writes the entries of one position, heaviest first. */
static enum caxton_status write_position(struct book_entry *entries, size_t count, FILE *out)
{
    qsort(entries, count, sizeof *entries, compare_weights);
    uint32_t largest = entries[0].weight;
    for (size_t i = 0; i < count; i++) {
        uint8_t bytes[POLYGLOT_ENTRY_SIZE];
        const struct polyglot_entry entry = {.key = entries[i].key,
                                             .move = entries[i].move,
                                             .weight = scale(entries[i].weight, largest),
                                             .learn = entries[i].learn};
        polyglot_encode(&entry, bytes);
        if (fwrite(bytes, sizeof bytes, 1, out) != 1)
            return STATUS_IO;
    }
    return STATUS_OK;
}

/* Every entry, reached by lines or not, sorted, each move once. Where the largest weight of a
 * position does not fit 16 bits, all weights of the position are scaled down in proportion and
 * rounded; only a weight of 0 becomes 0. */
static enum caxton_status write_book(const struct book *book, FILE *out, struct book_losses *losses,
                                     struct diag *diag)
{
    struct entry_list list = {0};
    enum caxton_status status = book_graph_entries(book, &list, losses, diag);
    entry_list_join(&list);
    for (size_t first = 0, end; status == STATUS_OK && first < list.count; first = end) {
        for (end = first + 1; end < list.count; end++)
            if (list.entries[end].key != list.entries[first].key)
                break;
        status = write_position(list.entries + first, end - first, out);
        if (status != STATUS_OK)
            diag_set(diag, 0, 0, "cannot write the book");
    }
    entry_list_free(&list);
    return status;
}

static const struct book_writer writer = {
    .name = "bin",
    .about = "Polyglot",
    .keeps = BOOK_WEIGHTS | BOOK_UNPLAYED | BOOK_LEARN | BOOK_UNREACHED,
    .weight_max = POLYGLOT_WEIGHT_MAX,
    .writes_entries = true,
    .write = write_book,
};

const struct book_format polyglot_format = {
    .name = "Polyglot",
    .extension = "bin",
    .holds_entries = true,
    .writers = &writer,
    .writer_count = 1,
    .recognises = polyglot_recognises,
    .open = polyglot_open,
    .close = free,
};
