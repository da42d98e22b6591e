#include "book/learn/draft.h"

#include <stdlib.h>

#include "base/array.h"

void draft_free(struct draft *draft)
{
    free(draft->changes);
    *draft = (struct draft){.book = draft->book};
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
    for (size_t i = 0; i < draft->count; i++) {
        const struct book_addition *change = &draft->changes[i];
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
    for (size_t i = 0; i < draft->count; i++) {
        struct book_addition *change = &draft->changes[i];
        if (change->pos.key == pos->key && change->m == m) {
            change->weight = weight;
            return STATUS_OK;
        }
    }
    if (!ARRAY_GROW(draft->changes, draft->capacity, draft->count + 1))
        return STATUS_NO_MEMORY;
    draft->changes[draft->count++] = (struct book_addition){.pos = *pos, .m = m, .weight = weight};
    return STATUS_OK;
}
