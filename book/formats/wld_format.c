#include "book/formats/wld_format.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "book/build/weigh.h"
#include "book/build/wld.h"
#include "book/formats/keyed.h"

struct wld_state {
    char *entries; /* Polyglot entries */
    struct keyed keyed;
};

/* A wld_source. */
struct memory {
    const uint8_t *at;
    size_t left;
};

static enum caxton_status read_memory(void *context, char *buffer, size_t capacity, size_t *size)
{
    struct memory *memory = context;
    *size = memory->left < capacity ? memory->left : capacity;
    if (*size > 0) {
        memcpy(buffer, memory->at, *size);
        memory->at += *size;
        memory->left -= *size;
    }
    return STATUS_OK;
}

static bool wld_recognises(const uint8_t *bytes, size_t size)
{
    return wld_is_magic(bytes, size);
}

static enum caxton_status weigh_all(struct wld_reader *reader, FILE *out, struct diag *diag)
{
    const struct weigh_options options = {.kind = WEIGHT_SCORE, .unit = wld_reader_unit(reader)};
    struct weigh_report report;
    struct weigher *weigher = weigher_create(out, &options);
    if (!weigher)
        return STATUS_NO_MEMORY;
    enum caxton_status status = wld_merge(&reader, 1, weigher_take, weigher, diag);
    if (status == STATUS_OK)
        status = weigher_finish(weigher, &report);
    weigher_destroy(weigher);
    return status;
}

/* Weighs the statistics into entries that the state owns. */
static enum caxton_status read_entries(const uint8_t *bytes, size_t size, const char *name,
                                       struct wld_state *state, struct diag *diag)
{
    struct memory memory = {bytes, size};
    struct wld_reader *reader = NULL;
    size_t written = 0;
    enum caxton_status status = wld_reader_create(read_memory, &memory, name, &reader, diag);
    if (status != STATUS_OK)
        return status;
    FILE *out = open_memstream(&state->entries, &written);
    status = out ? weigh_all(reader, out, diag) : STATUS_NO_MEMORY;
    if (out && fclose(out) != 0)
        status = STATUS_NO_MEMORY;
    wld_reader_destroy(reader);
    state->keyed = (struct keyed){.bytes = (const uint8_t *)state->entries,
                                  .count = written / POLYGLOT_ENTRY_SIZE};
    return status == STATUS_IO ? STATUS_NO_MEMORY : status;
}

static void wld_close(void *opened)
{
    struct wld_state *state = opened;
    free(state->entries);
    free(state);
}

static enum caxton_status wld_open(const uint8_t *bytes, size_t size, const char *name, void **out,
                                   struct diag *diag)
{
    struct diag own = {.text = ""};
    struct wld_state *state = calloc(1, sizeof *state);
    enum caxton_status status =
        state ? read_entries(bytes, size, name, state, &own) : STATUS_NO_MEMORY;
    if (status == STATUS_OK && state->keyed.count == 0) {
        diag_set(&own, 0, 0, "%s: statistics without a move that scored", name);
        status = STATUS_FORMAT;
    }
    if (status == STATUS_OK) {
        *out = state;
        return status;
    }
    if (status == STATUS_NO_MEMORY)
        diag_set(&own, 0, 0, "%s: out of memory", name);
    if (state)
        wld_close(state);
    if (diag)
        *diag = own;
    return status == STATUS_NO_MEMORY ? status : STATUS_FORMAT;
}

static const char *wld_warning(const void *opened)
{
    (void)opened;
    return "";
}

static const struct keyed *wld_keyed(const void *opened)
{
    const struct wld_state *state = opened;
    return &state->keyed;
}

static size_t wld_move_count(const void *opened)
{
    return wld_keyed(opened)->count;
}

static int wld_probe(const void *opened, const struct position *pos, const struct game *game,
                     struct book_move *out)
{
    (void)game;
    return keyed_probe(wld_keyed(opened), pos, out);
}

const struct book_format wld_format = {
    .name = "statistics",
    .extension = "wld",
    .recognises = wld_recognises,
    .open = wld_open,
    .close = wld_close,
    .warning = wld_warning,
    .move_count = wld_move_count,
    .probe = wld_probe,
    .keyed = wld_keyed,
};
