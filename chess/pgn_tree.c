/* The tree of openings that a reader of games knows again by their text. Each game adds one node,
 * where it leaves the tree, so that it grows where most games go. */
#include <stdlib.h>
#include <string.h>

#include "chess/pgn_internal.h"

_Static_assert(sizeof(struct pgn_node) + sizeof(struct position) + 2 * sizeof(struct pgn_step) <=
                   PGN_NODE_BYTES,
               "a node takes what pgn.h says");

void pgn_forget_nodes(struct pgn_reader *reader)
{
    struct pgn_tree *tree = &reader->tree;
    if (!tree->capacity)
        return;
    memset(tree->steps, 0, sizeof *tree->steps << tree->step_bits);
    tree->count = PGN_NODE_START + 1;
    tree->nodes[PGN_NODE_START] = (struct pgn_node){.key = reader->standard.key};
    tree->positions[PGN_NODE_START] = reader->standard;
}

enum caxton_status pgn_set_nodes(struct pgn_reader *reader, size_t nodes)
{
    struct pgn_tree *tree = &reader->tree;
    tree->step_bits = 5;
    while (1 << tree->step_bits < 2 * PGN_NODES_MOST && (size_t)1 << tree->step_bits <= nodes)
        tree->step_bits++;
    uint32_t capacity = UINT32_C(1) << (tree->step_bits - 1);
    tree->steps = calloc((size_t)1 << tree->step_bits, sizeof *tree->steps);
    tree->nodes = malloc(capacity * sizeof *tree->nodes);
    tree->positions = malloc(capacity * sizeof *tree->positions);
    if (!tree->steps || !tree->nodes || !tree->positions) {
        pgn_tree_free(tree);
        return STATUS_NO_MEMORY;
    }
    tree->capacity = capacity;
    pgn_forget_nodes(reader);
    return STATUS_OK;
}

void pgn_tree_free(struct pgn_tree *tree)
{
    free(tree->steps);
    free(tree->nodes);
    free(tree->positions);
    *tree = (struct pgn_tree){0};
}

const struct pgn_node *pgn_nodes(const struct pgn_reader *reader, size_t *count)
{
    *count = reader->tree.count;
    return reader->tree.nodes;
}

void pgn_tree_add(struct pgn_reader *reader, uint64_t token, const struct position *pos,
                  size_t ply_count)
{
    struct pgn_tree *tree = &reader->tree;
    if (tree->count == tree->capacity || ply_count > PGN_NODE_PLIES_MAX)
        return;
    for (size_t ply = 0; ply < ply_count; ply++)
        if (reader->keys[ply] == pos->key)
            return;
    uint16_t node = (uint16_t)tree->count++;
    tree->nodes[node] = (struct pgn_node){.key = pos->key,
                                          .parent = reader->node,
                                          .ply = (uint16_t)ply_count,
                                          .played = reader->moves[ply_count - 1]};
    tree->positions[node] = *pos;
    *pgn_tree_find(tree, reader->node, token) =
        (struct pgn_step){.token = token,
                          .key = pos->key,
                          .from = reader->node,
                          .to = node,
                          .played = tree->nodes[node].played};
    reader->node = node;
}
