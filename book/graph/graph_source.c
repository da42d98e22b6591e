#include "book/graph/graph_source.h"

#include <stdlib.h>

#include "book/book.h"
#include "book/format.h"
#include "chess/mirror.h"

/* Nearly all positions that are looked up are not there, which one bit tells of all but a few. */
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
    for (size_t i = 0; i < source->table->count; i++) {
        uint64_t at = entry_table_at(source->table, i).key & source->mark_mask;
        source->marks[at / 8] |= (uint8_t)(1 << at % 8);
    }
    return STATUS_OK;
}

bool graph_source_find(const struct graph_source *source, const struct position *pos, size_t *at)
{
    uint64_t key = source->mirrored && pos->turn == BLACK ? position_mirror_key(pos) : pos->key;
    uint64_t bit = key & source->mark_mask;
    if (!(source->marks[bit / 8] & 1 << bit % 8))
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

void graph_source_close(struct graph_source *source)
{
    game_destroy(source->game);
    free(source->marks);
}
