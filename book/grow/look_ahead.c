#include "book/grow/look_ahead.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "book/book.h"
#include "book/scoring/packed_position.h"

/* How many places of the frontier are looked through at most, and how many beside those wanted; how
 * many positions are looked at, and how many are found. */
enum { FRONTIER_MAX = 4096, FRONTIER_MORE = 512, VISITS_MAX = 8192 };
enum { GUESSES_MAX = 16384 };

/* A position that may be asked for. */
struct guess {
    uint64_t key;
    struct position pos; /* unless `node` says it */
    double probability;
    uint32_t node;  /* of the graph; DAG_NONE: it is not there yet */
    uint32_t place; /* in the heap + 1; 0: looked at already */
};

struct look_ahead {
    struct look_ahead_view view;
    struct game *game;
    struct guess *guesses;
    size_t count;
    size_t capacity;
    uint32_t items[GUESSES_MAX];
    struct number_heap heap; /* of guesses: the most probable first, which of equal ones does not
                                matter */
    struct key_table table;
};

enum caxton_status look_ahead_create(const struct look_ahead_view *view, struct look_ahead **out)
{
    struct look_ahead *look = calloc(1, sizeof *look);
    if (!look)
        return STATUS_NO_MEMORY;
    look->view = *view;
    look->heap.items = look->items;
    look->table.item_size = sizeof *look->guesses;
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
    free(look->table.slots);
    free(look);
}

/* Guesses. ------------------------------------------------------------------------------------ */

static bool is_first(const struct look_ahead *look, uint32_t guess)
{
    return look->guesses[guess].node != DAG_NONE &&
           dag_is_first(look->view.dag, look->guesses[guess].node);
}

static bool is_before(const void *context, uint32_t a, uint32_t b)
{
    const struct look_ahead *look = context;
    if (is_first(look, a) != is_first(look, b))
        return is_first(look, a);
    return look->guesses[a].probability > look->guesses[b].probability;
}

static uint32_t *place_of(void *context, uint32_t guess)
{
    const struct look_ahead *look = context;
    return &look->guesses[guess].place;
}

static const struct number_order order = {is_before, place_of};

static uint32_t take(struct look_ahead *look)
{
    return number_heap_take(&look->heap, 0, &order, look);
}

/* Room for one guess more. */
static bool make_room(struct look_ahead *look)
{
    return look->count < GUESSES_MAX &&
           ARRAY_GROW(look->guesses, look->capacity, look->count + 1) &&
           key_table_reserve(&look->table, look->count + 1, look->guesses, 0, look->count) ==
               STATUS_OK;
}

static void add(struct look_ahead *look, const struct guess *guess)
{
    *key_table_slot(&look->table, look->guesses, guess->key) = (uint32_t)look->count + 1;
    look->guesses[look->count] = *guess;
    number_heap_add(&look->heap, (uint32_t)look->count++, &order, look);
}

/* Guesses a position of the graph. */
static void add_node(struct look_ahead *look, uint32_t node, double more)
{
    const struct dag_node *known = &look->view.dag->nodes[node];
    const struct guess guess = {
        .key = known->key, .probability = known->probability + more, .node = node};
    if (make_room(look)) /* else a guess less */
        add(look, &guess);
}

/* Guesses the position behind a move, or makes the guess more probable. */
static void follow(struct look_ahead *look, const struct position *from, move m, double probability)
{
    struct guess next = {.pos = *from, .probability = probability, .node = DAG_NONE};
    struct search_limit limit;
    position_play(&next.pos, m);
    position_forget_clocks(&next.pos);
    next.key = next.pos.key;
    uint32_t found = *key_table_slot(&look->table, look->guesses, next.key);
    if (found > 0) {
        struct guess *guess = &look->guesses[found - 1];
        if (guess->place == 0)
            return;
        guess->probability += probability;
        number_heap_up(&look->heap, guess->place - 1, found - 1, &order, look);
        return;
    }
    uint32_t node = dag_find(look->view.dag, next.key);
    if (node != DAG_NONE && look->view.dag->nodes[node].state == DAG_OPEN)
        add_node(look, node, probability);
    else if (node == DAG_NONE && limit_rule_find(look->view.rule, probability, &limit) &&
             make_room(look))
        add(look, &next);
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
                        bool first, struct scorer_question *out, size_t wanted)
{
    const struct own_choice_rule *rule = look->view.own;
    struct search_limit limit;
    struct own_choice choice;
    if (!limit_rule_find(look->view.rule, first ? 1 : probability, &limit) || is_known(look, pos))
        return 0;
    const struct scorer_question question = scorer_question_of(pos, limit);
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
        return visit_own(look, &pos, probability, is_first(look, index), out, wanted);
    return visit_other(look, &pos, probability, out, wanted);
}

size_t look_ahead_find(struct look_ahead *look, uint32_t at, struct scorer_question *out,
                       size_t wanted)
{
    uint32_t waiting[FRONTIER_MAX];
    size_t found = 0;
    look->count = look->heap.count = 0;
    if (look->table.slots)
        memset(look->table.slots, 0, look->table.slot_count * sizeof *look->table.slots);
    add_node(look, at, 0);
    if (wanted > 0 && look->count > 0)
        found = visit(look, take(look), out, wanted);
    if (found == 0)
        return 0; /* its answer has just come: the run goes on */
    size_t places = wanted + FRONTIER_MORE < FRONTIER_MAX ? wanted + FRONTIER_MORE : FRONTIER_MAX;
    size_t seen = frontier_first(look->view.frontier, look->view.dag, waiting, places);
    for (size_t i = 0; i < seen; i++)
        add_node(look, waiting[i], 0);
    for (int visits = 0; visits < VISITS_MAX && look->heap.count > 0 && found < wanted; visits++)
        found += visit(look, take(look), out + found, wanted - found);
    return found;
}
