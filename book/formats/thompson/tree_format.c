#include "book/formats/thompson/tree_format.h"

#include <stdlib.h>

#include "base/array.h"
#include "book/format.h"
#include "book/formats/thompson/tree_book.h"
#include "book/formats/thompson/tree_write.h"
#include "chess/fen.h"

/* Playing through a whole tree: each byte once, jumps are not followed. */

enum tree_visit {
    TREE_AT_CHOICES, /* the choices of the position begin with the unit */
    TREE_AT_JUMP,    /* the unit is a jump, which stands where the choices would */
    TREE_AT_ILLEGAL, /* the position has no move of the unit's place */
};

/* What is told of the tree on the way. Any status but STATUS_OK ends the walk. */
typedef enum caxton_status (*tree_visitor)(void *context, enum tree_visit what,
                                           const struct tree_unit *unit,
                                           const struct position *pos);

/* A move of the line, and whether another choice follows behind its branch. */
struct ply {
    struct undo undo;
    move move;
    bool more;
};

struct tree_walk {
    const struct tree_book *book;
    tree_visitor visitor;
    void *context;
    struct position pos;
    struct ply *line;
    size_t plies;
    size_t capacity;
    size_t at;
    bool done; /* with this tree */
};

static enum caxton_status push(struct tree_walk *walk, move m, bool more)
{
    if (!ARRAY_GROW(walk->line, walk->capacity, walk->plies + 1))
        return STATUS_NO_MEMORY;
    struct ply *ply = &walk->line[walk->plies++];
    ply->move = m;
    ply->more = more;
    position_make(&walk->pos, m, &ply->undo);
    return STATUS_OK;
}

/* The line has ended: back to the last position with another choice. */
static void back(struct tree_walk *walk)
{
    bool more = false;
    while (walk->plies > 0 && !more) {
        const struct ply *ply = &walk->line[--walk->plies];
        position_unmake(&walk->pos, ply->move, &ply->undo);
        more = ply->more;
    }
    walk->done = !more;
}

/* Arrives at a position: its choices stand at walk->at, or a jump does. */
static enum caxton_status arrive(struct tree_walk *walk)
{
    struct tree_unit unit;
    if (tree_unit_read(walk->book->body, walk->book->size, walk->at, &unit) != NULL) {
        walk->done = true; /* not in a tree that was read */
        return STATUS_OK;
    }
    if (unit.kind != TREE_JUMP)
        return walk->visitor(walk->context, TREE_AT_CHOICES, &unit, &walk->pos);
    enum caxton_status status = walk->visitor(walk->context, TREE_AT_JUMP, &unit, &walk->pos);
    walk->at = unit.end;
    back(walk);
    return status;
}

static enum caxton_status step(struct tree_walk *walk)
{
    struct tree_unit unit;
    enum caxton_status status = STATUS_OK;
    if (tree_unit_read(walk->book->body, walk->book->size, walk->at, &unit) != NULL ||
        unit.kind != TREE_MOVE) {
        walk->done = true; /* not in a tree that was read */
        return status;
    }
    move moves[MOVES_MAX];
    int count = tree_order(&walk->pos, moves);
    if (unit.place < count && !unit.last) {
        walk->at = unit.end;
        status = push(walk, moves[unit.place], unit.more);
        return status == STATUS_OK ? arrive(walk) : status;
    }
    if (unit.place >= count)
        status = walk->visitor(walk->context, TREE_AT_ILLEGAL, &unit, &walk->pos);
    walk->at = tree_skip(walk->book, &unit);
    if (!unit.more)
        back(walk);
    return status;
}

/* Errors: STATUS_NO_MEMORY, those of the visitor. */
static enum caxton_status walk_all(const struct tree_book *book, tree_visitor visitor,
                                   void *context)
{
    struct tree_walk walk = {.book = book, .visitor = visitor, .context = context};
    enum caxton_status status = STATUS_OK;
    for (size_t i = 0; i < book->start_count && status == STATUS_OK; i++) {
        walk.plies = 0;
        walk.done = false;
        walk.at = book->start_places[i];
        walk.pos = book->starts[i];
        status = arrive(&walk);
        while (!walk.done && status == STATUS_OK)
            status = step(&walk);
    }
    free(walk.line);
    return status;
}

/* What `makebook verify` says of a tree: illegal moves, repeated choices, wrong jumps. */

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

/* As struct book_format.check. */
static enum caxton_status tree_check(const struct book_format *format, const uint8_t *bytes,
                                     size_t size, const struct position *root, book_fault_sink sink,
                                     void *context)
{
    (void)format;
    (void)root;
    struct check check = {.sink = sink, .context = context};
    struct diag diag;
    enum caxton_status status = tree_book_read(&check.book, bytes, size, &diag);
    if (status == STATUS_FORMAT) {
        sink(context, check.book.fault, &diag, NULL);
        status = STATUS_OK;
    } else if (status == STATUS_OK) {
        status = walk_all(&check.book, visit, &check);
        if (status == STATUS_OK)
            check_jumps(&check);
    }
    tree_book_free(&check.book);
    free(check.choices.all);
    free(check.jumps.all);
    return status;
}

/* Following a game ------------------------------------------------------------------------- */

/* Where the game stands in the tree that it follows; false when it has left it. */
static bool follow_from(const struct tree_book *book, size_t start, const struct game *game,
                        size_t *found)
{
    struct position pos = book->starts[start];
    size_t at = book->start_places[start];
    size_t plies = game_plies(game);
    if (pos.key != game_start(game)->key)
        return false;
    for (size_t ply = 0; ply < plies; ply++) {
        struct tree_unit unit;
        move m = game_move(game, ply);
        int place = tree_place(&pos, m);
        bool is_choice = tree_first_choice(book, at, &unit);
        while (is_choice && unit.place != place)
            is_choice = tree_next_choice(book, &unit);
        if (!is_choice || unit.last)
            return false;
        at = unit.end;
        position_play(&pos, m);
    }
    *found = at;
    return true;
}

static bool follow(const struct tree_book *book, const struct game *game, size_t *found)
{
    for (size_t i = 0; i < book->start_count; i++)
        if (follow_from(book, i, game, found))
            return true;
    return false;
}

/* All positions ---------------------------------------------------------------------------- */

struct tree_gathering {
    const struct tree_book *book;
    struct entry_list list;
};

static enum caxton_status gather(void *context, enum tree_visit what, const struct tree_unit *unit,
                                 const struct position *pos)
{
    struct tree_gathering *gathering = context;
    struct book_move moves[MOVES_MAX];
    enum caxton_status status = STATUS_OK;
    int count = what == TREE_AT_CHOICES ? tree_moves(gathering->book, unit->at, pos, moves) : 0;
    for (int i = 0; i < count && status == STATUS_OK; i++)
        status = entry_list_add(&gathering->list, pos, moves[i].move,
                                (struct book_entry){.weight = moves[i].weight,
                                                    .place = (uint32_t)unit->at,
                                                    .stated = true,
                                                    .styles = moves[i].styles});
    return status;
}

static enum caxton_status gather_all(const struct tree_book *book, struct entry_table *table)
{
    struct tree_gathering gathering = {.book = book};
    enum caxton_status status = walk_all(book, gather, &gathering);
    if (status == STATUS_OK)
        *table = entry_table_from_list(&gathering.list);
    entry_list_free(&gathering.list);
    return status;
}

/* The format ------------------------------------------------------------------------------- */

static int tree_probe(const void *state, const struct position *pos, const struct game *game,
                      struct book_move *out)
{
    const struct tree_book *book = state;
    size_t at;
    if (!game || !follow(book, game, &at))
        return -1;
    return tree_moves(book, at, pos, out);
}

static enum caxton_status refuse_illegal(void *context, enum tree_visit what,
                                         const struct tree_unit *unit, const struct position *pos)
{
    (void)context;
    (void)unit;
    (void)pos;
    return what == TREE_AT_ILLEGAL ? STATUS_ILLEGAL : STATUS_OK;
}

/* A file that is a tree to its last byte, all moves legal, with a choice somewhere: ASCII text has
 * no byte that high. Other files fail within a few bytes. */
static bool is_pure(const uint8_t *bytes, size_t size)
{
    struct tree_book book;
    bool is_tree = tree_book_read(&book, bytes, size, NULL) == STATUS_OK && book.branched &&
                   walk_all(&book, refuse_illegal, NULL) == STATUS_OK;
    tree_book_free(&book);
    return is_tree;
}

static bool tree_recognises(const uint8_t *bytes, size_t size)
{
    return tree_has_header(bytes, size) || (size > 0 && is_pure(bytes, size));
}

static void tree_close(void *state)
{
    if (state)
        tree_book_free(state);
    free(state);
}

static enum caxton_status tree_open(struct book *book, const uint8_t *bytes, size_t size,
                                    struct diag *diag)
{
    struct diag own = {.text = ""};
    struct tree_book *tree = malloc(sizeof *tree);
    enum caxton_status status = STATUS_NO_MEMORY;
    if (tree)
        status = tree_book_read(tree, bytes, size, &own);
    if (status == STATUS_OK)
        status = gather_all(tree, &book->table);
    if (status == STATUS_OK) {
        book->state = tree;
        book->move_count = tree->stats.moves;
        book->roots = tree->starts;
        book->root_count = tree->start_count;
        return status;
    }
    tree_close(tree);
    if (status == STATUS_NO_MEMORY)
        diag_set(diag, 0, 0, "%s: out of memory", book->name);
    else
        diag_set(diag, 0, 0, "%s: byte %zu: %s", book->name, own.offset, own.text);
    if (diag)
        diag->offset = own.offset;
    return status;
}

static void tree_describe(const void *state, struct text_buffer *out)
{
    const struct tree_book *book = state;
    const struct tree_stats *stats = &book->stats;
    double moves = (double)stats->moves;
    text_append(out,
                "%zu moves of the book in %zu bytes, %.2f a move; without packed weights %zu "
                "bytes, %.2f a move: %zu non-book moves and %zu jumps (%zu bytes) included",
                stats->moves, stats->bytes, (double)stats->bytes / moves,
                stats->bytes - stats->packed, (double)(stats->bytes - stats->packed) / moves,
                stats->non_book_moves, stats->jumps, stats->jump_bytes);
}

const struct book_format tree_format = {
    .name = "Thompson's tree",
    .extension = "tree",
    .writers = tree_writers,
    .writer_count = TREE_WRITERS,
    .recognises = tree_recognises,
    .open = tree_open,
    .close = tree_close,
    .probe = tree_probe,
    .check = tree_check,
    .describe = tree_describe,
};
