#include "book/formats/store/store_format.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "book/book.h"
#include "book/formats/store/store_check.h"
#include "book/formats/store/store_facts.h"
#include "book/formats/store/store_moves.h"
#include "book/store/record.h"

struct store_book {
    struct score_store *store; /* on the bytes of the book */
    struct position *roots;
    size_t root_count;
    size_t root_capacity;
};

static void store_close(void *state)
{
    struct store_book *self = state;
    if (!self)
        return;
    /* Without a file nothing can go wrong. */
    if (score_store_close(self->store, NULL) == STATUS_OK)
        free(self->roots);
    free(self);
}

/* The roots of the graph but the standard start. */
static enum caxton_status find_roots(struct store_book *self)
{
    struct position start;
    struct position pos;
    struct packed_position packed;
    size_t cursor = 0;
    position_start(&start);
    while (score_store_next_root(self->store, &cursor, &packed)) {
        if (!position_unpack(&packed, &pos) || pos.key == start.key)
            continue;
        if (self->root_count > 0 && self->roots[self->root_count - 1].key == pos.key)
            continue; /* of both sides' books */
        if (!ARRAY_GROW(self->roots, self->root_capacity, self->root_count + 1))
            return STATUS_NO_MEMORY;
        self->roots[self->root_count++] = pos;
    }
    return STATUS_OK;
}

static enum caxton_status fill(struct book *book, struct store_book *self, struct diag *diag)
{
    struct entry_list list = {.separate = true}; /* few are the same */
    enum caxton_status status = find_roots(self);
    if (status == STATUS_OK)
        status = store_moves(self->store, &list);
    if (status != STATUS_OK)
        diag_set(diag, 0, 0, "%s: out of memory", book->name);
    if (status == STATUS_OK && list.count == 0)
        status = diag_fail(STATUS_FORMAT, diag, "%s: a store of scores without a move", book->name);
    if (status == STATUS_OK) {
        book->table = entry_table_from_list(&list);
        book->move_count = book->table.count;
        book->roots = self->roots;
        book->root_count = self->root_count;
    }
    entry_list_free(&list);
    return status;
}

static enum caxton_status store_open(struct book *book, const uint8_t *bytes, size_t size,
                                     struct diag *diag)
{
    struct diag why = {.text = ""};
    struct store_book *self = calloc(1, sizeof *self);
    enum caxton_status status = STATUS_NO_MEMORY;
    diag_set(&why, 0, 0, "out of memory");
    if (self)
        status = score_store_parse(bytes, size, NULL, &self->store, &why);
    if (status != STATUS_OK) {
        diag_set(diag, 0, 0, "%s: %s", book->name, why.text);
        free(self);
        return status;
    }
    const char *remark = score_store_remark(self->store);
    if (*remark)
        (void)snprintf(book->warning, sizeof book->warning, "%.200s: %s", book->name, remark);
    status = fill(book, self, diag);
    if (status == STATUS_OK)
        book->state = self;
    else
        store_close(self);
    return status;
}

static enum caxton_status look_up(const void *state, const struct position *pos, const move *moves,
                                  int count, struct book_facts *out)
{
    const struct store_book *self = state;
    return store_facts(self->store, pos, moves, count, out);
}

const struct book_format store_format = {
    .name = "store of searches",
    .extension = "store",
    .recognises = store_is_magic,
    .open = store_open,
    .close = store_close,
    .check = store_check,
    .facts = look_up,
};
