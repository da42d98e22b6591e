#include "book/makebook/commands/prune_store.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "book/makebook/cli/command.h"
#include "book/polyglot_entry.h"
#include "eval/eval.h"
#include "search/score.h"

struct searched_position {
    struct packed_position pos;
    struct search_answer answer;
};

static int compare_positions(const void *a, const void *b)
{
    const struct searched_position *x = a;
    const struct searched_position *y = b;
    return memcmp(x->pos.bytes, y->pos.bytes, sizeof x->pos.bytes);
}

/* By position, the deepest first. */
static int compare(const void *a, const void *b)
{
    const struct searched_position *x = a;
    const struct searched_position *y = b;
    int order = compare_positions(a, b);
    if (order != 0)
        return order;
    if (x->answer.depth != y->answer.depth)
        return x->answer.depth > y->answer.depth ? -1 : 1;
    if (x->answer.nodes != y->answer.nodes)
        return x->answer.nodes > y->answer.nodes ? -1 : 1;
    if (x->answer.best != y->answer.best)
        return x->answer.best < y->answer.best ? -1 : 1;
    return (x->answer.score < y->answer.score) - (x->answer.score > y->answer.score);
}

static enum caxton_status list_answers(struct prune_store *store)
{
    struct searched_position at;
    struct search_limit limit;
    size_t capacity = 0;
    size_t cursor = 0;
    while (score_store_next_answer(store->store, &cursor, &at.pos, &limit, &at.answer)) {
        if (!ARRAY_GROW(store->list, capacity, store->count + 1))
            return STATUS_NO_MEMORY;
        store->list[store->count++] = at;
    }
    size_t kept = 0;
    if (store->count > 0)
        qsort(store->list, store->count, sizeof *store->list, compare);
    for (size_t i = 0; i < store->count; i++)
        if (kept == 0 || compare_positions(&store->list[kept - 1], &store->list[i]) != 0)
            store->list[kept++] = store->list[i];
    store->count = kept;
    return STATUS_OK;
}

bool prune_store_read(const struct command_line *line, const char *path, struct prune_store *out)
{
    struct diag diag = {.text = "out of memory"};
    *out = (struct prune_store){.count = 0};
    if (!source_read(line, path, &out->source))
        return false;
    const struct source *source = &out->source;
    enum caxton_status status = STATUS_FORMAT;
    if (source->stats)
        diag_set(&diag, 0, 0, "these are statistics, no store of searches");
    else
        status = score_store_parse(source->bytes, source->size, NULL, &out->store, &diag);
    if (status == STATUS_OK)
        status = list_answers(out);
    if (status == STATUS_OK)
        return true;
    (void)command_fail(line, "%s: %s", path, diag.text);
    prune_store_free(out);
    return false;
}

void prune_store_free(struct prune_store *store)
{
    enum caxton_status closed = score_store_close(store->store, NULL);
    (void)closed; /* nothing was written to it */
    free(store->list);
    source_close(&store->source);
    *store = (struct prune_store){.count = 0};
}

static const struct search_answer *find(const struct prune_store *store, const struct position *pos)
{
    struct searched_position wanted;
    position_pack(pos, &wanted.pos);
    const struct searched_position *found =
        store->count
            ? bsearch(&wanted, store->list, store->count, sizeof *store->list, compare_positions)
            : NULL;
    return found ? &found->answer : NULL;
}

void prune_store_facts(void *context, uint64_t key, const struct position *pos, uint16_t stored,
                       struct prune_facts *out)
{
    const struct prune_store *store = context;
    (void)key;
    move m = pos ? polyglot_to_move(pos, stored) : MOVE_NONE;
    if (m == MOVE_NONE)
        return;
    struct played_games games;
    struct packed_position packed;
    position_pack(pos, &packed);
    if (score_store_played(store->store, &packed, m, &games)) {
        out->games = games.wins + games.draws + games.losses;
        out->points = 2 * games.wins + games.draws;
        out->has_games = out->games > 0;
    }
    const struct position after = position_behind(pos, m);
    const struct search_answer *here = find(store, pos);
    const struct search_answer *behind = find(store, &after);
    if (here && here->best != m)
        here = NULL;
    if (here && behind && behind->depth + 1 > here->depth)
        here = NULL;
    if (!here && !behind)
        return;
    int score = here ? here->score : score_behind(behind->score);
    out->has_eval = true;
    out->eval_cp = score_is_mate(score) ? score : eval_centipawns(score);
}
