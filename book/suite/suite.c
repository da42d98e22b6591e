#include "book/suite/suite.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/rng.h"
#include "book/scoring/limit_rule.h"
#include "book/uci/wdl.h"
#include "chess/fen.h"
#include "search/score.h"

void suite_free(struct suite *suite)
{
    free(suite->openings);
    free(suite->roots);
    free(suite->moves);
    free(suite->table.slots);
    *suite = (struct suite){.count = 0};
}

/* Programs for matches write the square of a capture en passant only where it is legal: so that
 * their positions are found again. */
static void drop_idle_en_passant(struct position *pos)
{
    if (pos->ep == NO_SQUARE || movegen_takes_en_passant(pos, pos->ep))
        return;
    pos->ep = NO_SQUARE;
    pos->key = position_compute_key(pos);
}

/* Most lines have the root of the line before, or the first one. */
static enum caxton_status find_root(struct suite *suite, const struct position *root, uint32_t *out)
{
    size_t count = suite->root_count;
    const size_t usual[] = {count - 1, 0};
    for (int i = 0; i < 2 && count > 0; i++) {
        const struct position *at = &suite->roots[usual[i]];
        *out = (uint32_t)usual[i];
        if (at->key == root->key && at->rule50 == root->rule50 && at->fullmove == root->fullmove)
            return STATUS_OK;
    }
    if (!ARRAY_GROW(suite->roots, suite->root_capacity, count + 1))
        return STATUS_NO_MEMORY;
    suite->roots[suite->root_count++] = *root;
    *out = (uint32_t)count;
    return STATUS_OK;
}

enum caxton_status suite_add(struct suite *suite, const struct position *root, const move *moves,
                             size_t plies, uint32_t *out)
{
    struct suite_opening opening = {
        .first = suite->move_count, .plies = (uint32_t)plies, .added = 1};
    struct position pos = *root;
    for (size_t i = 0; i < plies; i++)
        position_play(&pos, moves[i]);
    drop_idle_en_passant(&pos);
    opening.key = pos.key;
    suite->table.item_size = sizeof opening;
    if (suite->count >= UINT32_MAX - 1 ||
        key_table_reserve(&suite->table, suite->count + 1, suite->openings, 0, suite->count) !=
            STATUS_OK)
        return STATUS_NO_MEMORY;
    uint32_t *slot = key_table_slot(&suite->table, suite->openings, opening.key);
    suite->lines++;
    if (out)
        *out = *slot ? *slot - 1 : (uint32_t)suite->count;
    if (*slot) {
        suite->openings[*slot - 1].added++;
        return STATUS_OK;
    }
    if (find_root(suite, root, &opening.root) != STATUS_OK ||
        !ARRAY_GROW(suite->openings, suite->capacity, suite->count + 1) ||
        !ARRAY_GROW(suite->moves, suite->move_capacity, suite->move_count + plies + 1))
        return STATUS_NO_MEMORY;
    for (size_t i = 0; i < plies; i++)
        suite->moves[suite->move_count++] = moves[i];
    suite->openings[suite->count++] = opening;
    suite->found = suite->count;
    *slot = (uint32_t)suite->count;
    return STATUS_OK;
}

/* Adds what is behind the moves from an opening of the walk; line: its moves, with room for one. */
static enum caxton_status expand(struct suite *walk, const struct book_graph *graph,
                                 const struct position *root, move *line, size_t plies,
                                 uint32_t weight_min, bool one_sided)
{
    enum caxton_status status = STATUS_OK;
    struct position pos = *root;
    for (size_t i = 0; i < plies; i++)
        position_play(&pos, line[i]);
    uint32_t at = book_graph_find(graph, pos.key);
    if (at != BOOK_GRAPH_NONE && graph->nodes[at].known) {
        const struct book_edge *edges = &graph->edges[graph->nodes[at].first];
        for (uint32_t i = 0; i < graph->nodes[at].count && status == STATUS_OK; i++) {
            line[plies] = edges[i].move;
            if (edges[i].weight >= weight_min)
                status = suite_add(walk, root, line, plies + 1, NULL);
        }
        return status;
    }
    move moves[MOVES_MAX];
    int count = one_sided ? movegen_legal(&pos, moves) : 0;
    for (int i = 0; i < count && status == STATUS_OK; i++) {
        uint32_t to = book_graph_find(graph, position_after(&pos, moves[i]).key);
        line[plies] = moves[i];
        if (to != BOOK_GRAPH_NONE && graph->nodes[to].known)
            status = suite_add(walk, root, line, plies + 1, NULL);
    }
    return status;
}

enum caxton_status suite_add_book(struct suite *suite, const struct book_graph *graph,
                                  const int plies[2], uint32_t weight_min)
{
    struct suite walk = {.count = 0};
    bool one_sided = book_graph_is_one_sided(graph);
    enum caxton_status status = STATUS_OK;
    for (size_t i = 0; i < graph->start_count && status == STATUS_OK; i++)
        status = suite_add(&walk, &graph->roots[i], NULL, 0, NULL);
    for (size_t i = 0; i < walk.count && status == STATUS_OK; i++) {
        const struct suite_opening at = walk.openings[i];
        const struct position root = walk.roots[at.root];
        move line[SUITE_PLIES_MAX + 1];
        memcpy(line, walk.moves + at.first, at.plies * sizeof *line);
        if ((int)at.plies >= plies[0])
            status = suite_add(suite, &root, line, at.plies, NULL);
        suite->lines += (int)at.plies >= plies[0] ? at.added - 1 : 0;
        if (status == STATUS_OK && (int)at.plies < plies[1])
            status = expand(&walk, graph, &root, line, at.plies, weight_min, one_sided);
    }
    suite_free(&walk);
    return status;
}

enum caxton_status suite_add_chess960(struct suite *suite, bool is_double)
{
    enum { STARTS = 960 };
    enum caxton_status status = STATUS_OK;
    for (unsigned i = 0; i < STARTS * (is_double ? STARTS : 1) && status == STATUS_OK; i++) {
        struct position pos;
        fen_double_chess960(i % STARTS, is_double ? i / STARTS : i, &pos);
        status = suite_add(suite, &pos, NULL, 0, NULL);
    }
    return status;
}

enum caxton_status suite_position(const struct suite *suite, const struct suite_opening *opening,
                                  struct game *game, struct position *out)
{
    enum caxton_status status = STATUS_OK;
    *out = suite->roots[opening->root];
    if (game)
        game_reset(game, out);
    for (size_t i = 0; i < opening->plies && status == STATUS_OK; i++) {
        move m = suite->moves[opening->first + i];
        position_play(out, m);
        status = game ? game_play(game, m) : STATUS_OK;
    }
    drop_idle_en_passant(out);
    return status;
}

static int compare_openings(const void *a, const void *b)
{
    const struct suite_opening *x = a;
    const struct suite_opening *y = b;
    return (x->key > y->key) - (x->key < y->key);
}

/* rng_mix() is a bijection: other keys stay other keys. */
void suite_mix(struct suite *suite, uint64_t seed)
{
    uint64_t spread = rng_mix(seed + 1);
    for (size_t i = 0; i < suite->count; i++)
        suite->openings[i].key = rng_mix(suite->openings[i].key ^ spread);
    if (suite->count > 0)
        qsort(suite->openings, suite->count, sizeof *suite->openings, compare_openings);
}

/* Choosing ------------------------------------------------------------------------------------ */

static enum suite_fall falls_unsearched(const struct suite_rules *rules,
                                        const struct suite_opening *opening,
                                        const struct position *pos)
{
    int men = bb_count(position_occupied(pos));
    uint64_t queens = pos->types[QUEEN];
    if (opening->added < rules->games_min)
        return SUITE_RARE;
    if (movegen_count(pos) == 0 || position_insufficient_material(pos))
        return SUITE_ENDED;
    if (position_in_check(pos))
        return SUITE_CHECK;
    if (men < rules->men[0] || men > rules->men[1])
        return SUITE_MEN;
    if (rules->queens && (!(queens & pos->colors[WHITE]) || !(queens & pos->colors[BLACK])))
        return SUITE_QUEENS;
    bool castles = (pos->castling & CASTLING_WHITE) && (pos->castling & ~CASTLING_WHITE);
    return rules->castling && !castles ? SUITE_CASTLING : SUITE_FALLS;
}

/* A short search differs from a long one by less than this but in a few positions of a hundred. */
enum { SCAN_CP = 60, SCAN_PERMILLE = 120 };

/* Is the score, White's, inside the window or so far outside? */
static bool is_inside(const struct suite_rules *rules, const struct position *pos, int white_cp,
                      bool scan)
{
    int better = rules->side == SUITE_BLACK || (rules->side != SUITE_WHITE && white_cp < 0)
                     ? -white_cp
                     : white_cp;
    int value = better;
    int unit = 1;
    int margin = scan ? SCAN_CP : 0;
    if (score_is_decisive(white_cp))
        return false;
    if (rules->by_draws) {
        value = wdl_estimate(better, wdl_material(pos)).draw;
        unit = 10;
        margin = scan ? SCAN_PERMILLE : 0;
        if (better < (scan ? -SCAN_CP : 0))
            return false;
    }
    return value >= unit * rules->window[0] - margin && value <= unit * rules->window[1] + margin;
}

/* Openings that are searched at a time. */
struct batch {
    size_t count;
    size_t *at; /* indices of openings */
    struct scorer_question *questions;
    struct search_answer *answers;
};

enum { BATCH_LEAST = 64, BATCH_MOST = 4096, BATCH_FACTOR = 4 };

/* How many of the openings can be kept, as equal numbers where these are wanted. */
static size_t usable(const struct suite_rules *rules, const struct suite_choice *choice)
{
    const size_t *ahead = choice->ahead;
    size_t less = ahead[WHITE] < ahead[BLACK] ? ahead[WHITE] : ahead[BLACK];
    return rules->side == SUITE_EQUAL ? 2 * less : choice->kept;
}

/* Takes the next openings that pass without a search. */
static enum caxton_status batch_fill(const struct suite *suite, const struct suite_rules *rules,
                                     struct suite_choice *choice, size_t *next, struct batch *batch)
{
    size_t missing = rules->wanted - usable(rules, choice);
    size_t most = missing < BATCH_MOST / BATCH_FACTOR ? BATCH_FACTOR * missing : BATCH_MOST;
    most = most < BATCH_LEAST ? BATCH_LEAST : most;
    for (batch->count = 0; *next < suite->count && batch->count < most; ++*next) {
        struct position pos;
        enum caxton_status status = suite_position(suite, &suite->openings[*next], NULL, &pos);
        if (status != STATUS_OK)
            return status;
        enum suite_fall fall = falls_unsearched(rules, &suite->openings[*next], &pos);
        if (fall != SUITE_FALLS) {
            choice->falls[fall]++;
            continue;
        }
        position_forget_clocks(&pos);
        batch->at[batch->count] = *next;
        batch->questions[batch->count++] = scorer_question_of(&pos, rules->limit);
    }
    return STATUS_OK;
}

/* Searches the positions of the batch, and leaves those inside the window. */
static enum caxton_status batch_search(struct suite *suite, struct batch *batch,
                                       const struct suite_rules *rules, struct search_limit limit,
                                       struct scorer *scorer, struct suite_choice *choice,
                                       struct diag *diag)
{
    bool scan = limit.value != rules->limit.value;
    size_t kept = 0;
    size_t done = 0;
    for (size_t i = 0; i < batch->count; i++)
        batch->questions[i].limit = limit;
    enum caxton_status status =
        scorer_ask_all(scorer, batch->questions, batch->count, batch->answers, &done, diag);
    for (size_t i = 0; i < batch->count && status == STATUS_OK; i++) {
        const struct position *pos = &batch->questions[i].pos;
        int white_cp = pos->turn == WHITE ? batch->answers[i].score : -batch->answers[i].score;
        if (!is_inside(rules, pos, white_cp, scan)) {
            choice->falls[scan ? SUITE_SCAN : SUITE_SCORE]++;
            continue;
        }
        suite->openings[batch->at[i]].white_cp = white_cp;
        batch->at[kept] = batch->at[i];
        batch->questions[kept++] = batch->questions[i];
    }
    batch->count = kept;
    return status;
}

/* Openings that stay move to the front in their order; at: NULL for the first `count`. */
static void keep(struct suite *suite, struct suite_choice *choice, const size_t *at, size_t count,
                 size_t most, size_t most_of_side)
{
    for (size_t i = 0; i < count; i++) {
        const struct suite_opening opening = suite->openings[at ? at[i] : i];
        int side = opening.white_cp < 0 ? BLACK : WHITE;
        if (choice->kept < most && choice->ahead[side] < most_of_side) {
            choice->ahead[side]++;
            suite->openings[choice->kept++] = opening;
        } else {
            choice->falls[choice->kept < most ? SUITE_SIDE : SUITE_ENOUGH]++;
        }
    }
}

/* Leaves as many as are wanted, and as many for either side. */
static void cut(struct suite *suite, const struct suite_rules *rules, struct suite_choice *choice)
{
    size_t left = usable(rules, choice);
    size_t count = choice->kept;
    left = left < rules->wanted ? left : rules->wanted;
    choice->ahead[WHITE] = choice->ahead[BLACK] = choice->kept = 0;
    keep(suite, choice, NULL, count, left, rules->side == SUITE_EQUAL ? left / 2 : left);
    suite->count = choice->kept;
}

enum caxton_status suite_choose(struct suite *suite, const struct suite_rules *rules,
                                struct scorer *scorer, struct suite_choice *choice,
                                struct diag *diag)
{
    const struct search_limit scan = limit_shallow(rules->limit);
    size_t next = 0;
    struct batch batch = {.at = malloc(BATCH_MOST * sizeof *batch.at),
                          .questions = malloc(BATCH_MOST * sizeof *batch.questions),
                          .answers = malloc(BATCH_MOST * sizeof *batch.answers)};
    bool there = batch.at && batch.questions && batch.answers;
    enum caxton_status status = there ? STATUS_OK : STATUS_NO_MEMORY;
    while (status == STATUS_OK && next < suite->count && usable(rules, choice) < rules->wanted) {
        status = batch_fill(suite, rules, choice, &next, &batch);
        choice->looked_at += scorer ? batch.count : 0;
        if (status == STATUS_OK && scorer && scan.value < rules->limit.value)
            status = batch_search(suite, &batch, rules, scan, scorer, choice, diag);
        if (status == STATUS_OK && scorer)
            status = batch_search(suite, &batch, rules, rules->limit, scorer, choice, diag);
        if (status == STATUS_OK)
            keep(suite, choice, batch.at, batch.count, SIZE_MAX, SIZE_MAX);
    }
    choice->falls[SUITE_ENOUGH] += suite->count - next;
    if (status == STATUS_OK)
        cut(suite, rules, choice);
    free(batch.at);
    free(batch.questions);
    free(batch.answers);
    return status;
}
