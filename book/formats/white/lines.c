#include "book/formats/white/lines.h"

#include <stdlib.h>

#include "base/array.h"
#include "chess/fen.h"

/* The node where the game goes on from `node` by `m`, rewritten; LINES_NONE for none. */
static uint32_t step(const struct lines *lines, uint32_t node, move m)
{
    uint32_t child = node == LINES_NONE ? LINES_NONE : lines_child(lines, node, m);
    return child == LINES_NONE ? LINES_NONE : lines_settle(lines, child);
}

/* The move that leads to a node on a line. */
static struct lines_choice choice_at(const struct lines *lines, uint32_t at)
{
    const struct lines_node *node = &lines->nodes[at];
    return (struct lines_choice){
        .key = lines->nodes[node->parent].key,
        .order = node->first,
        .node = at,
        .weight = node->weight,
        .m = node->m,
        .has_weight = node->has_weight,
        .played = node->played,
    };
}

/* The moves that lines have from `node`, by rank: those that are played, or the non-book moves. */
static int from_node(const struct lines *lines, uint32_t node, const struct position *pos,
                     bool played, struct lines_choice *out)
{
    int count = 0;
    for (uint32_t n = lines->nodes[node].child; n != LINES_NONE; n = lines->nodes[n].next) {
        const struct lines_node *child = &lines->nodes[n];
        if (child->first != LINES_NONE && child->played == played &&
            movegen_is_legal(pos, child->m))
            out[count++] = choice_at(lines, n);
    }
    return count;
}

static int from_position(const struct lines *lines, const struct position *pos, bool played,
                         struct lines_choice *out)
{
    size_t first;
    size_t known = lines_find_choices(lines, pos->key, &first);
    int count = 0;
    for (size_t i = first; i < first + known; i++) {
        const struct lines_choice *choice = &lines->choices[i];
        if (choice->played == played && movegen_is_legal(pos, choice->m))
            out[count++] = *choice;
    }
    return count;
}

static int universal(const struct lines *lines, const struct position *pos,
                     struct lines_choice *out)
{
    for (int i = 0; i < lines->reply_key_count; i++)
        if (lines->reply_keys[i] == pos->key && movegen_is_legal(pos, lines->reply)) {
            *out = (struct lines_choice){.m = lines->reply};
            return 1;
        }
    return 0;
}

/* What lines have: moves that are played, or non-book moves. node: of the game, LINES_NONE when it
 * is on none; has_game: is there one that might be? */
static int on_lines(const struct lines *lines, const struct position *pos, uint32_t node,
                    bool has_game, bool played, struct lines_choice *out)
{
    int count = node != LINES_NONE ? from_node(lines, node, pos, played, out) : 0;
    if (!count && !(has_game && lines->listed))
        count = from_position(lines, pos, played, out);
    return count;
}

/* The chances of White's walk, out of LINES_MERIT_SUM: of those still there, the preferred one is
 * taken with chance P, else the walk goes on; the last takes what is left. */
static void share_by_merit(const struct lines *lines, const struct lines_choice *from, int count,
                           struct book_move *out)
{
    int unstated = 0;
    for (int i = 0; i < count; i++)
        unstated += !from[i].has_weight;
    uint32_t left = LINES_MERIT_SUM;
    uint32_t percent = (uint32_t)lines->prefer_percent;
    for (int i = 0; i < count; i++) {
        int at = lines->prefer_later ? count - 1 - i : i;
        if (from[at].has_weight)
            continue;
        uint32_t weight = --unstated ? (left * percent + 50) / 100 : left;
        left -= weight;
        out[at].weight = weight || percent == 100 ? weight : 1;
    }
}

/* The moves that the book plays, with their weights. */
static int answers(const struct lines *lines, const struct position *pos, uint32_t node,
                   bool has_game, struct book_move *out)
{
    struct lines_choice found[MOVES_MAX];
    bool stated = false;
    int count = on_lines(lines, pos, node, has_game, true, found);
    if (!count)
        count = universal(lines, pos, found);
    for (int i = 0; i < count; i++) {
        out[i] = (struct book_move){.move = found[i].m,
                                    .weight = found[i].has_weight ? found[i].weight : 1,
                                    .place = (uint32_t)(lines->prefer_later ? count - i : i)};
        stated |= found[i].has_weight && found[i].weight > 0;
    }
    if (!stated)
        share_by_merit(lines, found, count, out);
    return count;
}

/* The node of the game that led to `pos`, LINES_NONE when it left the book, and whether there is
 * such a game. */
static uint32_t locate(const struct lines *lines, const struct position *pos,
                       const struct game *game, bool *has_game)
{
    *has_game = game && game_position(game)->key == pos->key;
    if (!*has_game || game_start(game)->key != lines->start.key)
        return LINES_NONE;
    uint32_t node = 0;
    for (size_t ply = 0; ply < game_plies(game) && node != LINES_NONE; ply++)
        node = step(lines, node, game_move(game, ply));
    return node;
}

int lines_probe(const void *lines, const struct position *pos, const struct game *game,
                struct book_move *out)
{
    bool has_game;
    uint32_t node = locate(lines, pos, game, &has_game);
    return answers(lines, pos, node, has_game, out);
}

int lines_non_book_moves(const void *lines, const struct position *pos, const struct game *game,
                         move *out)
{
    struct lines_choice found[MOVES_MAX];
    bool has_game;
    uint32_t node = locate(lines, pos, game, &has_game);
    int count = on_lines(lines, pos, node, has_game, false, found);
    for (int i = 0; i < count; i++)
        out[i] = found[i].m;
    return count;
}

move lines_hint(const void *lines, const struct position *pos, const struct game *game, move m)
{
    struct lines_choice found[MOVES_MAX];
    struct book_move moves[MOVES_MAX];
    struct position next = *pos;
    bool has_game;
    uint32_t node = step(lines, locate(lines, pos, game, &has_game), m);
    position_play(&next, m);
    int count = answers(lines, &next, node, has_game, moves);
    if (!count)
        return on_lines(lines, &next, node, has_game, false, found) ? found[0].m : MOVE_NONE;
    int best = 0;
    for (int i = 1; i < count; i++)
        if (moves[i].weight > moves[best].weight)
            best = i;
    return moves[best].move;
}

const char *const lines_style_names[LINES_STYLES] = {"san", "coordinate", "white"};

static struct lines_node node_make(uint64_t key, uint32_t parent, move m, int plies)
{
    return (struct lines_node){
        .key = key,
        .parent = parent,
        .child = LINES_NONE,
        .next = LINES_NONE,
        .first = LINES_NONE,
        .jump = LINES_NONE,
        .m = m,
        .plies = (uint16_t)plies,
    };
}

struct lines *lines_create(void)
{
    struct lines *lines = calloc(1, sizeof *lines);
    if (!lines)
        return NULL;
    lines->prefer_percent = 60;
    lines->style = LINES_SAN;
    struct position start;
    position_start(&start);
    if (lines_set_start(lines, &start) != STATUS_OK) {
        lines_destroy(lines);
        return NULL;
    }
    return lines;
}

void lines_destroy(struct lines *lines)
{
    if (!lines)
        return;
    free(lines->text);
    free(lines->nodes);
    free(lines->items);
    free(lines->choices);
    free(lines);
}

enum caxton_status lines_set_start(struct lines *lines, const struct position *start)
{
    if (!ARRAY_GROW(lines->nodes, lines->node_capacity, 1))
        return STATUS_NO_MEMORY;
    lines->start = *start;
    lines->chess960 = fen_is_chess960(start);
    lines->nodes[0] = node_make(start->key, LINES_NONE, MOVE_NONE, 0);
    lines->node_count = 1;
    return STATUS_OK;
}

uint32_t lines_child(const struct lines *lines, uint32_t node, move m)
{
    uint32_t child = lines->nodes[node].child;
    while (child != LINES_NONE && lines->nodes[child].m != m)
        child = lines->nodes[child].next;
    return child;
}

enum caxton_status lines_grow(struct lines *lines, uint32_t node, move m, uint64_t key,
                              uint32_t *out)
{
    uint32_t last = LINES_NONE; /* the last child */
    for (uint32_t n = lines->nodes[node].child; n != LINES_NONE; n = lines->nodes[n].next) {
        last = n;
        if (lines->nodes[n].m == m) {
            *out = n;
            return STATUS_OK;
        }
    }
    if (lines->node_count == LINES_NONE)
        return STATUS_NO_MEMORY;
    if (!ARRAY_GROW(lines->nodes, lines->node_capacity, lines->node_count + 1))
        return STATUS_NO_MEMORY;
    uint32_t made = (uint32_t)lines->node_count++;
    lines->nodes[made] = node_make(key, node, m, lines->nodes[node].plies + 1);
    *(last == LINES_NONE ? &lines->nodes[node].child : &lines->nodes[last].next) = made;
    *out = made;
    return STATUS_OK;
}

enum caxton_status lines_add_item(struct lines *lines, const struct lines_item *item)
{
    if (!ARRAY_GROW(lines->items, lines->item_capacity, lines->item_count + 1))
        return STATUS_NO_MEMORY;
    lines->items[lines->item_count++] = *item;
    return STATUS_OK;
}

/* A node that was reached by an item before has parents that were: no walk goes on from there. */
static void mark_items(struct lines *lines)
{
    struct lines_node *nodes = lines->nodes;
    for (size_t i = 0; i < lines->node_count; i++)
        nodes[i].first = LINES_NONE;
    for (size_t i = 0; i < lines->item_count; i++) {
        if (lines->items[i].kind == LINES_ITEM_OTHERWISE)
            lines->reply_item = i;
        if (lines->items[i].kind != LINES_ITEM_MOVES)
            continue;
        for (uint32_t n = lines->items[i].node; n != LINES_NONE && nodes[n].first == LINES_NONE;
             n = nodes[n].parent)
            nodes[n].first = (uint32_t)i;
    }
}

static void put_first(struct lines_node *nodes, uint32_t node)
{
    nodes[node].next = nodes[nodes[node].parent].child;
    nodes[nodes[node].parent].child = node;
}

/* Each node is put before its siblings, the last one first. */
static void order_siblings(struct lines *lines)
{
    struct lines_node *nodes = lines->nodes;
    for (size_t i = 0; i < lines->node_count; i++)
        nodes[i].child = LINES_NONE;
    for (uint32_t n = (uint32_t)lines->node_count; n-- > 1;)
        if (nodes[n].first == LINES_NONE)
            put_first(nodes, n);
    for (size_t i = lines->item_count; i-- > 0;)
        if (lines->items[i].kind == LINES_ITEM_MOVES)
            for (uint32_t n = lines->items[i].node; n && nodes[n].first == i; n = nodes[n].parent)
                put_first(nodes, n);
}

static int by_merit(const void *left, const void *right)
{
    const struct lines_choice *a = left;
    const struct lines_choice *b = right;
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    if (a->played != b->played)
        return a->played ? -1 : 1;
    if (a->order != b->order)
        return a->order < b->order ? -1 : 1;
    return a->node < b->node ? -1 : a->node > b->node;
}

/* Every move that lines have, from whichever node. */
static size_t list_choices(const struct lines *lines, struct lines_choice *out)
{
    size_t count = 0;
    for (size_t i = 1; i < lines->node_count; i++)
        if (lines->nodes[i].first != LINES_NONE)
            out[count++] = choice_at(lines, (uint32_t)i);
    return count;
}

/* One for each move of each position: the first, with the first weight that was stated. */
static size_t merge_choices(struct lines_choice *choices, size_t count)
{
    size_t kept = 0;
    size_t first = 0; /* of the position */
    for (size_t i = 0; i < count; i++) {
        if (kept && choices[first].key != choices[i].key)
            first = kept;
        size_t at = first;
        while (at < kept && choices[at].m != choices[i].m)
            at++;
        if (at == kept) {
            choices[kept++] = choices[i];
        } else if (!choices[at].has_weight && choices[i].has_weight) {
            choices[at].has_weight = true;
            choices[at].weight = choices[i].weight;
        }
    }
    return kept;
}

enum caxton_status lines_index(struct lines *lines)
{
    if (!ARRAY_GROW(lines->choices, lines->choice_capacity, lines->node_count))
        return STATUS_NO_MEMORY;
    mark_items(lines);
    order_siblings(lines);
    size_t count = list_choices(lines, lines->choices);
    qsort(lines->choices, count, sizeof *lines->choices, by_merit);
    lines->choice_count = merge_choices(lines->choices, count);
    return STATUS_OK;
}

uint32_t lines_settle(const struct lines *lines, uint32_t node)
{
    uint32_t jump = lines->nodes[node].jump;
    return jump == LINES_NONE ? node : jump;
}

uint32_t lines_first_beyond(const struct lines *lines, uint32_t node)
{
    uint32_t child = lines->nodes[node].child;
    return child == LINES_NONE ? LINES_NONE : lines->nodes[child].first;
}

uint32_t lines_next_node(const struct lines *lines, uint32_t node)
{
    if (lines->nodes[node].child != LINES_NONE)
        return lines->nodes[node].child;
    while (node && lines->nodes[node].next == LINES_NONE)
        node = lines->nodes[node].parent;
    return node ? lines->nodes[node].next : LINES_NONE;
}

/* Walks up from both no further than it must: over all lines of a file that is less than their
 * text. */
int lines_common_plies(const struct lines *lines, uint32_t a, uint32_t b)
{
    const struct lines_node *nodes = lines->nodes;
    while (nodes[a].plies > nodes[b].plies)
        a = nodes[a].parent;
    while (nodes[b].plies > nodes[a].plies)
        b = nodes[b].parent;
    while (a != b) {
        a = nodes[a].parent;
        b = nodes[b].parent;
    }
    return nodes[a].plies;
}

size_t lines_find_choices(const struct lines *lines, uint64_t key, size_t *first)
{
    size_t low;
    ARRAY_SEARCH(low, 0, lines->choice_count, lines->choices[low].key < key);
    *first = low;
    while (low < lines->choice_count && lines->choices[low].key == key)
        low++;
    return low - *first;
}

struct lines_size lines_size(const struct lines *lines)
{
    struct lines_size size = {.lines = 0};
    for (size_t i = 0; i < lines->item_count; i++) {
        const struct lines_item *item = &lines->items[i];
        if (item->kind != LINES_ITEM_MOVES)
            continue;
        size.lines++;
        uint32_t node = item->node;
        for (int ply = lines->nodes[node].plies; ply > item->shared; ply--) {
            size.moves_written++;
            size.non_book_moves += !lines->nodes[node].played;
            node = lines->nodes[node].parent;
        }
    }
    return size;
}

void lines_path_begin(struct lines_path *path, const struct lines *lines)
{
    path->plies = 0;
    path->nodes[0] = 0;
    path->positions[0] = lines->start;
}

void lines_path_seek(struct lines_path *path, const struct lines *lines, uint32_t node)
{
    int plies = lines->nodes[node].plies;
    int kept = plies;
    while (kept > path->plies || path->nodes[kept] != node) {
        path->nodes[kept--] = node;
        node = lines->nodes[node].parent;
    }
    for (int i = kept + 1; i <= plies; i++) {
        path->positions[i] = path->positions[i - 1];
        position_play(&path->positions[i], lines->nodes[path->nodes[i]].m);
    }
    path->plies = plies;
}
