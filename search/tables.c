#include "search/tables.h"

#include "search/tablebase.h"

/* A win that needs more than 100 plies is a draw by the 50-move rule. */
enum { RULE50_PLIES = 100, TABLE_RANK_IN_TIME = TABLE_RANK_WIN - RULE50_PLIES };

int tables_rank(int distance, int rule50, bool is_repeated)
{
    rule50 = rule50 < RULE50_PLIES ? rule50 : RULE50_PLIES; /* a FEN may say more */
    /* Distances may be one too small: a win in time has a ply left. */
    if (distance > 0)
        return distance + rule50 < RULE50_PLIES && !is_repeated
                   ? TABLE_RANK_WIN
                   : TABLE_RANK_WIN - (distance + rule50);
    /* Lost anyway: equal, until a draw by the 50-move rule is in sight. */
    if (distance < 0)
        return -2 * distance + rule50 < RULE50_PLIES ? -TABLE_RANK_WIN
                                                     : -TABLE_RANK_WIN - distance + rule50;
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
    struct table_move moves[MOVES_MAX];
    const struct position *root = &shared->request.root;
    int count = tablebase_probe_moves(shared->tables, root, moves);
    bool repeated = is_repeated(&shared->request);
    for (int i = 0; i < count; i++)
        shared->table_ranks[i] = (struct table_rank){
            moves[i].move, tables_rank(moves[i].distance, root->rule50, repeated)};
    shared->table_rank_count = count;
    return count > 0;
}

/* Without tables of distances: by who wins. */
static bool rank_by_result(struct shared *shared)
{
    static const int ranks[] = {[TABLE_LOSS + 2] = TABLE_RANK_WIN,
                                [TABLE_BLESSED_LOSS + 2] = TABLE_RANK_IN_TIME - 1,
                                [TABLE_DRAW + 2] = 0,
                                [TABLE_CURSED_WIN + 2] = 1 - TABLE_RANK_IN_TIME,
                                [TABLE_WIN + 2] = -TABLE_RANK_WIN};
    move moves[MOVES_MAX];
    int count = movegen_legal(&shared->request.root, moves);
    for (int i = 0; i < count; i++) {
        struct position after = position_after(&shared->request.root, moves[i]);
        enum table_result result;
        if (!tablebase_probe(shared->tables, &after, &result))
            return false;
        shared->table_ranks[i] = (struct table_rank){moves[i], ranks[result + 2]};
    }
    shared->table_rank_count = count;
    return count > 0;
}

void tables_prepare(struct shared *shared)
{
    const struct search_request *request = &shared->request;
    shared->table_men = shared->table_rank_count = 0;
    if (!shared->tables || request->mate > 0)
        return; /* a search for a mate looks for the mate itself */
    int men_max = tablebase_size(shared->tables).men_max;
    shared->table_men = men_max < request->table_men ? men_max : request->table_men;
    if (request->root.castling || bb_count(position_occupied(&request->root)) > shared->table_men)
        return;
    bool by_distance = rank_by_distance(shared);
    if (!by_distance && !rank_by_result(shared))
        return;
    int best = -TABLE_RANK_WIN;
    for (int i = 0; i < shared->table_rank_count; i++)
        if (shared->table_ranks[i].rank > best)
            best = shared->table_ranks[i].rank;
    /* The result is certain: below the root the search looks for mates, or for traps. Only a win
     * without distances needs the tables, to see captures that keep it. */
    if (by_distance || best <= 0)
        shared->table_men = 0;
}

/* The score of a move of this rank. */
static int rank_score(int rank, bool rule50, int draw)
{
    int least = rule50 ? TABLE_RANK_IN_TIME : 1;
    return rank >= least ? SCORE_TABLE_WIN : rank <= -least ? -SCORE_TABLE_WIN : draw;
}

void tables_rank_moves(struct worker *worker)
{
    const struct shared *shared = worker->shared;
    for (int i = 0; i < shared->table_rank_count; i++) {
        const struct table_rank *ranked = &shared->table_ranks[i];
        struct root_move *root =
            root_move_find(worker->root_moves, 0, worker->root_count, ranked->move);
        if (!root) /* searchmoves leaves it out */
            continue;
        root->in_tables = true;
        root->table_rank = ranked->rank;
        root->table_score =
            rank_score(ranked->rank, shared->request.table_rule50, worker_draw_score(worker));
    }
    root_moves_sort(worker->root_moves, 0, worker->root_count);
}

bool tables_probe(struct worker *worker, int depth, int *score, enum score_bound *bound)
{
    const struct shared *shared = worker->shared;
    const struct position *pos = &worker->pos;
    int men = bb_count(position_occupied(pos));
    enum table_result result;
    /* Tables take the 50-move counter as 0. */
    if (men > shared->table_men || pos->rule50 || pos->castling ||
        (men == shared->table_men && depth < shared->request.table_depth) ||
        !tablebase_probe(shared->tables, pos, &result))
        return false;
    atomic_store_explicit(&worker->table_hits, worker_table_hits(worker) + 1, memory_order_relaxed);
    int least = shared->request.table_rule50 ? TABLE_WIN : TABLE_CURSED_WIN;
    *bound = (int)result >= least ? SCORE_LOWER : (int)result <= -least ? SCORE_UPPER : SCORE_EXACT;
    *score = *bound == SCORE_LOWER   ? SCORE_TABLE_WIN - worker->ply
             : *bound == SCORE_UPPER ? worker->ply - SCORE_TABLE_WIN
                                     /* rather a cursed win than another draw */
                                     : worker_draw_score(worker) + (int)result;
    return true;
}
