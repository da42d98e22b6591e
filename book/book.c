#include "book/book.h"
#include "book/book_move.h"

#include <stdlib.h>
#include <string.h>

#include "book/entry_table.h"
#include "book/format.h"

struct book {
    const struct book_format *format;
    void *state;
    uint8_t *owned; /* the bytes when they are not borrowed */
    char *name;
};

enum caxton_status book_create(const struct book_format *format, const uint8_t *bytes,
                               uint8_t *owned, size_t size, const char *name, struct book **out,
                               struct diag *diag)
{
    void *state;
    enum caxton_status status = format->open(format, bytes, size, name, &state, diag);
    if (status == STATUS_OK) {
        status = book_wrap(format, state, name, out);
        if (status == STATUS_OK) {
            (*out)->owned = owned;
            return status;
        }
        format->close(state);
        diag_set(diag, 0, 0, "%s: out of memory", name);
    }
    free(owned);
    return status;
}

void book_close(struct book *book)
{
    if (!book)
        return;
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
    return book->format->warning ? book->format->warning(book->state) : "";
}

size_t book_entry_count(const struct book *book)
{
    const struct book_format *format = book->format;
    if (format->move_count)
        return format->move_count(book->state);
    return (format->table ? format->table : format->mirrored)(book->state)->count;
}

static int probe(const struct book *book, const struct position *pos, const struct game *game,
                 struct book_move *out, int capacity)
{
    /* All of them first: the heaviest may come last. */
    struct book_move found[MOVES_MAX];
    const struct book_format *format = book->format;
    int count = format->probe ? format->probe(book->state, pos, game, found)
                              : entry_table_probe(format->table(book->state), pos, found);
    book_moves_sort(found, count);
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
