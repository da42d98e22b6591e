/* What Arena's books say of their moves beside the weight: games, won, lost, priority. */
#pragma once

#include "book/format.h"

/* Of all records of a move in a position together. */
struct abk_said {
    uint64_t key;
    uint64_t games;
    uint64_t won;
    uint64_t lost;
    uint16_t move; /* as book/polyglot_entry.h stores it */
    uint8_t priority;
};

struct abk_said_list {
    struct abk_said *items;
    size_t count;
    size_t capacity;
};

/* {0} is an empty list. One record more; errors: STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status abk_said_add(struct abk_said_list *list, struct abk_said said);

/* Adds up the records of the same move, whose priority is the largest; before abk_said_find(). */
void abk_said_join(struct abk_said_list *list);

/* The weight that a record gives its move. games_count: a move of its list has games.
 * The rule stands in abk.h. */
uint32_t abk_weight(int64_t games, int priority, bool games_count);

/* NULL: there is no such move. */
const struct abk_said *abk_said_find(const struct abk_said_list *list, uint64_t key, move m);

/* Fills out->moves[0..count). */
void abk_said_facts(const struct abk_said_list *list, uint64_t key, const move *moves, int count,
                    struct book_facts *out);
