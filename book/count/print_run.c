#include "book/count/print_run.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/temp_file.h"

/* 512 fingerprints, 8 KiB: one read costs little more than one of a single page. */
enum { BLOCK_PRINTS = 512 };
#define NO_BLOCK UINT64_MAX

_Static_assert(sizeof(struct fingerprint) == 16, "blocks have no padding");

struct print_run {
    int file;
    uint64_t count;
    uint64_t loaded;           /* the block in `block`, or NO_BLOCK */
    struct fingerprint *index; /* the first of each block */
    size_t index_capacity;
    const char *folder;
    struct fingerprint block[BLOCK_PRINTS];
};

enum caxton_status print_run_create(const char *folder, struct print_run **out, struct diag *diag)
{
    struct print_run *run = calloc(1, sizeof *run);
    if (!run)
        return diag_fail(STATUS_NO_MEMORY, diag, "out of memory");
    run->loaded = NO_BLOCK;
    run->folder = folder;
    enum caxton_status status = temp_file_open(folder, &run->file, diag);
    if (status != STATUS_OK) {
        free(run);
        return status;
    }
    *out = run;
    return STATUS_OK;
}

void print_run_destroy(struct print_run *run)
{
    if (!run)
        return;
    temp_file_close(run->file);
    free(run->index);
    free(run);
}

uint64_t print_run_count(const struct print_run *run)
{
    return run->count;
}

/* Writes what the block holds behind the blocks before it. */
static enum caxton_status write_block(struct print_run *run, size_t count, struct diag *diag)
{
    return temp_file_write(run->file, run->block, count * sizeof *run->block, run->folder, diag);
}

enum caxton_status print_run_write(struct print_run *run, struct fingerprint print,
                                   struct diag *diag)
{
    size_t at = run->count % BLOCK_PRINTS;
    size_t block = run->count / BLOCK_PRINTS;
    if (at == 0) {
        if (!ARRAY_GROW(run->index, run->index_capacity, block + 1))
            return diag_fail(STATUS_NO_MEMORY, diag, "out of memory");
        run->index[block] = print;
    }
    run->block[at] = print;
    run->count++;
    return at + 1 == BLOCK_PRINTS ? write_block(run, BLOCK_PRINTS, diag) : STATUS_OK;
}

enum caxton_status print_run_finish(struct print_run *run, struct diag *diag)
{
    return write_block(run, run->count % BLOCK_PRINTS, diag);
}

static enum caxton_status load(struct print_run *run, uint64_t block, struct diag *diag)
{
    if (run->loaded == block)
        return STATUS_OK;
    run->loaded = NO_BLOCK;
    uint64_t left = run->count - block * BLOCK_PRINTS;
    size_t size = (left < BLOCK_PRINTS ? (size_t)left : BLOCK_PRINTS) * sizeof *run->block;
    enum caxton_status status =
        temp_file_read(run->file, block * sizeof run->block, run->block, size, run->folder, diag);
    if (status == STATUS_OK)
        run->loaded = block;
    return status;
}

/* How many of prints[0..count) are not above `print`. */
static size_t rank(const struct fingerprint *prints, size_t count, struct fingerprint print)
{
    size_t at;
    ARRAY_SEARCH(at, 0, count, fingerprint_compare(prints[at], print) <= 0);
    return at;
}

enum caxton_status print_run_find(struct print_run *run, struct fingerprint print, bool *found,
                                  struct diag *diag)
{
    size_t blocks = (size_t)((run->count + BLOCK_PRINTS - 1) / BLOCK_PRINTS);
    size_t block = rank(run->index, blocks, print);
    *found = false;
    if (block == 0)
        return STATUS_OK;
    enum caxton_status status = load(run, --block, diag);
    if (status != STATUS_OK)
        return status;
    uint64_t left = run->count - (uint64_t)block * BLOCK_PRINTS;
    size_t at = rank(run->block, left < BLOCK_PRINTS ? (size_t)left : BLOCK_PRINTS, print);
    *found = at > 0 && fingerprint_compare(run->block[at - 1], print) == 0;
    return STATUS_OK;
}

enum caxton_status print_run_get(struct print_run *run, uint64_t index, struct fingerprint *out,
                                 struct diag *diag)
{
    enum caxton_status status = load(run, index / BLOCK_PRINTS, diag);
    if (status == STATUS_OK)
        *out = run->block[index % BLOCK_PRINTS];
    return status;
}
