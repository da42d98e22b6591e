/* What the sources of a store share. */
#pragma once

#include "base/append_file.h"
#include "base/clock.h"
#include "book/scoring/record.h"
#include "book/scoring/score_store.h"

struct score_store {
    struct append_file *file; /* NULL: in memory only */
    char *path;
    struct searcher_identity identity;
    uint64_t header_sum;        /* of the present version */
    struct record_table table;  /* the records of the file */
    struct record_table played; /* sums of games, RECORD_PLAYED_SUM */
    size_t answers;
    size_t chosen;
    size_t games;       /* records of them */
    size_t graph_first; /* the records of the graph: [first, first + count) */
    size_t graph_count;
    bool has_graph;
    uint32_t run; /* the largest number of a run in the file */

    uint8_t *pending; /* nodes of a graph that is not ended */
    size_t pending_count;
    size_t pending_capacity;

    bool doubles; /* there are answers that do not count, for others came before them */

    size_t bad;        /* records that did not check */
    uint64_t cut;      /* bytes of a last one that was not whole */
    bool broken_graph; /* the last graph is not whole */
    bool failed;       /* a write failed: nothing is tidied up */
    int64_t synced_ms;
    bool dirty;
    char remark[120];
};

/* Adds these bytes to the file, if there is one, and waits for the disk at most once a second. */
MUST_CHECK static inline enum caxton_status
store_write_bytes(struct score_store *store, const uint8_t *bytes, size_t size, struct diag *diag)
{
    enum { SYNC_MS = 1000 };
    if (!store->file)
        return STATUS_OK;
    enum caxton_status status = append_file_add(store->file, bytes, size, diag);
    store->dirty = true;
    if (status == STATUS_OK && clock_ms() - store->synced_ms >= SYNC_MS) {
        status = append_file_sync(store->file, diag);
        store->synced_ms = clock_ms();
        store->dirty = status != STATUS_OK;
    }
    store->failed = store->failed || status != STATUS_OK;
    return status;
}
