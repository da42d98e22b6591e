#include "book/grow/own_choice.h"

#include "book/format.h"
#include "book/graph/expected.h"
#include "book/polyglot_entry.h"
#include "book/scoring/limit_rule.h"
#include "search/score.h"

enum {
    SLACK = 50,          /* what a shallow search may be wrong by, in the units of the search */
    CANDIDATES_EACH = 2, /* moves that are searched deep for each that may be chosen */
};

/* A choice as far as the answers that are known go. */
struct plan {
    struct scorer *scorer;
    struct scorer_question *missing; /* room for `capacity` */
    size_t missing_count;
    size_t capacity;
    struct own_choice choice;
};

/* Is the answer known? Else it is missing. */
static bool look(struct plan *plan, const struct position *pos, struct search_limit limit,
                 struct search_answer *out)
{
    const struct scorer_question question = scorer_question_of(pos, limit);
    if (scorer_find(plan->scorer, &question, out)) {
        plan->choice.searches++;
        plan->choice.nodes += out->nodes;
        return true;
    }
    if (plan->missing_count < plan->capacity)
        plan->missing[plan->missing_count++] = question;
    return false;
}

/* Scores the moves by the positions behind them. */
static void score_children(struct plan *plan, struct search_limit limit,
                           struct child_position *children, int count)
{
    for (int i = 0; i < count; i++) {
        struct search_answer answer;
        if (!children[i].ended && look(plan, &children[i].pos, limit, &answer))
            children[i].score = score_of_child(answer.score);
    }
}

/* By score; a stable sort. */
static void sort_moves(struct own_move *moves, int count)
{
    for (int i = 1; i < count; i++) {
        struct own_move moved = moves[i];
        int at = i;
        for (; at > 0 && moves[at - 1].score < moved.score; at--)
            moves[at] = moves[at - 1];
        moves[at] = moved;
    }
}

static int count_within(const struct own_move *moves, int count, int margin, int most)
{
    int within = 0;
    while (within < count && (most == 0 || within < most) &&
           moves[0].score - moves[within].score <= margin)
        within++;
    return within;
}

static void weigh(struct own_move *moves, int count, int margin)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += margin + 1 - (moves[0].score - moves[i].score);
    for (int i = 0; i < count; i++)
        moves[i].probability = (margin + 1 - (moves[0].score - moves[i].score)) / sum;
}

int own_moves_choose(const struct own_choice_rule *rule, struct own_move *moves, int count)
{
    sort_moves(moves, count);
    int most = rule->margin == 0 ? 1 : rule->most;
    int chosen = count_within(moves, count, rule->margin, most);
    weigh(moves, chosen, rule->margin);
    return chosen;
}

/* Replaces the score of each candidate but the first, which the search found best, by a deep one.
 * `children` are all moves. */
static void score_candidates(struct plan *plan, struct search_limit limit,
                             const struct child_position *children, int count)
{
    struct own_choice *choice = &plan->choice;
    for (int i = 1; i < choice->count; i++) {
        int at = 0;
        while (at + 1 < count && children[at].move != choice->moves[i].move)
            at++;
        struct child_position child = children[at];
        score_children(plan, limit_behind(limit), &child, 1);
        choice->moves[i].score = child.score;
    }
}

/* The candidates: the move that the search found, first, and the best of the others by shallow
 * scores. They are compared with shallow scores only, for shallow and deep ones differ. */
static void list_candidates(struct own_choice *choice, const struct own_choice_rule *rule,
                            move best, const struct child_position *children, int count)
{
    struct own_move moves[MOVES_MAX];
    int most = rule->most ? CANDIDATES_EACH * rule->most : 0;
    for (int i = 0; i < count; i++)
        moves[i] = (struct own_move){.move = children[i].move, .score = children[i].score};
    sort_moves(moves, count);
    int close = count_within(moves, count, rule->margin + SLACK, most);
    choice->moves[0] = (struct own_move){.move = best};
    choice->count = 1;
    for (int i = 0; i < close; i++)
        if (moves[i].move != best)
            choice->moves[choice->count++] = moves[i];
}

/* The same: the move that the search found, first, and those that the preference names. */
static void list_preferred(struct own_choice *choice, const struct own_choice_rule *rule,
                           const struct position *pos, move best)
{
    move moves[MOVES_MAX];
    int count = rule->preference->candidates(rule->preference->context, pos, moves);
    choice->moves[0] = (struct own_move){.move = best};
    choice->count = 1;
    for (int i = 0; i < count && choice->count < MOVES_MAX; i++)
        if (moves[i] != best)
            choice->moves[choice->count++] = (struct own_move){.move = moves[i]};
}

/* Leaves the most valuable of the moves, which stand by their score. */
static void prefer(struct own_choice *choice, const struct own_preference *preference,
                   const struct position *pos)
{
    int best = 0;
    double most = 0;
    for (int i = 0; i < choice->count; i++) {
        const struct own_move *own = &choice->moves[i];
        double value = preference->value(preference->context, pos, own->move, own->score);
        if (i == 0 || value > most) {
            best = i;
            most = value;
        }
    }
    choice->moves[0] = choice->moves[best];
    choice->count = 1;
}

/* Goes as far as the answers go. The choice is made when nothing is missing then. */
static void plan_choice(struct plan *plan, const struct own_choice_rule *rule,
                        const struct scorer_question *question)
{
    struct own_choice *choice = &plan->choice;
    struct search_answer answer = {.best = MOVE_NONE};
    bool known = look(plan, &question->pos, question->limit, &answer);
    bool named = rule->preference && rule->preference->candidates;
    bool alone = !named && (rule->margin == 0 || rule->most == 1);
    choice->depth = answer.depth;
    choice->count = 1;
    choice->moves[0] = (struct own_move){.move = answer.best, .score = answer.score};
    if (!alone) {
        struct child_position children[MOVES_MAX];
        int count = children_of(&question->pos, children);
        if (!named)
            score_children(plan, limit_shallow(question->limit), children, count);
        if (!known || plan->missing_count > 0)
            return;
        if (named)
            list_preferred(choice, rule, &question->pos, answer.best);
        else
            list_candidates(choice, rule, answer.best, children, count);
        choice->moves[0].score = answer.score;
        score_candidates(plan, question->limit, children, count);
    }
    if (named)
        sort_moves(choice->moves, choice->count);
    else
        choice->count = own_moves_choose(rule, choice->moves, choice->count);
    if (rule->preference && choice->count > 1)
        prefer(choice, rule->preference, &question->pos);
    choice->preferred = rule->preference && choice->moves[0].move != answer.best;
    weigh(choice->moves, choice->count, rule->margin);
}

size_t own_choice_missing(const struct own_choice_rule *rule, struct scorer *scorer,
                          const struct scorer_question *question, struct scorer_question *out,
                          size_t capacity)
{
    struct plan plan = {.scorer = scorer, .missing = out, .capacity = capacity};
    if (capacity > 0)
        plan_choice(&plan, rule, question);
    return plan.missing_count;
}

enum caxton_status own_choice_make(const struct own_choice_rule *rule, struct scorer *scorer,
                                   const struct scorer_question *question,
                                   void (*ahead)(void *context), void *context,
                                   struct own_choice *out, struct diag *diag)
{
    struct scorer_question next;
    struct search_answer answer;
    size_t missing;
    do {
        struct plan plan = {.scorer = scorer, .missing = &next, .capacity = 1};
        plan_choice(&plan, rule, question);
        missing = plan.missing_count;
        if (missing == 0)
            next = *question; /* asked again: it fails when the scorer was stopped */
        else if (ahead)
            ahead(context);
        enum caxton_status status = scorer_ask(scorer, &next, &answer, diag);
        if (status != STATUS_OK)
            return status;
        if (missing == 0)
            *out = plan.choice;
    } while (missing > 0);
    return STATUS_OK;
}

/* By what people score. ------------------------------------------------------------------------ */

/* What games say of the moves of the position, of all sources together. */
static void look_up(const struct practical *practical, const struct position *pos,
                    struct book_facts *out)
{
    const struct opponent *opponent = practical->opponent;
    struct book_facts facts;
    book_facts_clear(out);
    for (size_t i = 0; i < opponent->source_count; i++) {
        const struct book *book = opponent->sources[i].book;
        if (book->counts && book_look_up_moves(book, pos, &facts, NULL) == STATUS_OK)
            book_facts_merge(out, &facts);
    }
}

int practical_candidates(const void *context, const struct position *pos, move *out)
{
    const struct practical *practical = context;
    struct book_facts facts;
    int given = 0;
    look_up(practical, pos, &facts);
    for (int i = 0; i < facts.count; i++)
        if ((double)book_move_games(&facts.moves[i]) / (double)facts.unit >= practical->least)
            out[given++] = facts.moves[i].move;
    return given;
}

double practical_value(const void *context, const struct position *pos, move m, int score)
{
    const struct practical *practical = context;
    struct book_facts facts;
    double engine = expected_points(score);
    look_up(practical, pos, &facts);
    const struct book_move_facts *played = book_facts_find(&facts, polyglot_from_move(m));
    double unit = (double)facts.unit;
    double games = played ? (double)book_move_games(played) / unit : 0;
    double points = played ? (double)book_move_points(played) / unit / 2 : 0;
    double people = expected_average(games, points, practical->prior, engine).score;
    return (1 - practical->share) * engine + practical->share * people;
}

struct own_preference preference_practical(const struct practical *practical)
{
    return (struct own_preference){
        .candidates = practical_candidates, .value = practical_value, .context = practical};
}

static double value_leave(const void *context, const struct position *pos, move m, int score)
{
    const struct position behind = position_after(pos, m);
    (void)score;
    return -opponent_knows(context, &behind);
}

struct own_preference preference_leave(const struct opponent *opponent)
{
    return (struct own_preference){.value = value_leave, .context = opponent};
}
