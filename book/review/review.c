#include "book/review/review.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "book/format.h"
#include "book/graph/replies.h"
#include "book/scoring/limit_rule.h"
#include "book/vet/vet_map.h"
#include "eval/eval.h"
#include "search/score.h"

/* So many games of ours count beside those of the book, which may be few. */
enum { USUAL_GAMES = 10 };

const char *const review_kind_names[REVIEW_KINDS] = {[REVIEW_DEVIATION] = "deviation",
                                                     [REVIEW_GAP] = "gap",
                                                     [REVIEW_ENDED] = "book_ended",
                                                     [REVIEW_STAYED] = "in_book",
                                                     [REVIEW_OUTSIDE] = "outside"};

/* The repertoire ------------------------------------------------------------------------------ */

int review_moves(const struct review *review, const struct position *pos,
                 struct book_move out[MOVES_MAX])
{
    const struct book_graph *graph = &review->graphs[pos->turn];
    uint32_t node = graph->node_count ? book_graph_find(graph, pos->key) : BOOK_GRAPH_NONE;
    uint32_t count = node == BOOK_GRAPH_NONE ? 0 : graph->nodes[node].count;
    for (uint32_t i = 0; i < count; i++) {
        const struct book_edge *edge = &graph->edges[graph->nodes[node].first + i];
        out[i] = (struct book_move){.move = edge->move, .weight = edge->weight};
    }
    return (int)count;
}

static bool has_move(const struct book_move *moves, int count, move m)
{
    for (int i = 0; i < count; i++)
        if (moves[i].move == m)
            return true;
    return false;
}

static int by_key(const void *a, const void *b)
{
    const uint64_t *x = a;
    const uint64_t *y = b;
    return *x < *y ? -1 : *x > *y;
}

static bool is_behind_ours(const struct review *review, uint64_t key)
{
    size_t at;
    ARRAY_SEARCH(at, 0, review->our_count, review->ours[at] < key);
    return at < review->our_count && review->ours[at] == key;
}

/* Finds what is behind the moves of a side. */
static enum caxton_status add_ours(struct review *review, int side)
{
    const struct book_graph *graph = &review->graphs[side];
    if (!ARRAY_GROW(review->ours, review->our_capacity, review->our_count + graph->edge_count + 1))
        return STATUS_NO_MEMORY;
    for (uint32_t i = 0; i < graph->node_count; i++) {
        const struct book_node *node = &graph->nodes[i];
        struct position pos;
        if (node->count == 0 || book_graph_turn(graph, i) != side)
            continue;
        review->sides[side] = true;
        if (node->ply > review->deepest)
            review->deepest = node->ply;
        book_graph_position(graph, i, &pos, NULL);
        for (uint32_t e = node->first; e < node->first + node->count; e++)
            review->ours[review->our_count++] = position_after(&pos, graph->edges[e].move).key;
    }
    return STATUS_OK;
}

enum caxton_status review_create(const struct book *const books[2], struct review *out,
                                 struct diag *diag)
{
    *out = (struct review){.books = {books[WHITE], books[BLACK]}};
    for (int side = WHITE; side <= BLACK; side++) {
        enum caxton_status status =
            replies_graph(books[side], books[side], side, &out->graphs[side], diag);
        if (status != STATUS_OK)
            return status;
        if (add_ours(out, side) != STATUS_OK)
            return diag_fail(STATUS_NO_MEMORY, diag, "%s: out of memory", book_name(books[side]));
    }
    qsort(out->ours, out->our_count, sizeof *out->ours, by_key);
    return STATUS_OK;
}

void review_free(struct review *review)
{
    for (size_t i = 0; i < review->spot_count; i++) {
        free(review->spots[i].line);
        free(review->spots[i].played);
    }
    free(review->spots);
    free(review->spot_table.slots);
    free(review->ours);
    for (int side = WHITE; side <= BLACK; side++)
        book_graph_destroy(&review->graphs[side]);
    *review = (struct review){.added = 0};
}

/* Games --------------------------------------------------------------------------------------- */

/* Where a game was last in the repertoire. */
struct departure {
    bool found;
    size_t ply;
    struct position before; /* of the ply before; where ply > 0 */
    struct position pos;
    struct position after; /* the next move; where the game has one */
    struct book_move moves[MOVES_MAX];
    int count; /* of the book's, where we are to move */
    bool returned;
};

/* Where the opponent is to move. */
static bool answers_any(const struct review *review, const struct position *pos)
{
    move moves[MOVES_MAX];
    return replies_answered(review->books[!pos->turn], pos, moves) > 0;
}

static void find_departure(const struct review *review, const struct pgn_game *game, int color,
                           struct departure *out)
{
    struct book_move moves[MOVES_MAX];
    struct position before = game->start;
    struct position pos = game->start;
    bool left = false;
    bool by_book = false; /* the last move was ours and the book's */
    out->found = out->returned = false;
    for (size_t ply = 0;; ply++) {
        int count = pos.turn == color ? review_moves(review, &pos, moves) : 0;
        bool is_in = pos.turn == color ? count > 0
                                       : by_book || is_behind_ours(review, pos.key) ||
                                             (ply == 0 && answers_any(review, &pos));
        if (is_in) {
            out->found = true;
            out->returned |= left;
            out->ply = ply;
            out->before = before;
            out->pos = pos;
            out->count = count;
            memcpy(out->moves, moves, (size_t)count * sizeof *moves);
        } else {
            left = out->found;
        }
        if (ply == game->ply_count)
            return;
        by_book = has_move(moves, count, game->moves[ply]);
        before = pos;
        position_play(&pos, game->moves[ply]);
        if (is_in)
            out->after = pos;
    }
}

static enum review_kind kind_of(const struct review *review, const struct pgn_game *game, int color,
                                const struct departure *left)
{
    struct book_move moves[MOVES_MAX];
    if (!left->found)
        return REVIEW_OUTSIDE;
    if (left->ply == game->ply_count)
        return REVIEW_STAYED;
    if (left->pos.turn == color)
        return REVIEW_DEVIATION;
    if (movegen_count(&left->after) == 0)
        return REVIEW_STAYED; /* the game is over */
    int count = review_moves(review, &left->pos, moves);
    bool is_known = has_move(moves, count, game->moves[left->ply]);
    return !is_known && answers_any(review, &left->pos) ? REVIEW_GAP : REVIEW_ENDED;
}

/* What the book's moves scored there, or this one of them: all games and half points. */
static enum caxton_status ask_score(const struct review *review, const struct position *pos,
                                    const struct departure *left, move only, double *games,
                                    double *points, struct diag *diag)
{
    const struct book *book = review->books[pos->turn];
    struct book_facts facts;
    if (!book->counts && !book->format->facts)
        return STATUS_OK;
    enum caxton_status status = book_look_up(book, pos, &facts, diag);
    for (int i = 0; status == STATUS_OK && i < facts.count; i++) {
        const struct book_move_facts *m = &facts.moves[i];
        if (only != MOVE_NONE ? m->move != only : !has_move(left->moves, left->count, m->move))
            continue;
        *games += (double)book_move_games(m) / (double)facts.unit;
        *points += (double)book_move_points(m) / (double)facts.unit;
    }
    return status;
}

/* The spot of a position, added where it is new. NULL: no memory. */
static struct review_spot *spot_of(struct review *review, const struct pgn_game *game, int color,
                                   enum review_kind kind, const struct position *pos, size_t plies)
{
    uint64_t key = pos->key + (uint64_t)kind * UINT64_C(0x9E3779B97F4A7C15);
    review->spot_table.item_size = sizeof *review->spots;
    if (!ARRAY_GROW(review->spots, review->spot_capacity, review->spot_count + 1) ||
        key_table_reserve(&review->spot_table, review->spot_count + 1, review->spots, 0,
                          review->spot_count) != STATUS_OK)
        return NULL;
    uint32_t *slot = key_table_slot(&review->spot_table, review->spots, key);
    if (*slot)
        return &review->spots[*slot - 1];
    move *line = malloc((plies + 1) * sizeof *line);
    if (!line)
        return NULL;
    memcpy(line, game->moves, plies * sizeof *line);
    review->spots[review->spot_count++] = (struct review_spot){.key = key,
                                                               .kind = kind,
                                                               .color = color,
                                                               .start = game->start,
                                                               .pos = *pos,
                                                               .line = line,
                                                               .plies = plies};
    *slot = (uint32_t)review->spot_count;
    return &review->spots[review->spot_count - 1];
}

static enum caxton_status add_played(struct review_spot *spot, move m, uint64_t points)
{
    size_t at = 0;
    while (at < spot->played_count && spot->played[at].move != m)
        at++;
    if (!ARRAY_GROW(spot->played, spot->played_capacity, at + 1))
        return STATUS_NO_MEMORY;
    if (at == spot->played_count)
        spot->played[spot->played_count++] = (struct review_played){.move = m};
    spot->played[at].games++;
    spot->played[at].points += points;
    for (; at > 0 && spot->played[at - 1].games < spot->played[at].games; at--) {
        const struct review_played swapped = spot->played[at];
        spot->played[at] = spot->played[at - 1];
        spot->played[at - 1] = swapped;
    }
    return STATUS_OK;
}

/* Half points of `color`. */
static uint64_t points_of(const struct pgn_game *game, int color)
{
    if (game->result != PGN_WHITE_WINS && game->result != PGN_BLACK_WINS)
        return 1;
    return (game->result == PGN_WHITE_WINS) == (color == WHITE) ? 2 : 0;
}

static enum caxton_status add_to_spot(struct review *review, const struct pgn_game *game, int color,
                                      enum review_kind kind, const struct departure *left,
                                      struct diag *diag)
{
    bool is_gap = kind == REVIEW_GAP;
    size_t plies = left->ply + is_gap;
    double games = 0; /* of the book, */
    double points = 0;
    enum caxton_status status = STATUS_OK;
    if (kind == REVIEW_DEVIATION)
        status = ask_score(review, &left->pos, left, MOVE_NONE, &games, &points, diag);
    else if (left->ply > 0)
        status = ask_score(review, &left->before, left, game->moves[left->ply - 1], &games, &points,
                           diag);
    if (status != STATUS_OK)
        return status;
    struct review_spot *spot =
        spot_of(review, game, color, kind, is_gap ? &left->after : &left->pos, plies);
    if (!spot)
        return diag_fail(STATUS_NO_MEMORY, diag, "out of memory");
    if (spot->games < REVIEW_SAMPLES)
        spot->samples[spot->games] = review->added;
    if (kind == REVIEW_DEVIATION)
        spot->best = left->moves[0].move;
    spot->games++;
    spot->points += points_of(game, color);
    spot->expected += points / (games + USUAL_GAMES);
    spot->usual += USUAL_GAMES / (games + USUAL_GAMES);
    if (plies < game->ply_count)
        status = add_played(spot, game->moves[plies], points_of(game, color));
    return status == STATUS_OK ? status : diag_fail(status, diag, "out of memory");
}

enum caxton_status review_add(struct review *review, const struct pgn_game *game, int color,
                              struct review_outcome *out, struct diag *diag)
{
    struct departure left;
    struct review_counts *counts = &review->counts[color];
    enum caxton_status status = STATUS_OK;
    find_departure(review, game, color, &left);
    enum review_kind kind = kind_of(review, game, color, &left);
    if (kind < REVIEW_STAYED)
        status = add_to_spot(review, game, color, kind, &left, diag);
    if (status != STATUS_OK)
        return status;
    *out = (struct review_outcome){kind, left.found ? left.ply : 0, left.returned};
    counts->games[kind]++;
    counts->plies += out->plies;
    counts->returned += left.returned;
    counts->all++;
    counts->points += points_of(game, color);
    review->added++;
    return STATUS_OK;
}

/* What it cost -------------------------------------------------------------------------------- */

static int shown_cp(int score)
{
    int cp = score_is_mate(score) ? score : eval_centipawns(score);
    return cp > VET_CP_MAX ? VET_CP_MAX : cp < -VET_CP_MAX ? -VET_CP_MAX : cp;
}

/* Where we are to move. */
static enum caxton_status search_spot(struct review_spot *spot, struct scorer *scorer,
                                      struct search_limit limit, struct diag *diag)
{
    struct child_position *children = calloc(spot->played_count + 1, sizeof *children);
    struct search_answer answer;
    size_t searches = 0;
    uint64_t nodes = 0;
    enum caxton_status status = children ? STATUS_OK : STATUS_NO_MEMORY;
    if (status == STATUS_OK && spot->best == MOVE_NONE) {
        const struct scorer_question question = scorer_question_of(&spot->pos, limit);
        status = scorer_ask(scorer, &question, &answer, diag);
        spot->best = status == STATUS_OK ? answer.best : MOVE_NONE;
    }
    if (status == STATUS_OK) {
        children[0] = child_behind(&spot->pos, spot->best);
        for (size_t i = 0; i < spot->played_count; i++)
            children[i + 1] = child_behind(&spot->pos, spot->played[i].move);
        status = children_score(scorer, limit_behind(limit), children, (int)spot->played_count + 1,
                                &searches, &nodes, diag);
    }
    if (status == STATUS_OK) {
        spot->searched = true;
        spot->best_cp = shown_cp(children[0].score);
        for (size_t i = 0; i < spot->played_count; i++) {
            spot->played[i].score_cp = shown_cp(children[i + 1].score);
            spot->lost_cp +=
                (int64_t)spot->played[i].games * vet_loss(spot->best_cp, spot->played[i].score_cp);
        }
    }
    free(children);
    return status;
}

enum caxton_status review_search(struct review *review, struct scorer *scorer,
                                 struct search_limit limit, size_t *done, struct diag *diag)
{
    enum caxton_status status = STATUS_OK;
    for (*done = 0; *done < review->spot_count && status == STATUS_OK; ++*done)
        if (review->spots[*done].kind != REVIEW_ENDED)
            status = search_spot(&review->spots[*done], scorer, limit, diag);
    return status;
}

static double cost_of(const struct review_spot *spot)
{
    return spot->expected - (double)spot->points;
}

static int compare(const void *a, const void *b)
{
    const struct review_spot *x = a;
    const struct review_spot *y = b;
    if (x->searched != y->searched)
        return x->searched ? -1 : 1;
    if (x->lost_cp != y->lost_cp)
        return x->lost_cp > y->lost_cp ? -1 : 1;
    if (cost_of(x) != cost_of(y))
        return cost_of(x) > cost_of(y) ? -1 : 1;
    if (x->games != y->games)
        return x->games > y->games ? -1 : 1;
    return x->key < y->key ? -1 : x->key > y->key;
}

void review_rank(struct review *review)
{
    for (size_t i = 0; i < review->spot_count; i++) {
        struct review_spot *spot = &review->spots[i];
        struct review_counts *counts = &review->counts[spot->color];
        spot->expected += spot->usual * (double)counts->points / (double)counts->all;
        spot->usual = 0;
        counts->lost[spot->kind] += cost_of(spot);
    }
    if (review->spot_count > 0)
        qsort(review->spots, review->spot_count, sizeof *review->spots, compare);
}
