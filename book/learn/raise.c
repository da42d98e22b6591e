#include "book/learn/raise.h"

#include <stdlib.h>

#include "base/array.h"
#include "book/polyglot_entry.h"

/* A win adds half of a move's weight, a draw an eighth; at most three times the weight in all. */
enum { PARTS = 8, WIN_PARTS = 4, DRAW_PARTS = 1, PARTS_MAX = 3 * PARTS };
/* Weights up to FINE_MAX are multiplied by FINE first, so that they have parts. */
enum { FINE_MAX = 1023, FINE = 16 };

/* What one line says of one move. */
struct scored {
    uint64_t key;
    size_t line; /* where the position can be found, */
    size_t ply;
    move move;
    uint32_t parts;
};

struct scored_list {
    struct scored *list;
    size_t count;
    size_t capacity;
};

static int compare(const void *a, const void *b)
{
    const struct scored *x = a;
    const struct scored *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    int order = (int)polyglot_from_move(x->move) - (int)polyglot_from_move(y->move);
    if (order != 0)
        return order;
    return x->line != y->line ? (x->line < y->line ? -1 : 1)
                              : (x->ply > y->ply) - (x->ply < y->ply);
}

static enum caxton_status add_line(struct scored_list *scored, const struct learnt *learnt,
                                   size_t index, struct game *board)
{
    const struct learn_line *line = &learnt->lines[index];
    int points = learn_line_points(line);
    enum caxton_status status = STATUS_OK;
    for (size_t i = 0; i < line->count && points > 0 && status == STATUS_OK; i++) {
        status = learn_go_to(line->game, line->steps[i].ply, board);
        if (status == STATUS_OK && !ARRAY_GROW(scored->list, scored->capacity, scored->count + 1))
            status = STATUS_NO_MEMORY;
        if (status == STATUS_OK)
            scored->list[scored->count++] =
                (struct scored){.key = game_position(board)->key,
                                .line = index,
                                .ply = line->steps[i].ply,
                                .move = line->steps[i].move,
                                .parts = points == 2 ? WIN_PARTS : DRAW_PARTS};
    }
    return status;
}

/* The parts that the move gets by scored[0 .. count), all of one position. */
static uint64_t parts_of(const struct scored *scored, size_t count, move m)
{
    uint64_t parts = 0;
    for (size_t i = 0; i < count; i++)
        parts += scored[i].move == m ? scored[i].parts : 0;
    return parts < PARTS_MAX ? parts : PARTS_MAX;
}

/* One position: scored[0 .. count). */
static enum caxton_status raise_position(struct learnt *learnt, const struct scored *scored,
                                         size_t count, struct game *board)
{
    struct book_move moves[MOVES_MAX];
    uint64_t weights[MOVES_MAX];
    enum caxton_status status = learn_go_to(learnt->lines[scored->line].game, scored->ply, board);
    if (status != STATUS_OK)
        return status;
    int known = draft_probe(&learnt->draft, board, moves);
    int playable = 0;
    while (playable < known && moves[playable].weight > 0)
        playable++;
    if (playable < 2)
        return STATUS_OK;
    uint64_t before = moves[0].weight;
    uint64_t unit = before <= FINE_MAX ? FINE : 1;
    uint64_t most = before <= POLYGLOT_WEIGHT_MAX ? POLYGLOT_WEIGHT_MAX : UINT32_MAX;
    uint64_t largest = 0;
    for (int i = 0; i < playable; i++) {
        uint64_t parts = parts_of(scored, count, moves[i].move);
        weights[i] = moves[i].weight * unit;
        weights[i] += (weights[i] * parts + PARTS - 1) / PARTS;
        largest = weights[i] > largest ? weights[i] : largest;
        learnt->raised += parts > 0;
    }
    /* The product of two weights of books with large ones would not fit in 64 bits. */
    int shift = most > POLYGLOT_WEIGHT_MAX ? 3 : 0;
    for (int i = 0; i < playable && status == STATUS_OK; i++) {
        uint64_t weight =
            largest > most ? (weights[i] >> shift) * most / (largest >> shift) : weights[i];
        status = draft_set(&learnt->draft, game_position(board), moves[i].move,
                           (uint32_t)(weight > 0 ? weight : 1));
    }
    return status;
}

enum caxton_status learn_raise(struct learnt *learnt, struct game *board)
{
    struct scored_list scored = {.count = 0};
    enum caxton_status status = STATUS_OK;
    for (size_t i = 0; i < learnt->line_count && status == STATUS_OK; i++)
        if (!learnt->lines[i].known)
            status = add_line(&scored, learnt, i, board);
    if (scored.count > 0)
        qsort(scored.list, scored.count, sizeof *scored.list, compare);
    size_t end;
    for (size_t i = 0; i < scored.count && status == STATUS_OK; i = end) {
        for (end = i + 1; end < scored.count && scored.list[end].key == scored.list[i].key;)
            end++;
        status = raise_position(learnt, &scored.list[i], end - i, board);
    }
    free(scored.list);
    return status;
}
