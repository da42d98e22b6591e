#include "book/count/input/input.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/raw_file.h"
#include "base/thread.h"
#include "book/count/input/unpack.h"

enum { RAW_SIZE = 1 << 17, BLOCK_SIZE = 1 << 18, BLOCKS = 4 };
/* MIN: files packed as tools do by default can always be read. */
enum { MB_BITS = 20, MEMORY_MIN_MB = 16, MEMORY_USUAL_MB = 256 };

/* Unpacked bytes between the two threads. */
struct block {
    uint8_t data[BLOCK_SIZE];
    size_t size;
    enum caxton_status status; /* what comes after these bytes: STATUS_END at the end */
};

struct input {
    struct raw_file file;
    bool is_open;
    _Atomic uint64_t bytes; /* atomic, relaxed, single writer: the thread that reads the file */
    bool has_skipped;       /* a plain file is read from byte `next` on */
    uint64_t next;
    struct diag fault; /* written before the block that reports it is handed over */

    const struct unpacker *unpacker; /* NULL: plain */
    void *state;
    uint64_t memory; /* as input_open() was asked */
    bool in_frame;   /* the last frame has not ended */
    uint8_t raw[RAW_SIZE];
    size_t raw_at;
    size_t raw_size;

    /* A ring that the unpacking thread fills and input_read() empties. */
    struct block *blocks;
    pthread_t thread;
    struct monitor ring;
    uint64_t filled;  /* blocks ever filled; guarded by ring */
    uint64_t emptied; /* guarded by ring */
    bool closing;     /* guarded by ring */
    size_t block_at;  /* in the block being emptied; reader only */
};

const char *input_fault(const struct input *input)
{
    return input->fault.text;
}

uint64_t input_bytes_read(const struct input *input)
{
    return atomic_load_explicit(&input->bytes, memory_order_relaxed);
}

uint64_t input_bytes_total(const struct input *input)
{
    return input->file.size;
}

const char *input_packing(const struct input *input)
{
    return input->unpacker ? input->unpacker->name : "plain";
}

static enum caxton_status read_file(struct input *input, void *buffer, size_t capacity,
                                    size_t *size)
{
    enum caxton_status status = raw_file_read(&input->file, buffer, capacity, size, &input->fault);
    if (status == STATUS_OK)
        atomic_store_explicit(&input->bytes, input_bytes_read(input) + *size, memory_order_relaxed);
    return status;
}

/* Unpacking -------------------------------------------------------------------------------- */

static enum caxton_status refill_raw(struct input *input)
{
    input->raw_at = input->raw_size = 0;
    return read_file(input, input->raw, RAW_SIZE, &input->raw_size);
}

static uint64_t memory_mb(const struct input *input)
{
    uint64_t mb = input->memory >> MB_BITS;
    return !input->memory ? MEMORY_USUAL_MB : mb < MEMORY_MIN_MB ? MEMORY_MIN_MB : mb;
}

static enum caxton_status damaged(struct input *input, const char *how,
                                  const struct unpack_buffers *b)
{
    const struct unpacker *unpacker = input->unpacker;
    uint64_t at = input_bytes_read(input) - input->raw_size + input->raw_at;
    const char *member = unpacker->member ? unpacker->member(input->state) : "";
    const char *refusal = unpacker->refusal ? unpacker->refusal(input->state) : "";
    if (*refusal)
        return diag_fail(STATUS_FORMAT, &input->fault, "%s", refusal);
    if (b->wanted) {
        unsigned long long wanted = (b->wanted + (1 << MB_BITS) - 1) >> MB_BITS;
        char allow[40] = "";
        if (input->memory)
            (void)snprintf(allow, sizeof allow, ", or --memory %llu", wanted);
        return diag_fail(STATUS_FORMAT, &input->fault,
                         "unpacking by %s takes %llu MB of memory, more than the %llu MB allowed: "
                         "unpack it first%s",
                         unpacker->name, wanted, (unsigned long long)memory_mb(input), allow);
    }
    return diag_fail(STATUS_FORMAT, &input->fault, "%s %s data near byte %llu%s%s%s%s", how,
                     unpacker->name, (unsigned long long)at, *member ? ", in " : "", member,
                     b->reason ? ": " : "", b->reason ? b->reason : "");
}

/* What follows a frame: another one, padding that some tools add, or the end. */
static void skip_padding(struct input *input)
{
    while (!input->in_frame && input->raw_at < input->raw_size && input->raw[input->raw_at] == 0)
        input->raw_at++;
}

/* Fills the block; its status says what comes after it. */
static void fill_block(struct input *input, struct block *block)
{
    struct unpack_buffers buffers = {
        .out = block->data, .out_left = BLOCK_SIZE, .memory = memory_mb(input) << MB_BITS};
    block->status = STATUS_OK;
    while (block->status == STATUS_OK && buffers.out_left > 0) {
        skip_padding(input);
        if (input->raw_at == input->raw_size) {
            block->status = refill_raw(input);
            if (block->status != STATUS_OK)
                break;
            if (input->raw_size == 0) {
                block->status = input->in_frame ? damaged(input, "cut", &buffers) : STATUS_END;
                break;
            }
            continue;
        }
        bool frame_end = false;
        buffers.in = input->raw + input->raw_at;
        buffers.in_left = input->raw_size - input->raw_at;
        enum caxton_status status = input->unpacker->step(input->state, &buffers, &frame_end);
        input->raw_at = input->raw_size - buffers.in_left;
        input->in_frame = !frame_end;
        if (status == STATUS_NO_MEMORY)
            block->status = diag_fail(status, &input->fault, "out of memory");
        else if (status != STATUS_OK)
            block->status = damaged(input, "damaged", &buffers);
    }
    block->size = BLOCK_SIZE - buffers.out_left;
}

static void *unpack_main(void *argument)
{
    struct input *input = argument;
    enum caxton_status status = STATUS_OK;
    while (status == STATUS_OK) {
        (void)pthread_mutex_lock(&input->ring.mutex);
        while (!input->closing && input->filled - input->emptied == BLOCKS)
            (void)pthread_cond_wait(&input->ring.changed, &input->ring.mutex);
        bool closing = input->closing;
        uint64_t number = input->filled;
        (void)pthread_mutex_unlock(&input->ring.mutex);
        if (closing)
            break;
        struct block *block = &input->blocks[number % BLOCKS];
        fill_block(input, block);
        status = block->status;
        (void)pthread_mutex_lock(&input->ring.mutex);
        input->filled++;
        (void)pthread_cond_broadcast(&input->ring.changed);
        (void)pthread_mutex_unlock(&input->ring.mutex);
    }
    return NULL;
}

/* Waits for a filled block. */
static struct block *current_block(struct input *input)
{
    (void)pthread_mutex_lock(&input->ring.mutex);
    while (input->filled == input->emptied)
        (void)pthread_cond_wait(&input->ring.changed, &input->ring.mutex);
    struct block *block = &input->blocks[input->emptied % BLOCKS];
    (void)pthread_mutex_unlock(&input->ring.mutex);
    return block;
}

static void give_back(struct input *input)
{
    (void)pthread_mutex_lock(&input->ring.mutex);
    input->emptied++;
    (void)pthread_cond_broadcast(&input->ring.changed);
    (void)pthread_mutex_unlock(&input->ring.mutex);
    input->block_at = 0;
}

static enum caxton_status read_unpacked(struct input *input, char *buffer, size_t capacity,
                                        size_t *size)
{
    for (;;) {
        struct block *block = current_block(input);
        size_t left = block->size - input->block_at;
        if (left > 0) {
            *size = left < capacity ? left : capacity;
            memcpy(buffer, block->data + input->block_at, *size);
            input->block_at += *size;
            return STATUS_OK;
        }
        if (block->status != STATUS_OK) {
            *size = 0; /* the last block stays: asking again gives the same answer */
            return block->status == STATUS_END ? STATUS_OK : block->status;
        }
        give_back(input);
    }
}

/* Of a plain file in which some was skipped. */
static enum caxton_status read_from_next(struct input *input, char *buffer, size_t capacity,
                                         size_t *size)
{
    uint64_t left = input->next < input->file.size ? input->file.size - input->next : 0;
    size_t wanted = left < capacity ? (size_t)left : capacity;
    enum caxton_status status =
        raw_file_read_at(&input->file, input->next, buffer, wanted, &input->fault);
    *size = status == STATUS_OK ? wanted : 0;
    input->next += *size;
    return status;
}

enum caxton_status input_skip(struct input *input, uint64_t bytes)
{
    enum { PART = 1 << 16 };
    if (!input->unpacker && input->file.size) {
        if (!input->has_skipped)
            input->next = input_bytes_read(input) - (input->raw_size - input->raw_at);
        input->has_skipped = true;
        input->next += bytes < UINT64_MAX - input->next ? bytes : UINT64_MAX - input->next;
        return STATUS_OK;
    }
    enum caxton_status status = STATUS_OK;
    for (size_t got = 1; status == STATUS_OK && bytes > 0 && got > 0; bytes -= got) {
        char part[PART];
        status = input_read(input, part, bytes < PART ? (size_t)bytes : PART, &got);
    }
    return status;
}

enum caxton_status input_read(void *context, char *buffer, size_t capacity, size_t *size)
{
    struct input *input = context;
    if (input->unpacker)
        return read_unpacked(input, buffer, capacity, size);
    if (input->has_skipped)
        return read_from_next(input, buffer, capacity, size);
    size_t left = input->raw_size - input->raw_at;
    if (left == 0)
        return read_file(input, buffer, capacity, size);
    *size = left < capacity ? left : capacity; /* what was read to recognise the packing */
    memcpy(buffer, input->raw + input->raw_at, *size);
    input->raw_at += *size;
    return STATUS_OK;
}

/* Opening ---------------------------------------------------------------------------------- */

static enum caxton_status open_file(struct input *input, const char *path)
{
    enum caxton_status opened = raw_file_open(path, &input->file, &input->fault);
    if (opened != STATUS_OK)
        return opened;
    input->is_open = true;
    /* Enough to recognise every packing, though a pipe may give single bytes; not all that there is
     * room for: a file may be opened for one game. */
    enum { FIRST_SIZE = 4096 };
    while (input->raw_size < 8) {
        size_t got = 0;
        enum caxton_status status =
            read_file(input, input->raw + input->raw_size, FIRST_SIZE - input->raw_size, &got);
        if (status != STATUS_OK)
            return status;
        if (got == 0)
            break;
        input->raw_size += got;
    }
    return STATUS_OK;
}

static enum caxton_status start_unpacking(struct input *input)
{
    if (!input->unpacker->create)
        return diag_fail(STATUS_FORMAT, &input->fault,
                         "packed by %s, which this makebook was built without",
                         input->unpacker->name);
    input->state = input->unpacker->create();
    input->blocks = malloc(BLOCKS * sizeof *input->blocks);
    if (!input->state || !input->blocks)
        return diag_fail(STATUS_NO_MEMORY, &input->fault, "out of memory");
    if (monitor_init(&input->ring) == STATUS_OK) {
        if (thread_start(&input->thread, unpack_main, input) == STATUS_OK)
            return STATUS_OK;
        monitor_destroy(&input->ring);
    }
    return diag_fail(STATUS_THREAD, &input->fault, "cannot start a thread");
}

static void release(struct input *input)
{
    if (input->state)
        input->unpacker->destroy(input->state);
    free(input->blocks);
    if (input->is_open)
        raw_file_close(&input->file);
    free(input);
}

enum caxton_status input_open_within(const char *path, uint64_t memory, struct input **out,
                                     struct diag *diag)
{
    struct input *input = calloc(1, sizeof *input);
    if (!input)
        return diag_fail(STATUS_NO_MEMORY, diag, "%s: out of memory", path);
    input->memory = memory;
    enum caxton_status status = open_file(input, path);
    if (status == STATUS_OK) {
        input->unpacker = unpacker_find(input->raw, input->raw_size);
        if (input->unpacker)
            status = start_unpacking(input);
    }
    if (status != STATUS_OK) {
        diag_set(diag, 0, 0, "%s: %s", path, input->fault.text);
        release(input);
        return status;
    }
    *out = input;
    return STATUS_OK;
}

enum caxton_status input_open(const char *path, struct input **out, struct diag *diag)
{
    return input_open_within(path, 0, out, diag);
}

void input_close(struct input *input)
{
    if (!input)
        return;
    if (input->unpacker) {
        (void)pthread_mutex_lock(&input->ring.mutex);
        input->closing = true;
        (void)pthread_cond_broadcast(&input->ring.changed);
        (void)pthread_mutex_unlock(&input->ring.mutex);
        (void)pthread_join(input->thread, NULL);
        monitor_destroy(&input->ring);
    }
    release(input);
}
