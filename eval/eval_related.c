/* Sums of relations. */
#include <string.h>

#include "eval/eval_internal.h"

static bool is_mirrored(const struct position *pos, int perspective)
{
    return square_file(position_king(pos, perspective)) >= 4;
}

/* The rows of changes as a perspective sees them. A row is fetched as soon as it is known: the
 * table is larger than caches are. */
static void find_rows(const struct network *network, const struct relation_changes *changes,
                      relation_fact view, struct related_rows *out)
{
    out->subs = changes->gone;
    out->count = changes->count;
    for (int i = 0; i < changes->count; i++) {
        unsigned number = relation_number(&network->index, changes->facts[i] ^ view);
        out->rows[i] = network->relation_weights[number];
        for (int at = 0; at < NETWORK_RELATED; at += 64)
            __builtin_prefetch(out->rows[i] + at);
    }
}

static void apply(const struct network *network, const struct infer *infer,
                  const struct relation_changes *changes, const struct position *pos,
                  int perspective, const int16_t *in, int16_t *out)
{
    struct related_rows rows;
    find_rows(network, changes, relation_view(perspective, is_mirrored(pos, perspective)), &rows);
    infer->relate(out, in, &rows);
}

/* The nearest earlier position with sums that a side's can be made from, as its king has stood on
 * the same half of the board since; -1: none. */
static int find_source(const struct eval *eval, const struct position *pos, int perspective)
{
    const bool mirrored = is_mirrored(pos, perspective);
    for (int index = eval->top - 1; index >= 0; index--) {
        if (is_mirrored(&eval->positions[index], perspective) != mirrored)
            return -1;
        if (eval->steps[index].ready_related & 1 << perspective)
            return index;
    }
    return -1;
}

static void refresh(struct eval *eval, const struct position *pos, int perspective)
{
    struct relation_changes changes;
    struct related *cached = &eval->related[perspective][is_mirrored(pos, perspective)];
    int16_t *sums = eval->stack[eval->top].related[perspective];
    relation_changes_find(&cached->pos, pos, &changes);
    apply(eval->network, eval->infer, &changes, pos, perspective, cached->sums, sums);
    memcpy(cached->sums, sums, sizeof cached->sums);
    cached->pos = *pos;
}

/* Makes the sums of a position from those of the one before, for perspectives from whose source it
 * is on the way. */
static void step(struct eval *eval, const struct position *pos, const int sources[2], int index)
{
    struct relation_changes changes;
    relation_changes_find(&eval->positions[index - 1], pos, &changes);
    for (int perspective = WHITE; perspective <= BLACK; perspective++)
        if (index > sources[perspective]) {
            apply(eval->network, eval->infer, &changes, pos, perspective,
                  eval->stack[index - 1].related[perspective],
                  eval->stack[index].related[perspective]);
            eval->steps[index].ready_related |= (uint8_t)(1 << perspective);
        }
}

void related_follow(struct eval *eval, const struct position *pos)
{
    const int top = eval->top;
    int sources[2], first = top;
    for (int perspective = WHITE; perspective <= BLACK; perspective++) {
        const bool is_ready = eval->steps[top].ready_related & 1 << perspective;
        int source = is_ready ? top : find_source(eval, pos, perspective);
        if (source < 0) {
            refresh(eval, pos, perspective);
            eval->steps[top].ready_related |= (uint8_t)(1 << perspective);
            source = top;
        }
        sources[perspective] = source;
        first = source < first ? source : first;
    }
    for (int index = first + 1; index <= top; index++)
        step(eval, index == top ? pos : &eval->positions[index], sources, index);
}

void related_make(const struct network *network, const struct infer *infer,
                  const struct position *pos, struct accumulator *out)
{
    static const struct position empty;
    alignas(64) static const int16_t nothing[NETWORK_RELATED];
    struct relation_changes changes;
    relation_changes_find(&empty, pos, &changes);
    for (int perspective = WHITE; perspective <= BLACK; perspective++)
        apply(network, infer, &changes, pos, perspective, nothing, out->related[perspective]);
}
