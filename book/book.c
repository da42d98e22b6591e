#include "book/book.h"
#include "book/book_move.h"

#include <stdlib.h>
#include <string.h>

#include "book/format.h"
#include "book/polyglot_entry.h"
#include "chess/mirror.h"

struct book *book_new(const struct book_format *format, const char *name)
{
    struct book *book = calloc(1, sizeof *book);
    char *copy = strdup(name);
    if (!book || !copy) {
        free(book);
        free(copy);
        return NULL;
    }
    book->format = format;
    book->name = copy;
    return book;
}

enum caxton_status book_create(const struct book_format *format, const uint8_t *bytes,
                               uint8_t *owned, size_t size, const char *name, struct book **out,
                               struct diag *diag)
{
    struct book *book = book_new(format, name);
    if (!book) {
        free(owned);
        diag_set(diag, 0, 0, "%s: out of memory", name);
        return STATUS_NO_MEMORY;
    }
    book->owned = owned;
    enum caxton_status status = format->open(book, bytes, size, diag);
    if (status == STATUS_OK)
        *out = book;
    else
        book_close(book);
    return status;
}

void book_close(struct book *book)
{
    if (!book)
        return;
    book->format->close(book->state);
    entry_table_free(&book->table);
    free(book->owned);
    free(book->name);
    free(book);
}

const char *book_name(const struct book *book)
{
    return book->name;
}

const char *book_format_name(const struct book *book)
{
    return book->format->name;
}

const char *book_warning(const struct book *book)
{
    return book->warning;
}

size_t book_entry_count(const struct book *book)
{
    return book->move_count;
}

/* In a mirrored book a position with Black to move stands with colours exchanged. */
static int probe_table(const struct book *book, const struct position *pos, struct book_move *out)
{
    struct position white;
    if (!book->format->mirrored || pos->turn == WHITE)
        return entry_table_probe(&book->table, pos, out);
    position_mirror(pos, &white);
    int count = entry_table_probe(&book->table, &white, out);
    for (int i = 0; i < count; i++)
        out[i].move = move_mirror(out[i].move);
    return count;
}

static int probe(const struct book *book, const struct position *pos, const struct game *game,
                 struct book_move *out, int capacity)
{
    /* All of them first: the heaviest may come last. */
    struct book_move found[MOVES_MAX];
    const struct book_format *format = book->format;
    int count = format->probe ? format->probe(book->state, pos, game, found) : -1;
    if (count < 0)
        count = probe_table(book, pos, found);
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

uint64_t book_key(const struct book *book, const struct position *pos)
{
    return book->format->mirrored && pos->turn == BLACK ? position_mirror_key(pos) : pos->key;
}

enum caxton_status book_look_up_moves(const struct book *book, const struct position *pos,
                                      struct book_facts *out, struct diag *diag)
{
    struct book_move moves[MOVES_MAX];
    book_facts_clear(out);
    if (book->counts)
        return book->format->facts(book->state, pos->key, pos, out, diag);
    int count = book_probe(book, pos, moves, MOVES_MAX);
    for (int i = 0; i < count; i++) {
        struct book_move_facts *facts =
            book_facts_add(out, polyglot_from_move(moves[i].move), moves[i].move);
        facts->weight = moves[i].weight;
        facts->learn = moves[i].learn;
    }
    return STATUS_OK;
}

enum caxton_status book_look_up(const struct book *book, const struct position *pos,
                                struct book_facts *out, struct diag *diag)
{
    enum caxton_status status = book_look_up_moves(book, pos, out, diag);
    if (status != STATUS_OK || book->counts || !book->format->facts)
        return status;
    return book->format->facts(book->state, pos->key, pos, out, diag);
}
