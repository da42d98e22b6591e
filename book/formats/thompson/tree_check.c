/* Proof-reading a tree: makebook verify. */
#include <stdlib.h>

#include "book/formats/thompson/tree.h"
#include "book/formats/thompson/tree_body.h"
#include "book/formats/thompson/tree_walk.h"
#include "chess/fen.h"

/* The position that stands at a place of the body, or that a jump says it leads to. */
struct stand {
    uint64_t key;
    size_t at;   /* of choices */
    size_t jump; /* of the jump; SIZE_MAX for choices themselves */
};

struct stands {
    struct stand *all;
    size_t count;
    size_t capacity;
};

struct check {
    struct tree_book book;
    struct stands choices;
    struct stands jumps;
    enum caxton_status status;
    book_fault_sink sink;
    void *context;
    size_t base;
};

static void report(const struct check *check, enum book_fault fault, size_t at,
                   const struct position *pos, const char *text)
{
    struct diag diag;
    char fen[FEN_MAX] = "";
    if (pos)
        fen_format(pos, fen);
    diag_set(&diag, 0, 0, "%s%s", text, fen);
    diag.offset = check->base + at;
    check->sink(check->context, fault, &diag, NULL);
}

static void add(struct check *check, struct stands *stands, struct stand stand)
{
    if (stands->count == stands->capacity) {
        size_t capacity = stands->capacity ? 2 * stands->capacity : 256;
        struct stand *all = realloc(stands->all, capacity * sizeof *all);
        if (!all) {
            check->status = STATUS_NO_MEMORY;
            return;
        }
        stands->all = all;
        stands->capacity = capacity;
    }
    stands->all[stands->count++] = stand;
}

/* A choice that stands twice: the second is never found. */
static void check_repeats(const struct check *check, size_t at, const struct position *pos)
{
    bool had[TREE_CHOICES_MAX] = {false};
    struct tree_unit unit;
    bool is_choice = tree_unit_read(check->book.body, check->book.size, at, &unit) == NULL;
    for (; is_choice; is_choice = tree_next_choice(&check->book, &unit)) {
        if (had[unit.place])
            report(check, BOOK_FAULT_DUPLICATE, unit.at, pos, "a move stands twice in ");
        had[unit.place] = true;
    }
}

static bool take_position(void *context, size_t at, const struct position *pos)
{
    struct check *check = context;
    check_repeats(check, at, pos);
    add(check, &check->choices, (struct stand){pos->key, at, SIZE_MAX});
    return check->status == STATUS_OK;
}

static void take_jump(void *context, const struct tree_unit *unit, const struct position *pos)
{
    struct check *check = context;
    add(check, &check->jumps, (struct stand){pos->key, unit->target, unit->at});
}

static void take_illegal(void *context, const struct tree_unit *unit, const struct position *pos)
{
    const struct check *check = context;
    char text[60];
    struct text_buffer buffer = text_buffer_on(text, sizeof text);
    text_append(&buffer, "there is no move of place %d in ", unit->place);
    report(check, BOOK_FAULT_ILLEGAL, unit->at, pos, text);
}

static int compare(const void *a, const void *b)
{
    const struct stand *x = a;
    const struct stand *y = b;
    return (x->at > y->at) - (x->at < y->at);
}

/* Choices were met in the order of the file. */
static void check_jumps(struct check *check)
{
    size_t i = 0;
    if (check->jumps.count)
        qsort(check->jumps.all, check->jumps.count, sizeof *check->jumps.all, compare);
    for (size_t j = 0; j < check->jumps.count; j++) {
        const struct stand *jump = &check->jumps.all[j];
        while (i < check->choices.count && check->choices.all[i].at < jump->at)
            i++;
        if (i < check->choices.count && check->choices.all[i].at == jump->at &&
            check->choices.all[i].key != jump->key)
            report(check, BOOK_FAULT_LINK, jump->jump, NULL, "a jump leads to another position");
    }
}

enum caxton_status tree_check(const uint8_t *bytes, size_t size, book_fault_sink sink,
                              void *context)
{
    struct check check = {.sink = sink, .context = context};
    struct diag diag;
    enum book_fault fault;
    const struct tree_visitor visitor = {
        .context = &check, .position = take_position, .jump = take_jump, .illegal = take_illegal};
    check.base = tree_has_header(bytes, size) ? TREE_HEADER_SIZE : 0;
    enum caxton_status status = tree_book_read(&check.book, bytes, size, &fault, &diag);
    if (status == STATUS_FORMAT) {
        sink(context, fault, &diag, NULL);
        status = STATUS_OK;
    } else if (status == STATUS_OK) {
        status = tree_walk(&check.book, &visitor);
        if (status == STATUS_OK)
            status = check.status;
        if (status == STATUS_OK)
            check_jumps(&check);
    }
    tree_book_free(&check.book);
    free(check.choices.all);
    free(check.jumps.all);
    return status;
}
