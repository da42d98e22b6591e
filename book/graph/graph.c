#include "book/graph/graph.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "book/book.h"
#include "book/book_move.h"
#include "book/entry_table.h"
#include "book/format.h"
#include "book/polyglot_entry.h"
#include "chess/fen.h"
#include "chess/game.h"
#include "chess/mirror.h"

/* What the walk that makes a graph asks the book: of a book of positions whether it has one, of a
 * book of lines what it says in the position of a game. */

struct graph_source {
    const struct book *book;
    const struct entry_table *table; /* NULL: a book of lines */
    bool mirrored;                   /* its keys are of positions with White to move */
    uint8_t *marks;                  /* of its keys: a bit for each, by their last bits */
    uint64_t mark_mask;
    struct game *game; /* the line to the node at hand, for a book of lines */
};

/* Nearly all positions that are looked up are not there, which one bit tells of all but a few. */
static void mark_key(struct graph_source *source, uint64_t key)
{
    uint64_t at = key & source->mark_mask;
    source->marks[at / 8] |= (uint8_t)(1 << at % 8);
}

static enum caxton_status mark_keys(struct graph_source *source)
{
    enum { BITS_PER_KEY = 16 };
    uint64_t bits = 64;
    while (bits < source->table->count * (uint64_t)BITS_PER_KEY)
        bits *= 2;
    source->mark_mask = bits - 1;
    source->marks = calloc(bits / 8, 1);
    if (!source->marks)
        return STATUS_NO_MEMORY;
    for (size_t i = 0; i < source->table->count; i++)
        mark_key(source, entry_table_at(source->table, i).key);
    return STATUS_OK;
}

/* Is there a position at this entry, its first one, that is not reached? */
static bool is_unreached(const struct graph_source *source, const uint8_t *reached, size_t i)
{
    const struct entry_table *table = source->table;
    return (i == 0 || entry_table_at(table, i).key != entry_table_at(table, i - 1).key) &&
           !(reached[i / 8] & 1 << i % 8);
}

/* From now on only the positions are there that `reached` has no bit for, by their first entries:
 * few of them are told from others much sooner than all, and their marks stay in the cache of the
 * processor. Not for a mirrored book. */
static void graph_source_forget(struct graph_source *source, const uint8_t *reached)
{
    enum { BITS_PER_KEY = 64 };
    uint64_t left = 0;
    uint64_t bits = 64;
    for (size_t i = 0; i < source->table->count; i++)
        left += is_unreached(source, reached, i);
    while (bits < left * BITS_PER_KEY && bits <= source->mark_mask)
        bits *= 2;
    source->mark_mask = bits - 1;
    memset(source->marks, 0, bits / 8);
    for (size_t i = 0; i < source->table->count; i++)
        if (is_unreached(source, reached, i))
            mark_key(source, entry_table_at(source->table, i).key);
}

static uint64_t key_of(const struct graph_source *source, const struct position *pos)
{
    return source->mirrored && pos->turn == BLACK ? position_mirror_key(pos) : pos->key;
}

/* May the book of positions have this one? False is certain, and soon found. */
static bool graph_source_may_have(const struct graph_source *source, const struct position *pos)
{
    uint64_t bit = key_of(source, pos) & source->mark_mask;
    return source->marks[bit / 8] & 1 << bit % 8;
}

/* Does the book of positions have this one? *at is its first entry then. */
static bool graph_source_find(const struct graph_source *source, const struct position *pos,
                              size_t *at)
{
    uint64_t key = key_of(source, pos);
    if (!graph_source_may_have(source, pos))
        return false;
    *at = entry_table_find(source->table, key);
    return *at < source->table->count && entry_table_at(source->table, *at).key == key;
}

/* What a book of lines knows in the position of source->game, with that game and without. Returns
 * how many; moves: MOVES_MAX of them. */
static int graph_source_probe(const struct graph_source *source, struct book_move *moves)
{
    struct book_move more[MOVES_MAX];
    int count = book_probe_game(source->book, source->game, moves, MOVES_MAX);
    int also = book_probe(source->book, game_position(source->game), more, MOVES_MAX);
    for (int i = 0; i < also; i++) {
        int at = 0;
        while (at < count && moves[at].move != more[i].move)
            at++;
        if (at == count && count < MOVES_MAX)
            moves[count++] = more[i];
    }
    return count;
}

/* The same of its non-book moves. */
static int graph_source_non_book_moves(const struct graph_source *source, move *moves)
{
    const struct position *pos = game_position(source->game);
    const struct book *book = source->book;
    move more[MOVES_MAX];
    if (!book->format->non_book_moves)
        return 0;
    int count = book->format->non_book_moves(book->state, pos, source->game, moves);
    int also = book->format->non_book_moves(book->state, pos, NULL, more);
    for (int i = 0; i < also; i++) {
        int at = 0;
        while (at < count && moves[at] != more[i])
            at++;
        if (at == count && count < MOVES_MAX)
            moves[count++] = more[i];
    }
    return count;
}

/* Does a book of lines have non-book moves after `m`? Errors: STATUS_NO_MEMORY. */
static enum caxton_status graph_source_goes_on(const struct graph_source *source, move m, bool *out)
{
    move moves[MOVES_MAX];
    enum caxton_status status = game_play(source->game, m);
    if (status != STATUS_OK)
        return status;
    *out = graph_source_non_book_moves(source, moves) > 0;
    (void)game_take_back(source->game);
    return STATUS_OK;
}

/* book: NULL for a table without a book. Errors: STATUS_NO_MEMORY; close it then, too. */
static enum caxton_status graph_source_open(struct graph_source *source, const struct book *book,
                                            const struct entry_table *table)
{
    *source = (struct graph_source){
        .book = book, .table = table, .mirrored = book && book->format->mirrored};
    if (table)
        return mark_keys(source);
    source->game = game_create();
    return source->game ? STATUS_OK : STATUS_NO_MEMORY;
}

/* How many positions a book of positions has. */
static size_t graph_source_positions(const struct graph_source *source)
{
    size_t count = 0;
    uint64_t last = 0;
    for (size_t i = 0; i < source->table->count; i++) {
        uint64_t key = entry_table_at(source->table, i).key;
        count += i == 0 || key != last;
        last = key;
    }
    return count;
}

/* How many moves the positions have that `reached` has no bit for. */
static size_t graph_source_unreached_moves(const struct graph_source *source,
                                           const uint8_t *reached)
{
    size_t count = 0;
    bool is_reached = false;
    uint64_t last = 0;
    for (size_t i = 0; i < source->table->count; i++) {
        uint64_t key = entry_table_at(source->table, i).key;
        if (i == 0 || key != last)
            is_reached = reached[i / 8] & 1 << i % 8;
        count += !is_reached;
        last = key;
    }
    return count;
}

static void graph_source_close(struct graph_source *source)
{
    game_destroy(source->game);
    free(source->marks);
}

/* Enough for the nodes that wait in nearly every book. */
enum { RECENT = 1 << 15 };

/* WALK_OWN: no non-book moves, and no roots that the file names. WALK_SHORTEST: non-book moves at
 * once, and no other roots. WALK_ALL: non-book moves where all else ends. */
enum walk_kind { WALK_ALL, WALK_OWN, WALK_SHORTEST };

/* The walk that makes a graph: nodes are expanded in the order in which they were found. */
struct graph_walk {
    struct book_graph *graph;
    struct graph_source source;
    struct position *recent; /* of the newest nodes: node i has recent[i % RECENT] */
    size_t entry;            /* of a table: where the last position was found */
    size_t unreached;        /* positions of the book */
    uint32_t expanded;       /* so many nodes are, the first */
    uint32_t passed;         /* likewise */
    enum walk_kind kind;
};

/* A line leads to the position that was found last. */
static void reach(struct graph_walk *walk)
{
    if (!walk->source.table)
        return;
    uint8_t *reached = &walk->graph->reached[walk->entry / 8];
    uint8_t bit = (uint8_t)(1 << walk->entry % 8);
    walk->unreached -= !(*reached & bit);
    *reached |= bit;
}

/* Is the position after `m` in the book? Not asked of those that have a node. */
static enum caxton_status look_behind(struct graph_walk *walk, const struct position *pos, move m,
                                      struct position *after, bool *known)
{
    struct book_move moves[MOVES_MAX];
    *after = position_after(pos, m);
    if (book_graph_find(walk->graph, after->key) != BOOK_GRAPH_NONE)
        return STATUS_OK;
    if (walk->source.table) {
        *known = graph_source_find(&walk->source, after, &walk->entry);
        return STATUS_OK;
    }
    enum caxton_status status = game_play(walk->source.game, m);
    if (status == STATUS_OK) {
        *known = graph_source_probe(&walk->source, moves) > 0;
        (void)game_take_back(walk->source.game);
    }
    return status;
}

/* A node behind the move `via` of `parent`, with the position `after`. */
static enum caxton_status add_child(struct graph_walk *walk, uint32_t parent, move via,
                                    const struct position *after, bool known, uint32_t *index)
{
    enum caxton_status status = graph_add_child(walk->graph, parent, via, after->key, known, index);
    if (status == STATUS_OK)
        walk->recent[*index % RECENT] = *after;
    return status;
}

static enum caxton_status replay(struct graph_walk *walk, uint32_t at, struct position *pos)
{
    move line[BOOK_GRAPH_PLIES_MAX];
    if (walk->source.table && walk->graph->node_count - at <= RECENT) {
        *pos = walk->recent[at % RECENT];
        return STATUS_OK;
    }
    book_graph_position(walk->graph, at, pos, line);
    if (walk->source.table)
        return STATUS_OK;
    const struct book_node *node = &walk->graph->nodes[at];
    game_reset(walk->source.game, &walk->graph->roots[node->root]);
    enum caxton_status status = STATUS_OK;
    for (uint32_t i = 0; i < node->ply && status == STATUS_OK; i++)
        status = game_play(walk->source.game, line[i]);
    return status;
}

/* Can one move lead from `pos` to a position of the book that is not reached yet? */
static bool leads_on(struct graph_walk *walk, const struct position *pos)
{
    move moves[MOVES_MAX];
    int count = movegen_legal(pos, moves);
    for (int i = 0; i < count; i++) {
        struct position after = position_after(pos, moves[i]);
        if (graph_source_find(&walk->source, &after, &walk->entry) &&
            book_graph_find(walk->graph, after.key) == BOOK_GRAPH_NONE)
            return true;
    }
    return false;
}

static int compare_moves(const void *left, const void *right)
{
    const struct book_move *a = left;
    const struct book_move *b = right;
    if (a->weight != b->weight)
        return a->weight > b->weight ? -1 : 1;
    return (int)polyglot_from_move(a->move) - (int)polyglot_from_move(b->move);
}

static int probe(const struct graph_walk *walk, const struct position *pos, struct book_move *moves)
{
    if (walk->source.book)
        return walk->source.table ? book_probe(walk->source.book, pos, moves, MOVES_MAX)
                                  : graph_source_probe(&walk->source, moves);
    int count = entry_table_probe(walk->source.table, pos, moves);
    qsort(moves, (size_t)count, sizeof *moves, compare_moves);
    return count;
}

/* Finds the node's moves and the positions behind them. */
static enum caxton_status expand(struct graph_walk *walk, uint32_t at)
{
    struct book_graph *graph = walk->graph;
    struct position pos;
    struct book_move moves[MOVES_MAX];
    enum caxton_status status = replay(walk, at, &pos);
    if (status != STATUS_OK)
        return status;
    int count = probe(walk, &pos, moves);
    uint32_t first = (uint32_t)graph->edge_count;
    status = graph_add_edges(graph, moves, count);
    if (status != STATUS_OK)
        return status;
    graph->nodes[at].first = first;
    graph->nodes[at].count = (uint32_t)count;
    bool last = graph->nodes[at].ply >= BOOK_GRAPH_PLIES_MAX;
    for (int i = 0; i < count && status == STATUS_OK; i++) {
        struct position after;
        bool known = false;
        status = look_behind(walk, &pos, moves[i].move, &after, &known);
        uint32_t to = book_graph_find(graph, after.key);
        graph->cut |= last && known && to == BOOK_GRAPH_NONE;
        bool follows = to == BOOK_GRAPH_NONE && !last &&
                       (known || (walk->kind == WALK_SHORTEST && leads_on(walk, &after)));
        if (status == STATUS_OK && follows) {
            if (known)
                reach(walk);
            status = add_child(walk, at, moves[i].move, &after, known, &to);
        }
        graph->edges[first + (uint32_t)i].to = to;
    }
    return status;
}

/* A node for the position behind a move of the book where it knows nothing, but answers the
 * replies. */
static enum caxton_status pass_behind(struct graph_walk *walk, uint32_t at,
                                      const struct position *pos)
{
    struct book_graph *graph = walk->graph;
    enum caxton_status status = STATUS_OK;
    for (uint32_t i = 0; i < graph->nodes[at].count && status == STATUS_OK; i++) {
        uint32_t edge = graph->nodes[at].first + i;
        if (graph->edges[edge].to != BOOK_GRAPH_NONE)
            continue;
        struct position after = position_after(pos, graph->edges[edge].move);
        uint32_t to = book_graph_find(graph, after.key);
        bool leads = false;
        if (to == BOOK_GRAPH_NONE && walk->source.table)
            leads = leads_on(walk, &after);
        else if (to == BOOK_GRAPH_NONE)
            status = graph_source_goes_on(&walk->source, graph->edges[edge].move, &leads);
        if (status == STATUS_OK && leads)
            status = add_child(walk, at, graph->edges[edge].move, &after, false, &to);
        graph->edges[edge].to = to;
    }
    return status;
}

/* Is the position after `m` a place to pass into? known: as in struct book_node. */
static enum caxton_status look_beyond(struct graph_walk *walk, uint32_t at,
                                      const struct position *pos, move m, struct position *after,
                                      bool *known, bool *leads)
{
    *leads = false;
    *after = position_after(pos, m);
    if (walk->source.table && !graph_source_may_have(&walk->source, after))
        return STATUS_OK;
    enum caxton_status status = look_behind(walk, pos, m, after, known);
    if (status != STATUS_OK || book_graph_edge(walk->graph, at, m) != BOOK_GRAPH_NONE ||
        book_graph_find(walk->graph, after->key) != BOOK_GRAPH_NONE)
        return status;
    *leads = *known;
    return *known || walk->source.table ? status : graph_source_goes_on(&walk->source, m, leads);
}

/* Follows the moves from the node that are not the book's, but lead into it. */
static enum caxton_status pass(struct graph_walk *walk, uint32_t at)
{
    struct book_graph *graph = walk->graph;
    struct position pos;
    move moves[MOVES_MAX];
    if (graph->nodes[at].ply >= BOOK_GRAPH_PLIES_MAX)
        return STATUS_OK;
    enum caxton_status status = replay(walk, at, &pos);
    if (status == STATUS_OK && walk->kind == WALK_ALL)
        status = pass_behind(walk, at, &pos);
    int count = walk->source.table ? movegen_legal(&pos, moves)
                                   : graph_source_non_book_moves(&walk->source, moves);
    uint32_t last = BOOK_GRAPH_NONE;
    for (int i = 0; i < count && status == STATUS_OK; i++) {
        struct position after;
        uint32_t to;
        bool known = false;
        bool leads = false;
        status = look_beyond(walk, at, &pos, moves[i], &after, &known, &leads);
        if (status != STATUS_OK || !leads)
            continue;
        reach(walk);
        status = add_child(walk, at, moves[i], &after, known, &to);
        if (status != STATUS_OK)
            break;
        graph->nodes[to].non_book = true;
        if (last == BOOK_GRAPH_NONE)
            graph->nodes[at].child = to;
        else
            graph->nodes[last].next = to;
        last = to;
    }
    return status;
}

static enum caxton_status add_root(struct graph_walk *walk, const struct position *pos)
{
    struct book_graph *graph = walk->graph;
    bool known = false;
    uint32_t index;
    size_t count = graph->root_count;
    if (walk->source.table) {
        known = graph_source_find(&walk->source, pos, &walk->entry);
        if (known)
            reach(walk);
    } else {
        struct book_move moves[MOVES_MAX];
        game_reset(walk->source.game, pos);
        known = graph_source_probe(&walk->source, moves) > 0;
    }
    if (count > 0 && !known)
        return STATUS_OK;
    if (!ARRAY_GROW(graph->roots, graph->root_capacity, count + 1))
        return STATUS_NO_MEMORY;
    graph->roots[graph->root_count++] = *pos;
    enum caxton_status status = graph_add_node(
        graph,
        (struct book_node){
            .key = pos->key, .parent = BOOK_GRAPH_NONE, .root = (uint32_t)count, .known = known},
        &index);
    if (status == STATUS_OK)
        walk->recent[index % RECENT] = *pos;
    return status;
}

/* Can there be positions that only non-book moves reach? */
static bool may_pass(const struct graph_walk *walk)
{
    if (walk->kind != WALK_ALL)
        return false;
    return walk->source.table ? walk->unreached > 0
                              : walk->graph->book->format->non_book_moves != NULL;
}

/* Follows everything from the nodes that are there. */
static enum caxton_status follow(struct graph_walk *walk)
{
    struct book_graph *graph = walk->graph;
    enum caxton_status status = STATUS_OK;
    while (status == STATUS_OK) {
        if (walk->expanded < graph->node_count) {
            status = expand(walk, walk->expanded);
            if (status == STATUS_OK && walk->kind == WALK_SHORTEST)
                status = pass(walk, walk->expanded);
            walk->expanded++;
        } else if (walk->passed < graph->node_count && may_pass(walk)) {
            if (walk->passed == 0 && walk->source.table && !walk->source.mirrored)
                graph_source_forget(&walk->source, graph->reached);
            status = pass(walk, walk->passed++);
        } else
            break;
    }
    return status;
}

static enum caxton_status follow_root(struct graph_walk *walk, const struct position *root)
{
    if (book_graph_find(walk->graph, root->key) != BOOK_GRAPH_NONE)
        return STATUS_OK;
    enum caxton_status status = add_root(walk, root);
    return status == STATUS_OK ? follow(walk) : status;
}

/* root: NULL for the standard start. The shortest lines come from all starts in any case. */
static enum caxton_status walk_all(struct graph_walk *walk, const struct position *root)
{
    enum { CHESS960_STARTS = 960 };
    const struct book *book = walk->graph->book;
    struct position start;
    position_start(&start);
    enum caxton_status status = follow_root(walk, root ? root : &start);
    bool is_elsewhere = root && walk->kind != WALK_SHORTEST;
    unsigned starts = is_elsewhere ? 0 : CHESS960_STARTS;
    for (unsigned i = 0; i < starts && walk->unreached > 0 && status == STATUS_OK; i++) {
        fen_chess960(i, &start);
        status = follow_root(walk, &start);
    }
    walk->graph->start_count = walk->graph->root_count;
    size_t roots = walk->kind == WALK_ALL ? book->root_count : 0;
    for (size_t i = 0; i < roots && status == STATUS_OK; i++)
        status = follow_root(walk, &book->roots[i]);
    return status;
}

static enum caxton_status prepare(struct graph_walk *walk, const struct entry_table *table)
{
    enum caxton_status status = graph_grow(walk->graph);
    walk->recent = malloc(RECENT * sizeof *walk->recent);
    if (!walk->recent)
        return STATUS_NO_MEMORY;
    if (status == STATUS_OK)
        status = graph_source_open(&walk->source, walk->graph->book, table);
    if (status != STATUS_OK || !table)
        return status;
    walk->unreached = graph_source_positions(&walk->source);
    walk->graph->reached = calloc(table->count / 8 + 1, 1);
    return walk->graph->reached ? STATUS_OK : STATUS_NO_MEMORY;
}

/* book: NULL for a table without a book. */
static enum caxton_status create(const struct book *book, const struct entry_table *table,
                                 const struct position *root, enum walk_kind kind,
                                 struct book_graph *out)
{
    struct book_graph graph = {.book = book};
    struct graph_walk walk = {.graph = &graph, .kind = kind};
    enum caxton_status status = prepare(&walk, table);
    if (status == STATUS_OK)
        status = walk_all(&walk, root);
    graph.positions = graph.known + walk.unreached;
    if (!table && book->position_count > graph.known && kind == WALK_ALL) {
        graph.positions = book->position_count;
        if (book->move_count > graph.edge_count)
            graph.unreached_moves = book->move_count - graph.edge_count;
    }
    if (status == STATUS_OK && table && kind == WALK_ALL)
        graph.unreached_moves = graph_source_unreached_moves(&walk.source, graph.reached);
    graph_source_close(&walk.source);
    free(walk.recent);
    if (status == STATUS_OK)
        *out = graph;
    else
        book_graph_destroy(&graph);
    return status;
}

static enum caxton_status create_of_book(const struct book *book, const struct position *root,
                                         enum walk_kind kind, struct book_graph *out,
                                         struct diag *diag)
{
    enum caxton_status status = create(book, book_table(book), root, kind, out);
    if (status != STATUS_OK)
        diag_set(diag, 0, 0, "%s: %s", book_name(book),
                 status == STATUS_RANGE ? "more moves than can be walked through"
                                        : "out of memory");
    return status;
}

enum caxton_status book_graph_create(const struct book *book, const struct position *root,
                                     struct book_graph *out, struct diag *diag)
{
    return create_of_book(book, root, WALK_ALL, out, diag);
}

enum caxton_status book_graph_create_own(const struct book *book, const struct position *root,
                                         struct book_graph *out, struct diag *diag)
{
    return create_of_book(book, root, WALK_OWN, out, diag);
}

enum caxton_status book_graph_create_shortest(const struct entry_table *table,
                                              const struct position *root, struct book_graph *out)
{
    return create(NULL, table, root, WALK_SHORTEST, out);
}
