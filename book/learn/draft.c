#include "book/learn/draft.h"

#include <stdlib.h>

#include "base/array.h"

void draft_free(struct draft *draft)
{
    free(draft->changes);
    free(draft->firsts);
    free(draft->nexts);
    *draft = (struct draft){.book = draft->book};
}

/* Puts a change at the end of its list, so that changes of a position keep their order. */
static void put_last(struct draft *draft, size_t index)
{
    size_t *end = &draft->firsts[draft->changes[index].pos.key & (draft->lists - 1)];
    while (*end)
        end = &draft->nexts[*end - 1];
    *end = index + 1;
    draft->nexts[index] = 0;
}

/* Makes twice as many lists. */
static bool grow_lists(struct draft *draft)
{
    enum { LISTS_MIN = 64 };
    size_t lists = draft->lists ? 2 * draft->lists : LISTS_MIN;
    size_t *firsts = calloc(lists, sizeof *firsts);
    size_t *nexts = calloc(lists, sizeof *nexts);
    if (!firsts || !nexts) {
        free(firsts);
        free(nexts);
        return false;
    }
    free(draft->firsts);
    free(draft->nexts);
    draft->firsts = firsts;
    draft->nexts = nexts;
    draft->lists = lists;
    for (size_t i = 0; i < draft->count; i++)
        put_last(draft, i);
    return true;
}

/* 1 and the index of the first change that may be of the position; 0: there is none. */
static size_t first_of(const struct draft *draft, uint64_t key)
{
    return draft->lists ? draft->firsts[key & (draft->lists - 1)] : 0;
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
        if (change->pos.key != pos->key)
            continue;
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
        if (change->pos.key == pos->key && change->m == m) {
            change->weight = weight;
            return STATUS_OK;
        }
    }
    if (!ARRAY_GROW(draft->changes, draft->capacity, draft->count + 1) ||
        (draft->count == draft->lists && !grow_lists(draft)))
        return STATUS_NO_MEMORY;
    draft->changes[draft->count] = (struct book_addition){.pos = *pos, .m = m, .weight = weight};
    put_last(draft, draft->count++);
    return STATUS_OK;
}
