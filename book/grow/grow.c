#include "book/grow/grow.h"

#include <stdlib.h>

#include "book/book.h"
#include "book/grow/depth_rule.h"
#include "book/grow/frontier.h"
#include "book/grow/opponent.h"

/* How many places of the queue are looked through for what to search ahead. */
enum { LOOK_AHEAD_MAX = 512 };

struct grow {
    struct grow_options options;
    struct depth_rule rule;
    struct scorer *scorer;
    struct dag dag;
    struct frontier frontier;
    struct game *game; /* the line to the position at hand */
    struct scorer_question *ahead;
    struct grow_counts counts;
};

static bool is_own(const struct grow *grow, uint32_t node)
{
    return (grow->options.root.turn ^ (grow->dag.nodes[node].ply & 1)) == grow->options.side;
}

enum caxton_status grow_create(const struct grow_options *options, struct scorer *scorer,
                               struct grow **out)
{
    struct grow *grow = calloc(1, sizeof *grow);
    if (!grow)
        return STATUS_NO_MEMORY;
    grow->options = *options;
    grow->scorer = scorer;
    depth_rule_make(options->root_depth, options->min_depth, options->branch, &grow->rule);
    grow->game = game_create();
    grow->ahead = calloc(scorer_suggestions(scorer) + 1, sizeof *grow->ahead);
    enum caxton_status status =
        grow->game && grow->ahead ? dag_create(&options->root, &grow->dag) : STATUS_NO_MEMORY;
    if (status == STATUS_OK)
        status = frontier_put(&grow->frontier, &grow->dag, DAG_ROOT);
    if (status != STATUS_OK) {
        grow_destroy(grow);
        return status;
    }
    grow->counts.positions = grow->counts.waiting = 1;
    grow->counts.waiting_own = is_own(grow, DAG_ROOT);
    *out = grow;
    return STATUS_OK;
}

void grow_destroy(struct grow *grow)
{
    if (!grow)
        return;
    frontier_free(&grow->frontier);
    dag_destroy(&grow->dag);
    game_destroy(grow->game);
    free(grow->ahead);
    free(grow);
}

/* Queues the positions whose probability has changed, or moves them up in the queue. Ours wait
 * outside for as long as they are too improbable: popped, they would only end their line, and their
 * probability never falls. */
static enum caxton_status queue_raised(struct grow *grow)
{
    enum caxton_status status = STATUS_OK;
    for (size_t i = 0; i < grow->dag.raised_count && status == STATUS_OK; i++) {
        uint32_t index = grow->dag.raised[i];
        struct dag_node *node = &grow->dag.nodes[index];
        bool own = is_own(grow, index);
        if (node->state != DAG_OPEN ||
            (own && depth_rule_depth(&grow->rule, node->probability) == 0))
            continue;
        if (node->ply >= DAG_PLIES_MAX) {
            node->state = DAG_ENDED;
            continue;
        }
        grow->counts.waiting += !node->queue;
        grow->counts.waiting_own += !node->queue && own;
        status = frontier_put(&grow->frontier, &grow->dag, index);
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
    return queue_raised(grow);
}

/* Suggests our positions that wait, at the depths that they would get now. */
static void look_ahead(struct grow *grow)
{
    uint32_t first[LOOK_AHEAD_MAX];
    size_t wanted = scorer_suggestions(grow->scorer);
    size_t count = 0;
    size_t seen = wanted ? frontier_first(&grow->frontier, &grow->dag, first, LOOK_AHEAD_MAX) : 0;
    for (size_t i = 0; i < seen && count < wanted; i++) {
        struct scorer_question *question = &grow->ahead[count];
        int depth = depth_rule_depth(&grow->rule, grow->dag.nodes[first[i]].probability);
        if (!is_own(grow, first[i]))
            continue;
        dag_position(&grow->dag, first[i], &question->pos, NULL);
        question->limit = (struct search_limit){SEARCH_TO_DEPTH, (uint64_t)depth};
        count += movegen_count(&question->pos) > 0 && !scorer_knows(grow->scorer, question);
    }
    scorer_suggest(grow->scorer, grow->ahead, count);
}

static enum caxton_status expand_own(struct grow *grow, uint32_t index, const struct position *pos,
                                     struct diag *diag)
{
    struct search_answer answer;
    int depth = depth_rule_depth(&grow->rule, grow->dag.nodes[index].probability);
    const struct scorer_question question = {.pos = *pos,
                                             .limit = {SEARCH_TO_DEPTH, (uint64_t)depth}};
    grow->counts.depth = depth;
    if (!scorer_knows(grow->scorer, &question))
        look_ahead(grow);
    enum caxton_status status = scorer_ask(grow->scorer, &question, &answer, diag);
    if (status != STATUS_OK)
        return status;
    grow->counts.searches++;
    grow->counts.nodes += answer.nodes;
    grow->counts.depths[depth]++;
    grow->dag.nodes[index].depth = (uint8_t)depth;
    grow->dag.nodes[index].score = (int16_t)answer.score;
    status = add_move(grow, index, pos, answer.best, 1);
    grow->counts.own_moves += grow->dag.nodes[index].count;
    return status;
}

static enum caxton_status set_game(struct grow *grow, uint32_t index)
{
    move line[DAG_PLIES_MAX];
    struct position pos;
    enum caxton_status status = STATUS_OK;
    dag_position(&grow->dag, index, &pos, line);
    game_reset(grow->game, &grow->options.root);
    for (size_t ply = 0; ply < grow->dag.nodes[index].ply && status == STATUS_OK; ply++)
        status = game_play(grow->game, line[ply]);
    return status;
}

static enum caxton_status expand_other(struct grow *grow, uint32_t index,
                                       const struct position *pos)
{
    struct opponent_move moves[MOVES_MAX];
    bool in_book;
    enum caxton_status status = set_game(grow, index);
    if (status != STATUS_OK)
        return status;
    int count = opponent_moves(grow->options.against, grow->game, moves, &in_book);
    grow->counts.in_book += in_book;
    grow->counts.out_of_book += !in_book && count > 0;
    for (int i = 0; i < count && status == STATUS_OK; i++)
        status = add_move(grow, index, pos, moves[i].move, moves[i].probability);
    return status;
}

bool grow_is_done(const struct grow *grow)
{
    return grow->frontier.count == 0 || grow->counts.full;
}

enum caxton_status grow_step(struct grow *grow, uint32_t *node, struct diag *diag)
{
    struct position pos;
    size_t most = grow->options.max_positions;
    uint32_t index = frontier_take(&grow->frontier, &grow->dag);
    if (index == DAG_NONE)
        return STATUS_END;
    bool own = is_own(grow, index);
    grow->counts.probability = grow->dag.nodes[index].probability;
    grow->counts.waiting--;
    grow->counts.waiting_own -= own;
    if (grow->options.progress)
        grow->options.progress(grow->options.context, grow);
    dag_position(&grow->dag, index, &pos, NULL);
    enum caxton_status status = STATUS_OK;
    if (movegen_count(&pos) > 0)
        status = own ? expand_own(grow, index, &pos, diag) : expand_other(grow, index, &pos);
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

move grow_own_move(const struct grow *grow, uint32_t node)
{
    const struct dag_node *found = &grow->dag.nodes[node];
    return is_own(grow, node) && found->count > 0 ? grow->dag.moves[found->first].move : MOVE_NONE;
}
