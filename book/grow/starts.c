#include "book/grow/starts.h"

#include <stdlib.h>

#include "base/array.h"

/* A move on the way to a start. */
struct start_step {
    uint64_t key; /* of the position before it */
    size_t start;
    move move;
};

struct grow_starts {
    struct start_step *steps;
    size_t step_count;
    size_t step_capacity;
    uint64_t ends[STARTS_MAX]; /* keys */
    struct position roots[STARTS_MAX];
    size_t count;
};

/* Does the line of the last start pass the position already? */
static bool is_passed(const struct grow_starts *starts, size_t start, uint64_t key)
{
    for (size_t i = 0; i < starts->step_count; i++)
        if (starts->steps[i].start == start && starts->steps[i].key == key)
            return true;
    return false;
}

static enum caxton_status add_start(struct grow_starts *starts, const struct start *start,
                                    struct diag *diag)
{
    struct position pos = start->root;
    if (starts->count == STARTS_MAX)
        return diag_fail(STATUS_ILLEGAL, diag, "is one too many: %d are allowed", STARTS_MAX);
    if (start->plies >= DAG_PLIES_MAX)
        return diag_fail(STATUS_ILLEGAL, diag, "has more than %d plies", DAG_PLIES_MAX - 1);
    for (size_t ply = 0; ply < start->plies; ply++) {
        if (!ARRAY_GROW(starts->steps, starts->step_capacity, starts->step_count + 1))
            return diag_fail(STATUS_NO_MEMORY, diag, "out of memory");
        starts->steps[starts->step_count++] =
            (struct start_step){.key = pos.key, .start = starts->count, .move = start->line[ply]};
        position_play(&pos, start->line[ply]);
        if (is_passed(starts, starts->count, pos.key))
            return diag_fail(STATUS_ILLEGAL, diag, "comes to a position twice");
    }
    if (movegen_count(&pos) == 0)
        return diag_fail(STATUS_ILLEGAL, diag, "the game has ended there");
    starts->roots[starts->count] = start->root;
    starts->ends[starts->count++] = pos.key;
    return STATUS_OK;
}

/* Is the position on the way to a start? */
static bool is_on_the_way(const struct grow_starts *starts, uint64_t key)
{
    for (size_t i = 0; i < starts->step_count; i++)
        if (starts->steps[i].key == key)
            return true;
    return false;
}

enum caxton_status starts_create(const struct start *list, size_t count, struct grow_starts **out,
                                 size_t *fault, struct diag *diag)
{
    struct grow_starts *starts = calloc(1, sizeof *starts);
    enum caxton_status status = STATUS_OK;
    if (!starts)
        return diag_fail(STATUS_NO_MEMORY, diag, "out of memory");
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        *fault = i;
        status = add_start(starts, &list[i], diag);
    }
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        *fault = i;
        if (is_on_the_way(starts, starts->ends[i]))
            status = diag_fail(STATUS_ILLEGAL, diag, "is on the way to another start");
    }
    if (status == STATUS_OK)
        *out = starts;
    else
        starts_destroy(starts);
    return status;
}

void starts_destroy(struct grow_starts *starts)
{
    if (!starts)
        return;
    free(starts->steps);
    free(starts);
}

size_t starts_roots(const struct grow_starts *starts, struct dag_root *out)
{
    size_t count = 0;
    for (size_t i = 0; i < starts->count; i++) {
        size_t at = 0;
        while (at < count && out[at].pos.key != starts->roots[i].key)
            at++;
        if (at == count)
            out[count++] = (struct dag_root){.pos = starts->roots[i]};
        out[at].probability += 1;
    }
    for (size_t i = 0; i < count; i++)
        out[i].probability /= (double)starts->count;
    return count;
}

int starts_play(const struct grow_starts *starts, const struct position *pos,
                struct played_move *out)
{
    int count = 0;
    double sum = 0;
    for (size_t i = 0; starts && i < starts->step_count; i++) {
        const struct start_step *step = &starts->steps[i];
        int at = 0;
        if (step->key != pos->key)
            continue;
        while (at < count && out[at].move != step->move)
            at++;
        if (at == count)
            out[count++] = (struct played_move){.move = step->move};
        out[at].probability += 1;
        sum += 1;
    }
    for (int i = 0; i < count; i++)
        out[i].probability /= sum;
    return count;
}
