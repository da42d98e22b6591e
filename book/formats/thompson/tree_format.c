#include "book/formats/thompson/tree_format.h"

#include <stdlib.h>

#include "book/formats/thompson/tree_check.h"
#include "book/formats/thompson/tree_header.h"
#include "book/formats/thompson/tree_order.h"
#include "book/formats/thompson/tree_walk.h"
#include "book/formats/thompson/tree_write.h"

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

struct gathering {
    const struct tree_book *book;
    struct entry_list list;
};

static enum caxton_status gather(void *context, enum tree_visit what, const struct tree_unit *unit,
                                 const struct position *pos)
{
    struct gathering *gathering = context;
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
    struct gathering gathering = {.book = book};
    enum caxton_status status = tree_walk(book, gather, &gathering);
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
                   tree_walk(&book, refuse_illegal, NULL) == STATUS_OK;
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
