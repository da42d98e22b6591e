#include "book/grow/dropout.h"

#include <stdlib.h>

#include "book/scoring/limit_rule.h"
#include "book/scoring/score_store.h"
#include "search/limits.h"
#include "search/score.h"

enum {
    QUESTIONS_MAX = MOVES_MAX + 1, /* of a step */
    LOOK_AHEAD_MAX = 512,          /* leaves that are looked through for what to search ahead */
};

/* What is asked at a leaf: about each move that does not end the game, by a shallow search, then
 * about the position behind the best move; or about the leaf alone. */
struct leaf_plan {
    struct scorer_question questions[QUESTIONS_MAX];
    struct search_answer answers[QUESTIONS_MAX];
    struct child_position children[MOVES_MAX];
    int child_count;
    size_t count;
};

struct dropout {
    struct dropout_options options;
    struct scorer *scorer;
    struct dropout_graph graph;
    struct dropout_counts counts;
    struct leaf_plan plan;
    struct leaf_plan later; /* of a leaf that is looked at ahead */
    struct scorer_question *ahead;
};

enum caxton_status dropout_create(const struct dropout_options *options, struct scorer *scorer,
                                  struct dropout **out)
{
    struct dropout *dropout = calloc(1, sizeof *dropout);
    if (!dropout)
        return STATUS_NO_MEMORY;
    dropout->options = *options;
    dropout->scorer = scorer;
    dropout->ahead = calloc(scorer_suggestions(scorer) + 1, sizeof *dropout->ahead);
    enum caxton_status status =
        dropout->ahead
            ? dropout_graph_create(&options->root, options->side, &options->costs, &dropout->graph)
            : STATUS_NO_MEMORY;
    if (status == STATUS_OK && movegen_count(&options->root) == 0)
        status = dropout_graph_end(&dropout->graph, DAG_ROOT, 0);
    if (status == STATUS_OK)
        *out = dropout;
    else
        dropout_destroy(dropout);
    return status;
}

void dropout_destroy(struct dropout *dropout)
{
    if (!dropout)
        return;
    dropout_graph_destroy(&dropout->graph);
    free(dropout->ahead);
    free(dropout);
}

/* Asking. ------------------------------------------------------------------------------------- */

static void add_question(struct leaf_plan *plan, const struct position *pos,
                         struct search_limit limit)
{
    plan->questions[plan->count++] = scorer_question_of(pos, limit);
}

/* Has the position a score already? */
static bool is_scored(const struct dropout *dropout, const struct position *pos)
{
    uint32_t node = dag_find(&dropout->graph.dag, pos->key);
    return node != DAG_NONE && dropout->graph.nodes[node].state != DROPOUT_GUESSED;
}

static void make_plan(const struct dropout *dropout, uint32_t leaf, struct leaf_plan *plan)
{
    const struct dropout_node *node = &dropout->graph.nodes[leaf];
    struct search_limit limit = dropout->options.limit;
    struct position pos;
    dag_position(&dropout->graph.dag, leaf, &pos, NULL);
    plan->count = 0;
    plan->child_count = 0;
    if (node->state == DROPOUT_GUESSED) {
        add_question(plan, &pos, limit);
        return;
    }
    plan->child_count = children_of(&pos, plan->children);
    for (int i = 0; i < plan->child_count; i++)
        if (!plan->children[i].ended)
            add_question(plan, &plan->children[i].pos, limit_shallow(limit));
    for (int i = 0; i < plan->child_count; i++) {
        const struct child_position *child = &plan->children[i];
        if (child->move == node->best && !child->ended && !is_scored(dropout, &child->pos))
            add_question(plan, &child->pos, limit);
    }
}

/* Adds those of the questions that have no answer; returns how many suggestions there are. */
static size_t suggest(struct dropout *dropout, const struct scorer_question *questions,
                      size_t question_count, size_t count, size_t wanted)
{
    for (size_t i = 0; i < question_count && count < wanted; i++)
        if (!scorer_knows(dropout->scorer, &questions[i]))
            dropout->ahead[count++] = questions[i];
    return count;
}

/* Suggests what is left to ask at this leaf, then what the next leaves would ask, as the scores are
 * now. The order is a guess: it changes when an answer comes, never which. */
static void look_ahead(struct dropout *dropout, size_t asked)
{
    uint32_t leaves[LOOK_AHEAD_MAX];
    size_t wanted = scorer_suggestions(dropout->scorer);
    if (wanted == 0)
        return;
    const struct leaf_plan *plan = &dropout->plan;
    size_t count = suggest(dropout, plan->questions + asked, plan->count - asked, 0, wanted);
    size_t most = wanted < LOOK_AHEAD_MAX ? wanted : LOOK_AHEAD_MAX;
    size_t leaf_count = count < wanted ? dropout_graph_leaves(&dropout->graph, leaves, most) : 0;
    for (size_t i = 1; i < leaf_count && count < wanted; i++) { /* the first is this one */
        make_plan(dropout, leaves[i], &dropout->later);
        count = suggest(dropout, dropout->later.questions, dropout->later.count, count, wanted);
    }
    scorer_suggest(dropout->scorer, dropout->ahead, count);
}

static enum caxton_status ask(struct dropout *dropout, struct diag *diag)
{
    struct leaf_plan *plan = &dropout->plan;
    for (size_t i = 0; i < plan->count; i++) {
        if (!scorer_knows(dropout->scorer, &plan->questions[i]))
            look_ahead(dropout, i);
        enum caxton_status status =
            scorer_ask(dropout->scorer, &plan->questions[i], &plan->answers[i], diag);
        if (status != STATUS_OK)
            return status;
        dropout->counts.nodes += plan->answers[i].nodes;
    }
    return STATUS_OK;
}

/* Steps. -------------------------------------------------------------------------------------- */

static enum caxton_status score_leaf(struct dropout *dropout, uint32_t leaf,
                                     const struct search_answer *answer)
{
    int ply = dropout->graph.dag.nodes[leaf].ply;
    dropout->counts.positions++;
    dropout->counts.plies = ply > dropout->counts.plies ? ply : dropout->counts.plies;
    dropout->graph.dag.nodes[leaf].depth =
        (uint8_t)(answer->depth < SEARCH_DEPTH_MAX ? answer->depth : SEARCH_DEPTH_MAX);
    return dropout_graph_score(&dropout->graph, leaf, answer->score, answer->best);
}

static enum caxton_status add_child(struct dropout *dropout, uint32_t leaf,
                                    const struct position *pos, const struct child_position *child,
                                    int guess)
{
    enum dag_outcome outcome;
    enum caxton_status status =
        dropout_graph_add_move(&dropout->graph, leaf, pos, child->move, guess, &outcome);
    if (status != STATUS_OK)
        return status;
    dropout->counts.joined += outcome == DAG_JOINED;
    dropout->counts.repeats += outcome == DAG_REFUSED;
    dropout->counts.guessed += outcome == DAG_NEW && !child->ended;
    if (outcome == DAG_NEW && child->ended)
        status = dropout_graph_end(&dropout->graph, (uint32_t)dropout->graph.dag.node_count - 1,
                                   child->score ? score_mated_in(0) : 0);
    return status;
}

/* The guess of a move: as much below the score of the leaf as its shallow search is below the best
 * shallow search of all. */
static enum caxton_status expand(struct dropout *dropout, uint32_t leaf)
{
    struct leaf_plan *plan = &dropout->plan;
    struct position pos;
    int best = -SCORE_INFINITE;
    enum caxton_status status = STATUS_OK;
    dag_position(&dropout->graph.dag, leaf, &pos, NULL);
    size_t asked = 0;
    for (int i = 0; i < plan->child_count; i++) {
        struct child_position *child = &plan->children[i];
        if (!child->ended)
            child->score = score_of_child(plan->answers[asked++].score);
        best = child->score > best ? child->score : best;
    }
    int score = dropout->graph.nodes[leaf].score;
    dropout->counts.shallow += asked;
    dropout->counts.expanded++;
    for (int i = 0; i < plan->child_count && status == STATUS_OK; i++)
        status = add_child(dropout, leaf, &pos, &plan->children[i],
                           score - (best - plan->children[i].score));
    if (status == STATUS_OK)
        status = dropout_graph_expanded(&dropout->graph, leaf);
    if (status == STATUS_OK && asked < plan->count) {
        uint32_t first = dag_find(&dropout->graph.dag, plan->questions[asked].pos.key);
        dropout->counts.guessed--;
        status = score_leaf(dropout, first, &plan->answers[asked]);
    }
    return status;
}

bool dropout_is_done(const struct dropout *dropout)
{
    const struct dropout_options *options = &dropout->options;
    const struct dropout_counts *counts = &dropout->counts;
    int cost = dropout->graph.nodes[DAG_ROOT].cost;
    return cost == DROPOUT_NONE_LEFT || (options->max_cost && cost > options->max_cost) ||
           (options->max_positions && counts->positions >= options->max_positions) ||
           (options->max_nodes && counts->nodes >= options->max_nodes);
}

enum caxton_status dropout_step(struct dropout *dropout, uint32_t *node, struct diag *diag)
{
    if (dropout_is_done(dropout))
        return STATUS_END;
    uint32_t leaf = dropout_graph_leaf(&dropout->graph);
    dropout->counts.cost = dropout->graph.nodes[DAG_ROOT].cost;
    if (dropout->options.progress)
        dropout->options.progress(dropout->options.context);
    make_plan(dropout, leaf, &dropout->plan);
    enum caxton_status status = ask(dropout, diag);
    if (status != STATUS_OK)
        return status;
    if (dropout->graph.nodes[leaf].state == DROPOUT_GUESSED) {
        dropout->counts.guessed -= leaf != DAG_ROOT;
        status = score_leaf(dropout, leaf, &dropout->plan.answers[0]);
    } else {
        status = expand(dropout, leaf);
    }
    if (status == STATUS_NO_MEMORY)
        diag_set(diag, 0, 0, "out of memory");
    if (status == STATUS_OK && node)
        *node = leaf;
    return status;
}

enum caxton_status dropout_run(struct dropout *dropout, struct diag *diag)
{
    enum caxton_status status = STATUS_OK;
    while (status == STATUS_OK && !dropout_is_done(dropout))
        status = dropout_step(dropout, NULL, diag);
    return status;
}

const struct dropout_graph *dropout_graph(const struct dropout *dropout)
{
    return &dropout->graph;
}

const struct dropout_counts *dropout_counts(const struct dropout *dropout)
{
    return &dropout->counts;
}

int dropout_own_moves(const struct dropout *dropout, uint32_t node, struct own_move *out)
{
    const struct dropout_graph *graph = &dropout->graph;
    const struct dropout_node *at = &graph->nodes[node];
    const struct dag_node *from = &graph->dag.nodes[node];
    int count = 0;
    if (from->turn != graph->side)
        return 0;
    if (at->state == DROPOUT_SCORED)
        out[count++] = (struct own_move){.move = at->best, .score = at->searched};
    for (uint32_t i = 0; i < from->count; i++) {
        struct own_move own = {.move = graph->dag.moves[from->first + i].move};
        if (dropout_graph_move_score(graph, node, i, &own.score))
            out[count++] = own;
    }
    if (count > 0)
        count = own_moves_choose(&dropout->options.own, out, count);
    return count > 0 && out[0].score == at->score ? count : 0;
}

/* The graph, kept in the store beside the answers. --------------------------------------------- */

/* A walk in topological order: a node comes when all that lead to it have come. */
struct keep_walk {
    const struct dropout *dropout;
    const struct dropout_graph *graph;
    double *probabilities; /* by node, as all that follows */
    uint32_t *waits;       /* moves that lead there and have not come yet */
    uint32_t *order;       /* the nodes that are reached */
    size_t count;
};

enum { REPLY_WEIGHT = 100 };

/* The weight of a reply that loses so many points against the best one: from 100 down to 1. */
static int reply_weight(int loss)
{
    return loss < REPLY_WEIGHT ? REPLY_WEIGHT - loss : 1;
}

/* What is played in a node, with probabilities: own moves of the book, scored replies. Returns how
 * many. */
static int played_moves(const struct keep_walk *walk, uint32_t node, struct own_move *out)
{
    const struct dag_node *from = &walk->graph->dag.nodes[node];
    double sum = 0;
    int count = 0;
    if (from->turn == walk->graph->side)
        return dropout_own_moves(walk->dropout, node, out);
    for (uint32_t i = 0; i < from->count; i++) {
        struct own_move reply = {.move = walk->graph->dag.moves[from->first + i].move};
        if (!dropout_graph_move_score(walk->graph, node, i, &reply.score))
            continue;
        reply.probability = reply_weight(walk->graph->nodes[node].score - reply.score);
        sum += reply.probability;
        out[count++] = reply;
    }
    for (int i = 0; i < count; i++)
        out[i].probability /= sum;
    return count;
}

/* The node behind a move of `node`; DAG_NONE: the graph has none. It is there, too, when only other
 * lines lead to it so far: the best move of a leaf. */
static uint32_t node_behind(const struct dag *dag, uint32_t node, move m)
{
    struct position pos;
    dag_position(dag, node, &pos, NULL);
    return dag_find(dag, position_after(&pos, m).key);
}

/* Counts for each node that is reached the moves that lead there. */
static void count_ways(struct keep_walk *walk)
{
    walk->order[walk->count++] = DAG_ROOT;
    walk->waits[DAG_ROOT] = 1;
    for (size_t at = 0; at < walk->count; at++) {
        struct own_move moves[MOVES_MAX];
        int count = played_moves(walk, walk->order[at], moves);
        for (int i = 0; i < count; i++) {
            uint32_t to = node_behind(&walk->graph->dag, walk->order[at], moves[i].move);
            if (to != DAG_NONE && walk->waits[to]++ == 0)
                walk->order[walk->count++] = to;
        }
    }
}

/* The best move of a leaf may close a cycle: then the first node that waits comes. */
static void open_cycle(struct keep_walk *walk)
{
    uint32_t node = DAG_ROOT;
    while (walk->waits[node] == 0)
        node++;
    walk->waits[node] = 0;
    walk->order[walk->count++] = node;
}

/* Puts the nodes in order and gives them their probabilities. */
static void find_probabilities(struct keep_walk *walk)
{
    size_t reached = walk->count;
    walk->count = 0;
    walk->probabilities[DAG_ROOT] = 1;
    for (size_t at = 0; at < reached; at++) {
        if (at == walk->count) /* the root is the first */
            open_cycle(walk);
        struct own_move moves[MOVES_MAX];
        uint32_t node = walk->order[at];
        int count = played_moves(walk, node, moves);
        for (int i = 0; i < count; i++) {
            uint32_t to = node_behind(&walk->graph->dag, node, moves[i].move);
            if (to == DAG_NONE || walk->waits[to] == 0) /* or it has come */
                continue;
            walk->probabilities[to] += walk->probabilities[node] * moves[i].probability;
            if (--walk->waits[to] == 0)
                walk->order[walk->count++] = to;
        }
    }
}

static void make_node(const struct keep_walk *walk, uint32_t index, struct store_node *out)
{
    uint8_t state = walk->graph->nodes[index].state;
    struct own_move moves[MOVES_MAX];
    dag_describe(&walk->graph->dag, index, out);
    out->side = walk->graph->side;
    out->probability = walk->probabilities[index];
    out->score = walk->graph->nodes[index].score;
    out->count = played_moves(walk, index, moves);
    for (int i = 0; i < out->count; i++)
        out->moves[i] = (struct store_move){moves[i].probability, moves[i].move};
    out->state = state == DROPOUT_ENDED ? STORE_ENDED
                 : out->count > 0       ? STORE_EXPANDED
                                        : STORE_SEARCHED;
}

static enum caxton_status keep_one(const struct dropout *dropout, struct score_store *store,
                                   struct diag *diag)
{
    const struct dropout_graph *graph = &dropout->graph;
    struct keep_walk walk = {.dropout = dropout, .graph = graph};
    size_t room = graph->dag.node_count;
    walk.probabilities = calloc(room, sizeof *walk.probabilities);
    walk.waits = calloc(room, sizeof *walk.waits);
    walk.order = calloc(room, sizeof *walk.order);
    enum caxton_status status =
        walk.probabilities && walk.waits && walk.order ? STATUS_OK : STATUS_NO_MEMORY;
    if (status == STATUS_OK) {
        count_ways(&walk);
        find_probabilities(&walk);
    }
    for (size_t i = 0; i < walk.count && status == STATUS_OK; i++) {
        struct store_node node;
        make_node(&walk, walk.order[i], &node);
        status = score_store_add_node(store, &node, diag);
    }
    free(walk.probabilities);
    free(walk.waits);
    free(walk.order);
    return status;
}

enum caxton_status dropout_keep(const struct dropout *const *grown, size_t count,
                                struct score_store *store, struct diag *diag)
{
    enum caxton_status status = score_store_begin_graph(store, diag);
    for (size_t i = 0; i < count && status == STATUS_OK; i++)
        status = keep_one(grown[i], store, diag);
    return status == STATUS_OK ? score_store_end_graph(store, diag) : status;
}

/* The book: a walk along its own moves and all scored replies. -------------------------------- */

struct dropout_walk {
    const struct dropout *dropout;
    const struct dropout_graph *graph;
    struct entry_list *list;
    bool replies;
    uint32_t *stack; /* room for all nodes: each comes once */
    size_t count;
    uint8_t *seen; /* by node */
};

static void visit(struct dropout_walk *walk, uint32_t node)
{
    if (!walk->seen[node])
        walk->stack[walk->count++] = node;
    walk->seen[node] = 1;
}

static enum caxton_status add_own(struct dropout_walk *walk, uint32_t node,
                                  const struct position *pos)
{
    struct own_move moves[MOVES_MAX];
    int count = dropout_own_moves(walk->dropout, node, moves);
    enum caxton_status status = STATUS_OK;
    for (int i = 0; i < count && status == STATUS_OK; i++) {
        const struct book_entry entry = {.weight =
                                             count == 1 ? 1 : store_weight(moves[i].probability)};
        uint32_t next = node_behind(&walk->graph->dag, node, moves[i].move);
        status = entry_list_add(walk->list, pos, moves[i].move, entry);
        if (next != DAG_NONE)
            visit(walk, next);
    }
    return status;
}

static enum caxton_status add_replies(struct dropout_walk *walk, uint32_t node,
                                      const struct position *pos)
{
    const struct dag_node *from = &walk->graph->dag.nodes[node];
    enum caxton_status status = STATUS_OK;
    for (uint32_t i = 0; i < from->count && status == STATUS_OK; i++) {
        const struct dag_move *reply = &walk->graph->dag.moves[from->first + i];
        struct own_move answers[MOVES_MAX];
        int score;
        if (!dropout_graph_move_score(walk->graph, node, i, &score))
            continue;
        int weight = reply_weight(walk->graph->nodes[node].score - score);
        if (walk->replies && dropout_own_moves(walk->dropout, reply->to, answers) > 0)
            status = entry_list_add(walk->list, pos, reply->move,
                                    (struct book_entry){.weight = (uint32_t)weight});
        visit(walk, reply->to);
    }
    return status;
}

enum caxton_status dropout_entries(const struct dropout *dropout, bool replies,
                                   struct entry_list *list)
{
    const struct dropout_graph *graph = &dropout->graph;
    struct dropout_walk walk = {
        .dropout = dropout, .graph = graph, .list = list, .replies = replies};
    walk.stack = calloc(graph->dag.node_count, sizeof *walk.stack);
    walk.seen = calloc(graph->dag.node_count, 1);
    enum caxton_status status = walk.stack && walk.seen ? STATUS_OK : STATUS_NO_MEMORY;
    if (status == STATUS_OK)
        visit(&walk, DAG_ROOT);
    while (walk.count > 0 && status == STATUS_OK) {
        uint32_t node = walk.stack[--walk.count];
        struct position pos;
        dag_position(&graph->dag, node, &pos, NULL);
        status = graph->dag.nodes[node].turn == graph->side ? add_own(&walk, node, &pos)
                                                            : add_replies(&walk, node, &pos);
    }
    free(walk.stack);
    free(walk.seen);
    return status;
}
