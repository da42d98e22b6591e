#include "book/grow/grow.h"

#include <stdlib.h>

#include "base/array.h"
#include "book/book.h"
#include "book/grow/dag.h"
#include "book/grow/look_ahead.h"
#include "book/review/findings.h"
#include "book/scoring/limit_rule.h"
#include "book/scoring/score_store.h"

struct grow {
    struct grow_options options;
    struct limit_rule rule;
    struct scorer *scorer;
    struct dag dag;
    struct frontier frontier;
    struct game *game; /* the line to the position at hand */
    uint32_t at;       /* our position at hand */
    struct scorer_question *ahead;
    struct look_ahead *look;
    struct grow_counts counts;
};

static bool is_own(const struct grow *grow, uint32_t node)
{
    return grow->dag.nodes[node].turn == grow->options.side;
}

/* The roots, which wait then. */
static enum caxton_status plant(struct grow *grow)
{
    const struct grow_options *options = &grow->options;
    struct unanswered found = {.share = 0};
    size_t capacity = STARTS_MAX;
    struct dag_root *roots = calloc(capacity, sizeof *roots);
    enum caxton_status status = roots ? STATUS_OK : STATUS_NO_MEMORY;
    size_t count = 1;
    if (status == STATUS_OK)
        roots[0] = (struct dag_root){.pos = options->root, .probability = 1};
    if (status == STATUS_OK && options->starts)
        count = starts_roots(options->starts, roots);
    while (status == STATUS_OK && options->first &&
           findings_next(options->first, options->side, &found)) {
        if (!ARRAY_GROW(roots, capacity, count + 1))
            status = STATUS_NO_MEMORY;
        else
            roots[count++] =
                (struct dag_root){.pos = found.pos, .probability = found.share, .first = true};
    }
    if (status == STATUS_OK)
        status = dag_create(roots, count, &grow->dag);
    free(roots);
    count = grow->dag.root_count;
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        status = frontier_put(&grow->frontier, &grow->dag, (uint32_t)i);
        grow->counts.waiting++;
        grow->counts.waiting_own += is_own(grow, (uint32_t)i);
        grow->counts.first += dag_is_first(&grow->dag, (uint32_t)i);
    }
    grow->counts.positions = count;
    return status;
}

enum caxton_status grow_create(const struct grow_options *options, struct scorer *scorer,
                               struct grow **out)
{
    struct grow *grow = calloc(1, sizeof *grow);
    if (!grow)
        return STATUS_NO_MEMORY;
    grow->options = *options;
    grow->scorer = scorer;
    if (options->root_nodes > 0)
        limit_rule_by_nodes(options->root_nodes, options->min_nodes, &grow->rule);
    else
        limit_rule_by_depth(options->root_depth, options->min_depth, options->branch, &grow->rule);
    const struct look_ahead_view view = {.side = options->side,
                                         .starts = options->starts,
                                         .opponent = &grow->options.opponent,
                                         .kept = options->kept,
                                         .own = &grow->options.own,
                                         .rule = &grow->rule,
                                         .dag = &grow->dag,
                                         .frontier = &grow->frontier,
                                         .scorer = scorer};
    grow->game = game_create();
    grow->ahead = calloc(scorer_suggestions(scorer) + 1, sizeof *grow->ahead);
    enum caxton_status status = grow->game && grow->ahead ? plant(grow) : STATUS_NO_MEMORY;
    if (status == STATUS_OK)
        status = look_ahead_create(&view, &grow->look);
    if (status == STATUS_OK)
        *out = grow;
    else
        grow_destroy(grow);
    return status;
}

void grow_destroy(struct grow *grow)
{
    if (!grow)
        return;
    frontier_free(&grow->frontier);
    dag_destroy(&grow->dag);
    game_destroy(grow->game);
    free(grow->ahead);
    look_ahead_destroy(grow->look);
    free(grow);
}

/* How far one of our positions is searched, as it is now. False: it is too improbable. */
static bool grow_limit(const struct grow *grow, uint32_t node, struct search_limit *out)
{
    bool is_first = dag_is_first(&grow->dag, node);
    return limit_rule_find(&grow->rule, is_first ? 1 : grow->dag.nodes[node].probability, out);
}

/* Puts the positions whose probability has changed into the frontier, or moves them up in it. Ours
 * wait outside for as long as they are too improbable: popped, they would only end their line, and
 * their probability never falls. */
static enum caxton_status raise_frontier(struct grow *grow)
{
    enum caxton_status status =
        frontier_raise(&grow->frontier, &grow->dag, grow->dag.raised, grow->dag.raised_count);
    for (size_t i = 0; i < grow->dag.raised_count && status == STATUS_OK; i++) {
        uint32_t index = grow->dag.raised[i];
        struct dag_node *node = &grow->dag.nodes[index];
        struct search_limit limit;
        bool own = is_own(grow, index);
        if (node->state != DAG_OPEN || (own && !grow_limit(grow, index, &limit)))
            continue;
        if (node->ply >= DAG_PLIES_MAX) {
            node->state = DAG_ENDED;
            continue;
        }
        grow->counts.waiting += !node->place;
        grow->counts.waiting_own += !node->place && own;
        status = frontier_put(&grow->frontier, &grow->dag, index);
        if (own && grow->options.waits)
            grow->options.waits(grow->options.context, grow, index, limit);
    }
    return status;
}

static enum caxton_status add_move(struct grow *grow, uint32_t from, const struct position *pos,
                                   move m, double probability)
{
    enum dag_outcome outcome;
    enum caxton_status status = dag_add_move(&grow->dag, from, pos, m, probability, &outcome);
    if (status != STATUS_OK)
        return status;
    grow->counts.positions = grow->dag.node_count;
    grow->counts.joined += outcome == DAG_JOINED;
    grow->counts.cycles += outcome == DAG_REFUSED;
    return raise_frontier(grow);
}

/* Suggests what will probably be asked after the position at hand. */
static void look_ahead(void *context)
{
    struct grow *grow = context;
    size_t wanted = scorer_suggestions(grow->scorer);
    if (wanted > 0)
        scorer_suggest(grow->scorer, grow->ahead,
                       look_ahead_find(grow->look, grow->at, grow->ahead, wanted));
}

/* Has the kept book the move as one that is never played? Asked where it plays none. */
static bool is_never_played(const struct grow *grow, const struct position *pos, move m)
{
    struct book_move known[MOVES_MAX];
    const struct book *kept = grow->options.kept;
    int count = kept ? book_probe(kept, pos, known, MOVES_MAX) : 0;
    for (int i = 0; i < count; i++)
        if (known[i].move == m)
            return true;
    return false;
}

/* Our moves by searches. */
static enum caxton_status search_own(struct grow *grow, uint32_t index, const struct position *pos,
                                     struct diag *diag)
{
    struct own_choice choice;
    struct search_limit limit;
    if (!grow_limit(grow, index, &limit))
        return STATUS_OK; /* such positions are not in the frontier */
    bool by_depth = limit.kind == SEARCH_TO_DEPTH;
    const struct scorer_question question = scorer_question_of(pos, limit);
    grow->at = index;
    if (by_depth)
        grow->counts.depth = (int)limit.value;
    scorer_on_refill(grow->scorer, look_ahead, grow);
    enum caxton_status status = own_choice_make(&grow->options.own, grow->scorer, &question,
                                                look_ahead, grow, &choice, diag);
    scorer_on_refill(grow->scorer, NULL, NULL);
    if (status != STATUS_OK)
        return status;
    if (!by_depth)
        grow->counts.depth = choice.depth < SEARCH_DEPTH_MAX ? choice.depth : SEARCH_DEPTH_MAX;
    grow->counts.preferred += choice.preferred;
    grow->counts.searches += choice.searches;
    grow->counts.nodes += choice.nodes;
    grow->counts.depths[grow->counts.depth]++;
    grow->dag.nodes[index].depth = (uint8_t)grow->counts.depth;
    grow->dag.nodes[index].score = (int16_t)choice.moves[0].score;
    for (int i = 0; i < choice.count && status == STATUS_OK; i++)
        if (!is_never_played(grow, pos, choice.moves[i].move))
            status = add_move(grow, index, pos, choice.moves[i].move, choice.moves[i].probability);
    return status;
}

/* The line to the position at hand, for whoever answers by lines. */
static enum caxton_status set_game(struct grow *grow, uint32_t index)
{
    move line[DAG_PLIES_MAX];
    struct position pos;
    enum caxton_status status = STATUS_OK;
    dag_position(&grow->dag, index, &pos, line);
    game_reset(grow->game, dag_root_of(&grow->dag, index));
    for (size_t ply = 0; ply < grow->dag.nodes[index].ply && status == STATUS_OK; ply++)
        status = game_play(grow->game, line[ply]);
    return status;
}

static enum caxton_status add_moves(struct grow *grow, uint32_t index, const struct position *pos,
                                    const struct played_move *moves, int count)
{
    enum caxton_status status = STATUS_OK;
    for (int i = 0; i < count && status == STATUS_OK; i++)
        status = add_move(grow, index, pos, moves[i].move, moves[i].probability);
    return status;
}

/* Our moves that need no search: those of the kept book, else the one that the store has as chosen.
 * Returns how many. */
static int known_moves(const struct grow *grow, const struct position *pos, struct played_move *out)
{
    const struct book *kept = grow->options.kept;
    int count = kept ? played_by_book(kept, grow->game, out) : 0;
    move chosen = count > 0 ? MOVE_NONE : scorer_chosen(grow->scorer, pos);
    if (chosen == MOVE_NONE)
        return count;
    out[0] = (struct played_move){.move = chosen, .probability = 1};
    return 1;
}

static enum caxton_status expand_own(struct grow *grow, uint32_t index, const struct position *pos,
                                     struct diag *diag)
{
    struct played_move moves[MOVES_MAX];
    int count = known_moves(grow, pos, moves);
    if (count == 0)
        return search_own(grow, index, pos, diag);
    grow->counts.own_known++;
    return add_moves(grow, index, pos, moves, count);
}

static enum caxton_status expand_other(struct grow *grow, uint32_t index,
                                       const struct position *pos, struct diag *diag)
{
    struct opponent_moves reply;
    enum caxton_status status =
        opponent_play(&grow->options.opponent, grow->scorer, grow->game, &reply, diag);
    if (status != STATUS_OK)
        return status;
    grow->counts.in_book += reply.in_book;
    grow->counts.out_of_book += !reply.in_book && reply.count > 0;
    grow->counts.shallow += reply.searches;
    grow->counts.shallow_nodes += reply.nodes;
    return add_moves(grow, index, pos, reply.moves, reply.count);
}

/* Adds the moves of a position, whoever is to move. */
static enum caxton_status expand(struct grow *grow, uint32_t index, struct diag *diag)
{
    struct position pos;
    struct played_move moves[MOVES_MAX];
    bool own = is_own(grow, index);
    dag_position(&grow->dag, index, &pos, NULL);
    if (movegen_count(&pos) == 0)
        return STATUS_OK;
    enum caxton_status status = set_game(grow, index);
    if (status != STATUS_OK)
        return status;
    int count = starts_play(grow->options.starts, &pos, moves); /* on the way to a start */
    grow->counts.own_known += own && count > 0;
    if (count > 0)
        status = add_moves(grow, index, &pos, moves, count);
    else
        status = own ? expand_own(grow, index, &pos, diag) : expand_other(grow, index, &pos, diag);
    if (own)
        grow->counts.own_moves += grow->dag.nodes[index].count;
    return status;
}

bool grow_is_done(const struct grow *grow)
{
    return grow->frontier.heap.count == 0 || grow->counts.full;
}

enum caxton_status grow_step(struct grow *grow, uint32_t *node, struct diag *diag)
{
    size_t most = grow->options.max_positions;
    uint32_t index = frontier_take(&grow->frontier, &grow->dag);
    if (index == DAG_NONE)
        return STATUS_END;
    bool own = is_own(grow, index);
    grow->counts.probability = grow->dag.nodes[index].probability;
    grow->counts.waiting--;
    grow->counts.waiting_own -= own;
    if (grow->options.progress)
        grow->options.progress(grow->options.context);
    enum caxton_status status = expand(grow, index, diag);
    if (status == STATUS_NO_MEMORY)
        diag_set(diag, 0, 0, "out of memory");
    if (status != STATUS_OK)
        return status;
    struct dag_node *done = &grow->dag.nodes[index];
    done->state = done->count > 0 ? DAG_EXPANDED : DAG_ENDED;
    grow->counts.full = most > 0 && grow->dag.node_count >= most;
    if (node)
        *node = index;
    return STATUS_OK;
}

enum caxton_status grow_run(struct grow *grow, struct diag *diag)
{
    enum caxton_status status = STATUS_OK;
    while (status == STATUS_OK && !grow_is_done(grow))
        status = grow_step(grow, NULL, diag);
    return status;
}

const struct dag *grow_dag(const struct grow *grow)
{
    return &grow->dag;
}

const struct grow_counts *grow_counts(const struct grow *grow)
{
    return &grow->counts;
}

int grow_side(const struct grow *grow)
{
    return grow->options.side;
}

move grow_own_move(const struct grow *grow, uint32_t node)
{
    const struct dag_node *found = &grow->dag.nodes[node];
    return is_own(grow, node) && found->count > 0 ? grow->dag.moves[found->first].move : MOVE_NONE;
}

/* The graph, kept in the store beside the answers. --------------------------------------------- */

/* pos: that of the node. */
static enum store_state state_of(const struct grow *grow, uint32_t index,
                                 const struct score_store *store, const struct packed_position *pos)
{
    const struct dag_node *node = &grow->dag.nodes[index];
    struct search_limit limit;
    if (node->state != DAG_OPEN)
        return node->state == DAG_EXPANDED ? STORE_EXPANDED : STORE_ENDED;
    return is_own(grow, index) && grow_limit(grow, index, &limit) &&
                   score_store_find(store, pos, limit, NULL)
               ? STORE_SEARCHED /* ahead */
               : STORE_WAITING;
}

static void make_node(const struct grow *grow, uint32_t index, const struct score_store *store,
                      struct store_node *out)
{
    const struct dag *dag = &grow->dag;
    const struct dag_node *node = &dag->nodes[index];
    dag_describe(dag, index, out);
    out->side = grow->options.side;
    out->state = state_of(grow, index, store, &out->pos);
    out->count = node->count;
    for (uint32_t i = 0; i < node->count; i++) {
        const struct dag_move *next = &dag->moves[node->first + i];
        out->moves[i] = (struct store_move){next->probability, next->move};
    }
}

static enum caxton_status keep_one(const struct grow *grow, struct score_store *store,
                                   struct diag *diag)
{
    const struct dag *dag = &grow->dag;
    enum caxton_status status = STATUS_OK;
    for (uint32_t i = 0; i < dag->node_count && status == STATUS_OK; i++) {
        if (dag->nodes[i].state == DAG_OPEN && !dag->nodes[i].place)
            continue; /* too improbable */
        struct store_node node;
        make_node(grow, i, store, &node);
        status = score_store_add_node(store, &node, diag);
    }
    return status;
}

enum caxton_status grow_keep(const struct grow *const *grown, size_t count,
                             struct score_store *store, struct diag *diag)
{
    enum caxton_status status = score_store_begin_graph(store, diag);
    for (size_t i = 0; i < count && status == STATUS_OK; i++)
        status = keep_one(grown[i], store, diag);
    return status == STATUS_OK ? score_store_end_graph(store, diag) : status;
}

/* The book. ----------------------------------------------------------------------------------- */

static bool is_behind_first(const struct dag *dag, uint32_t node)
{
    return dag_is_first(dag, (uint32_t)(dag_root_of(dag, node) - dag->roots));
}

void grow_reach(const struct grow *grow, double *reached, size_t count)
{
    const struct dag *dag = &grow->dag;
    for (size_t i = 0; i < count; i++)
        reached[i] = 0;
    for (uint32_t i = 0; i < dag->node_count; i++)
        if (dag->nodes[i].ply < count && !is_behind_first(dag, i) &&
            grow_own_move(grow, i) != MOVE_NONE)
            reached[dag->nodes[i].ply] += dag->nodes[i].probability;
}

enum caxton_status grow_own_entries(const struct grow *grow, struct entry_list *list)
{
    const struct dag *dag = &grow->dag;
    enum caxton_status status = STATUS_OK;
    for (uint32_t i = 0; i < dag->node_count; i++) {
        const struct dag_node *node = &dag->nodes[i];
        struct position pos;
        if (grow_own_move(grow, i) == MOVE_NONE)
            continue;
        dag_position(dag, i, &pos, NULL);
        for (uint32_t j = 0; j < node->count && status == STATUS_OK; j++) {
            const struct dag_move *own = &dag->moves[node->first + j];
            struct book_entry entry = {.weight =
                                           node->count == 1 ? 1 : store_weight(own->probability)};
            status = entry_list_add(list, &pos, own->move, entry);
        }
    }
    return status;
}

/* The moves of a position of the opponent's that lead to one of ours with a move. */
static enum caxton_status add_replies(const struct grow *grow, uint32_t index,
                                      struct entry_list *list)
{
    const struct dag *dag = &grow->dag;
    const struct dag_node *node = &dag->nodes[index];
    enum caxton_status status = STATUS_OK;
    struct position pos;
    dag_position(dag, index, &pos, NULL);
    for (uint32_t i = 0; i < node->count && status == STATUS_OK; i++) {
        const struct dag_move *reply = &dag->moves[node->first + i];
        struct book_entry entry = {.weight = store_weight(reply->probability)};
        if (grow_own_move(grow, reply->to) != MOVE_NONE)
            status = entry_list_add(list, &pos, reply->move, entry);
    }
    return status;
}

static bool has_moves(const struct entry_table *table, uint64_t key)
{
    size_t at = entry_table_find(table, key);
    return at < table->count && entry_table_at(table, at).key == key;
}

enum caxton_status grow_reply_entries(const struct grow *grow, const struct entry_table *own,
                                      struct entry_list *list)
{
    const struct dag *dag = &grow->dag;
    enum caxton_status status = STATUS_OK;
    for (uint32_t i = 0; i < dag->node_count && status == STATUS_OK; i++)
        if (dag->nodes[i].count > 0 && !has_moves(own, dag->nodes[i].key))
            status = add_replies(grow, i, list);
    return status;
}
