#include "book/formats/arena/abk_said.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "book/formats/arena/abk_record.h"
#include "book/polyglot_entry.h"

uint32_t abk_weight(int64_t games, int priority, bool games_count)
{
    if (priority == 0)
        return 0;
    if (!games_count)
        return (uint32_t)priority;
    games = games > 0 ? games : 0;
    int64_t weight = (games * priority + ABK_NEUTRAL_PRIORITY / 2) / ABK_NEUTRAL_PRIORITY;
    if (weight > UINT32_MAX)
        return UINT32_MAX;
    return weight ? (uint32_t)weight : 1;
}

enum caxton_status abk_said_add(struct abk_said_list *list, struct abk_said said)
{
    if (!ARRAY_GROW(list->items, list->capacity, list->count + 1))
        return STATUS_NO_MEMORY;
    list->items[list->count++] = said;
    return STATUS_OK;
}

static int compare(const void *a, const void *b)
{
    const struct abk_said *x = a;
    const struct abk_said *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return (x->move > y->move) - (x->move < y->move);
}

void abk_said_join(struct abk_said_list *list)
{
    size_t kept = 0;
    if (list->count)
        qsort(list->items, list->count, sizeof *list->items, compare);
    for (size_t i = 0; i < list->count; i++) {
        const struct abk_said *next = &list->items[i];
        struct abk_said *last = kept ? &list->items[kept - 1] : NULL;
        if (!last || compare(last, next) != 0) {
            list->items[kept++] = *next;
            continue;
        }
        last->games += next->games;
        last->won += next->won;
        last->lost += next->lost;
        if (last->priority < next->priority)
            last->priority = next->priority;
    }
    list->count = kept;
}

const struct abk_said *abk_said_find(const struct abk_said_list *list, uint64_t key, move m)
{
    const struct abk_said wanted = {.key = key, .move = polyglot_from_move(m)};
    if (!list->count)
        return NULL;
    return bsearch(&wanted, list->items, list->count, sizeof wanted, compare);
}

void abk_said_facts(const struct abk_said_list *list, uint64_t key, const move *moves, int count,
                    struct book_facts *out)
{
    memset(out, 0, sizeof *out);
    for (int i = 0; i < count; i++) {
        const struct abk_said *said = abk_said_find(list, key, moves[i]);
        struct book_move_facts *facts = &out->moves[i];
        facts->probability = -1;
        if (!said)
            continue;
        facts->has_record = true;
        facts->games = said->games;
        facts->won = said->won;
        facts->lost = said->lost;
        facts->priority = said->priority;
    }
}
