#include "book/scoring/limit_rule.h"

#include "book/scoring/packed_position.h"
#include "search/score.h"

#define ROOT_4_OF_2 1.189207115002721 /* a step of nodes, */

#define ROOT_8_OF_2 1.0905077326652577 /* and half of it */

/* The square root of x >= 1 by Newton's method, from above until it no longer falls: C libraries
 * round theirs alike, too, but would have to be linked. */
static double square_root(double x)
{
    double root = x;
    for (double next; (next = (root + x / root) / 2) < root;)
        root = next;
    return root;
}

static void add_step(struct limit_rule *rule, double least, uint64_t value)
{
    rule->steps[rule->count].least = least;
    rule->steps[rule->count++].value = value;
}

void limit_rule_by_depth(int root_depth, int min_depth, double branch, struct limit_rule *out)
{
    out->kind = SEARCH_TO_DEPTH;
    out->count = 0;
    double least = 1 / square_root(branch); /* half a ply */
    for (int depth = root_depth; depth >= min_depth; depth--, least /= branch)
        add_step(out, least, (uint64_t)depth);
}

void limit_rule_by_nodes(uint64_t root_nodes, uint64_t min_nodes, struct limit_rule *out)
{
    out->kind = SEARCH_NODES;
    out->count = 0;
    double nodes = (double)root_nodes;
    double least = 1 / ROOT_8_OF_2;
    while (out->count < LIMIT_STEPS_MAX && (uint64_t)(nodes + 0.5) >= min_nodes) {
        add_step(out, least, (uint64_t)(nodes + 0.5));
        nodes /= ROOT_4_OF_2;
        least /= ROOT_4_OF_2;
    }
}

bool limit_rule_find(const struct limit_rule *rule, double probability, struct search_limit *out)
{
    for (int i = 0; i < rule->count; i++)
        if (probability >= rule->steps[i].least) {
            *out = (struct search_limit){rule->kind, rule->steps[i].value};
            return true;
        }
    return false;
}

/* What is behind moves. ------------------------------------------------------------------------ */

enum {
    PLIES_SHALLOW = 6,
    PARTS_BEHIND = 2,
    PARTS_SHALLOW = 32,
    NODES_LEAST = 500, /* fewer are no search */
};

struct child_position child_behind(const struct position *pos, move m)
{
    struct child_position child = {.pos = position_after(pos, m), .move = m};
    position_forget_clocks(&child.pos);
    child.ended = movegen_count(&child.pos) == 0;
    if (child.ended && position_in_check(&child.pos))
        child.score = score_mate_in(1);
    return child;
}

int children_of(const struct position *pos, struct child_position *out)
{
    move moves[MOVES_MAX];
    int count = movegen_legal(pos, moves);
    for (int i = 0; i < count; i++)
        out[i] = child_behind(pos, moves[i]);
    return count;
}

enum caxton_status children_score(struct scorer *scorer, struct search_limit limit,
                                  struct child_position *children, int count, size_t *searches,
                                  uint64_t *nodes, struct diag *diag)
{
    struct scorer_question questions[MOVES_MAX];
    struct search_answer answers[MOVES_MAX];
    size_t asked = 0;
    size_t done = 0;
    for (int i = 0; i < count; i++)
        if (!children[i].ended)
            questions[asked++] = scorer_question_of(&children[i].pos, limit);
    if (asked == 0)
        return STATUS_OK;
    enum caxton_status status = scorer_ask_all(scorer, questions, asked, answers, &done, diag);
    if (status != STATUS_OK)
        return status;
    for (int i = count; i-- > 0;)
        if (!children[i].ended)
            children[i].score = score_of_child(answers[--done].score);
    *searches += asked;
    for (size_t i = 0; i < asked; i++)
        *nodes += answers[i].nodes;
    return STATUS_OK;
}

static struct search_limit smaller(struct search_limit limit, uint64_t plies, uint64_t parts)
{
    uint64_t value = limit.value / parts;
    uint64_t least = NODES_LEAST;
    if (limit.kind == SEARCH_TO_DEPTH) {
        value = limit.value > plies ? limit.value - plies : 1;
        least = 1;
    }
    return (struct search_limit){limit.kind, value > least ? value : least};
}

struct search_limit limit_behind(struct search_limit limit)
{
    return smaller(limit, 1, PARTS_BEHIND);
}

struct search_limit limit_shallow(struct search_limit limit)
{
    return smaller(limit, PLIES_SHALLOW, PARTS_SHALLOW);
}
