#include "book/statistics/sample.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* Choosing --------------------------------------------------------------------------------- */

int sample_compare(const struct sample *a, const struct sample *b)
{
    if (a->elos != b->elos)
        return a->elos > b->elos ? -1 : 1;
    if (a->mark != b->mark)
        return a->mark < b->mark ? -1 : 1;
    if (a->file != b->file)
        return a->file < b->file ? -1 : 1;
    if (a->at != b->at)
        return a->at < b->at ? -1 : 1;
    if (a->facet != b->facet)
        return a->facet < b->facet ? -1 : 1;
    return a->move < b->move ? -1 : a->move > b->move;
}

static int compare_strength(const void *a, const void *b)
{
    return sample_compare(a, b);
}

static int compare_months(const void *a, const void *b)
{
    uint32_t one = facet_month(((const struct sample *)a)->facet);
    uint32_t other = facet_month(((const struct sample *)b)->facet);
    return one != other ? (one > other ? -1 : 1) : sample_compare(a, b);
}

/* Equal games follow each other, the first of them in the order of games first. */
static int compare_games(const void *a, const void *b)
{
    const struct sample *one = a;
    const struct sample *other = b;
    if (one->mark != other->mark)
        return one->mark < other->mark ? -1 : 1;
    if (one->facet != other->facet)
        return one->facet < other->facet ? -1 : 1;
    return one->move != other->move ? (one->move < other->move ? -1 : 1) : sample_compare(a, b);
}

static void sort(struct sample_set *set, int (*order)(const void *a, const void *b))
{
    qsort(set->games, set->count, sizeof *set->games, order);
}

static void drop_equal(struct sample_set *set)
{
    struct sample *games = set->games;
    size_t kept = 1;
    sort(set, compare_games);
    for (size_t i = 1; i < set->count; i++)
        if (games[i].mark != games[kept - 1].mark || games[i].facet != games[kept - 1].facet ||
            games[i].move != games[kept - 1].move)
            games[kept++] = games[i];
    set->count = kept;
}

/* What games have in common of which some are kept: bits; none: all have. */
enum { COMMON_MOVE = 1, COMMON_KIND = 2, COMMON_YEAR = 4 };

/* Of all games with the same of these things `each`, in all `most`. */
struct share {
    bool by_month; /* the latest come first */
    unsigned common;
    size_t each;
    size_t most;
};

enum { KIND_MOST = 448, MOST = 64, EACH = 8 };

static const struct share shares[] = {{true, COMMON_KIND, EACH, KIND_MOST},
                                      {true, COMMON_MOVE, 1, MOST},
                                      {true, COMMON_KIND | COMMON_MOVE, 1, MOST},
                                      {false, COMMON_YEAR, EACH, MOST},
                                      {false, 0, SAMPLES_MAX, SAMPLES_MAX}};

_Static_assert(KIND_MOST + 3 * MOST + SAMPLES_MAX == SAMPLE_SET_MAX, "the sum");

static uint64_t common_of(unsigned common, const struct sample *game)
{
    uint64_t kind = (uint64_t)facet_group(game->facet) << 8 | facet_speed(game->facet);
    return (common & COMMON_MOVE ? (uint64_t)game->move << 48 : 0) |
           (common & COMMON_KIND ? kind << 32 : 0) |
           (common & COMMON_YEAR ? facet_month(game->facet) / MONTHS_A_YEAR : 0);
}

/* Notes which games are kept of a set, which is in the order of the share. Beyond `most` different
 * groups there is none of which even the first game is kept. */
static void choose_share(struct sample_set *set, const struct share *share, size_t each)
{
    struct {
        uint64_t common;
        size_t games;
    } groups[KIND_MOST];
    size_t group_count = 0;
    size_t rounds[SAMPLES_MAX] = {
        0}; /* how many games are the first of their group, the second .. */
    uint8_t round[SAMPLE_SET_ROOM];
    for (size_t i = 0; i < set->count; i++) {
        uint64_t common = common_of(share->common, &set->games[i]);
        size_t k = 0;
        while (k < group_count && groups[k].common != common)
            k++;
        if (k == group_count && k < share->most) {
            groups[group_count].common = common;
            groups[group_count++].games = 0;
        }
        bool fits = k < share->most && groups[k].games < each;
        round[i] = (uint8_t)(fits ? groups[k].games++ : each);
        if (fits)
            rounds[round[i]]++;
    }
    size_t left = share->most;
    size_t whole = 0; /* rounds of which all are kept */
    while (whole < each && rounds[whole] <= left)
        left -= rounds[whole++];
    for (size_t i = 0; i < set->count; i++)
        if (round[i] < whole || (round[i] == whole && whole < each && left > 0 && left--))
            set->games[i].chosen = 1;
}

void sample_set_choose(struct sample_set *set, const struct sample_rule *rule)
{
    if (set->count < 2)
        return;
    drop_equal(set);
    bool some = set->count > rule->most && rule->by_facets;
    for (size_t i = 0; i < sizeof shares / sizeof *shares && some; i++) {
        size_t each = shares[i].each < rule->most ? shares[i].each : rule->most;
        if (i == 0 || shares[i].by_month != shares[i - 1].by_month)
            sort(set, shares[i].by_month ? compare_months : compare_strength);
        choose_share(set, &shares[i], each);
    }
    size_t kept = 0;
    for (size_t i = 0; i < set->count && some; i++)
        if (set->games[i].chosen) {
            set->games[kept] = set->games[i];
            set->games[kept++].chosen = 0;
        }
    if (some)
        set->count = kept;
    else
        sort(set, compare_strength);
    if (!rule->by_facets && set->count > rule->most)
        set->count = rule->most;
}

/* Names ------------------------------------------------------------------------------------ */

void sample_names_free(struct sample_names *names)
{
    for (size_t i = 0; i < names->count; i++)
        free(names->list[i]);
    free(names->list);
    *names = (struct sample_names){.list = NULL};
}

/* How many names come before this one. */
static size_t rank(const struct sample_names *names, const char *name)
{
    size_t at;
    ARRAY_SEARCH(at, 0, names->count, strcmp(names->list[at], name) < 0);
    return at;
}

size_t sample_names_find(const struct sample_names *names, const char *name)
{
    size_t at = rank(names, name);
    return at < names->count && strcmp(names->list[at], name) == 0 ? at : names->count;
}

enum caxton_status sample_names_add(struct sample_names *names, const char *name)
{
    size_t at = rank(names, name);
    if (at < names->count && strcmp(names->list[at], name) == 0)
        return STATUS_OK;
    if (names->count == SAMPLE_FILES_MAX)
        return STATUS_RANGE;
    char *copy = strdup(name);
    if (!copy || !ARRAY_GROW(names->list, names->capacity, names->count + 1)) {
        free(copy);
        return STATUS_NO_MEMORY;
    }
    memmove(names->list + at + 1, names->list + at, (names->count - at) * sizeof *names->list);
    names->list[at] = copy;
    names->count++;
    return STATUS_OK;
}

/* Merging ---------------------------------------------------------------------------------- */

void sample_merge_end(struct sample_merge *merge)
{
    free(merge->heap.items);
    *merge = (struct sample_merge){.inputs = NULL};
}

/* A heap_order. */
static bool goes_before(const void *a, const void *b)
{
    const struct sample_input *one = a;
    const struct sample_input *other = b;
    return one->head.key < other->head.key;
}

/* A heap_next. */
static enum caxton_status read_head(void *sequence, struct diag *diag)
{
    struct sample_input *input = sequence;
    return input->next(input->context, &input->head, diag);
}

enum caxton_status sample_merge_next(void *context, struct sample_set *out, struct diag *diag)
{
    struct sample_merge *merge = context;
    struct heap *heap = &merge->heap;
    enum caxton_status status = STATUS_OK;
    if (!heap->items)
        status = heap_open(heap, merge->inputs, sizeof *merge->inputs, merge->count, read_head,
                           goes_before, diag);
    if (status != STATUS_OK)
        return status;
    if (heap->count == 0)
        return STATUS_END;
    out->key = ((const struct sample_input *)heap->items[0])->head.key;
    out->count = 0;
    while (status == STATUS_OK && heap->count > 0) {
        const struct sample_input *first = heap->items[0];
        if (first->head.key != out->key)
            break;
        for (size_t i = 0; i < first->head.count; i++)
            sample_set_add(out, &first->head.games[i], &merge->rule);
        status = heap_advance(heap, read_head, goes_before, diag);
    }
    sample_set_choose(out, &merge->rule);
    return status;
}
