#include "book/graph/blunder_check.h"

#include "base/clock.h"
#include "search/search.h"
#include "search/see.h"

enum {
    DEPTH_MAX = 8,
    CHECKS_MAX = 2,    /* plies at which evasions are all tried */
    NODES_MAX = 20000, /* for one move */
    SCORE_LOST = 30000,
    SEARCH_NODES = 5000,
};

struct quiet {
    struct position pos;
    int nodes;
};

/* Men on the board, from the mover's side. */
static int material(const struct position *pos)
{
    int sum = 0;
    for (int type = PAWN; type < KING; type++)
        sum += see_values[type] * (bb_count(position_pieces(pos, pos->turn, type)) -
                                   bb_count(position_pieces(pos, !pos->turn, type)));
    return sum;
}

/* What captures make of the position for the side to move, which need not capture but when in
 * check. Exchanges that lose by themselves are not begun. */
static int settle(struct quiet *quiet, int alpha, int beta, int depth)
{
    struct position *pos = &quiet->pos;
    bool in_check = position_in_check(pos);
    int best = material(pos);
    if (++quiet->nodes > NODES_MAX || depth >= DEPTH_MAX || (in_check && depth >= CHECKS_MAX + 2))
        return best;
    move moves[MOVES_MAX];
    int count = in_check ? movegen_legal(pos, moves) : movegen_noisy(pos, moves);
    if (in_check)
        best = -SCORE_LOST + depth;
    for (int i = 0; i < count; i++) {
        struct undo undo;
        if (best >= beta)
            break;
        if (best > alpha)
            alpha = best;
        if (!in_check && !see_at_least(pos, moves[i], 0))
            continue;
        position_make(pos, moves[i], &undo);
        int score = -settle(quiet, -beta, -alpha, depth + 1);
        position_unmake(pos, moves[i], &undo);
        if (score > best)
            best = score;
    }
    return best;
}

/* What the legal move `m` loses against the material before it, by captures alone. */
static int loss_of(const struct position *pos, move m)
{
    struct quiet quiet = {.pos = position_behind(pos, m)};
    return material(pos) + settle(&quiet, -SCORE_LOST, SCORE_LOST, 0);
}

/* The search's opinion of the move, from the view of who makes it. */
static int score_of(struct search *search, const struct blunder *found)
{
    struct search_request request;
    struct search_result result;
    const struct search_reporter silent = {0};
    search_request_init(&request);
    request.root = position_behind(&found->pos, found->move);
    request.nodes = SEARCH_NODES;
    search_clear(search);
    search_arm(search, false, clock_ms());
    search_run(search, &request, &silent, &result);
    return -result.score;
}

static bool is_blunder(struct blunder *found, int threshold_cp, struct search *search)
{
    found->loss_cp = loss_of(&found->pos, found->move);
    if (found->loss_cp < threshold_cp)
        return false;
    found->score_cp = search ? score_of(search, found) : 0;
    return !search || found->score_cp <= -threshold_cp;
}

size_t blunder_check(const struct book_graph *graph, int threshold_cp, struct search *search,
                     void (*sink)(void *context, const struct blunder *found), void *context)
{
    size_t count = 0;
    for (uint32_t i = 0; i < graph->node_count; i++) {
        const struct book_node *node = &graph->nodes[i];
        struct blunder found = {.node = i};
        if (node->count == 0)
            continue;
        book_graph_position(graph, i, &found.pos, NULL);
        for (uint32_t e = node->first; e < node->first + node->count; e++) {
            found.move = graph->edges[e].move;
            if (graph->edges[e].weight == 0 || !is_blunder(&found, threshold_cp, search))
                continue;
            count++;
            sink(context, &found);
        }
    }
    return count;
}
