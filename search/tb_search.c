#include "search/tb_search.h"

#include "search/tb.h"

/* A win that needs more than 100 plies is a draw by the 50-move rule. */
enum { RULE50_PLIES = 100, TB_RANK_IN_TIME = TB_RANK_WIN - RULE50_PLIES };

int tb_rank(int distance, int rule50, bool is_repeated)
{
    rule50 = rule50 < RULE50_PLIES ? rule50 : RULE50_PLIES; /* a FEN may say more */
    /* Distances may be one too small: a win in time has a ply left. */
    if (distance > 0)
        return distance + rule50 < RULE50_PLIES && !is_repeated ? TB_RANK_WIN
                                                                : TB_RANK_WIN - (distance + rule50);
    /* Lost anyway: equal, until a draw by the 50-move rule is in sight. */
    if (distance < 0)
        return -2 * distance + rule50 < RULE50_PLIES ? -TB_RANK_WIN
                                                     : -TB_RANK_WIN - distance + rule50;
    return 0;
}

/* Did a position occur twice since the last capture or pawn move? */
static bool is_repeated(const struct search_request *request)
{
    int window =
        request->root.rule50 < request->key_count ? request->root.rule50 : request->key_count;
    const uint64_t *keys = request->keys + request->key_count - window;
    for (int i = 0; i < window; i++) {
        if (keys[i] == request->root.key)
            return true;
        for (int j = 0; j < i; j++)
            if (keys[i] == keys[j])
                return true;
    }
    return false;
}

static bool rank_by_distance(struct shared *shared)
{
    struct tb_move moves[MOVES_MAX];
    const struct position *root = &shared->request.root;
    int count = tb_find_moves(shared->tb, root, moves);
    bool repeated = is_repeated(&shared->request);
    for (int i = 0; i < count; i++)
        shared->tb_ranks[i] =
            (struct tb_rank){moves[i].move, tb_rank(moves[i].distance, root->rule50, repeated)};
    shared->tb_rank_count = count;
    return count > 0;
}

/* Without tables of distances: by who wins. */
static bool rank_by_result(struct shared *shared)
{
    static const int ranks[] = {[TB_WDL_LOSS + 2] = TB_RANK_WIN,
                                [TB_WDL_BLESSED_LOSS + 2] = TB_RANK_IN_TIME - 1,
                                [TB_WDL_DRAW + 2] = 0,
                                [TB_WDL_CURSED_WIN + 2] = 1 - TB_RANK_IN_TIME,
                                [TB_WDL_WIN + 2] = -TB_RANK_WIN};
    move moves[MOVES_MAX];
    int count = movegen_legal(&shared->request.root, moves);
    for (int i = 0; i < count; i++) {
        struct position after = position_after(&shared->request.root, moves[i]);
        enum tb_wdl result;
        if (!tb_find_wdl(shared->tb, &after, &result))
            return false;
        shared->tb_ranks[i] = (struct tb_rank){moves[i], ranks[result + 2]};
    }
    shared->tb_rank_count = count;
    return count > 0;
}

void tb_prepare(struct shared *shared)
{
    const struct search_request *request = &shared->request;
    shared->tb_pieces = shared->tb_rank_count = 0;
    if (!shared->tb || request->mate > 0)
        return; /* a search for a mate looks for the mate itself */
    int pieces_max = tb_size(shared->tb).pieces_max;
    shared->tb_pieces = pieces_max < request->tb_pieces ? pieces_max : request->tb_pieces;
    if (request->root.castling || bb_count(position_occupied(&request->root)) > shared->tb_pieces)
        return;
    bool by_distance = rank_by_distance(shared);
    if (!by_distance && !rank_by_result(shared))
        return;
    int best = -TB_RANK_WIN;
    for (int i = 0; i < shared->tb_rank_count; i++)
        if (shared->tb_ranks[i].rank > best)
            best = shared->tb_ranks[i].rank;
    /* The result is certain: below the root the search looks for mates, or for traps. Only a win
     * without distances needs the tables, to see captures that keep it. */
    if (by_distance || best <= 0)
        shared->tb_pieces = 0;
}

/* The score of a move of this rank. */
static int rank_score(int rank, bool rule50, int draw)
{
    int least = rule50 ? TB_RANK_IN_TIME : 1;
    return rank >= least ? SCORE_TB_WIN : rank <= -least ? -SCORE_TB_WIN : draw;
}

void tb_rank_root_moves(struct worker *worker)
{
    const struct shared *shared = worker->shared;
    for (int i = 0; i < shared->tb_rank_count; i++) {
        const struct tb_rank *ranked = &shared->tb_ranks[i];
        struct root_move *root =
            root_move_find(worker->root_moves, 0, worker->root_count, ranked->move);
        if (!root) /* searchmoves leaves it out */
            continue;
        root->in_tb = true;
        root->tb_rank = ranked->rank;
        root->tb_score =
            rank_score(ranked->rank, shared->request.tb_rule50, worker_draw_score(worker));
    }
    root_moves_sort(worker->root_moves, 0, worker->root_count);
}

bool tb_probe_node(struct worker *worker, int depth, int *score, enum score_bound *bound)
{
    const struct shared *shared = worker->shared;
    const struct position *pos = &worker->pos;
    int pieces = bb_count(position_occupied(pos));
    enum tb_wdl result;
    /* Tables take the 50-move counter as 0. */
    if (pieces > shared->tb_pieces || pos->rule50 || pos->castling ||
        (pieces == shared->tb_pieces && depth < shared->request.tb_depth) ||
        !tb_find_wdl(shared->tb, pos, &result))
        return false;
    atomic_store_explicit(&worker->tb_hits, worker_tb_hits(worker) + 1, memory_order_relaxed);
    int least = shared->request.tb_rule50 ? TB_WDL_WIN : TB_WDL_CURSED_WIN;
    *bound = (int)result >= least ? SCORE_LOWER : (int)result <= -least ? SCORE_UPPER : SCORE_EXACT;
    *score = *bound == SCORE_LOWER   ? SCORE_TB_WIN - worker->ply
             : *bound == SCORE_UPPER ? worker->ply - SCORE_TB_WIN
                                     /* rather a cursed win than another draw */
                                     : worker_draw_score(worker) + (int)result;
    return true;
}
