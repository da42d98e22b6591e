#include "book/learn/loss.h"

#include "base/array.h"
#include "book/polyglot_entry.h"
#include "book/scoring/children.h"
#include "eval/eval.h"
#include "search/limits.h"
#include "search/score.h"

/* Of all legal moves the best few by a shallow search are looked at by a deep one. */
enum { FINALISTS = 3, DEEPER_PLIES = 2 };

/* A move of our side, and what it is worth in centipawns; a mate is as in search/score.h. */
struct rated {
    move move;
    int score;
};

/* What is known of a step after its search. */
struct step_study {
    struct position pos;
    struct search_limit limit;
    struct rated best;
    struct rated own; /* the move of the book */
};

/* Asking -------------------------------------------------------------------------------------- */

struct scorer_question learn_question(const struct learn_options *options,
                                      const struct position *pos, const struct learn_step *step)
{
    struct scorer_question question = {.pos = *pos, .limit = options->limit};
    if (question.limit.kind == SEARCH_TO_DEPTH && step->depth > 0 &&
        (uint64_t)step->depth + DEEPER_PLIES > question.limit.value)
        question.limit.value = (uint64_t)step->depth + DEEPER_PLIES;
    if (question.limit.kind == SEARCH_TO_DEPTH && question.limit.value > SEARCH_DEPTH_MAX)
        question.limit.value = SEARCH_DEPTH_MAX;
    return question;
}

/* As users see it, and as engines write it into games: in centipawns, or a mate. */
static int shown_score(int score)
{
    return score_is_mate(score) ? score : eval_centipawns(score);
}

/* Rates moves[0 .. count): their scores are filled. limit: of a search of `pos` itself. */
static enum caxton_status rate(struct loss_study *study, const struct position *pos,
                               struct search_limit limit, struct rated *moves, size_t count,
                               struct diag *diag)
{
    struct scorer_question questions[MOVES_MAX];
    struct search_answer answers[MOVES_MAX];
    size_t of[MOVES_MAX];
    size_t asked = 0;
    size_t done = 0;
    for (size_t i = 0; i < count; i++) {
        struct position after = position_after(pos, moves[i].move);
        if (movegen_count(&after) == 0) {
            moves[i].score = position_in_check(&after) ? score_mate_in(1) : 0;
            continue;
        }
        questions[asked] = (struct scorer_question){.pos = after, .limit = limit_behind(limit)};
        of[asked++] = i;
    }
    if (asked == 0)
        return STATUS_OK;
    enum caxton_status status =
        scorer_ask_all(study->scorer, questions, asked, answers, &done, diag);
    for (size_t i = 0; i < asked && status == STATUS_OK; i++)
        moves[of[i]].score = shown_score(score_of_child(answers[i].score));
    return status;
}

/* The best first; of equal ones, by squares. */
static void sort(struct rated *moves, size_t count)
{
    for (size_t i = 1; i < count; i++)
        for (size_t j = i; j > 0; j--) {
            struct rated *a = &moves[j - 1];
            struct rated *b = &moves[j];
            if (a->score > b->score || (a->score == b->score &&
                                        polyglot_from_move(a->move) <= polyglot_from_move(b->move)))
                break;
            const struct rated swapped = *a;
            *a = *b;
            *b = swapped;
        }
}

static enum caxton_status study_step(struct loss_study *study, const struct learn_line *line,
                                     const struct learn_step *step, struct step_study *out,
                                     struct diag *diag)
{
    struct search_answer answer;
    enum caxton_status status = learn_go_to(line->game, step->ply, study->board);
    if (status != STATUS_OK)
        return status;
    out->pos = *game_position(study->board);
    const struct scorer_question question = learn_question(study->options, &out->pos, step);
    status = scorer_ask(study->scorer, &question, &answer, diag);
    if (status != STATUS_OK)
        return status;
    out->limit = question.limit;
    out->best = (struct rated){answer.best, shown_score(answer.score)};
    out->own = (struct rated){step->move, out->best.score};
    return answer.best == step->move ? STATUS_OK
                                     : rate(study, &out->pos, out->limit, &out->own, 1, diag);
}

/* Changing ------------------------------------------------------------------------------------ */

static enum caxton_status note(struct loss_study *study, struct learn_event event)
{
    struct learnt *learnt = study->learnt;
    if (!ARRAY_GROW(learnt->events, learnt->event_capacity, learnt->event_count + 1))
        return STATUS_NO_MEMORY;
    learnt->events[learnt->event_count++] = event;
    learnt->kinds[event.kind]++;
    return STATUS_OK;
}

/* The move of the step is not played any more; `to` gets its weight, MOVE_NONE: nobody does. */
static enum caxton_status give_way(struct loss_study *study, size_t line,
                                   const struct learn_step *step, const struct step_study *found,
                                   enum learn_kind kind, struct rated to)
{
    struct book_move moves[MOVES_MAX];
    struct draft *draft = &study->learnt->draft;
    enum caxton_status status =
        learn_go_to(study->learnt->lines[line].game, step->ply, study->board);
    if (status != STATUS_OK)
        return status;
    int count = draft_probe(draft, study->board, moves);
    int from = draft_index(moves, count, step->move);
    int other = draft_index(moves, count, to.move);
    uint64_t weight = from >= 0 ? moves[from].weight : 1;
    weight += other >= 0 ? moves[other].weight : 0;
    weight = weight > UINT32_MAX ? UINT32_MAX : weight;
    status = draft_set(draft, &found->pos, step->move, 0);
    if (status == STATUS_OK && to.move != MOVE_NONE && kind != LEARN_SILENCED)
        status = draft_set(draft, &found->pos, to.move, (uint32_t)weight);
    if (status != STATUS_OK)
        return status;
    return note(study, (struct learn_event){.kind = kind,
                                            .line = line,
                                            .ply = step->ply,
                                            .from = step->move,
                                            .to = to.move,
                                            .from_score = found->own.score,
                                            .to_score = to.score});
}

/* The best of the book's other moves in the position at hand, MOVE_NONE: there is none to play. */
static enum caxton_status best_of_book(struct loss_study *study, const struct step_study *found,
                                       struct rated *out, struct diag *diag)
{
    struct book_move moves[MOVES_MAX];
    struct rated others[MOVES_MAX];
    size_t others_count = 0;
    int count = draft_probe(&study->learnt->draft, study->board, moves);
    for (int i = 0; i < count; i++)
        if (moves[i].move != found->own.move && moves[i].weight > 0)
            others[others_count++] = (struct rated){.move = moves[i].move};
    *out = (struct rated){.move = MOVE_NONE, .score = LEARN_NO_SCORE};
    if (others_count == 0)
        return STATUS_OK;
    enum caxton_status status = rate(study, &found->pos, found->limit, others, others_count, diag);
    if (status != STATUS_OK)
        return status;
    sort(others, others_count);
    *out = others[0];
    return STATUS_OK;
}

/* The best of all legal moves but the book's: the search's, or what comes behind that. Moves that
 * the book knows and never plays are left alone: they have lost before. */
static enum caxton_status best_of_all(struct loss_study *study, const struct step_study *found,
                                      struct rated *out, struct diag *diag)
{
    move legal[MOVES_MAX];
    struct book_move moves[MOVES_MAX];
    struct rated others[MOVES_MAX];
    size_t others_count = 0;
    int known = draft_probe(&study->learnt->draft, study->board, moves);
    int count = movegen_legal(&found->pos, legal);
    for (int i = 0; i < count; i++) {
        int at = draft_index(moves, known, legal[i]);
        if (legal[i] != found->own.move && (at < 0 || moves[at].weight > 0))
            others[others_count++] = (struct rated){.move = legal[i]};
    }
    *out = (struct rated){.move = MOVE_NONE, .score = LEARN_NO_SCORE};
    if (others_count == 0)
        return STATUS_OK;
    enum caxton_status status =
        rate(study, &found->pos, limit_shallow(found->limit), others, others_count, diag);
    if (status != STATUS_OK)
        return status;
    sort(others, others_count);
    size_t finalists = others_count < FINALISTS ? others_count : FINALISTS;
    status = rate(study, &found->pos, found->limit, others, finalists, diag);
    sort(others, finalists);
    *out = others[0];
    return status;
}

/* The move that the search prefers, unless it has lost before. */
static bool may_take_best(struct loss_study *study, const struct step_study *found)
{
    struct book_move moves[MOVES_MAX];
    int count = draft_probe(&study->learnt->draft, study->board, moves);
    int at = draft_index(moves, count, found->best.move);
    return found->best.move != found->own.move && (at < 0 || moves[at].weight > 0);
}

/* Leaves the line at this step when another move is good enough. */
static enum caxton_status deviate(struct loss_study *study, size_t line,
                                  const struct learn_step *step, const struct step_study *found,
                                  bool *done, struct diag *diag)
{
    struct rated other;
    int enough = found->own.score - study->options->margin_cp;
    enum caxton_status status =
        learn_go_to(study->learnt->lines[line].game, step->ply, study->board);
    if (status == STATUS_OK)
        status = best_of_book(study, found, &other, diag);
    if (status != STATUS_OK)
        return status;
    *done = true;
    if (other.move != MOVE_NONE && other.score > enough)
        return give_way(study, line, step, found, LEARN_SILENCED, other);
    if (may_take_best(study, found) && found->best.score > enough)
        return give_way(study, line, step, found, LEARN_DEVIATED, found->best);
    status = best_of_all(study, found, &other, diag);
    *done = status == STATUS_OK && other.move != MOVE_NONE && other.score > enough;
    /* The search of the position can miss what the search behind a move finds. */
    bool better = other.score >= found->own.score + study->options->margin_cp;
    enum learn_kind kind = better ? LEARN_BETTER : LEARN_DEVIATED;
    return *done ? give_way(study, line, step, found, kind, other) : status;
}

/* Does the draft play all of the line? */
static enum caxton_status is_played(struct loss_study *study, const struct learn_line *line,
                                    bool *out)
{
    struct book_move moves[MOVES_MAX];
    enum caxton_status status = STATUS_OK;
    *out = true;
    for (size_t i = 0; i < line->count && *out && status == STATUS_OK; i++) {
        status = learn_go_to(line->game, line->steps[i].ply, study->board);
        int count = draft_probe(&study->learnt->draft, study->board, moves);
        int at = draft_index(moves, count, line->steps[i].move);
        *out = at >= 0 && moves[at].weight > 0;
    }
    return status;
}

/* From the last step back to where the book has another move. *changed: the line is left. */
static enum caxton_status search_line(struct loss_study *study, size_t index, size_t first,
                                      bool *changed, struct diag *diag)
{
    const struct learn_line *line = &study->learnt->lines[index];
    const struct learn_options *options = study->options;
    enum caxton_status status = STATUS_OK;
    *changed = false;
    for (size_t i = line->count; i-- > first && status == STATUS_OK;) {
        struct step_study found;
        const struct learn_step *step = &line->steps[i];
        status = study_step(study, line, step, &found, diag);
        if (status != STATUS_OK || found.best.score - found.own.score < options->margin_cp ||
            !may_take_best(study, &found))
            continue;
        status = give_way(study, index, step, &found, LEARN_BETTER, found.best);
        *changed = true;
        if (found.best.score >= options->good_cp)
            break;
    }
    return status;
}

static enum caxton_status leave_line(struct loss_study *study, size_t index, size_t first,
                                     struct diag *diag)
{
    const struct learn_line *line = &study->learnt->lines[index];
    struct step_study found;
    enum caxton_status status = STATUS_OK;
    bool done = false;
    for (size_t i = line->count; i-- > first && status == STATUS_OK && !done;) {
        status = study_step(study, line, &line->steps[i], &found, diag);
        if (status == STATUS_OK)
            status = deviate(study, index, &line->steps[i], &found, &done, diag);
    }
    if (status != STATUS_OK || done)
        return status;
    const struct learn_step *last = &line->steps[line->count - 1];
    status = study_step(study, line, last, &found, diag);
    if (status != STATUS_OK)
        return status;
    return give_way(study, index, last, &found, LEARN_LEFT_OUT,
                    (struct rated){MOVE_NONE, LEARN_NO_SCORE});
}

enum caxton_status learn_from_loss(struct loss_study *study, size_t index, struct diag *diag)
{
    const struct learn_line *line = &study->learnt->lines[index];
    const size_t back = study->options->back;
    size_t first = back > 0 && line->count > back ? line->count - back : 0;
    bool played = true;
    enum caxton_status status = STATUS_OK;
    if (line->count > 0 && !line->avoided)
        status = is_played(study, line, &played);
    if (status != STATUS_OK)
        return status;
    if (line->avoided || !played || line->count == 0)
        return note(study, (struct learn_event){.kind = line->avoided || !played ? LEARN_AVOIDED
                                                                                 : LEARN_NEVER,
                                                .line = index,
                                                .from_score = LEARN_NO_SCORE,
                                                .to_score = LEARN_NO_SCORE});
    bool changed;
    status = search_line(study, index, first, &changed, diag);
    if (status == STATUS_OK && !changed)
        status = leave_line(study, index, first, diag);
    return status;
}
