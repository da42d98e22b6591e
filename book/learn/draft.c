#include "book/learn/draft.h"

#include <stdlib.h>

#include "base/array.h"

void draft_free(struct draft *draft)
{
    free(draft->changes);
    free(draft->positions);
    free(draft->nexts);
    free(draft->table.slots);
    *draft = (struct draft){.book = draft->book};
}

/* 1 and the index of the first change of the position; 0: there is none. */
static size_t first_of(const struct draft *draft, uint64_t key)
{
    uint32_t at = draft->position_count ? *key_table_slot(&draft->table, draft->positions, key) : 0;
    return at ? draft->positions[at - 1].first : 0;
}

/* Puts the last change behind those of its position, so that they keep their order. */
static enum caxton_status put_last(struct draft *draft)
{
    size_t index = draft->count - 1;
    uint64_t key = draft->changes[index].pos.key;
    draft->table.item_size = sizeof *draft->positions;
    if (!ARRAY_GROW(draft->nexts, draft->next_capacity, draft->count) ||
        !ARRAY_GROW(draft->positions, draft->position_capacity, draft->position_count + 1) ||
        key_table_reserve(&draft->table, draft->position_count + 1, draft->positions, 0,
                          draft->position_count) != STATUS_OK)
        return STATUS_NO_MEMORY;
    uint32_t *slot = key_table_slot(&draft->table, draft->positions, key);
    if (!*slot) {
        draft->positions[draft->position_count] = (struct draft_position){key, 0};
        *slot = (uint32_t)++draft->position_count;
    }
    size_t *end = &draft->positions[*slot - 1].first;
    while (*end)
        end = &draft->nexts[*end - 1];
    *end = index + 1;
    draft->nexts[index] = 0;
    return STATUS_OK;
}

int draft_index(const struct book_move *moves, int count, move m)
{
    for (int i = 0; i < count; i++)
        if (moves[i].move == m)
            return i;
    return -1;
}

int draft_probe(const struct draft *draft, const struct game *game, struct book_move *out)
{
    const struct position *pos = game_position(game);
    int count = book_probe_game(draft->book, game, out, MOVES_MAX);
    if (count == 0)
        count = book_probe(draft->book, pos, out, MOVES_MAX);
    for (size_t i = first_of(draft, pos->key); i; i = draft->nexts[i - 1]) {
        const struct book_addition *change = &draft->changes[i - 1];
        int at = draft_index(out, count, change->m);
        if (at < 0 && count < MOVES_MAX) {
            at = count++;
            out[at] = (struct book_move){.move = change->m};
        }
        if (at >= 0)
            out[at].weight = change->weight;
    }
    book_moves_sort(out, count);
    return count;
}

enum caxton_status draft_set(struct draft *draft, const struct position *pos, move m,
                             uint32_t weight)
{
    for (size_t i = first_of(draft, pos->key); i; i = draft->nexts[i - 1]) {
        struct book_addition *change = &draft->changes[i - 1];
        if (change->m == m) {
            change->weight = weight;
            return STATUS_OK;
        }
    }
    if (!ARRAY_GROW(draft->changes, draft->capacity, draft->count + 1))
        return STATUS_NO_MEMORY;
    draft->changes[draft->count++] = (struct book_addition){.pos = *pos, .m = m, .weight = weight};
    return put_last(draft);
}
