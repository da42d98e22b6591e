#include "book/grow/look_ahead.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "book/book.h"
#include "book/scoring/packed_position.h"

/* How many places of the queue are looked through at most, and how many beside those wanted; how
 * many positions are looked at, and how many are found. */
enum { QUEUE_MAX = 4096, QUEUE_MORE = 512, VISITS_MAX = 8192 };
enum { GUESSES_MAX = 16384, TABLE_SIZE = 2 * GUESSES_MAX };

/* A position that may be asked for. */
struct guess {
    struct position pos; /* unless `node` says it */
    uint64_t key;
    double probability;
    uint32_t node; /* of the graph; DAG_NONE: it is not there yet */
    uint32_t heap; /* place in the heap + 1; 0: looked at already */
};

struct look_ahead {
    struct look_ahead_view view;
    struct game *game;
    struct guess *guesses;
    size_t count;
    size_t capacity;
    uint32_t heap[GUESSES_MAX]; /* of guesses: the most probable first, which of equal ones does not
                                   matter */
    size_t waiting;
    uint32_t table[TABLE_SIZE]; /* index of a guess + 1 by key; 0: free */
};

enum caxton_status look_ahead_create(const struct look_ahead_view *view, struct look_ahead **out)
{
    struct look_ahead *look = calloc(1, sizeof *look);
    if (!look)
        return STATUS_NO_MEMORY;
    look->view = *view;
    look->game = game_create();
    if (!look->game) {
        free(look);
        return STATUS_NO_MEMORY;
    }
    *out = look;
    return STATUS_OK;
}

void look_ahead_destroy(struct look_ahead *look)
{
    if (!look)
        return;
    game_destroy(look->game);
    free(look->guesses);
    free(look);
}

/* Guesses. ------------------------------------------------------------------------------------ */

static double probability_at(const struct look_ahead *look, size_t place)
{
    return look->guesses[look->heap[place]].probability;
}

static void set(struct look_ahead *look, size_t place, uint32_t guess)
{
    look->heap[place] = guess;
    look->guesses[guess].heap = (uint32_t)place + 1;
}

/* Puts a guess into the heap at `place` or above it. */
static void move_up(struct look_ahead *look, size_t place, uint32_t guess)
{
    double probability = look->guesses[guess].probability;
    for (; place > 0 && probability > probability_at(look, (place - 1) / 2);
         place = (place - 1) / 2)
        set(look, place, look->heap[(place - 1) / 2]);
    set(look, place, guess);
}

static uint32_t take(struct look_ahead *look)
{
    uint32_t first = look->heap[0];
    uint32_t last = look->heap[--look->waiting];
    double probability = look->guesses[last].probability;
    size_t place = 0;
    for (size_t child; (child = 2 * place + 1) < look->waiting; place = child) {
        child += child + 1 < look->waiting &&
                 probability_at(look, child + 1) > probability_at(look, child);
        if (probability >= probability_at(look, child))
            break;
        set(look, place, look->heap[child]);
    }
    set(look, place, last);
    look->guesses[first].heap = 0;
    return first;
}

/* The place of a key in the table, or a free one for it. */
static uint32_t *find(struct look_ahead *look, uint64_t key)
{
    size_t at = (size_t)key % TABLE_SIZE;
    while (look->table[at] > 0 && look->guesses[look->table[at] - 1].key != key)
        at = (at + 1) % TABLE_SIZE;
    return &look->table[at];
}

static void add(struct look_ahead *look, const struct guess *guess, uint32_t *place)
{
    if (look->count == GUESSES_MAX || !ARRAY_GROW(look->guesses, look->capacity, look->count + 1))
        return; /* a guess less */
    look->guesses[look->count] = *guess;
    *place = (uint32_t)look->count + 1;
    move_up(look, look->waiting++, (uint32_t)look->count++);
}

/* Guesses a position of the graph. */
static void add_node(struct look_ahead *look, uint32_t node, double more)
{
    const struct dag_node *known = &look->view.dag->nodes[node];
    const struct guess guess = {
        .key = known->key, .probability = known->probability + more, .node = node};
    add(look, &guess, find(look, known->key));
}

/* Guesses the position behind a move, or makes the guess more probable. */
static void follow(struct look_ahead *look, const struct position *from, move m, double probability)
{
    struct guess next = {.pos = *from, .probability = probability, .node = DAG_NONE};
    struct search_limit limit;
    position_play(&next.pos, m);
    position_forget_clocks(&next.pos);
    next.key = next.pos.key;
    uint32_t *place = find(look, next.key);
    if (*place > 0) {
        struct guess *guess = &look->guesses[*place - 1];
        guess->probability += guess->heap > 0 ? probability : 0;
        if (guess->heap > 0)
            move_up(look, guess->heap - 1, *place - 1);
        return;
    }
    uint32_t node = dag_find(look->view.dag, next.key);
    if (node != DAG_NONE && look->view.dag->nodes[node].state == DAG_OPEN)
        add_node(look, node, probability);
    else if (node == DAG_NONE && limit_rule_find(look->view.rule, probability, &limit))
        add(look, &next, place);
}

/* Following. ---------------------------------------------------------------------------------- */

/* Is it a position of ours whose moves are known without a search? To see that, lines are not
 * needed. */
static bool is_known(const struct look_ahead *look, const struct position *pos)
{
    struct played_move played[MOVES_MAX];
    struct book_move moves[MOVES_MAX];
    const struct book *kept = look->view.kept;
    return starts_play(look->view.starts, pos, played) > 0 ||
           scorer_chosen(look->view.scorer, pos) != MOVE_NONE ||
           (kept && book_probe(kept, pos, moves, MOVES_MAX) > 0 && moves[0].weight > 0);
}

/* What the choice of a move would ask for; when all of that is answered, what is behind the move.
 */
static size_t visit_own(struct look_ahead *look, const struct position *pos, double probability,
                        struct scorer_question *out, size_t wanted)
{
    const struct own_choice_rule *rule = look->view.own;
    struct scorer_question question = {.pos = *pos};
    struct own_choice choice;
    if (!limit_rule_find(look->view.rule, probability, &question.limit) || is_known(look, pos))
        return 0;
    size_t missing = own_choice_missing(rule, look->view.scorer, &question, out, wanted);
    if (missing > 0 ||
        own_choice_make(rule, look->view.scorer, &question, NULL, NULL, &choice, NULL) != STATUS_OK)
        return missing;
    for (int i = 0; i < choice.count; i++)
        follow(look, pos, choice.moves[i].move, probability * choice.moves[i].probability);
    return 0;
}

/* What the opponent's thinking would ask for; when all of that is answered, what is behind his
 * moves.
 */
static size_t visit_other(struct look_ahead *look, const struct position *pos, double probability,
                          struct scorer_question *out, size_t wanted)
{
    const struct opponent *opponent = look->view.opponent;
    struct opponent_moves reply;
    size_t missing = opponent_missing(opponent, look->view.scorer, pos, out, wanted);
    if (missing > 0)
        return missing;
    game_reset(look->game, pos);
    if (opponent_play(opponent, look->view.scorer, look->game, &reply, NULL) != STATUS_OK)
        return 0;
    for (int i = 0; i < reply.count; i++)
        follow(look, pos, reply.moves[i].move, probability * reply.moves[i].probability);
    return 0;
}

/* Returns how many questions were found. */
static size_t visit(struct look_ahead *look, uint32_t index, struct scorer_question *out,
                    size_t wanted)
{
    const struct guess *guess = &look->guesses[index];
    struct position pos = guess->pos; /* guesses move when others are added */
    double probability = guess->probability;
    if (guess->node != DAG_NONE)
        dag_position(look->view.dag, guess->node, &pos, NULL);
    if (movegen_count(&pos) == 0)
        return 0;
    if (pos.turn == look->view.side)
        return visit_own(look, &pos, probability, out, wanted);
    return visit_other(look, &pos, probability, out, wanted);
}

size_t look_ahead_find(struct look_ahead *look, uint32_t at, struct scorer_question *out,
                       size_t wanted)
{
    uint32_t queued[QUEUE_MAX];
    size_t found = 0;
    look->count = look->waiting = 0;
    memset(look->table, 0, sizeof look->table);
    add_node(look, at, 0);
    if (wanted > 0)
        found = visit(look, take(look), out, wanted);
    if (found == 0)
        return 0; /* its answer has just come: the run goes on */
    size_t places = wanted + QUEUE_MORE < QUEUE_MAX ? wanted + QUEUE_MORE : QUEUE_MAX;
    size_t seen = frontier_first(look->view.frontier, look->view.dag, queued, places);
    for (size_t i = 0; i < seen; i++)
        add_node(look, queued[i], 0);
    for (int visits = 0; visits < VISITS_MAX && look->waiting > 0 && found < wanted; visits++)
        found += visit(look, take(look), out + found, wanted - found);
    return found;
}
