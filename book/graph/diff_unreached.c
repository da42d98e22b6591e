#include "book/graph/diff_unreached.h"

/* The entries of one key, [first, end). */
struct group {
    const struct entry_table *table;
    size_t first;
    size_t end;
    uint64_t sum;
};

static struct group group_at(const struct entry_table *table, size_t first)
{
    struct group group = {.table = table, .first = first, .end = first};
    uint64_t key = entry_table_at(table, first).key;
    for (; group.end < table->count && entry_table_at(table, group.end).key == key; group.end++)
        group.sum += entry_table_at(table, group.end).weight;
    return group;
}

/* Entries of a move add up. Returns where the first of them is, group->end without one. */
static size_t find_in_group(const struct group *group, uint16_t m, uint32_t *weight)
{
    size_t first = group->end;
    *weight = 0;
    for (size_t i = group->end; i-- > group->first;) {
        struct book_entry entry = entry_table_at(group->table, i);
        if (entry.move != m)
            continue;
        uint32_t room = UINT32_MAX - *weight;
        *weight += entry.weight < room ? entry.weight : room;
        first = i;
    }
    return first;
}

static size_t count_moves(const struct group *group)
{
    size_t count = 0;
    uint32_t ignored;
    for (size_t i = group->first; i < group->end; i++)
        count += find_in_group(group, entry_table_at(group->table, i).move, &ignored) == i;
    return count;
}

static void compare_groups(struct comparison *comparison, const struct group *a,
                           const struct group *b)
{
    struct book_diff *diff = &comparison->diff;
    uint64_t found = 0;
    uint64_t different = 0;
    diff->positions_both++;
    for (size_t i = a->first; i < a->end; i++) {
        uint16_t m = entry_table_at(a->table, i).move;
        uint32_t mine;
        uint32_t weight;
        if (find_in_group(a, m, &mine) != i)
            continue; /* it was compared */
        if (find_in_group(b, m, &weight) == b->end) {
            diff->moves_only[0]++;
            different++;
            continue;
        }
        bool changed = book_diff_differs(comparison, mine, a->sum, weight, b->sum);
        diff->moves_changed += changed;
        diff->moves_same += !changed;
        different += changed;
        found++;
    }
    uint64_t more = count_moves(b) - found;
    diff->moves_only[1] += more;
    diff->unreached[0] += different + more > 0;
    diff->unreached[1] += different + more > 0;
}

/* The other book's entries of the key, when nothing has been compared with them yet. */
static bool find_group(const struct side *side, uint64_t key, struct group *out)
{
    size_t first = entry_table_find(side->table, key);
    if (first == side->table->count || entry_table_at(side->table, first).key != key ||
        side->touched[first / 8] & 1 << first % 8)
        return false;
    *out = group_at(side->table, first);
    return true;
}

void book_diff_unreached(struct comparison *comparison, int which)
{
    const struct side *side = &comparison->sides[which];
    const struct side *other = &comparison->sides[!which];
    bool alike = other->table && other->mirrored == side->mirrored;
    struct group group;
    for (size_t at = 0; side->table && at < side->table->count; at = group.end) {
        struct group match;
        group = group_at(side->table, at);
        if (side->touched[at / 8] & 1 << at % 8)
            continue;
        if (!alike || !find_group(other, entry_table_at(side->table, at).key, &match)) {
            comparison->diff.positions_only[which]++;
            comparison->diff.moves_only[which] += count_moves(&group);
            comparison->diff.unreached[which]++;
        } else if (which == 0)
            compare_groups(comparison, &group, &match);
    }
}
