#include "book/learn/learn.h"

#include <stdlib.h>

#include "base/array.h"
#include "book/polyglot_entry.h"
#include "book/review/findings.h"
#include "book/scoring/limit_rule.h"
#include "book/scoring/score_store.h"
#include "book/scoring/scorer.h"
#include "eval/eval.h"
#include "search/limits.h"
#include "search/score.h"

/* Lines. --------------------------------------------------------------------------------------- */

/* Sets `board` to the position before that ply of the game. Errors: STATUS_NO_MEMORY. */
static enum caxton_status learn_go_to(const struct learn_game *game, size_t ply, struct game *board)
{
    enum caxton_status status = STATUS_OK;
    game_reset(board, &game->start);
    for (size_t i = 0; i < ply && status == STATUS_OK; i++)
        status = game_play(board, game->moves[i]);
    return status;
}

static enum caxton_status add_step(struct learn_line *line, size_t ply)
{
    if (!ARRAY_GROW(line->steps, line->capacity, line->count + 1))
        return STATUS_NO_MEMORY;
    line->steps[line->count++] = (struct learn_step){.ply = ply, .move = line->game->moves[ply]};
    return STATUS_OK;
}

/* Walks through the game. Errors: STATUS_NO_MEMORY; free it then, too. */
static enum caxton_status learn_line_make(const struct draft *draft, const struct learn_game *game,
                                          int side, struct game *board, struct learn_line *out)
{
    struct book_move moves[MOVES_MAX];
    enum caxton_status status = STATUS_OK;
    *out = (struct learn_line){.game = game, .side = side, .exit_score = LEARN_NO_SCORE};
    game_reset(board, &game->start);
    for (size_t ply = 0; ply < game->ply_count && status == STATUS_OK; ply++) {
        bool ours = game_position(board)->turn == side && game->scores[ply] != LEARN_GIVEN;
        if (ours && !out->avoided) {
            int count = draft_probe(draft, board, moves);
            int at = draft_index(moves, count, game->moves[ply]);
            bool played = at >= 0 && moves[at].weight > 0;
            /* The engine left the book here; it may come back to it later. */
            if (!played && out->exit_score == LEARN_NO_SCORE)
                out->exit_score = game->scores[ply];
            if (played) {
                out->exit_score = LEARN_NO_SCORE;
                status = add_step(out, ply);
            }
            /* Moves are heaviest first: a book that plays none has fallen silent, and the engine
             * had to think. */
            out->avoided = !played && (at >= 0 || (count > 0 && moves[0].weight > 0));
        }
        if (status == STATUS_OK)
            status = game_play(board, game->moves[ply]);
    }
    return status;
}

static void learn_line_free(struct learn_line *line)
{
    free(line->steps);
    *line = (struct learn_line){.game = NULL};
}

/* Ours of two points: 2 for a win, 1 for a draw, 0 for a loss. */
static int learn_line_points(const struct learn_line *line)
{
    enum { WIN = 2, DRAW = 1 };
    enum pgn_result ours = line->side == WHITE ? PGN_WHITE_WINS : PGN_BLACK_WINS;
    if (line->game->result == PGN_DRAW)
        return DRAW;
    return line->game->result == ours ? WIN : 0;
}

/* What is done about one lost line: a part of learn. */

struct loss_study {
    const struct learn_options *options;
    struct scorer *scorer;
    struct learnt *learnt;
    struct game *board;
};

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

/* The question that is asked about the position of a step. */
static struct scorer_question learn_question(const struct learn_options *options,
                                             const struct position *pos,
                                             const struct learn_step *step)
{
    struct search_limit limit = options->limit;
    if (limit.kind == SEARCH_TO_DEPTH && step->depth > 0 &&
        (uint64_t)step->depth + DEEPER_PLIES > limit.value)
        limit.value = (uint64_t)step->depth + DEEPER_PLIES;
    if (limit.kind == SEARCH_TO_DEPTH && limit.value > SEARCH_DEPTH_MAX)
        limit.value = SEARCH_DEPTH_MAX;
    return scorer_question_of(pos, limit);
}

/* As users see it, and as engines write it into games: in centipawns, or a mate. */
static int shown_score(int score)
{
    return score_is_mate(score) ? score : eval_centipawns(score);
}

/* Rates moves[0 .. count): their scores are filled. limit: of a search of `pos` itself. */
static enum caxton_status rate(struct loss_study *study, const struct position *pos,
                               struct search_limit limit, struct rated *moves, int count,
                               struct diag *diag)
{
    struct child_position children[MOVES_MAX];
    size_t searches = 0;
    uint64_t nodes = 0;
    for (int i = 0; i < count; i++)
        children[i] = child_behind(pos, moves[i].move);
    enum caxton_status status = children_score(study->scorer, limit_behind(limit), children, count,
                                               &searches, &nodes, diag);
    for (int i = 0; i < count && status == STATUS_OK; i++)
        moves[i].score = shown_score(children[i].score);
    return status;
}

/* The best first; of equal ones, by squares. */
static void sort(struct rated *moves, int count)
{
    for (int i = 1; i < count; i++)
        for (int j = i; j > 0; j--) {
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
    int others_count = 0;
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
    int others_count = 0;
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
    int finalists = others_count < FINALISTS ? others_count : FINALISTS;
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

/* Looks at line number `index`, and changes the draft. Errors: those of scorer_ask(). */
static enum caxton_status learn_from_loss(struct loss_study *study, size_t index, struct diag *diag)
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

/* Result learning: what scored is played more often. A part of learn. */

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

static enum caxton_status add_scored_line(struct scored_list *scored, const struct learnt *learnt,
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

/* Raises the weights of the moves of won and drawn lines, where the book has a choice. Errors:
 * STATUS_NO_MEMORY. */
static enum caxton_status learn_raise(struct learnt *learnt, struct game *board)
{
    struct scored_list scored = {.count = 0};
    enum caxton_status status = STATUS_OK;
    for (size_t i = 0; i < learnt->line_count && status == STATUS_OK; i++)
        if (!learnt->lines[i].known)
            status = add_scored_line(&scored, learnt, i, board);
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

/* The number by which the store knows that side's half of a game. */
static uint64_t source_of(const struct learn_line *line)
{
    return rng_mix(line->game->print.high ^ (uint64_t)line->side);
}

/* And by which it knows that it was learnt into this book. */
static uint64_t token_of(const struct learn_options *options, const struct learn_line *line)
{
    return rng_mix(line->game->print.low ^ rng_mix(options->token) ^ (uint64_t)line->side);
}

/* Has it been learnt into another book, of which this one comes? */
static bool is_known(const struct learn_options *options, const struct score_store *store,
                     const struct learn_line *line, struct game *board)
{
    struct packed_position packed;
    const struct learn_step *first = &line->steps[0];
    position_pack(game_position(board), &packed);
    return score_store_has_played(store, &packed, first->move, source_of(line)) &&
           !score_store_has_played(store, &packed, first->move, token_of(options, line));
}

/* How deep a grown book was searched along the line. */
static enum caxton_status find_depths(const struct score_store *store, struct learn_line *line,
                                      struct game *board)
{
    enum caxton_status status = STATUS_OK;
    for (size_t i = 0; i < line->count && status == STATUS_OK; i++) {
        struct packed_position packed;
        struct store_node node;
        status = learn_go_to(line->game, line->steps[i].ply, board);
        position_pack(game_position(board), &packed);
        if (score_store_find_node(store, &packed, line->side, &node))
            line->steps[i].depth = node.depth;
    }
    return status;
}

static void count_line(const struct learn_options *options, struct learnt *learnt,
                       const struct learn_line *line)
{
    int points = learn_line_points(line);
    if (line->known) {
        learnt->known++;
        return;
    }
    learnt->won += points == 2;
    learnt->drawn += points == 1;
    learnt->lost += points == 0;
    learnt->lost_good +=
        points == 0 && line->exit_score != LEARN_NO_SCORE && line->exit_score >= options->good_cp;
}

static enum caxton_status add_line(const struct learn_options *options,
                                   const struct learn_game *game, int side,
                                   const struct score_store *store, struct game *board,
                                   struct learnt *learnt)
{
    if (!ARRAY_GROW(learnt->lines, learnt->line_capacity, learnt->line_count + 1))
        return STATUS_NO_MEMORY;
    struct learn_line *line = &learnt->lines[learnt->line_count++];
    enum caxton_status status = learn_line_make(&learnt->draft, game, side, board, line);
    if (status == STATUS_OK && line->count > 0) {
        status = learn_go_to(game, line->steps[0].ply, board);
        line->known = status == STATUS_OK && is_known(options, store, line, board);
    }
    if (status == STATUS_OK)
        status = find_depths(store, line, board);
    if (status == STATUS_OK)
        count_line(options, learnt, line);
    return status;
}

enum caxton_status learn_begin(const struct learn_options *options, const struct book *book,
                               const struct learn_games *games, const struct score_store *store,
                               struct learnt *out)
{
    struct game *board = game_create();
    enum caxton_status status = board ? STATUS_OK : STATUS_NO_MEMORY;
    *out = (struct learnt){.draft = {.book = book}};
    for (size_t i = 0; i < games->count && status == STATUS_OK; i++)
        for (int side = WHITE; side <= BLACK && status == STATUS_OK; side++)
            if (games->list[i].ours[side])
                status = add_line(options, &games->list[i], side, store, board, out);
    game_destroy(board);
    return status;
}

/* Is there something to search for? */
static bool is_lost(const struct learn_line *line)
{
    return !line->known && learn_line_points(line) == 0;
}

/* Suggests the last positions of the lines from number `index` on. */
static enum caxton_status look_ahead(const struct learn_options *options, struct scorer *scorer,
                                     const struct learnt *learnt, size_t index, struct game *board)
{
    size_t wanted = scorer_suggestions(scorer);
    struct scorer_question *questions = calloc(wanted + 1, sizeof *questions);
    size_t count = 0;
    enum caxton_status status = questions ? STATUS_OK : STATUS_NO_MEMORY;
    for (size_t i = index; i < learnt->line_count && count < wanted && status == STATUS_OK; i++) {
        const struct learn_line *line = &learnt->lines[i];
        if (!is_lost(line) || line->avoided || line->count == 0)
            continue;
        const struct learn_step *step = &line->steps[line->count - 1];
        status = learn_go_to(line->game, step->ply, board);
        questions[count] = learn_question(options, game_position(board), step);
        count += !scorer_knows(scorer, &questions[count]);
    }
    if (status == STATUS_OK && wanted > 0)
        scorer_suggest(scorer, questions, count);
    free(questions);
    return status;
}

/* The questions about positions of the review where the draft plays nothing, the dearest first. */
static enum caxton_status find_unanswered(const struct learn_options *options,
                                          struct loss_study *study, struct scorer_question **list,
                                          size_t *count)
{
    struct book_move moves[MOVES_MAX];
    size_t capacity = 0;
    for (int side = WHITE; side <= BLACK; side++) {
        struct unanswered found = {.share = 0};
        while (options->sides[side] && findings_next(options->first, side, &found)) {
            game_reset(study->board, &found.pos);
            if (movegen_count(&found.pos) == 0 ||
                (draft_probe(&study->learnt->draft, study->board, moves) > 0 &&
                 moves[0].weight > 0))
                continue;
            if (!ARRAY_GROW(*list, capacity, *count + 1))
                return STATUS_NO_MEMORY;
            (*list)[(*count)++] = scorer_question_of(&found.pos, options->limit);
        }
    }
    return STATUS_OK;
}

/* The best move of a search, unless the book knows it as one that is never played. */
static enum caxton_status answer_first(const struct learn_options *options,
                                       struct loss_study *study, struct diag *diag)
{
    struct scorer_question *questions = NULL;
    size_t count = 0;
    struct learnt *learnt = study->learnt;
    enum caxton_status status = find_unanswered(options, study, &questions, &count);
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        struct book_move moves[MOVES_MAX];
        struct search_answer answer;
        if (options->progress)
            options->progress(options->context);
        scorer_suggest(study->scorer, &questions[i], count - i);
        status = scorer_ask(study->scorer, &questions[i], &answer, diag);
        game_reset(study->board, &questions[i].pos);
        int known = draft_probe(&learnt->draft, study->board, moves);
        if (status != STATUS_OK || draft_index(moves, known, answer.best) >= 0)
            continue; /* or it has come before */
        status = draft_set(&learnt->draft, &questions[i].pos, answer.best, 1);
        learnt->answered++;
    }
    free(questions);
    return status;
}

enum caxton_status learn_run(const struct learn_options *options, struct scorer *scorer,
                             struct learnt *learnt, struct diag *diag)
{
    struct loss_study study = {
        .options = options, .scorer = scorer, .learnt = learnt, .board = game_create()};
    enum caxton_status status = study.board ? STATUS_OK : STATUS_NO_MEMORY;
    if (status == STATUS_OK && options->first)
        status = answer_first(options, &study, diag);
    for (size_t i = 0; i < learnt->line_count && status == STATUS_OK; i++) {
        if (!is_lost(&learnt->lines[i]))
            continue;
        if (options->progress)
            options->progress(options->context);
        learnt->done++;
        status = look_ahead(options, scorer, learnt, i, study.board);
        if (status == STATUS_OK)
            status = learn_from_loss(&study, i, diag);
    }
    if (status == STATUS_OK)
        status = learn_raise(learnt, study.board);
    game_destroy(study.board);
    if (status == STATUS_NO_MEMORY)
        diag_set(diag, 0, 0, "out of memory");
    return status;
}

/* Remembering --------------------------------------------------------------------------------- */

/* The token comes first and the first move last: when all of this is cut off in between, the same
 * games are learnt into the same book again. */
static enum caxton_status remember_line(const struct learn_options *options,
                                        const struct learn_line *line, struct score_store *store,
                                        struct game *board, struct diag *diag)
{
    int points = learn_line_points(line);
    const struct played_games nothing = {.wins = 0};
    const struct played_games games = {
        .wins = points == 2, .draws = points == 1, .losses = points == 0};
    struct packed_position packed;
    enum caxton_status status = learn_go_to(line->game, line->steps[0].ply, board);
    position_pack(game_position(board), &packed);
    if (status == STATUS_OK)
        status = score_store_add_played(store, &packed, line->steps[0].move,
                                        token_of(options, line), &nothing, NULL, diag);
    for (size_t i = line->count; i-- > 0 && status == STATUS_OK;) {
        status = learn_go_to(line->game, line->steps[i].ply, board);
        position_pack(game_position(board), &packed);
        if (status == STATUS_OK)
            status = score_store_add_played(store, &packed, line->steps[i].move, source_of(line),
                                            &games, NULL, diag);
    }
    return status;
}

/* The move that took the place of another one is chosen; where none did, the one that was chosen
 * before is not any more. */
static enum caxton_status remember_event(const struct learnt *learnt,
                                         const struct learn_event *event, struct score_store *store,
                                         struct game *board, struct diag *diag)
{
    struct packed_position packed;
    struct played_games games;
    struct chosen_move chosen;
    if (event->from == MOVE_NONE)
        return STATUS_OK;
    enum caxton_status status = learn_go_to(learnt->lines[event->line].game, event->ply, board);
    if (status != STATUS_OK)
        return status;
    position_pack(game_position(board), &packed);
    bool was_chosen = score_store_chosen(store, &packed, &chosen);
    if (event->to == MOVE_NONE && (!was_chosen || chosen.move != event->from))
        return STATUS_OK;
    (void)score_store_played(store, &packed, event->from, &games);
    uint64_t losses = games.losses < UINT32_MAX ? games.losses : UINT32_MAX;
    return score_store_choose(store, &packed, event->to, CHOSEN_BY_LOSSES, (uint32_t)losses, diag);
}

enum caxton_status learn_remember(const struct learn_options *options, const struct learnt *learnt,
                                  struct score_store *store, struct diag *diag)
{
    struct game *board = game_create();
    enum caxton_status status = board ? STATUS_OK : STATUS_NO_MEMORY;
    for (size_t i = 0; i < learnt->line_count && status == STATUS_OK; i++)
        if (!learnt->lines[i].known && learnt->lines[i].count > 0)
            status = remember_line(options, &learnt->lines[i], store, board, diag);
    for (size_t i = 0; i < learnt->event_count && status == STATUS_OK; i++)
        status = remember_event(learnt, &learnt->events[i], store, board, diag);
    game_destroy(board);
    if (status == STATUS_NO_MEMORY)
        diag_set(diag, 0, 0, "out of memory");
    return status;
}

void learnt_free(struct learnt *learnt)
{
    for (size_t i = 0; i < learnt->line_count; i++)
        learn_line_free(&learnt->lines[i]);
    free(learnt->lines);
    free(learnt->events);
    draft_free(&learnt->draft);
    *learnt = (struct learnt){.line_count = 0};
}
