#include "book/build/run.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "book/build/temp_file.h"

enum { BUFFER_SIZE = 1 << 16, FOLDER_MAX = 120 };

/* A record is key, move, and three counts of one byte below NARROW_END; or NARROW_END + width - 2,
 * and three counts of `width` bytes, 2..8. */
enum { COUNTS_AT = 8 + 2, NARROW_END = 249, RECORD_MAX = COUNTS_AT + 1 + OUTCOMES * 8 };

struct run {
    int file;
    bool reading;
    size_t at;   /* in the buffer */
    size_t size; /* bytes read into it */
    uint64_t bytes;
    char folder[FOLDER_MAX];
    uint8_t buffer[BUFFER_SIZE];
};

enum caxton_status run_create(const char *folder, struct run **out, struct diag *diag)
{
    struct run *run = malloc(sizeof *run);
    if (!run) {
        diag_set(diag, 0, 0, "out of memory");
        return STATUS_NO_MEMORY;
    }
    enum caxton_status status = temp_file_open(folder, &run->file, diag);
    if (status != STATUS_OK) {
        free(run);
        return status;
    }
    run->reading = false;
    run->at = run->size = 0;
    run->bytes = 0;
    (void)snprintf(run->folder, sizeof run->folder, "%s", folder);
    *out = run;
    return STATUS_OK;
}

void run_destroy(struct run *run)
{
    if (!run)
        return;
    (void)close(run->file); /* nothing in it is wanted any more */
    free(run);
}

static enum caxton_status flush(struct run *run, struct diag *diag)
{
    enum caxton_status status = temp_file_write(run->file, run->buffer, run->at, run->folder, diag);
    if (status != STATUS_OK)
        return status;
    run->bytes += run->at;
    run->at = 0;
    return STATUS_OK;
}

static uint8_t *put(uint8_t *to, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        *to++ = (uint8_t)(value >> 8 * i);
    return to;
}

static uint64_t get(const uint8_t *from, int bytes)
{
    uint64_t value = 0;
    for (int i = 0; i < bytes; i++)
        value |= (uint64_t)from[i] << 8 * i;
    return value;
}

enum caxton_status run_write(struct run *run, const struct tally *tally, struct diag *diag)
{
    if (run->at + RECORD_MAX > BUFFER_SIZE) {
        enum caxton_status status = flush(run, diag);
        if (status != STATUS_OK)
            return status;
    }
    uint64_t all = tally->counts[0] | tally->counts[1] | tally->counts[2];
    int width = 1;
    for (int i = 0; i < OUTCOMES; i++)
        if (tally->counts[i] >= NARROW_END)
            width = 2;
    while (width > 1 && width < 8 && all >> 8 * width)
        width++;
    uint8_t *to = run->buffer + run->at;
    to = put(to, tally->key, 8);
    to = put(to, tally->move, 2);
    if (width > 1)
        *to++ = (uint8_t)(NARROW_END + width - 2);
    for (int i = 0; i < OUTCOMES; i++)
        to = put(to, tally->counts[i], width);
    run->at = (size_t)(to - run->buffer);
    return STATUS_OK;
}

enum caxton_status run_rewind(struct run *run, struct diag *diag)
{
    enum caxton_status status = flush(run, diag);
    if (status != STATUS_OK)
        return status;
    if (lseek(run->file, 0, SEEK_SET) != 0)
        return temp_file_fault(run->folder, "rewind", diag);
    run->reading = true;
    run->size = 0;
    return STATUS_OK;
}

/* Makes sure that a whole record lies in the buffer, unless the file ends before. */
static enum caxton_status refill(struct run *run, struct diag *diag)
{
    size_t left = run->size - run->at;
    memmove(run->buffer, run->buffer + run->at, left);
    run->at = 0;
    run->size = left;
    while (run->size < RECORD_MAX) {
        ssize_t got = read(run->file, run->buffer + run->size, BUFFER_SIZE - run->size);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return temp_file_fault(run->folder, "read", diag);
        if (got == 0)
            break;
        run->size += (size_t)got;
    }
    return STATUS_OK;
}

enum caxton_status run_read(struct run *run, struct tally *out, struct diag *diag)
{
    if (run->size - run->at < RECORD_MAX) {
        enum caxton_status status = refill(run, diag);
        if (status != STATUS_OK)
            return status;
        if (run->size == 0)
            return STATUS_END;
    }
    const uint8_t *from = run->buffer + run->at;
    const uint8_t *counts = from + COUNTS_AT;
    int width = *counts < NARROW_END ? 1 : *counts++ - NARROW_END + 2;
    out->key = get(from, 8);
    out->move = (uint16_t)get(from + 8, 2);
    for (int i = 0; i < OUTCOMES; i++)
        out->counts[i] = get(counts + width * i, width);
    run->at = (size_t)(counts + OUTCOMES * width - run->buffer);
    return STATUS_OK;
}

uint64_t run_bytes(const struct run *run)
{
    return run->bytes + (run->reading ? 0 : run->at);
}
