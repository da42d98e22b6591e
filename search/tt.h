/* The transposition table: shared by all threads without locks.
 *
 * Each entry is two relaxed 64-bit atomics, the second the data, the first the key XOR the data: a
 * torn pair does not match any key. Source: Hyatt and Mann, "A lock-less transposition table
 * implementation for parallel search", ICGA Journal 25(1), 2002. */
#pragma once

#include <stdatomic.h>
#include <stdint.h>

#include "base/status.h"
#include "chess/types.h"
#include "search/score.h"

/* Depths below those of node_search(). */
enum {
    TT_DEPTH_QUIESCENCE = 0,
    TT_DEPTH_EVAL = -1, /* nothing was searched */
};

struct tt_entry {
    move move; /* any 16 bits: check legality before playing it */
    int score; /* as the search sees it: mates and endgame table wins count from the root */
    int eval;  /* static evaluation; SCORE_NONE when unknown */
    int depth; /* plies, or TT_DEPTH_* */
    enum score_bound bound;
    bool pv; /* was once in a principal variation */
};

struct tt_cell {
    _Atomic uint64_t check; /* atomic, relaxed */
    _Atomic uint64_t data;  /* atomic, relaxed */
};

enum { TT_CELLS = 4 };

struct tt_cluster {
    struct tt_cell cells[TT_CELLS];
};

_Static_assert(sizeof(struct tt_cluster) == 64, "a cluster fills one cache line");

struct tt {
    struct tt_cluster *clusters;
    uint64_t cluster_count;
    unsigned age;  /* 0..31, advances with each search; written between searches only */
    uint64_t salt; /* entries are seen only with the salt of their store: scores of searches that
                      mean something else by them stay apart; written between searches only */
};

/* A table of `megabytes` (at least 1), empty. On failure `tt` is untouched; what it held is freed
 * otherwise. Errors: STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status tt_resize(struct tt *tt, int megabytes);
void tt_free(struct tt *tt);
/* Clears one of `parts` equal parts, of all of which each may have a thread. is_new: nothing was
 * written since tt_resize(), so the memory is zero, and a write to each page fetches it. */
void tt_clear_part(struct tt *tt, int part, int parts, bool is_new);
void tt_next_search(struct tt *tt);

/* The entry of `key`, false when there is none. ply: from the root. rule50: the position's 50-move
 * counter, which the key does not know: a mate (or an endgame table's win) that may come after the
 * draw is given without bound and depth, so that its score says nothing. */
bool tt_probe(const struct tt *tt, uint64_t key, int ply, int rule50, struct tt_entry *out);
void tt_store(struct tt *tt, uint64_t key, int ply, const struct tt_entry *entry);

/* Keeps the static evaluation of a position that the TT does not know: many nodes are pruned
 * before any move is searched, and are reached again. The score is a lower bound that always holds.
 * Idea: Stockfish. */
void tt_store_eval(struct tt *tt, uint64_t key, int eval, bool pv);

/* Does the entry's score, whatever its depth, decide a search in the window (alpha, beta)? */
static inline bool tt_cuts(const struct tt_entry *entry, int alpha, int beta)
{
    return entry->bound == SCORE_EXACT || (entry->bound == SCORE_LOWER && entry->score >= beta) ||
           (entry->bound == SCORE_UPPER && entry->score <= alpha);
}

/* Is the entry's score a better estimate than `eval`, the static evaluation? So it is when exact,
 * or when it bounds the true score on the side where `eval` lies. Idea: Stockfish, "ttValue can be
 * used as a better position evaluation". */
static inline bool tt_improves(const struct tt_entry *entry, int eval)
{
    return !score_is_decisive(entry->score) && tt_cuts(entry, eval - 1, eval + 1);
}

/* Permille of a sample of cells written in the current search. */
int tt_hashfull(const struct tt *tt);

static inline struct tt_cluster *tt_cluster_of(const struct tt *tt, uint64_t key)
{
    /* The high bits of key * count: any table size, no division. */
    __extension__ typedef unsigned __int128 wide;
    return &tt->clusters[(uint64_t)(((wide)key * tt->cluster_count) >> 64)];
}

static inline void tt_prefetch(const struct tt *tt, uint64_t key)
{
    __builtin_prefetch(tt_cluster_of(tt, key ^ tt->salt));
}
