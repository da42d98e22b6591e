#include "book/formats/thompson/tree_check.h"

#include <stdlib.h>

#include "base/array.h"
#include "book/formats/thompson/tree_walk.h"
#include "chess/fen.h"

/* A position, and the place of the body where its choices are, or are said to be by a jump. */
struct site {
    uint64_t key;
    size_t at;   /* of the choices */
    size_t jump; /* of the jump; SIZE_MAX: these are the choices themselves */
};

struct sites {
    struct site *all;
    size_t count;
    size_t capacity;
};

struct check {
    struct tree_book book;
    struct sites choices;
    struct sites jumps;
    book_fault_sink sink;
    void *context;
};

static void report(const struct check *check, enum book_fault fault, size_t at,
                   const struct position *pos, const char *text)
{
    struct diag diag;
    char fen[FEN_MAX] = "";
    if (pos)
        fen_format(pos, fen);
    diag_set(&diag, 0, 0, "%s%s", text, fen);
    diag.offset = check->book.base + at;
    check->sink(check->context, fault, &diag, NULL);
}

static enum caxton_status add(struct sites *sites, struct site site)
{
    if (!ARRAY_GROW(sites->all, sites->capacity, sites->count + 1))
        return STATUS_NO_MEMORY;
    sites->all[sites->count++] = site;
    return STATUS_OK;
}

/* A choice that stands twice: the second is never found. */
static void check_repeats(const struct check *check, size_t at, const struct position *pos)
{
    bool had[TREE_CHOICES_MAX] = {false};
    struct tree_unit unit;
    for (bool is_choice = tree_first_choice(&check->book, at, &unit); is_choice;
         is_choice = tree_next_choice(&check->book, &unit)) {
        if (had[unit.place])
            report(check, BOOK_FAULT_DUPLICATE, unit.at, pos, "a move stands twice in ");
        had[unit.place] = true;
    }
}

static enum caxton_status visit(void *context, enum tree_visit what, const struct tree_unit *unit,
                                const struct position *pos)
{
    struct check *check = context;
    if (what == TREE_AT_CHOICES) {
        check_repeats(check, unit->at, pos);
        return add(&check->choices, (struct site){pos->key, unit->at, SIZE_MAX});
    }
    if (what == TREE_AT_JUMP)
        return add(&check->jumps, (struct site){pos->key, unit->target, unit->at});
    char text[60];
    (void)snprintf(text, sizeof text, "there is no move of place %d in ", unit->place);
    report(check, BOOK_FAULT_ILLEGAL, unit->at, pos, text);
    return STATUS_OK;
}

static int compare(const void *a, const void *b)
{
    const struct site *x = a;
    const struct site *y = b;
    return (x->at > y->at) - (x->at < y->at);
}

/* Choices were met in the order of the file. */
static void check_jumps(struct check *check)
{
    size_t i = 0;
    if (check->jumps.count)
        qsort(check->jumps.all, check->jumps.count, sizeof *check->jumps.all, compare);
    for (size_t j = 0; j < check->jumps.count; j++) {
        const struct site *jump = &check->jumps.all[j];
        while (i < check->choices.count && check->choices.all[i].at < jump->at)
            i++;
        if (i < check->choices.count && check->choices.all[i].at == jump->at &&
            check->choices.all[i].key != jump->key)
            report(check, BOOK_FAULT_LINK, jump->jump, NULL, "a jump leads to another position");
    }
}

enum caxton_status tree_check(const struct book_format *format, const uint8_t *bytes, size_t size,
                              book_fault_sink sink, void *context)
{
    (void)format;
    struct check check = {.sink = sink, .context = context};
    struct diag diag;
    enum caxton_status status = tree_book_read(&check.book, bytes, size, &diag);
    if (status == STATUS_FORMAT) {
        sink(context, check.book.fault, &diag, NULL);
        status = STATUS_OK;
    } else if (status == STATUS_OK) {
        status = tree_walk(&check.book, visit, &check);
        if (status == STATUS_OK)
            check_jumps(&check);
    }
    tree_book_free(&check.book);
    free(check.choices.all);
    free(check.jumps.all);
    return status;
}
