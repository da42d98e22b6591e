#include "book/learn/learn.h"

#include <stdlib.h>

#include "base/array.h"
#include "book/learn/learnt.h"
#include "book/learn/loss.h"
#include "book/polyglot_entry.h"
#include "book/scoring/score_store.h"

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

enum caxton_status learn_run(const struct learn_options *options, struct scorer *scorer,
                             struct learnt *learnt, struct diag *diag)
{
    struct loss_study study = {
        .options = options, .scorer = scorer, .learnt = learnt, .board = game_create()};
    enum caxton_status status = study.board ? STATUS_OK : STATUS_NO_MEMORY;
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
