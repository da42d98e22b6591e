#include "book/makebook/tree.h"

#include <stdlib.h>

/* The entries again, then the file's order: qsort is not stable. */
static int compare_entries(const void *a, const void *b)
{
    const struct tree_entry *x = a;
    const struct tree_entry *y = b;
    int order = polyglot_compare(&x->entry, &y->entry);
    return order ? order : (x->index > y->index) - (x->index < y->index);
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

/* Links the positions after the moves of `at` that are new to the tree; appends them to `queue`. */
static void reach_children(struct tree *tree, uint32_t at, struct position *pos, uint32_t *queue)
{
    struct tree_node *node = &tree->nodes[at];
    uint32_t last = TREE_NONE;
    for (size_t i = 0; i < node->count; i++) {
        move m = polyglot_to_move(pos, tree->entries[node->first + i].entry.move);
        if (m == MOVE_NONE)
            continue;
        struct undo undo;
        position_make(pos, m, &undo);
        uint32_t found = find_node(tree, pos->key);
        position_unmake(pos, m, &undo);
        if (found == TREE_NONE || tree->nodes[found].reached)
            continue;
        struct tree_node *child = &tree->nodes[found];
        child->reached = true;
        child->parent = at;
        child->via = m;
        child->ply = node->ply + 1;
        if (last == TREE_NONE)
            node->child = found;
        else
            tree->nodes[last].next = found;
        last = found;
        tree->deepest = child->ply;
        queue[tree->reached++] = found;
    }
}

/* Breadth first, so that the shortest line counts. */
static enum caxton_status reach(struct tree *tree)
{
    tree->root = find_node(tree, tree->root_pos.key);
    if (tree->root == TREE_NONE)
        return STATUS_OK;
    uint32_t *queue = calloc(tree->node_count, sizeof *queue);
    move *line = calloc(tree->node_count, sizeof *line);
    if (!queue || !line) {
        free(queue);
        free(line);
        return STATUS_NO_MEMORY;
    }
    tree->nodes[tree->root].reached = true;
    queue[tree->reached++] = tree->root;
    for (size_t i = 0; i < tree->reached; i++) {
        struct position pos;
        replay(tree, queue[i], line, &pos);
        reach_children(tree, queue[i], &pos, queue);
    }
    free(queue);
    free(line);
    return STATUS_OK;
}

enum caxton_status tree_create(const uint8_t *bytes, size_t count, const struct position *root,
                               struct tree *out)
{
    struct tree tree = {.root = TREE_NONE, .root_pos = *root};
    if (count >= TREE_NONE)
        return STATUS_NO_MEMORY;
    tree.entries = calloc(count + 1, sizeof *tree.entries);
    tree.nodes = calloc(count + 1, sizeof *tree.nodes);
    enum caxton_status status = STATUS_NO_MEMORY;
    if (tree.entries && tree.nodes) {
        tree.entry_count = count;
        for (size_t i = 0; i < count; i++)
            tree.entries[i] =
                (struct tree_entry){polyglot_decode(bytes + i * POLYGLOT_ENTRY_SIZE), i};
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
    if (tree->root == TREE_NONE)
        return STATUS_OK;
    move *line = calloc((size_t)tree->deepest + 1, sizeof *line);
    struct undo *undos = calloc((size_t)tree->deepest + 1, sizeof *undos);
    if (!line || !undos) {
        free(line);
        free(undos);
        return STATUS_NO_MEMORY;
    }
    struct position pos = tree->root_pos;
    uint32_t at = tree->root;
    for (;;) {
        const struct tree_node *node = &tree->nodes[at];
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
