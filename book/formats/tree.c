#include "book/formats/tree.h"

#include <stdlib.h>
#include <string.h>

#include "book/formats/tree_body.h"
#include "book/formats/tree_walk.h"

/* Finding a position ----------------------------------------------------------------------- */

/* Where the game stands in the tree that it follows; false when it has left it. */
static bool follow_from(const struct tree_book *book, size_t start, const struct game *game,
                        size_t *found)
{
    struct position pos;
    size_t at = book->starts[start].at;
    size_t plies = game_plies(game);
    tree_start_position(book, start, &pos);
    if (pos.key != game_start(game)->key)
        return false;
    for (size_t ply = 0; ply < plies; ply++) {
        struct undo undo;
        struct tree_unit unit;
        move m = game_move(game, ply);
        int place = tree_place(&pos, m);
        bool is_choice =
            tree_unit_read(book->body, book->size, tree_resolve(book, at), &unit) == NULL;
        while (is_choice && unit.place != place)
            is_choice = tree_next_choice(book, &unit);
        if (!is_choice || unit.last)
            return false;
        at = unit.end;
        position_make(&pos, m, &undo);
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

/* A position that is looked for, and its choices wherever it stands. */
struct quest {
    const struct tree_book *book;
    const struct position *goal;
    struct tree_choice *choices;
    int count;
};

/* Squares from which a pawn of `color` can have come to `square` with so many captures. */
static uint64_t origins(int color, int square, int captures)
{
    uint64_t row = bb_square(square);
    uint64_t all = row;
    for (int step = 1; step < 7 && row; step++) {
        row = bb_forward(!color, row);
        if (step <= captures)
            row |= bb_east(row) | bb_west(row);
        all |= row;
    }
    return all;
}

/* Pawns do not turn back: each of the goal's needs one that can become it, and those that can
 * become none must be gone by then. */
static bool pawns_may_lead_to(const struct position *pos, const struct position *goal, int color)
{
    uint64_t pawns = position_pieces(pos, color, PAWN);
    uint64_t goals = position_pieces(goal, color, PAWN);
    uint64_t useful = 0;
    int gone = bb_count(pawns) - bb_count(goals);
    int captures = bb_count(pos->colors[!color]) - bb_count(goal->colors[!color]);
    if (gone < 0 || captures < 0)
        return false;
    while (goals) {
        uint64_t from = origins(color, bb_pop(&goals), captures) & pawns;
        if (!from)
            return false;
        useful |= from;
    }
    return bb_count(pawns & ~useful) <= gone;
}

/* Could play go on from `pos` to the goal? */
static bool may_lead_to(const struct position *pos, const struct position *goal)
{
    return !(goal->castling & ~pos->castling) && pawns_may_lead_to(pos, goal, WHITE) &&
           pawns_may_lead_to(pos, goal, BLACK);
}

/* Adds a choice, or joins it to the same move as keyed_list_join() does. */
static void join_choice(struct quest *quest, const struct tree_choice *choice)
{
    int i = 0;
    while (i < quest->count && quest->choices[i].move != choice->move)
        i++;
    if (i == quest->count) {
        quest->choices[quest->count++] = *choice;
        return;
    }
    struct tree_choice *same = &quest->choices[i];
    same->weight = choice->weight > same->weight ? choice->weight : same->weight;
    same->styles |= choice->styles;
    same->passage &= choice->passage;
}

static enum tree_step look(void *context, size_t at, const struct position *pos)
{
    struct quest *quest = context;
    if (pos->key == quest->goal->key) {
        struct tree_choice choices[MOVES_MAX];
        int count = tree_choices(quest->book, at, quest->goal, choices);
        for (int i = 0; i < count; i++)
            join_choice(quest, &choices[i]);
    }
    return may_lead_to(pos, quest->goal) ? TREE_GO_ON : TREE_PASS_BY;
}

/* Nothing is found without memory. */
static int search(const struct tree_book *book, const struct position *pos, struct tree_choice *out)
{
    struct quest quest = {.book = book, .goal = pos, .choices = out};
    const struct tree_visitor visitor = {.context = &quest, .position = look};
    return tree_walk(book, &visitor) == STATUS_OK ? quest.count : 0;
}

static int find_choices(const struct tree_book *book, const struct position *pos,
                        const struct game *game, struct tree_choice *out)
{
    size_t at;
    if (game && follow(book, game, &at))
        return tree_choices(book, at, pos, out);
    return search(book, pos, out);
}

/* All positions ---------------------------------------------------------------------------- */

struct gathering {
    const struct tree_book *book;
    struct keyed_list list;
    enum caxton_status status;
};

static enum tree_step gather(void *context, size_t at, const struct position *pos)
{
    struct gathering *gathering = context;
    struct tree_choice choices[MOVES_MAX];
    int count = tree_choices(gathering->book, at, pos, choices);
    for (int i = 0; i < count && gathering->status == STATUS_OK; i++) {
        const struct keyed_entry entry = {
            .weight = choices[i].weight, .place = (uint32_t)at, .stated = true};
        if (!choices[i].passage)
            gathering->status = keyed_list_add(&gathering->list, pos, choices[i].move, entry);
    }
    return gathering->status == STATUS_OK ? TREE_GO_ON : TREE_STOP;
}

/* Positions by key, so that tools which ask for all of them need not search for each. Playing does
 * without. */
const struct keyed *tree_keyed(const struct tree_book *constant)
{
    struct tree_book *book = (struct tree_book *)(uintptr_t)constant; /* a cache under its lock */
    struct gathering gathering = {.book = book};
    const struct tree_visitor visitor = {.context = &gathering, .position = gather};
    if (pthread_mutex_lock(&book->lock) != 0)
        return NULL;
    if (!book->is_keyed) {
        enum caxton_status status = tree_walk(book, &visitor);
        if (status == STATUS_OK && gathering.status == STATUS_OK) {
            book->keyed = keyed_from_list(&gathering.list);
            book->is_keyed = true;
        }
        keyed_list_free(&gathering.list);
    }
    const struct keyed *keyed = book->is_keyed ? &book->keyed : NULL;
    (void)pthread_mutex_unlock(&book->lock); /* fails only when it is not ours */
    return keyed;
}

const struct keyed *tree_keyed_if_made(const struct tree_book *constant)
{
    struct tree_book *book = (struct tree_book *)(uintptr_t)constant;
    if (pthread_mutex_lock(&book->lock) != 0)
        return NULL;
    const struct keyed *keyed = book->is_keyed ? &book->keyed : NULL;
    (void)pthread_mutex_unlock(&book->lock);
    return keyed;
}

/* The format ------------------------------------------------------------------------------- */

static int tree_probe(const void *state, const struct position *pos, const struct game *game,
                      struct book_move *out)
{
    const struct tree_book *book = state;
    struct tree_choice choices[MOVES_MAX];
    const struct keyed *keyed = game ? NULL : tree_keyed_if_made(book);
    if (keyed)
        return keyed_probe(keyed, pos, out);
    int count = find_choices(book, pos, game, choices);
    int given = 0;
    for (int i = 0; i < count; i++)
        if (!choices[i].passage)
            out[given++] = (struct book_move){
                .move = choices[i].move, .weight = choices[i].weight, .styles = choices[i].styles};
    return given;
}

static void note_illegal(void *context, const struct tree_unit *unit, const struct position *pos)
{
    bool *illegal = context;
    (void)unit;
    (void)pos;
    *illegal = true;
}

static enum tree_step stop_at_fault(void *context, size_t at, const struct position *pos)
{
    const bool *illegal = context;
    (void)at;
    (void)pos;
    return *illegal ? TREE_STOP : TREE_GO_ON;
}

/* A file that is a tree to its last byte, all moves legal, with a choice somewhere: ASCII text has
 * no byte that high. Other files fail within a few bytes. */
static bool is_pure(const uint8_t *bytes, size_t size)
{
    struct tree_book book;
    enum book_fault fault;
    bool illegal = false;
    const struct tree_visitor visitor = {
        .context = &illegal, .position = stop_at_fault, .illegal = note_illegal};
    bool is_tree = tree_book_read(&book, bytes, size, &fault, NULL) == STATUS_OK && book.branched &&
                   tree_walk(&book, &visitor) == STATUS_OK && !illegal;
    tree_book_free(&book);
    return is_tree;
}

static bool tree_recognises(const uint8_t *bytes, size_t size)
{
    return tree_has_header(bytes, size) || (size > 0 && is_pure(bytes, size));
}

static void tree_close(void *state)
{
    tree_book_free(state);
    free(state);
}

static enum caxton_status tree_open(const uint8_t *bytes, size_t size, const char *name,
                                    void **state, struct diag *diag)
{
    struct diag own = {.text = ""};
    enum book_fault fault;
    struct tree_book *book = malloc(sizeof *book);
    enum caxton_status status = STATUS_NO_MEMORY;
    if (book)
        status = tree_book_read(book, bytes, size, &fault, &own);
    if (status == STATUS_OK) {
        *state = book;
        return status;
    }
    if (book)
        tree_close(book);
    if (status == STATUS_NO_MEMORY)
        diag_set(diag, 0, 0, "%s: out of memory", name);
    else
        diag_set(diag, 0, 0, "%s: byte %zu: %s", name, own.offset, own.text);
    if (diag)
        diag->offset = own.offset;
    return status;
}

static const char *tree_warning(const void *state)
{
    (void)state;
    return "";
}

static size_t tree_move_count(const void *state)
{
    const struct tree_book *book = state;
    return book->moves;
}

static const struct keyed *keyed_of_state(const void *state)
{
    return tree_keyed(state);
}

static size_t tree_root_count(const void *state)
{
    const struct tree_book *book = state;
    return book->start_count;
}

static void tree_root(const void *state, size_t index, struct position *out)
{
    tree_start_position(state, index, out);
}

void tree_stats(const void *state, struct tree_stats *out)
{
    const struct tree_book *book = state;
    *out = (struct tree_stats){
        .bytes = book->file_size,
        .body = book->size,
        .packed = book->packed_size,
        .moves = book->moves,
        .passages = book->passages,
        .jumps = book->jumps,
        .jump_bytes = book->jump_bytes,
        .starts = book->start_count,
        .deepest = book->deepest,
    };
}

const struct book_format tree_format = {
    .name = "Thompson's tree",
    .extension = "tree",
    .recognises = tree_recognises,
    .open = tree_open,
    .close = tree_close,
    .warning = tree_warning,
    .move_count = tree_move_count,
    .probe = tree_probe,
    .keyed = keyed_of_state,
    .root_count = tree_root_count,
    .root = tree_root,
    .check = tree_check,
};
