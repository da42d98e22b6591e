#include "book/makebook/commands/tree.h"
#include "book/polyglot_entry.h"

#include <stdlib.h>

#include "chess/movegen.h"

static int compare_entries(const void *a, const void *b)
{
    const struct tree_entry *x = a;
    const struct tree_entry *y = b;
    if (x->entry.key != y->entry.key)
        return x->entry.key < y->entry.key ? -1 : 1;
    if (x->entry.weight != y->entry.weight)
        return x->entry.weight > y->entry.weight ? -1 : 1;
    if (x->entry.move != y->entry.move)
        return x->entry.move < y->entry.move ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

/* Every entry may be a position of its own, and lead to one that the book does not know; and the
 * root. */
static size_t nodes_max(size_t entry_count)
{
    return 2 * entry_count + 1;
}

static void group_entries(struct tree *tree)
{
    for (size_t first = 0, end; first < tree->entry_count; first = end) {
        for (end = first + 1; end < tree->entry_count; end++)
            if (tree->entries[end].entry.key != tree->entries[first].entry.key)
                break;
        tree->nodes[tree->node_count++] = (struct tree_node){.first = first,
                                                             .count = end - first,
                                                             .parent = TREE_NONE,
                                                             .child = TREE_NONE,
                                                             .next = TREE_NONE};
    }
}

static uint32_t find_node(const struct tree *tree, uint64_t key)
{
    size_t low = 0;
    size_t high = tree->node_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (tree->entries[tree->nodes[middle].first].entry.key < key)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == tree->node_count || tree->entries[tree->nodes[low].first].entry.key != key)
        return TREE_NONE;
    return (uint32_t)low;
}

/* The position of a reached node, played from the root. `line` has room for the node's plies. */
static void replay(const struct tree *tree, uint32_t node, move *line, struct position *pos)
{
    size_t plies = tree->nodes[node].ply;
    for (size_t i = plies; i > 0; i--) {
        line[i - 1] = tree->nodes[node].via;
        node = tree->nodes[node].parent;
    }
    *pos = tree->root_pos;
    struct undo undo;
    for (size_t i = 0; i < plies; i++)
        position_make(pos, line[i], &undo);
}

/* What a search from the root has found: nodes in the order of their plies. */
struct reach {
    struct tree *tree;
    uint32_t *queue;
    size_t queued;
    uint32_t at;          /* the node whose children are being linked, */
    uint32_t last;        /* the last of them, TREE_NONE = none yet, */
    struct position *pos; /* and its position */
};

static void link_child(struct reach *reach, uint32_t to, move via)
{
    struct tree_node *node = &reach->tree->nodes[reach->at];
    struct tree_node *child = &reach->tree->nodes[to];
    child->reached = true;
    child->parent = reach->at;
    child->via = via;
    child->ply = node->ply + 1;
    if (reach->last == TREE_NONE)
        node->child = to;
    else
        reach->tree->nodes[reach->last].next = to;
    reach->last = to;
    reach->queue[reach->queued++] = to;
    reach->tree->longest = child->ply;
    if (child->count) {
        reach->tree->deepest = child->ply;
        reach->tree->reached++;
    }
}

/* Links the position after `m`, unless it is in the tree already. One that the book does not know
 * is linked when a move of the book leads there (`by_book`): the book may know the answers. */
static void follow(struct reach *reach, move m, bool by_book)
{
    struct tree *tree = reach->tree;
    struct undo undo;
    position_make(reach->pos, m, &undo);
    uint32_t found = find_node(tree, reach->pos->key);
    position_unmake(reach->pos, m, &undo);
    if (found == TREE_NONE && by_book) {
        found = (uint32_t)(tree->node_count + tree->passed++);
        tree->nodes[found] = (struct tree_node){.child = TREE_NONE, .next = TREE_NONE};
    }
    if (found != TREE_NONE && !tree->nodes[found].reached)
        link_child(reach, found, m);
}

/* The moves of the book first, the heaviest before the others; then what else leads into it. */
static void reach_children(struct reach *reach, uint32_t at, struct position *pos)
{
    const struct tree *tree = reach->tree;
    reach->at = at;
    reach->last = TREE_NONE;
    reach->pos = pos;
    for (size_t i = 0; i < tree->nodes[at].count; i++) {
        move m = polyglot_to_move(pos, tree->entries[tree->nodes[at].first + i].entry.move);
        if (m != MOVE_NONE)
            follow(reach, m, true);
    }
    move moves[MOVES_MAX];
    int count = movegen_legal(pos, moves);
    for (int i = 0; i < count; i++)
        follow(reach, moves[i], false);
}

/* The root, which the book of one colour may not know. */
static uint32_t root_node(struct tree *tree)
{
    uint32_t root = find_node(tree, tree->root_pos.key);
    if (root == TREE_NONE) {
        root = (uint32_t)(tree->node_count + tree->passed++);
        tree->nodes[root] = (struct tree_node){.child = TREE_NONE};
    }
    tree->nodes[root].parent = TREE_NONE;
    tree->nodes[root].next = TREE_NONE;
    tree->nodes[root].reached = true;
    tree->reached += tree->nodes[root].count > 0;
    return root;
}

/* Breadth first, so that the shortest line counts. */
static enum caxton_status reach(struct tree *tree)
{
    size_t most = nodes_max(tree->entry_count);
    uint32_t *queue = calloc(most, sizeof *queue);
    move *line = calloc(most, sizeof *line);
    if (!queue || !line) {
        free(queue);
        free(line);
        return STATUS_NO_MEMORY;
    }
    struct reach reach = {.tree = tree, .queue = queue};
    tree->root = root_node(tree);
    queue[reach.queued++] = tree->root;
    for (size_t i = 0; i < reach.queued; i++) {
        struct position pos;
        replay(tree, queue[i], line, &pos);
        reach_children(&reach, queue[i], &pos);
    }
    free(queue);
    free(line);
    return STATUS_OK;
}

enum caxton_status tree_create(const struct entry_table *table, const struct position *root,
                               struct tree *out)
{
    struct tree tree = {.root = TREE_NONE, .root_pos = *root};
    size_t count = table->count;
    if (count >= TREE_NONE / 2)
        return STATUS_NO_MEMORY;
    tree.entries = calloc(count + 1, sizeof *tree.entries);
    tree.nodes = calloc(nodes_max(count), sizeof *tree.nodes);
    enum caxton_status status = STATUS_NO_MEMORY;
    if (tree.entries && tree.nodes) {
        tree.entry_count = count;
        for (size_t i = 0; i < count; i++)
            tree.entries[i] = (struct tree_entry){entry_table_at(table, i), i};
        qsort(tree.entries, count, sizeof *tree.entries, compare_entries);
        group_entries(&tree);
        status = reach(&tree);
    }
    if (status != STATUS_OK) {
        tree_destroy(&tree);
        return status;
    }
    *out = tree;
    return STATUS_OK;
}

void tree_destroy(struct tree *tree)
{
    free(tree->entries);
    free(tree->nodes);
    *tree = (struct tree){.root = TREE_NONE};
}

enum caxton_status tree_visit(const struct tree *tree, tree_visitor visitor, void *context)
{
    move *line = calloc((size_t)tree->longest + 1, sizeof *line);
    struct undo *undos = calloc((size_t)tree->longest + 1, sizeof *undos);
    if (!line || !undos) {
        free(line);
        free(undos);
        return STATUS_NO_MEMORY;
    }
    struct position pos = tree->root_pos;
    uint32_t at = tree->root;
    for (;;) {
        const struct tree_node *node = &tree->nodes[at];
        if (node->count)
            visitor(context, &(struct tree_stop){node, &pos, line, node->ply});
        uint32_t to = node->child;
        /* Back to the nearest node of this line that has a sibling left. */
        while (to == TREE_NONE && at != tree->root) {
            position_unmake(&pos, node->via, &undos[node->ply - 1]);
            to = node->next;
            at = node->parent;
            node = &tree->nodes[at];
        }
        if (to == TREE_NONE)
            break;
        at = to;
        node = &tree->nodes[at];
        line[node->ply - 1] = node->via;
        position_make(&pos, node->via, &undos[node->ply - 1]);
    }
    free(line);
    free(undos);
    return STATUS_OK;
}
