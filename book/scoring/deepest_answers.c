#include "book/scoring/deepest_answers.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "eval/eval.h"
#include "search/score.h"

bool answer_is_deeper(struct search_limit limit, const struct search_answer *answer,
                      struct search_limit than_limit, const struct search_answer *than)
{
    if (answer->depth != than->depth)
        return answer->depth > than->depth;
    if (answer->nodes != than->nodes)
        return answer->nodes > than->nodes;
    if (limit.kind != than_limit.kind)
        return limit.kind > than_limit.kind;
    return limit.value > than_limit.value;
}

/* Of packed positions, and of what begins with one. */
static int compare_positions(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(struct packed_position));
}

/* By position, the deepest first. */
static int compare(const void *a, const void *b)
{
    const struct deepest_answer *x = a;
    const struct deepest_answer *y = b;
    int order = compare_positions(a, b);
    if (order != 0)
        return order;
    return answer_is_deeper(y->limit, &y->answer, x->limit, &x->answer) -
           answer_is_deeper(x->limit, &x->answer, y->limit, &y->answer);
}

enum caxton_status deepest_answers_take(const struct score_store *store,
                                        struct packed_position *wanted, size_t wanted_count,
                                        struct deepest_answers *out)
{
    struct deepest_answer at;
    size_t capacity = 0;
    size_t cursor = 0;
    size_t kept = 0;
    struct searcher_identity identity;
    *out = (struct deepest_answers){.count = 0};
    score_store_identity(store, &identity);
    if (wanted)
        qsort(wanted, wanted_count, sizeof *wanted, compare_positions);
    while (score_store_next_answer(store, &cursor, &at.pos, &at.limit, &at.answer)) {
        if (wanted && !bsearch(&at, wanted, wanted_count, sizeof *wanted, compare_positions))
            continue;
        if (!ARRAY_GROW(out->list, capacity, out->count + 1)) {
            deepest_answers_free(out);
            return STATUS_NO_MEMORY;
        }
        if (searcher_is_imported(&identity) && !score_is_decisive(at.answer.score))
            at.answer.score = eval_of_centipawns(at.answer.score);
        out->list[out->count++] = at;
    }
    if (out->count > 0)
        qsort(out->list, out->count, sizeof *out->list, compare);
    for (size_t i = 0; i < out->count; i++)
        if (kept == 0 || compare_positions(&out->list[kept - 1], &out->list[i]) != 0)
            out->list[kept++] = out->list[i];
    out->count = kept;
    return STATUS_OK;
}

void deepest_answers_free(struct deepest_answers *answers)
{
    free(answers->list);
    *answers = (struct deepest_answers){.count = 0};
}

static const struct search_answer *find(const struct deepest_answers *answers,
                                        const struct position *pos)
{
    struct packed_position wanted;
    position_pack(pos, &wanted);
    const struct deepest_answer *found = answers->count
                                             ? bsearch(&wanted, answers->list, answers->count,
                                                       sizeof *answers->list, compare_positions)
                                             : NULL;
    return found ? &found->answer : NULL;
}

int deepest_answers_best(const struct deepest_answers *answers, const struct position *pos)
{
    const struct search_answer *here = find(answers, pos);
    return here ? here->score : -SCORE_MATE;
}

bool deepest_answers_of_move(const struct deepest_answers *answers, const struct position *pos,
                             move m, struct search_answer *out)
{
    const struct search_answer *here = find(answers, pos);
    if (here && here->best == m) {
        *out = *here;
        return true;
    }
    const struct position after = position_after(pos, m);
    const struct search_answer *found = find(answers, &after);
    if (!found)
        return false;
    *out = *found;
    out->best = m;
    out->score = score_of_child(found->score);
    out->depth += found->depth > 0; /* else it is not known */
    return true;
}
