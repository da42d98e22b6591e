#include "search/tt.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "search/params.h"

/* data: move 0..15, score 16..31, eval 32..47, depth 48..55, bound 56..57, pv 58, age 59..63. The
 * depth is stored from TT_DEPTH_EVAL on, the bound plus 1, modulo 4, so that an empty cell has
 * none.
 */
enum { DEPTH_SHIFT = 48, AGE_SHIFT = 59 };

static uint64_t pack(const struct tt_entry *entry, int score, unsigned age)
{
    assert(entry->depth >= TT_DEPTH_EVAL);
    assert(score >= -SCORE_INFINITE && score <= SCORE_INFINITE);
    assert(entry->eval > -SCORE_INFINITE && entry->eval <= SCORE_NONE);
    /* Extensions may make a node deeper than an entry can say. */
    int depth = entry->depth - TT_DEPTH_EVAL < 255 ? entry->depth - TT_DEPTH_EVAL : 255;
    return (uint64_t)entry->move | (uint64_t)(uint16_t)(int16_t)score << 16 |
           (uint64_t)(uint16_t)(int16_t)entry->eval << 32 | (uint64_t)(uint8_t)depth << 48 |
           (uint64_t)(((unsigned)entry->bound + 1) & 3) << 56 | (uint64_t)entry->pv << 58 |
           (uint64_t)age << AGE_SHIFT;
}

static int data_depth(uint64_t data)
{
    return (int)(data >> 48 & 255) + TT_DEPTH_EVAL;
}

static enum score_bound data_bound(uint64_t data)
{
    return (enum score_bound)(((data >> 56) - 1) & 3);
}

static unsigned data_age(uint64_t data)
{
    return (unsigned)(data >> AGE_SHIFT);
}

/* Brings a mate or a position won by an endgame table `plies` nearer. They are stored as seen from
 * the node, so that they hold wherever it is reached. */
static int score_shift_decisive(int score, int plies)
{
    if (!score_is_decisive(score))
        return score;
    return score > 0 ? score + plies : score - plies;
}

/* Does a mate or an endgame table's win, as stored, come before the draw by the 50-move rule? It
 * was found with another counter. A capture or pawn move on the way may save it, but that is not
 * known here. The position that an endgame table knows itself must have the counter 0. */
static bool comes_in_time(int score, int rule50)
{
    int size = score < 0 ? -score : score;
    if (score_is_mate(score))
        return SCORE_MATE - size <= 100 - rule50;
    return SCORE_TB_WIN - size <= 100 - rule50 && (size < SCORE_TB_WIN || rule50 == 0);
}

enum caxton_status tt_resize(struct tt *tt, int megabytes)
{
    size_t bytes = (size_t)megabytes << 20;
    struct tt_cluster *clusters = large_memory(bytes);
    if (!clusters)
        return STATUS_NO_MEMORY;
    large_memory_free(tt->clusters);
    tt->clusters = clusters;
    tt->cluster_count = bytes / sizeof *clusters;
    tt->age = 0;
    return STATUS_OK;
}

void tt_free(struct tt *tt)
{
    large_memory_free(tt->clusters);
    *tt = (struct tt){0};
}

void tt_clear_part(struct tt *tt, int part, int parts, bool is_new)
{
    enum { PER_PAGE = 4096 / sizeof(struct tt_cluster) };
    uint64_t first = tt->cluster_count * (uint64_t)part / (uint64_t)parts;
    uint64_t last = tt->cluster_count * (uint64_t)(part + 1) / (uint64_t)parts;
    if (!is_new)
        memset(tt->clusters + first, 0, (last - first) * sizeof *tt->clusters);
    for (uint64_t i = first; is_new && i < last; i += PER_PAGE)
        atomic_store_explicit(&tt->clusters[i].cells[0].data, 0, memory_order_relaxed);
    if (part == 0)
        tt->age = 0;
}

void tt_next_search(struct tt *tt)
{
    tt->age = (tt->age + 1) & 31;
}

static inline bool cell_holds(const struct tt_cell *cell, uint64_t key, uint64_t *data)
{
    *data = atomic_load_explicit(&cell->data, memory_order_relaxed);
    return (atomic_load_explicit(&cell->check, memory_order_relaxed) ^ *data) == key;
}

static inline void write_cell(struct tt_cell *cell, uint64_t key, uint64_t data)
{
    atomic_store_explicit(&cell->check, key ^ data, memory_order_relaxed);
    atomic_store_explicit(&cell->data, data, memory_order_relaxed);
}

/* The bound of a mate or of an endgame table's win loses a ply each time that a much shallower
 * search ends there: or a won ending is searched for ever because of a bound that nothing replaces.
 * Idea: Stockfish, "Secondary aging" */
static uint64_t age_decisive(uint64_t data)
{
    bool ages = data_depth(data) >= TT_DECISIVE_DEPTH && data_bound(data) != SCORE_EXACT &&
                score_is_decisive((int16_t)(uint16_t)(data >> 16));
    return ages ? data - (UINT64_C(1) << DEPTH_SHIFT) : data;
}

bool tt_probe(const struct tt *tt, uint64_t key, int ply, int rule50, struct tt_entry *out)
{
    key ^= tt->salt;
    struct tt_cluster *cluster = tt_cluster_of(tt, key);
    for (int i = 0; i < TT_CELLS; i++) {
        uint64_t data;
        if (!cell_holds(&cluster->cells[i], key, &data) || data_bound(data) == SCORE_NO_BOUND)
            continue;
        out->move = (move)(data & 0xFFFF);
        int score = (int16_t)(uint16_t)(data >> 16);
        out->score = score_shift_decisive(score, -ply);
        out->eval = (int16_t)(uint16_t)(data >> 32);
        out->depth = data_depth(data);
        out->bound = data_bound(data);
        out->pv = (data >> 58 & 1) != 0;
        if (score_is_decisive(score) && !comes_in_time(score, rule50)) {
            out->bound = SCORE_NO_BOUND;
            out->depth = TT_DEPTH_EVAL;
        }
        return true;
    }
    return false;
}

void tt_store(struct tt *tt, uint64_t key, int ply, const struct tt_entry *entry)
{
    key ^= tt->salt;
    struct tt_cluster *cluster = tt_cluster_of(tt, key);
    struct tt_cell *victim = NULL;
    int victim_worth = 0;
    uint64_t old = 0;
    bool same = false;
    for (int i = 0; i < TT_CELLS && !same; i++) {
        struct tt_cell *cell = &cluster->cells[i];
        uint64_t data;
        same = cell_holds(cell, key, &data);
        /* Replaced is the least deep entry; entries of older searches count as less deep.
         * Source: https://www.chessprogramming.org/Transposition_Table, "Aging" */
        int worth = data_depth(data) - TT_AGE_PLIES * (int)((tt->age - data_age(data)) & 31);
        if (!victim || same || worth < victim_worth) {
            victim = cell;
            victim_worth = worth;
            old = data;
        }
    }
    struct tt_entry keep = *entry;
    if (same) {
        if (keep.move == MOVE_NONE)
            keep.move = (move)(old & 0xFFFF);
        /* A much shallower bound does not push out a deeper one of the same search; its move is
         * newer. */
        if (entry->bound != SCORE_EXACT && data_age(old) == tt->age &&
            entry->depth + TT_KEEP_PV * entry->pv + TT_KEEP_PLIES <= data_depth(old)) {
            write_cell(victim, key, age_decisive(old & ~UINT64_C(0xFFFF)) | keep.move);
            return;
        }
    }
    write_cell(victim, key, pack(&keep, score_shift_decisive(entry->score, ply), tt->age));
}

void tt_store_eval(struct tt *tt, uint64_t key, int eval, bool pv)
{
    struct tt_entry entry = {.move = MOVE_NONE,
                             .score = -SCORE_INFINITE,
                             .eval = eval,
                             .depth = TT_DEPTH_EVAL,
                             .bound = SCORE_LOWER,
                             .pv = pv};
    tt_store(tt, key, 0, &entry);
}

int tt_hashfull(const struct tt *tt)
{
    uint64_t sample = tt->cluster_count < 250 ? tt->cluster_count : 250;
    int used = 0;
    for (uint64_t i = 0; i < sample; i++)
        for (int j = 0; j < TT_CELLS; j++) {
            uint64_t data =
                atomic_load_explicit(&tt->clusters[i].cells[j].data, memory_order_relaxed);
            used += data_bound(data) != SCORE_NO_BOUND && data_age(data) == tt->age;
        }
    return (int)((uint64_t)used * 1000 / (sample * TT_CELLS));
}
