#include "book/grow/dropout.h"

#include <stdlib.h>

#include "book/scoring/children.h"
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
    struct child children[MOVES_MAX];
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
    plan->questions[plan->count++] = (struct scorer_question){.pos = *pos, .limit = limit};
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
        const struct child *child = &plan->children[i];
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
                                    const struct position *pos, const struct child *child,
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
        struct child *child = &plan->children[i];
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
