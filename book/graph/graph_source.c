#include "book/graph/graph_source.h"

#include <stdlib.h>
#include <string.h>

#include "book/book.h"
#include "book/format.h"
#include "chess/mirror.h"

/* Nearly all positions that are looked up are not there, which one bit tells of all but a few. */
static void mark_key(struct graph_source *source, uint64_t key)
{
    uint64_t at = key & source->mark_mask;
    source->marks[at / 8] |= (uint8_t)(1 << at % 8);
}

static enum caxton_status mark_keys(struct graph_source *source)
{
    enum { BITS_PER_KEY = 16 };
    uint64_t bits = 64;
    while (bits < source->table->count * (uint64_t)BITS_PER_KEY)
        bits *= 2;
    source->mark_mask = bits - 1;
    source->marks = calloc(bits / 8, 1);
    if (!source->marks)
        return STATUS_NO_MEMORY;
    for (size_t i = 0; i < source->table->count; i++)
        mark_key(source, entry_table_at(source->table, i).key);
    return STATUS_OK;
}

/* Is there a position at this entry, its first one, that is not reached? */
static bool is_unreached(const struct graph_source *source, const uint8_t *reached, size_t i)
{
    const struct entry_table *table = source->table;
    return (i == 0 || entry_table_at(table, i).key != entry_table_at(table, i - 1).key) &&
           !(reached[i / 8] & 1 << i % 8);
}

/* The marks become so few that they stay in the cache of the processor. */
void graph_source_forget(struct graph_source *source, const uint8_t *reached)
{
    enum { BITS_PER_KEY = 64 };
    uint64_t left = 0;
    uint64_t bits = 64;
    for (size_t i = 0; i < source->table->count; i++)
        left += is_unreached(source, reached, i);
    while (bits < left * BITS_PER_KEY && bits <= source->mark_mask)
        bits *= 2;
    source->mark_mask = bits - 1;
    memset(source->marks, 0, bits / 8);
    for (size_t i = 0; i < source->table->count; i++)
        if (is_unreached(source, reached, i))
            mark_key(source, entry_table_at(source->table, i).key);
}

static uint64_t key_of(const struct graph_source *source, const struct position *pos)
{
    return source->mirrored && pos->turn == BLACK ? position_mirror_key(pos) : pos->key;
}

bool graph_source_may_have(const struct graph_source *source, const struct position *pos)
{
    uint64_t bit = key_of(source, pos) & source->mark_mask;
    return source->marks[bit / 8] & 1 << bit % 8;
}

bool graph_source_find(const struct graph_source *source, const struct position *pos, size_t *at)
{
    uint64_t key = key_of(source, pos);
    if (!graph_source_may_have(source, pos))
        return false;
    *at = entry_table_find(source->table, key);
    return *at < source->table->count && entry_table_at(source->table, *at).key == key;
}

int graph_source_probe(const struct graph_source *source, struct book_move *moves)
{
    struct book_move more[MOVES_MAX];
    int count = book_probe_game(source->book, source->game, moves, MOVES_MAX);
    int also = book_probe(source->book, game_position(source->game), more, MOVES_MAX);
    for (int i = 0; i < also; i++) {
        int at = 0;
        while (at < count && moves[at].move != more[i].move)
            at++;
        if (at == count && count < MOVES_MAX)
            moves[count++] = more[i];
    }
    return count;
}

int graph_source_non_book_moves(const struct graph_source *source, move *moves)
{
    const struct position *pos = game_position(source->game);
    const struct book *book = source->book;
    move more[MOVES_MAX];
    if (!book->format->non_book_moves)
        return 0;
    int count = book->format->non_book_moves(book->state, pos, source->game, moves);
    int also = book->format->non_book_moves(book->state, pos, NULL, more);
    for (int i = 0; i < also; i++) {
        int at = 0;
        while (at < count && moves[at] != more[i])
            at++;
        if (at == count && count < MOVES_MAX)
            moves[count++] = more[i];
    }
    return count;
}

enum caxton_status graph_source_goes_on(const struct graph_source *source, move m, bool *out)
{
    move moves[MOVES_MAX];
    enum caxton_status status = game_play(source->game, m);
    if (status != STATUS_OK)
        return status;
    *out = graph_source_non_book_moves(source, moves) > 0;
    (void)game_take_back(source->game);
    return STATUS_OK;
}

enum caxton_status graph_source_open(struct graph_source *source, const struct book *book,
                                     const struct entry_table *table)
{
    *source = (struct graph_source){
        .book = book, .table = table, .mirrored = book && book->format->mirrored};
    if (table)
        return mark_keys(source);
    source->game = game_create();
    return source->game ? STATUS_OK : STATUS_NO_MEMORY;
}

size_t graph_source_positions(const struct graph_source *source)
{
    size_t count = 0;
    uint64_t last = 0;
    for (size_t i = 0; i < source->table->count; i++) {
        uint64_t key = entry_table_at(source->table, i).key;
        count += i == 0 || key != last;
        last = key;
    }
    return count;
}

size_t graph_source_unreached_moves(const struct graph_source *source, const uint8_t *reached)
{
    size_t count = 0;
    bool is_reached = false;
    uint64_t last = 0;
    for (size_t i = 0; i < source->table->count; i++) {
        uint64_t key = entry_table_at(source->table, i).key;
        if (i == 0 || key != last)
            is_reached = reached[i / 8] & 1 << i % 8;
        count += !is_reached;
        last = key;
    }
    return count;
}

void graph_source_close(struct graph_source *source)
{
    game_destroy(source->game);
    free(source->marks);
}
